import pytest

from schemaflow import Schema
from schemaflow_rules.share_property_names import share_property_names

A: Schema = {"properties": {"a": {"type": "string"}}}
B: Schema = {"properties": {"b": {"type": "string"}}}


def test_a_node_that_will_be_closed_knows_the_names_of_its_members() -> None:
    document = {"type": "object", "anyOf": [A, {"minProperties": 1}]}
    named: Schema = {"properties": {"a": {}}}

    assert share_property_names(document) == {**document, **named}


def test_names_go_down_to_inner_members() -> None:
    inner: Schema = {"anyOf": [{"type": "object", "required": ["a"]}, {"type": "null"}]}
    result = share_property_names.apply({"allOf": [A, inner]})

    assert result["allOf"][1]["anyOf"] == [{**inner["anyOf"][0], "properties": {"a": {}}}, {"type": "null"}]


def test_members_that_do_not_speak_of_objects_are_left_alone() -> None:
    document = {**A, "anyOf": [{"required": ["a"]}, {"minProperties": 1}]}

    assert share_property_names.apply(document) is document


@pytest.mark.parametrize("rest", [False, {"type": "integer"}])
def test_a_schema_that_speaks_of_other_properties_itself_is_left_alone(rest: Schema | bool) -> None:
    closed = {**A, "additionalProperties": rest}

    assert share_property_names({"allOf": [closed, B]})["allOf"][0] is closed


def test_unevaluated_properties_leave_everything_alone() -> None:
    document = {"allOf": [A, B], "unevaluatedProperties": False}

    assert share_property_names(document) is document


@pytest.mark.parametrize("properties", [[], None, "a"])
def test_what_is_no_map_declares_nothing(properties: object) -> None:
    document = {"properties": properties, "allOf": [{"properties": properties}]}

    assert share_property_names.apply(document) is document
