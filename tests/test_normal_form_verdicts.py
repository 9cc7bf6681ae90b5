"""The normal form, judged by its verdicts: schemas on which normalizing once went wrong, or easily does."""

import json
from typing import Any

import pytest
from attrs import frozen

import schemaflow
from schemaflow import Effect, JsonValue, Schema
from schemaflow.origins import nodes
from schemaflow.validation import judge_of
from tests.algebra.related import SMALL_VALUES

S: Schema = {"type": "string"}
N: Schema = {"type": "integer"}
NULL: Schema = {"type": "null"}
ADAPTER = schemaflow.adapter("normalize")


@frozen
class Verdicts:
    """A schema, and a few values that it accepts and refuses."""

    schema: Schema
    accepted: list[JsonValue]
    refused: list[JsonValue]


def closed(properties: Any, **more: Any) -> Schema:
    return {"type": "object", "properties": properties, "additionalProperties": False, **more}


def deep(levels: int) -> tuple[Schema, JsonValue, JsonValue]:
    """Objects inside one another, with a value that fits and one whose innermost member does not."""
    schema: Schema = {"type": "object", "properties": {"end": S}, "required": ["end"]}
    good: JsonValue = {"end": "x"}
    bad: JsonValue = {"end": 1}
    for _ in range(levels):
        schema = {"type": "object", "properties": {"in": schema}, "required": ["in"]}
        good, bad = {"in": good}, {"in": bad}
    return schema, good, bad


DEEP, DEEP_GOOD, DEEP_BAD = deep(12)
MANY = [f"v{number}" for number in range(1001)]

CASES: dict[str, Verdicts] = {
    # --- values and their types
    "a constant null": Verdicts({"const": None}, [None], [0, False, "", {}]),
    "values of several types": Verdicts({"enum": [1, "a", None, ""]}, [1, 1.0, "a", None, ""], [True, 0, "b", []]),
    "objects as values": Verdicts({"enum": [{"a": 1}]}, [{"a": 1}, {"a": 1.0}], [{}, {"a": 2}, {"a": 1, "b": 1}]),
    "true is not one": Verdicts({"enum": [True, 0]}, [True, 0], [1, False]),
    "numbers with gaps": Verdicts({"type": "integer", "enum": [1, 2, 3, 7]}, [1, 3, 7], [0, 4, 6, 8, "1"]),
    "values that the type refuses": Verdicts({"type": "string", "enum": ["a", 1, None]}, ["a"], [1, None]),
    "many values": Verdicts({"anyOf": [{"enum": MANY}, NULL]}, ["v0", "v1000", None], ["v1001", 0]),
    # --- numbers
    "above zero, whole": Verdicts({"type": "integer", "exclusiveMinimum": 0}, [1, 1.0], [0, 0.5, -1]),
    "even numbers": Verdicts({"type": "number", "multipleOf": 2}, [2, 4.0, 0], [1, 2.5, "2"]),
    "multiples of one": Verdicts({"not": {"multipleOf": 1}}, [0.5, 1.5], [1, 1.0, "a", None]),
    "a bound beside another type": Verdicts({"minimum": 5, "type": "string"}, ["", "abc"], [6, 4]),
    "no integer": Verdicts({"not": {"type": "integer"}}, [1.5, "a", None], [1, 2.0]),
    "bounds that cross": Verdicts(
        {"anyOf": [{"type": "integer", "exclusiveMinimum": 1, "exclusiveMaximum": 2}, NULL]}, [None], [1, 1.5, 2]
    ),
    # --- objects
    "one of the optional names": Verdicts(
        closed({"a": {}, "b": {}}, minProperties=1), [{"a": 1}, {"b": 1}, {"a": 1, "b": 1}], [{}, {"c": 1}]
    ),
    "all names are required, no other is allowed": Verdicts(
        closed({"a": S, "b": S}, required=["a", "b"]), [{"a": "", "b": ""}], [{"a": ""}, {"a": "", "b": "", "c": ""}]
    ),
    "a map": Verdicts({"type": "object", "additionalProperties": N}, [{}, {"x": 1}], [{"x": "1"}, []]),
    "names by a pattern": Verdicts(
        {"type": "object", "patternProperties": {"^x-": S}, "additionalProperties": False},
        [{}, {"x-a": "s"}],
        [{"y": "s"}, {"x-a": 1}],
    ),
    "other names beside a pattern": Verdicts(
        {"patternProperties": {"^x-": True}, "additionalProperties": N}, [{"x-a": "s", "b": 1}], [{"b": "s"}]
    ),
    "which rule is for a name": Verdicts(
        {"type": "object", "patternProperties": {"^abc": S}, "additionalProperties": N},
        [{"abc": "123"}, {"ab": 1}],
        [{"abc": 123}, {"ab": "1"}],
    ),
    "a pattern of all names": Verdicts(
        {"properties": {"a": N}, "patternProperties": {".*": {"minimum": 2}}, "additionalProperties": False},
        [{"a": 2}, {"b": 3}],
        [{"a": 1}, {"a": "2"}, {"b": 1}],
    ),
    "the empty pattern": Verdicts(
        {"allOf": [{"properties": {"a": S}}, {"patternProperties": {"": {"maxLength": 1}}}]},
        [{"a": "x"}, {"b": "x"}],
        [{"a": "xx"}, {"b": "xx"}, {"a": 1}],
    ),
    "absent in an open object": Verdicts(
        {"type": "object", "properties": {"a": S}, "dependentRequired": {"a": ["b"]}},
        [{}, {"b": 1}, {"a": "", "b": 1}, {"c": 1}],
        [{"a": ""}, {"a": "", "c": 1}, {"a": 1, "b": 1}],
    ),
    "null where it is not allowed": Verdicts(closed({"p": S}), [{}, {"p": "s"}], [{"p": None}]),
    "null where it is": Verdicts(
        closed({"p": {"type": ["string", "null"]}}), [{}, {"p": None}, {"p": "s"}], [{"p": 1}]
    ),
    "anything as a property": Verdicts(closed({"p": {}}, required=["p"]), [{"p": [[1]]}, {"p": None}], [{}]),
    "an object of any kind": Verdicts({"type": "object"}, [{}, {"a": 1}], [[], None]),
    "names that are keywords": Verdicts(
        closed({"type": S, "$ref": S, "enum": N, "additional_properties": N}),
        [{"type": "a", "$ref": "b", "enum": 1}, {"additional_properties": 1}],
        [{"type": 1}, {"$ref": 1}, {"enum": "a"}, {"properties": 1}],
    ),
    "what a refused property may be": Verdicts(
        {"not": {"properties": {"a": {"type": "string", "pattern": "(?=x)"}}, "required": ["a"]}},
        [{}, {"a": 1}, {"a": "b"}],
        [{"a": "x"}, {"a": "ax"}, []],
    ),
    "an empty property kills its branch": Verdicts(
        {"oneOf": [{"required": ["a"], "properties": {"a": {"enum": []}}, "type": "object"}, {"type": "object"}]},
        [{}, {"a": 1}],
        [None],
    ),
    # --- arrays
    "a closed tuple": Verdicts(
        {"type": "array", "prefixItems": [S, N], "items": False, "minItems": 1},
        [["a"], ["a", 1]],
        [[], [1], ["a", "b"], ["a", 1, 1]],
    ),
    "two items": Verdicts({"type": "array", "minItems": 2, "maxItems": 2}, [[1, 1]], [[1], [1, 1, 1]]),
    # --- unions
    "a map or a list": Verdicts(
        {"anyOf": [{"type": "object", "additionalProperties": S}, {"type": "array", "items": S}]},
        [{}, {"a": "b"}, [], ["a"]],
        [{"a": 1}, [1], "a"],
    ),
    "objects at the root": Verdicts(
        {"anyOf": [closed({"a": S}, required=["a"]), closed({"b": N}, required=["b"])]},
        [{"a": ""}, {"b": 1}],
        [{}, {"a": "", "b": 1}, {"b": ""}],
    ),
    "lengths of text": Verdicts({"type": ["string", "null"], "maxLength": 20}, ["x" * 20, None], ["x" * 21, 1]),
    "a format says nothing of values": Verdicts({"type": "string", "format": "date"}, ["no date"], [1]),
    # --- references
    "text or a list of itself": Verdicts(
        {"anyOf": [S, {"$ref": "#/$defs/L"}], "$defs": {"L": {"type": "array", "items": {"$ref": "#"}}}},
        ["a", [], [["a"], "b"]],
        [1, [1], [[None]]],
    ),
    "a list of nodes": Verdicts(
        {
            "$ref": "#/$defs/node",
            "$defs": {
                "node": {
                    "type": "object",
                    "properties": {"value": S, "next": {"$ref": "#/$defs/node"}},
                    "required": ["value"],
                }
            },
        },
        [{"value": "a"}, {"value": "a", "next": {"value": "b", "next": {"value": "c"}}}],
        [{}, {"value": "a", "next": {"value": "b", "next": {}}}],
    ),
    "recursion in a conjunction": Verdicts(
        {
            "$defs": {"T": {"type": "object", "properties": {"t": {"$ref": "#/$defs/T"}, "v": N}}},
            "allOf": [{"$ref": "#/$defs/T"}, {"required": ["v"]}],
        },
        [{"v": 1}, {"v": 1, "t": {}}, {"v": 1, "t": {"t": {"v": 2}}}],
        [{}, {"v": ""}, {"v": 1, "t": {"v": ""}}, {"v": 1, "t": {"t": {"v": ""}}}],
    ),
    "into a member of a conjunction": Verdicts(
        {"allOf": [{}, {"not": {"type": "string"}}], "properties": {"a": {"$ref": "#/allOf/1/not"}}},
        [1, {}, {"a": "b"}],
        ["a", {"a": 1}],
    ),
    "where no schema is known to be": Verdicts(
        {"entities": {"s": {"type": "string", "minLength": 1}}, "items": {"$ref": "#/entities/s"}},
        [["a"], []],
        [[""], [1]],
    ),
    "beside a reference": Verdicts(
        {"$defs": {"A": {"maxLength": 3}}, "items": {"$ref": "#/$defs/A", "minLength": 2}},
        [["ab"], [1]],
        [["a"], ["abcd"]],
    ),
    # --- size
    "many levels": Verdicts(DEEP, [DEEP_GOOD], [DEEP_BAD, {}]),
    "many values at many places": Verdicts(
        {
            "$defs": {"E": {"enum": MANY[:300]}},
            "properties": {name: {"$ref": "#/$defs/E"} for name in "abcde"},
        },
        [{"a": "v0", "e": "v299"}, {}],
        [{"a": "v300"}, {"e": 1}],
    ),
}


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_the_normal_form_has_the_same_verdicts(case: Verdicts) -> None:
    result = ADAPTER.adapt(case.schema)
    before, after = judge_of(case.schema), judge_of(result.schema)

    assert [value for value in case.accepted if not after(value)] == []
    assert [value for value in case.refused if after(value)] == []
    assert [after(value) for value in SMALL_VALUES] == [before(value) for value in SMALL_VALUES]
    assert result.report.effect is Effect.EXACT


COMBINED = frozenset("allOf oneOf if then else dependentRequired dependentSchemas dependencies".split())


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_every_place_is_a_union_of_branches_of_one_type(case: Verdicts) -> None:
    found = [node for _, node in nodes(ADAPTER.adapt(case.schema).schema) if isinstance(node, dict)]

    assert [node for node in found if not COMBINED.isdisjoint(node)] == []
    assert [node for node in found if isinstance(node.get("type"), list)] == []
    assert [node for node in found if "anyOf" in node and not {"type", "enum", "properties"}.isdisjoint(node)] == []


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_the_normal_form_of_a_normal_form_is_itself(case: Verdicts) -> None:
    once = ADAPTER.adapt(case.schema).schema

    assert ADAPTER.adapt(once).schema is once


def test_what_stands_beside_a_reference_in_an_old_draft_is_meant() -> None:
    schema = {
        "$schema": "http://json-schema.org/draft-07/schema#",
        "definitions": {"A": {"maxLength": 3}},
        "items": {"$ref": "#/definitions/A", "minLength": 2},
    }
    result = ADAPTER.adapt(schema)
    after = judge_of(result.schema)

    assert [after([text]) for text in ("a", "ab", "abcd")] == [False, True, False]
    assert result.report.effect is Effect.NARROWS


def test_definitions_of_definitions_grow_with_the_input() -> None:
    """Ten uses of one that has ten uses of another, five deep: a tree of 100,000 leaves."""
    levels: Schema = {"d0": {"type": "string", "minLength": 1, "description": "A text that is worth sharing. " * 8}}
    for number in range(1, 6):
        names = [f"p{index}" for index in range(10)]
        properties = {name: {"$ref": f"#/$defs/d{number - 1}"} for name in names}
        levels[f"d{number}"] = {"type": "object", "properties": properties}
    schema = {"$ref": "#/$defs/d5", "$defs": levels}
    result = ADAPTER.adapt(schema)
    after = judge_of(result.schema)
    value: JsonValue = "x"
    wrong: JsonValue = ""
    for _ in range(5):
        value, wrong = {"p9": value}, {"p9": wrong}

    assert result.report.effect is Effect.EXACT
    assert len(json.dumps(result.schema)) < 10 * len(json.dumps(schema))
    assert (after(value), after(wrong)) == (True, False)


def test_three_unions_of_ten_do_not_become_a_thousand_branches() -> None:
    """They would overlap in every combination; what is too much stays a condition of its own."""
    kinds = [[{"required": [f"{letter}{number}"]} for number in range(10)] for letter in "abc"]
    schema = {"type": "object", "allOf": [{"oneOf": members} for members in kinds]}
    result = ADAPTER.adapt(schema)
    after = judge_of(result.schema)

    assert result.report.effect is Effect.EXACT
    assert len(json.dumps(result.schema)) < 60 * len(json.dumps(schema))
    assert after({"a1": 1, "b1": 1, "c1": 1})
    assert not after({"a1": 1, "a2": 1, "b1": 1, "c1": 1})
    assert not after({"a1": 1, "b1": 1})
