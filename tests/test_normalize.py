"""The normal form: what it makes of small schemas, each of which once was a trap."""

import json
from typing import Any

import pytest

import schemaflow
from schemaflow import Effect, Schema
from schemaflow.validation import judge_of
from tests.algebra.related import SMALL_VALUES

S: Schema = {"type": "string"}
NULL: Schema = {"type": "null"}
ADAPTER = schemaflow.adapter("normalize")


def union(*members: Any) -> Schema:
    return {"anyOf": list(members)}


def tagged(value: Any) -> Schema:
    return {"properties": {"k": {"const": value}}, "required": ["k"]}


def typed(*values: int) -> Schema:
    return {"enum": list(values), "type": "integer"}


CASES: dict[str, tuple[Schema, Schema | bool]] = {
    "a keyword goes to the type that it speaks of": (
        {"type": ["string", "null"], "maxLength": 5},
        union({"type": "string", "maxLength": 5}, NULL),
    ),
    "null is a type": ({"type": "string", "nullable": True}, union(S, NULL)),
    "a closed member closes the others": (
        {"allOf": [{"properties": {"a": {}}, "additionalProperties": False}, {"properties": {"b": {}}}]},
        {"properties": {"a": {}}, "additionalProperties": False},
    ),
    "properties of one name": (
        {"type": "object", "allOf": [{"properties": {"a": S}}, {"properties": {"a": {"minLength": 2}}}]},
        {"type": "object", "properties": {"a": {"type": "string", "minLength": 2}}},
    ),
    "a bound between two integers": (
        {"allOf": [{"type": "integer"}, {"type": "number", "minimum": 1.5}]},
        {"type": "integer", "minimum": 2},
    ),
    "one of two required names": (
        {
            "oneOf": [{"required": ["a"]}, {"required": ["b"]}],
            "properties": {"a": {}, "b": {}},
            "additionalProperties": False,
            "type": "object",
        },
        union(
            {"type": "object", "properties": {"a": {}}, "additionalProperties": False, "required": ["a"]},
            {"type": "object", "properties": {"b": {}}, "additionalProperties": False, "required": ["b"]},
        ),
    ),
    "an integer is a number": (
        {"oneOf": [{"type": "integer"}, {"type": "number"}]},
        {"type": "number", "not": {"type": "integer"}},
    ),
    "members told apart by a constant": (
        {"type": "object", "oneOf": [tagged(1), tagged(2)]},
        union(
            {"type": "object", "properties": {"k": {"const": 1, "type": "integer"}}, "required": ["k"]},
            {"type": "object", "properties": {"k": {"const": 2, "type": "integer"}}, "required": ["k"]},
        ),
    ),
    "a forbidden name": (
        {"type": "object", "not": {"required": ["a"]}},
        {"type": "object", "properties": {"a": False}},
    ),
    "twice refused": ({"not": {"not": S}}, S),
    "refused values stay": (
        {"type": "string", "not": {"enum": ["a", "ab"]}},
        {"type": "string", "not": {"enum": ["a", "ab"]}},
    ),
    "a condition": (
        {
            "type": "object",
            "properties": {"k": {"enum": [1, 2]}, "a": {}},
            "if": tagged(1),
            "then": {"required": ["a"]},
        },
        union(
            {"type": "object", "properties": {"k": typed(1), "a": {}}, "required": ["k", "a"]},
            {"type": "object", "properties": {"k": typed(2), "a": {}}, "required": ["k"]},
            {"type": "object", "properties": {"k": False, "a": {}}},
        ),
    ),
    "a dependency": (
        {
            "type": "object",
            "properties": {"a": {}, "b": {}},
            "dependentRequired": {"a": ["b"]},
            "additionalProperties": False,
        },
        union(
            {"type": "object", "properties": {"b": {}}, "additionalProperties": False},
            {"type": "object", "properties": {"a": {}, "b": {}}, "additionalProperties": False, "required": ["a", "b"]},
        ),
    ),
    "an older spelling of dependencies": (
        {"type": "object", "dependencies": {"a": ["b"]}},
        union({"type": "object", "properties": {"a": False}}, {"type": "object", "required": ["a", "b"]}),
    ),
    "draft 4's flags": (
        {"$schema": "http://json-schema.org/draft-04/schema#", "minimum": 1, "exclusiveMinimum": True},
        {"$schema": "https://json-schema.org/draft/2020-12/schema", "exclusiveMinimum": 1},
    ),
    "a reference to anywhere": (
        {"items": {"$ref": "#/properties/a~1b%25"}, "properties": {"a/b%": S}},
        {"items": S, "properties": {"a/b%": S}},
    ),
    "recursion stays": (
        {
            "definitions": {"N": {"type": "object", "properties": {"n": {"$ref": "#/definitions/N"}}}},
            "items": {"$ref": "#/definitions/N"},
        },
        {
            "$defs": {"N": {"type": "object", "properties": {"n": {"$ref": "#/$defs/N"}}}},
            "items": {"$ref": "#/$defs/N"},
        },
    ),
    "a type is not inferred before merging": (
        {"allOf": [{"items": S}, {"type": "object"}]},
        {"type": "object"},
    ),
    "an explicitly open object stays so": (
        {"allOf": [{"additionalProperties": True, "type": "object"}, {"properties": {"a": S}}]},
        {"additionalProperties": True, "type": "object", "properties": {"a": S}},
    ),
    "a number holds integers": (union({"type": "number"}, {"type": "integer"}), {"type": "number"}),
    "a branch that nothing can match goes": (
        {"type": "object", "anyOf": [{"required": ["a"], "properties": {"a": False}}, {"required": ["b"]}]},
        {"type": "object", "required": ["b"]},
    ),
    "unevaluated properties": (
        {"type": "object", "allOf": [{"properties": {"a": S}}], "unevaluatedProperties": False},
        {"type": "object", "properties": {"a": S}, "additionalProperties": False},
    ),
    "nothing can match": ({"allOf": [S, NULL]}, False),
}


@pytest.mark.parametrize(("schema", "expected"), CASES.values(), ids=CASES)
def test_the_normal_form(schema: Schema, expected: Schema | bool) -> None:
    result = ADAPTER.adapt(schema)

    assert json.loads(json.dumps(result.schema)) == expected


@pytest.mark.parametrize("schema", [schema for schema, _ in CASES.values()], ids=CASES)
def test_the_normal_form_accepts_what_was_accepted(schema: Schema) -> None:
    result = ADAPTER.adapt(schema)
    before, after = judge_of(schema), judge_of(result.schema)

    assert result.report.effect is Effect.EXACT
    assert [after(value) for value in SMALL_VALUES] == [before(value) for value in SMALL_VALUES]


@pytest.mark.parametrize(
    "schema",
    [
        {"type": "object", "properties": {"a": S, "b": typed(1, 2)}, "required": ["a"]},
        {"description": "A name.", "anyOf": [S, NULL]},
        {"type": "array", "items": {"type": "object", "additionalProperties": {"type": "integer", "minimum": 1}}},
        {},
    ],
)
def test_what_is_in_normal_form_is_the_same_object(schema: Schema) -> None:
    assert ADAPTER.adapt(schema).schema is schema


def test_branches_do_not_explode() -> None:
    """Twelve dependencies are 4,096 branches: what is too much stays a condition of its own."""
    names = [f"p{number}" for number in range(12)]
    schema = {"type": "object", "dependentRequired": {name: [f"{name}x"] for name in names}}
    result = ADAPTER.adapt(schema)
    accepts = judge_of(result.schema)

    assert result.report.effect is Effect.EXACT
    assert len(json.dumps(result.schema)) < 40 * len(json.dumps(schema))
    assert (accepts({"p3": 1}), accepts({"p3": 1, "p3x": 1}), accepts({})) == (False, True, True)


def test_what_is_shared_many_times_is_written_out_once() -> None:
    """Two to the power of 22 uses of one definition."""
    levels: Schema = {"d0": {"type": "object", "properties": {"a": {"type": "string", "description": "x" * 200}}}}
    for number in range(1, 23):
        below = {"$ref": f"#/$defs/d{number - 1}"}
        levels[f"d{number}"] = {"type": "object", "properties": {"a": below, "b": below}}
    schema = {"$defs": levels, "items": {"$ref": "#/$defs/d12"}, "contains": {"$ref": "#/$defs/d11"}}
    result = ADAPTER.adapt(schema)

    assert len(json.dumps(result.schema)) < 100_000
    assert result.report.effect is Effect.EXACT


@pytest.mark.parametrize("schema", [{"anyOf": [{"anyOf": 0}]}, {"anyOf": [{"anyOf": 0}, {"anyOf": {}}]}])
def test_a_union_that_is_none_stays_in_its_place(schema: Schema) -> None:
    assert "anyOf" in schemaflow.adapter("normalize").adapt(schema).schema
