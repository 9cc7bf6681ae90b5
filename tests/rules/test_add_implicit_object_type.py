from schemaflow_rules.add_implicit_object_type import add_implicit_object_type


def test_a_property_called_properties_is_none() -> None:
    document = {"type": "object", "properties": {"properties": {"description": "Listed."}}}

    assert add_implicit_object_type.apply(document) is document


def test_goes_to_branches_and_definitions() -> None:
    document = {"$defs": {"A": {"properties": {}}}, "anyOf": [{"properties": {}}]}
    implied = {"properties": {}, "type": "object"}

    assert add_implicit_object_type.apply(document) == {"$defs": {"A": implied}, "anyOf": [implied]}
