"""The complement of each keyword, and of those that have none."""

import pytest

from schemaflow import Effect, Schema
from schemaflow.algebra import complement

OBJECT: Schema = {"type": "object"}
ARRAY: Schema = {"type": "array"}
NUMBER: Schema = {"type": "number"}
S: Schema = {"type": "string"}


@pytest.mark.parametrize(
    ("schema", "expected"),
    [
        (True, False),
        (False, True),
        ({}, False),
        ({"title": "T", "default": 1, "format": "date", "x-note": 1}, False),
        (S, {"type": ["object", "array", "number", "boolean", "null"]}),
        ({"type": ["object", "array", "string", "number", "boolean"]}, {"type": "null"}),
        ({"type": ["object", "array", "string", "number", "boolean", "null"]}, False),
        ({"minLength": 2}, {"type": "string", "maxLength": 1}),
        ({"minLength": 0}, False),
        ({"maxLength": 2}, {"type": "string", "minLength": 3}),
        ({"minItems": 1}, {"type": "array", "maxItems": 0}),
        ({"maxProperties": 2.0}, {"type": "object", "minProperties": 3}),
        ({"minimum": 1}, {"type": "number", "exclusiveMaximum": 1}),
        ({"exclusiveMaximum": 1.5}, {"type": "number", "minimum": 1.5}),
        ({"required": ["a"]}, {"type": "object", "properties": {"a": False}}),
        ({"required": []}, False),
        ({"properties": {"a": {"type": "null"}}}, None),
        ({"items": False}, {"type": "array", "contains": True}),
        ({"items": True}, False),
        ({"contains": False}, ARRAY),
        ({"prefixItems": [True, False]}, {"type": "array", "prefixItems": [True, True], "minItems": 2}),
        ({"not": S}, S),
        ({"not": {"title": "T", **S}}, S),
        ({"anyOf": [{"minLength": 2}, {"type": "null"}]}, {"type": "string", "maxLength": 1}),
        # What has no opposite.
        ({"enum": [1, 2]}, {"not": {"enum": [1, 2]}}),
        ({"const": 1}, {"not": {"const": 1}}),
        ({"pattern": "a"}, {"type": "string", "not": {"pattern": "a"}}),
        ({"multipleOf": 2}, {"type": "number", "not": {"multipleOf": 2}}),
        ({"uniqueItems": True}, {"type": "array", "not": {"uniqueItems": True}}),
        ({"uniqueItems": False}, False),
        ({"propertyNames": {"minLength": 2}}, {"type": "object", "not": {"propertyNames": {"minLength": 2}}}),
        ({"$ref": "#/$defs/A"}, {"not": {"$ref": "#/$defs/A"}}),
        ({"unevaluatedItems": False}, {"not": {"unevaluatedItems": False}}),
        (
            {"properties": {"a": True}, "additionalProperties": False},
            {"type": "object", "not": {"properties": {"a": True}, "additionalProperties": False}},
        ),
        # What is no schema is not read.
        ({"minLength": "a"}, {"not": {"minLength": "a"}}),
        ({"anyOf": {"a": 1}}, {"not": {"anyOf": {"a": 1}}}),
    ],
)
def test_the_complement_of_a_keyword(schema: Schema | bool, expected: Schema | bool | None) -> None:
    outcome = complement(schema)

    assert outcome.effect is Effect.EXACT
    if expected is None:
        branch = {"type": "object", "properties": {"a": complement({"type": "null"}).schema}, "required": ["a"]}
        assert outcome.schema == branch
    else:
        assert outcome.schema == expected


def test_what_is_large_is_not_turned_round() -> None:
    schema: Schema = {"properties": {str(number): {"properties": {"a": S}} for number in range(30)}}

    assert complement(schema).schema == {"not": schema}
