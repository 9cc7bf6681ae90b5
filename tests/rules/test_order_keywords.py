from schemaflow import Schema
from schemaflow_rules.order_keywords import order_keywords


def test_what_is_not_there_takes_no_place() -> None:
    ordered = order_keywords({"items": {}, "type": "array"}, keywords=["title", "type", "items"])

    assert list(ordered) == ["type", "items"]


def test_names_of_properties_keep_their_order() -> None:
    document: Schema = {"properties": {"description": {}, "type": {}}}

    assert order_keywords.apply(document, keywords=["type", "description"]) is document
