"""Descriptors as JSON Schema and back: nothing is lost, and what is no descriptor is refused by pointer."""

from typing import Any

import pytest
from hypothesis import given

from schemaflow import LimitError, NotASchemaError, Schema, adapter
from schemaflow.adapters import to_bytes
from schemaflow.koog import (
    AnyOf,
    Boolean,
    Enum,
    Float,
    Integer,
    List,
    Null,
    Object,
    String,
    ToolDescriptor,
    ToolParameterDescriptor,
    ToolParameterType,
    descriptor_of,
)
from schemaflow.koog.folding import Split, fold
from tests.koog.drawn import descriptors

A = ToolParameterDescriptor("a", "First.", String())


def schema_of(kind: ToolParameterType) -> Schema:
    """What a type is as JSON Schema."""
    (schema,) = ToolDescriptor("t", "", [ToolParameterDescriptor("p", "P", kind)]).to_schema()["properties"].values()
    assert schema.pop("description") == "P"
    found: Schema = schema
    return found


@pytest.mark.parametrize(
    ("kind", "expected"),
    [
        (String(), {"type": "string"}),
        (Integer(), {"type": "integer"}),
        (Float(), {"type": "number"}),
        (Boolean(), {"type": "boolean"}),
        (Null(), {"type": "null"}),
        (Enum(["x", "y"]), {"type": "string", "enum": ["x", "y"]}),
        (List(Integer()), {"type": "array", "items": {"type": "integer"}}),
        (Object([]), {"type": "object", "properties": {}}),
        (
            Object([A], ["a"], False),
            {
                "type": "object",
                "additionalProperties": False,
                "properties": {"a": {"type": "string", "description": "First."}},
                "required": ["a"],
            },
        ),
        (Object([], [], True), {"type": "object", "additionalProperties": True, "properties": {}}),
        (
            Object([], [], True, Float()),
            {"type": "object", "additionalProperties": {"type": "number"}, "properties": {}},
        ),
        (
            Object([], [], None, Float()),
            {"type": "object", "unevaluatedProperties": {"type": "number"}, "properties": {}},
        ),
        (Object([], [], False, Float()), {"type": "object", "additionalProperties": False, "properties": {}}),
        (
            AnyOf([A, ToolParameterDescriptor("", "", Null())]),
            {"anyOf": [{"title": "a", "type": "string", "description": "First."}, {"type": "null", "description": ""}]},
        ),
    ],
)
def test_each_type_has_one_form(kind: ToolParameterType, expected: Schema) -> None:
    assert to_bytes(schema_of(kind)) == to_bytes(expected)


def test_the_root_lists_what_is_required_also_if_nothing_is() -> None:
    assert to_bytes(ToolDescriptor("t", "T").to_schema()) == b'{"type":"object","properties":{},"required":[]}'


@given(descriptors())
def test_the_schema_gives_the_descriptor_back(descriptor: ToolDescriptor) -> None:
    assert descriptor_of(descriptor.name, descriptor.description, descriptor.to_schema()) == descriptor


@given(descriptors())
def test_the_pipeline_of_what_descriptors_can_say_changes_nothing(descriptor: ToolDescriptor) -> None:
    result = adapter("koog/descriptor", faithful=True).adapt(descriptor.to_schema())

    assert list(result.report) == []


def test_depth_does_not_hurt() -> None:
    kind: ToolParameterType = String()
    for _ in range(5000):
        kind = List(kind)
    descriptor = ToolDescriptor("t", "", [ToolParameterDescriptor("p", "", kind)])

    with pytest.raises(LimitError):
        adapter("koog/openai").adapt_tool(descriptor)


def test_the_order_of_keywords_does_not_matter() -> None:
    schema = {"required": ["a"], "properties": {"b": {"type": "null"}, "a": {"description": "D", "type": "string"}}}
    expected = ToolDescriptor(
        "t", "", [ToolParameterDescriptor("a", "D", String())], [ToolParameterDescriptor("b", "", Null())]
    )

    assert descriptor_of("t", "", schema) == expected


@pytest.mark.parametrize(
    ("schema", "expected"),
    [
        ({"type": "object", "additionalProperties": {}}, Object([], [], True)),
        ({"type": "object", "unevaluatedProperties": False}, Object([], [], False)),
        ({"type": "object", "unevaluatedProperties": False, "additionalProperties": True}, Object([], [], True)),
        ({"type": "object", "required": ["x"]}, Object([], ["x"])),
        ({"anyOf": []}, AnyOf([])),
    ],
)
def test_other_forms_of_the_same_are_read_too(schema: Schema, expected: ToolParameterType) -> None:
    descriptor = descriptor_of("t", "", {"properties": {"p": schema}})

    assert descriptor.optional_parameters[0].type == expected


def test_a_schema_that_says_nothing_has_no_parameters() -> None:
    assert descriptor_of("t", "T", {}) == descriptor_of("t", "T", True) == ToolDescriptor("t", "T")


@pytest.mark.parametrize(
    ("schema", "place", "said"),
    [
        (False, "", "the schema is false"),
        (5, "", "the schema is integer"),
        ({"type": "array"}, "", "are an object, not 'array'"),
        ({"properties": []}, "/properties", "properties are an object, not array"),
        ({"required": "a"}, "/required", "required is a list of names"),
        ({"properties": {"a/b": True}}, "/properties/a~1b", "the schema is true"),
        ({"properties": {"a": {}}}, "/properties/a", "neither a type nor a union"),
        ({"properties": {"a": {"anyOf": {}}}}, "/properties/a", "neither a type nor a union"),
        ({"properties": {"a": {"type": "date"}}}, "/properties/a/type", "'date' is no type of Koog's"),
        ({"properties": {"a": {"type": ["string"]}}}, "/properties/a/type", "is no type of Koog's"),
        ({"properties": {"a": {"type": "string", "description": 5}}}, "/properties/a/description", "not integer"),
        ({"properties": {"a": {"type": "array"}}}, "/properties/a", "write items"),
        ({"properties": {"a": {"type": "array", "items": False}}}, "/properties/a/items", "the schema is false"),
        ({"properties": {"a": {"type": "string", "enum": [1]}}}, "/properties/a/enum", "a list of strings"),
        (
            {"properties": {"a": {"anyOf": [{"type": "null"}, {"type": "x"}]}}},
            "/properties/a/anyOf/1/type",
            "'x' is no type",
        ),
        (
            {"properties": {"a": {"type": "object", "additionalProperties": 5}}},
            "/properties/a/additionalProperties",
            "a boolean or a schema",
        ),
        (
            {"properties": {"a": {"type": "object", "additionalProperties": {"type": "x"}}}},
            "/properties/a/additionalProperties/type",
            "'x' is no type",
        ),
    ],
)
def test_what_a_descriptor_cannot_say_is_refused_by_pointer(schema: Any, place: str, said: str) -> None:
    with pytest.raises(NotASchemaError) as raised:
        descriptor_of("sail", "", schema)

    assert (raised.value.tool, raised.value.pointer) == ("sail", place)
    assert said in raised.value.problem


def test_a_fold_joins_the_parts_in_order() -> None:
    def split(node: Any) -> Split:
        return Split(node, "".join) if isinstance(node, list) else Split((), lambda done: node)

    assert fold([["a", ["b"]], "c"], split) == "abc"
