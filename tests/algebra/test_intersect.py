"""What `intersect` makes of two schemas, by example. `CLOSED`, `STRING` … stand for the schemas they name."""

import json
from typing import Any

import pytest

from schemaflow import Effect, Schema
from schemaflow.algebra import Outcome, intersect, intersect_all

STRING: Schema = {"type": "string"}
INTEGER: Schema = {"type": "integer"}
CLOSED: Schema = {"additionalProperties": False}

Case = tuple[Schema | bool, Schema | bool, Schema | bool]

TYPES: list[Case] = [
    ({"type": "integer"}, {"type": "number"}, {"type": "integer"}),
    ({"type": "number"}, {"type": ["string", "integer"]}, {"type": "integer"}),
    ({"type": ["null", "number", "string"]}, {"type": ["string", "null"]}, {"type": ["null", "string"]}),
    ({"type": ["integer", "number"]}, {"type": ["number", "null"]}, {"type": ["integer", "number"]}),
    ({"type": ["string", "null"]}, {"maxLength": 5}, {"type": ["string", "null"], "maxLength": 5}),
    ({"type": "string", "nullable": True}, STRING, STRING),
    ({"type": "string", "nullable": True}, {"type": "null"}, {"type": "null"}),
    (
        {"type": "string", "nullable": True},
        {"type": ["string", "null", "array"]},
        {"type": ["string", "null"]},
    ),
    ({"type": "string", "nullable": True}, {"type": "array", "nullable": True}, {"type": "null"}),
]
VALUES: list[Case] = [
    ({"enum": [1, "a", True]}, {"enum": [True, 1.0]}, {"enum": [1, True]}),
    ({"enum": [1, True]}, {"const": True}, {"enum": [True]}),
    ({"const": 1}, {"const": 1.0}, {"const": 1}),
    ({"enum": [1, "a", None]}, {"type": ["string", "null"]}, {"enum": ["a", None], "type": ["string", "null"]}),
    ({"enum": ["", "ab"]}, {"minLength": 1, "maximum": 0}, {"enum": ["ab"], "minLength": 1, "maximum": 0}),
    ({"enum": [[], [1]], "const": []}, {"minItems": 0}, {"enum": [[], [1]], "const": [], "minItems": 0}),
]
NUMBERS: list[Case] = [
    ({"minimum": 1}, {"minimum": 2, "maximum": 5}, {"minimum": 2, "maximum": 5}),
    ({"minimum": 1}, {"exclusiveMinimum": 1}, {"exclusiveMinimum": 1}),
    ({"exclusiveMaximum": 3}, {"maximum": 2}, {"maximum": 2}),
    ({"minimum": 1, "exclusiveMinimum": True}, {"minimum": 0}, {"exclusiveMinimum": 1}),
    ({"minimum": 1, "exclusiveMinimum": False}, {"minimum": 2}, {"minimum": 2}),
    (INTEGER, {"type": "number", "minimum": 1.5}, {"type": "integer", "minimum": 2}),
    ({**INTEGER, "minimum": 1}, {"maximum": 1}, {**INTEGER, "minimum": 1, "maximum": 1}),
    (INTEGER, {"exclusiveMaximum": -0.5}, {"type": "integer", "maximum": -1}),
    ({"multipleOf": 4}, {"multipleOf": 6}, {"multipleOf": 12}),
    ({"multipleOf": 0.1}, {"multipleOf": 0.25}, {"multipleOf": 0.5}),
    ({"multipleOf": 0.6}, {"multipleOf": 0.2}, {"multipleOf": 0.6}),
    (
        {"multipleOf": 2**53 - 1},
        {"multipleOf": 2**53 - 111},
        {"multipleOf": 2**53 - 1, "allOf": [{"multipleOf": 2**53 - 111}]},
    ),
]
LIMITS: list[Case] = [
    ({"minLength": 1, "maxLength": 5}, {"maxLength": 3, "minLength": 2}, {"minLength": 2, "maxLength": 3}),
    ({"uniqueItems": False}, {"uniqueItems": True}, {"uniqueItems": True}),
    ({"required": ["b"]}, {"required": ["a", "b"]}, {"required": ["b", "a"]}),
    (
        {"dependentRequired": {"a": ["b"]}},
        {"dependentRequired": {"a": ["c"], "d": ["a"]}},
        {"dependentRequired": {"a": ["b", "c"], "d": ["a"]}},
    ),
    ({"dependencies": {"a": ["b"]}}, {"dependencies": {"a": ["c"]}}, {"dependencies": {"a": ["b", "c"]}}),
    (
        {"dependencies": {"a": ["b"]}},
        {"dependencies": {"a": CLOSED}},
        {"dependencies": {"a": CLOSED}, "allOf": [{"dependencies": {"a": ["b"]}}]},
    ),
    (
        {"dependentSchemas": {"a": STRING}},
        {"dependentSchemas": {"a": {"minLength": 1}}},
        {"dependentSchemas": {"a": {"type": "string", "minLength": 1}}},
    ),
]
PROPERTIES: list[Case] = [
    (
        {"type": "object", "properties": {"a": STRING}},
        {"properties": {"a": {"minLength": 2}}},
        {"type": "object", "properties": {"a": {"type": "string", "minLength": 2}}},
    ),
    ({"properties": {"a": STRING}, **CLOSED}, {"properties": {"b": {}}}, {"properties": {"a": STRING}, **CLOSED}),
    ({"properties": {"b": {}}}, {"properties": {"a": STRING}, **CLOSED}, {"properties": {"a": STRING}, **CLOSED}),
    (
        {"properties": {"a": STRING}},
        {"properties": {"b": INTEGER}, "additionalProperties": {"maxLength": 3}},
        {
            "properties": {"a": {"type": "string", "maxLength": 3}, "b": INTEGER},
            "additionalProperties": {"maxLength": 3},
        },
    ),
    ({"additionalProperties": STRING}, {"additionalProperties": INTEGER}, CLOSED),
    (
        {"properties": {"a": {}}},
        {"additionalProperties": True},
        {"properties": {"a": {}}, "additionalProperties": True},
    ),
    ({"propertyNames": {"maxLength": 5}}, {"propertyNames": {"maxLength": 3}}, {"propertyNames": {"maxLength": 3}}),
]
PATTERN_PROPERTIES: list[Case] = [
    (
        {"patternProperties": {"^x-": STRING}},
        {"patternProperties": {"^x-": {"minLength": 1}, "z$": {}}},
        {"patternProperties": {"^x-": {"type": "string", "minLength": 1}, "z$": {}}},
    ),
    (
        {"patternProperties": {"^x-": STRING}, **CLOSED},
        {"properties": {"x-a": {"minLength": 1}, "b": {}}},
        {"patternProperties": {"^x-": STRING}, **CLOSED, "properties": {"x-a": {"minLength": 1}}},
    ),
    (
        {"properties": {"x-a": STRING}, "patternProperties": {"^x-": {}}, **CLOSED},
        {"properties": {"x-a": INTEGER, "b": {}}},
        {"properties": {"x-a": False}, "patternProperties": {"^x-": {}}, **CLOSED},
    ),
    (
        {"properties": {"a": {}}, **CLOSED},
        {"patternProperties": {"^x-": STRING}},
        {"properties": {"a": {}}, **CLOSED},
    ),
    (
        {"patternProperties": {"^x-": {}}, "additionalProperties": STRING},
        {"patternProperties": {"^[a-y]": {}}},
        {
            "patternProperties": {"^x-": {}, "^[a-y]": {}},
            "additionalProperties": STRING,
            "allOf": [{"patternProperties": {"^x-": True}, "additionalProperties": STRING}],
        },
    ),
    (
        {"properties": {"a": {}}, "patternProperties": {"[x]": STRING}, **CLOSED},
        {"properties": {"b": INTEGER}},
        {
            "properties": {"a": {}, "b": INTEGER},
            "patternProperties": {"[x]": STRING},
            **CLOSED,
            "allOf": [{"properties": {"a": True}, "patternProperties": {"[x]": True}, **CLOSED}],
        },
    ),
    (
        {"additionalProperties": {"maxLength": 3}},
        {"patternProperties": {"[x]": STRING}},
        {
            "additionalProperties": {"maxLength": 3},
            "patternProperties": {"[x]": {"type": "string", "maxLength": 3}},
        },
    ),
]
ARRAYS: list[Case] = [
    (
        {"prefixItems": [STRING]},
        {"prefixItems": [{"minLength": 1}, INTEGER]},
        {"prefixItems": [{"type": "string", "minLength": 1}, INTEGER]},
    ),
    (
        {"prefixItems": [STRING], "items": INTEGER},
        {"items": {"title": "each"}},
        {"prefixItems": [{"type": "string", "title": "each"}], "items": {"type": "integer", "title": "each"}},
    ),
    ({"prefixItems": [{}, {}]}, {"prefixItems": [{}], "items": False}, {"prefixItems": [{}], "items": False}),
    (
        {"prefixItems": [{}, STRING, {}]},
        {"prefixItems": [{}, INTEGER, {}], "items": False},
        {"prefixItems": [{}], "items": False},
    ),
    ({"items": STRING}, {"items": INTEGER}, {"items": False}),
    (
        {"items": [STRING], "additionalItems": False},
        {"items": {"minLength": 1}},
        {"items": [{"type": "string", "minLength": 1}], "additionalItems": False},
    ),
    (
        {"items": [STRING]},
        {"prefixItems": [{"minLength": 1}]},
        {"prefixItems": [{"type": "string", "minLength": 1}]},
    ),
    ({"contains": STRING}, {"contains": STRING, "minItems": 1}, {"contains": STRING, "minItems": 1}),
    (
        {"contains": STRING},
        {"contains": INTEGER, "maxContains": 2},
        {"contains": STRING, "allOf": [{"contains": INTEGER, "maxContains": 2}]},
    ),
    ({"minContains": 2}, {"contains": STRING}, {"contains": STRING}),
]
WITHOUT_PLURAL: list[Case] = [
    ({"pattern": "a"}, {"pattern": "a", **STRING}, {"pattern": "a", **STRING}),
    ({"pattern": "a"}, {"pattern": "b", **STRING}, {"pattern": "a", **STRING, "allOf": [{"pattern": "b"}]}),
    ({"format": "uri"}, {"format": "date"}, {"format": "uri", "allOf": [{"format": "date"}]}),
    ({"anyOf": [STRING]}, {"anyOf": [INTEGER]}, {"anyOf": [STRING], "allOf": [{"anyOf": [INTEGER]}]}),
    ({"not": STRING}, {"oneOf": [STRING, {}]}, {"not": STRING, "oneOf": [STRING, {}]}),
    (
        {"if": STRING, "then": {"minLength": 1}},
        {"if": INTEGER, "else": {"minLength": 2}},
        {"if": STRING, "then": {"minLength": 1}, "allOf": [{"if": INTEGER, "else": {"minLength": 2}}]},
    ),
    ({"then": False}, {"if": STRING, "else": False}, {"if": STRING, "else": False}),
    ({"$ref": "#/a"}, {"type": "object"}, {"$ref": "#/a", "type": "object"}),
    ({"$ref": "#/a"}, {"$ref": "#/b"}, {"$ref": "#/a", "allOf": [{"$ref": "#/b"}]}),
]
FOUND_BY_NAME: list[Case] = [
    ({"$defs": {"a": STRING}}, {"$defs": {"a": STRING, "b": {}}}, {"$defs": {"a": STRING, "b": {}}}),
    ({"$defs": {"a": STRING}}, {"$defs": {"a": {}}}, {"$defs": {"a": STRING}, "allOf": [{"$defs": {"a": {}}}]}),
    (STRING, {"$id": "urn:x:a", "minLength": 1}, {**STRING, "allOf": [{"$id": "urn:x:a", "minLength": 1}]}),
    ({"$anchor": "a", **STRING}, {"minLength": 1}, {"minLength": 1, "allOf": [{"$anchor": "a", **STRING}]}),
    (
        {"properties": {"a": {}}, "unevaluatedProperties": False},
        {"properties": {"b": {}}},
        {"properties": {"b": {}}, "allOf": [{"properties": {"a": {}}, "unevaluatedProperties": False}]},
    ),
    (
        {"properties": {"a": {}}, "unevaluatedProperties": False},
        {"required": ["a"]},
        {"properties": {"a": {}}, "unevaluatedProperties": False, "required": ["a"]},
    ),
]
ANNOTATIONS: list[Case] = [
    ({"title": "A"}, {"title": "B", "description": "B"}, {"title": "A", "description": "B"}),
    ({"deprecated": False, "x-a": 1}, {"deprecated": True, "x-a": 2}, {"deprecated": True, "x-a": 1}),
    (
        {"contentEncoding": "base64"},
        {"contentMediaType": "image/png"},
        {"contentEncoding": "base64"},
    ),
]
ALL_OF: list[Case] = [
    ({"allOf": [{"allOf": [STRING]}, {"minLength": 1}]}, {"maxLength": 2}, {**STRING, "minLength": 1, "maxLength": 2}),
    (
        {"allOf": [{"pattern": "a"}, {"pattern": "b"}], "title": "A"},
        {"pattern": "c"},
        {"allOf": [{"pattern": "b"}, {"pattern": "c"}], "title": "A", "pattern": "a"},
    ),
    ({"allOf": [True, {}]}, True, {}),
    (
        {"unevaluatedProperties": False, "allOf": [{"properties": {"a": {}}}, {"properties": {"b": {}}}]},
        True,
        {"unevaluatedProperties": False, "properties": {"a": {}, "b": {}}},
    ),
]
EXACT = [
    *(TYPES + VALUES + NUMBERS + LIMITS + PROPERTIES + PATTERN_PROPERTIES),
    *(ARRAYS + WITHOUT_PLURAL + FOUND_BY_NAME + ANNOTATIONS + ALL_OF),
]


def text(value: Any) -> str:
    """A schema as text, since the order of its keywords counts."""
    return json.dumps(value)


@pytest.mark.parametrize(("left", "right", "expected"), EXACT, ids=text)
def test_exact(left: Schema | bool, right: Schema | bool, expected: Schema | bool) -> None:
    outcome = intersect(left, right)

    assert (text(outcome.schema), outcome.effect) == (text(expected), Effect.EXACT)


NOTHING: list[tuple[Schema, Schema, str]] = [
    (STRING, INTEGER, "type string and type integer"),
    ({"enum": [1]}, {"const": True}, "no value is in every enum and const"),
    ({"enum": [1]}, STRING, "no value of enum and const has the type and the size"),
    ({**INTEGER, "minimum": 5}, {"maximum": 3}, "bounds 5 and 3"),
    ({"type": "number", "minimum": 5}, {"exclusiveMaximum": 5}, "bounds 5 and 5"),
    ({**INTEGER, "exclusiveMinimum": 1}, {"exclusiveMaximum": 2}, "no integer between 1 and 2"),
    ({**STRING, "minLength": 5}, {"maxLength": 3}, "minLength 5 and maxLength 3"),
    ({"type": "array", "minItems": 2}, {"maxItems": 1}, "minItems 2 and maxItems 1"),
    ({"type": "array", "minItems": 2}, {"prefixItems": [{}], "items": False}, "minItems 2 and at most 1 items"),
    ({"type": "array", "contains": {}}, {"maxItems": 0}, "minContains 1 and maxItems 0"),
    ({"type": "object", "minProperties": 2}, {"maxProperties": 1}, "minProperties 2 and maxProperties 1"),
    ({"type": "object", "required": ["a"]}, {"maxProperties": 0}, "1 required and at most 0 properties"),
    ({"type": "object", "required": ["a"]}, {"properties": {"a": False}}, "property 'a' is required and cannot be"),
    ({"type": "object", "required": ["a"]}, {"properties": {}, **CLOSED}, "property 'a' is required and cannot be"),
    (
        {"type": "object", "required": ["a"], "minProperties": 1},
        {"patternProperties": {"^a": False}},
        "property 'a' is required and cannot be",
    ),
    (
        {"type": "object", "minProperties": 2},
        {"properties": {"a": {}}, **CLOSED},
        "minProperties 2 and at most 1 properties",
    ),
    ({"type": "object", "required": ["a"]}, {"propertyNames": False}, "1 required and at most 0 properties"),
    ({"not": {}}, STRING, "not true"),
    ({"anyOf": [False]}, STRING, "anyOf of nothing but false"),
]


@pytest.mark.parametrize(("left", "right", "reason"), NOTHING, ids=text)
def test_nothing_can_match(left: Schema, right: Schema, reason: str) -> None:
    expected = Outcome(False, Effect.EXACT, (f"nothing can match: {reason}",))

    assert intersect(left, right) == expected


def test_a_type_of_which_nothing_can_match_is_dropped() -> None:
    outcome = intersect({"type": ["string", "null"], "minLength": 5}, {"maxLength": 3})

    assert outcome.schema == {"type": "null", "minLength": 5, "maxLength": 3}
    assert outcome.notes == ("no string can match: minLength 5 and maxLength 3",)


def test_a_required_property_that_cannot_be_says_where_and_why() -> None:
    left = {"type": "object", "required": ["a"], "properties": {"a": STRING}}
    outcome = intersect(left, {"properties": {"a": INTEGER}})

    assert outcome.schema is False
    assert outcome.notes == (
        "/properties/a: nothing can match: type string and type integer",
        "nothing can match: property 'a' is required and cannot be",
    )


def test_false_swallows_what_was_left_out() -> None:
    left = {"type": "object", "required": ["b"], "properties": {"a": {"pattern": "a"}, "b": STRING}}
    right = {"properties": {"a": {"pattern": "b"}, "b": INTEGER}}

    assert intersect(left, right, residual=False).effect is Effect.EXACT


LEFT_OUT: list[tuple[Schema, Schema, Schema, str]] = [
    ({"pattern": "a"}, {"pattern": "b"}, {"pattern": "a"}, "left out pattern 'b'"),
    (
        {"items": {"pattern": "a"}},
        {"items": {"pattern": "b"}},
        {"items": {"pattern": "a"}},
        "/items: left out pattern 'b'",
    ),
    ({"anyOf": [STRING]}, {"anyOf": [INTEGER]}, {"anyOf": [STRING]}, "left out anyOf"),
    (
        {"patternProperties": {"[x]": {}}, **CLOSED},
        {"properties": {"b": {}}},
        {"patternProperties": {"[x]": {}}, **CLOSED, "properties": {"b": {}}},
        "left out patternProperties, additionalProperties",
    ),
    (
        {"properties": {"a": {}}, "unevaluatedProperties": False},
        {"properties": {"b": {}}},
        {"properties": {"a": {}, "b": {}}},
        "left out unevaluatedProperties",
    ),
    (STRING, {"$id": "urn:x:a", "minLength": 1}, STRING, "left out $id, minLength"),
]


@pytest.mark.parametrize(("left", "right", "expected", "note"), LEFT_OUT, ids=text)
def test_without_a_residual(left: Schema, right: Schema, expected: Schema, note: str) -> None:
    assert intersect(left, right, residual=False) == Outcome(expected, Effect.WIDENS, (note,))


def test_unevaluated_goes_with_what_it_sees() -> None:
    schema = {"unevaluatedProperties": False, "allOf": [{"anyOf": [{"properties": {"a": {}}}]}, {"anyOf": [STRING]}]}
    outcome = intersect_all([schema], residual=False)

    assert outcome.schema == {"anyOf": [{"properties": {"a": {}}}]}
    assert outcome.notes == ("left out anyOf", "left out unevaluatedProperties")
