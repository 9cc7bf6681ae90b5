from schemaflow_rules.strip_schema_keyword import strip_schema_keyword


def test_goes_from_definitions_too() -> None:
    document = {"$schema": "a", "$defs": {"A": {"$schema": "b", "type": "string"}}}

    assert strip_schema_keyword.apply(document) == {"$defs": {"A": {"type": "string"}}}


def test_stays_in_data() -> None:
    document = {"default": {"$schema": "a"}, "enum": [{"$schema": "b"}]}

    assert strip_schema_keyword.apply(document) is document
