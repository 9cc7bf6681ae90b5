from schemaflow_rules.keep_keywords import keep_keywords


def test_the_order_of_the_schema_stays() -> None:
    schema = {"title": "A", "type": "string", "description": "B"}

    assert list(keep_keywords(schema, keywords=["description", "type"])) == ["type", "description"]


def test_names_of_properties_are_no_keywords() -> None:
    document = {"type": "object", "properties": {"pattern": {"type": "string", "pattern": "a"}}}
    expected = {"type": "object", "properties": {"pattern": {"type": "string"}}}

    assert keep_keywords.apply(document, keywords=["type", "properties"]) == expected
