"""Growth: what nests, repeats or goes round takes work in proportion, and does not come out many times as big."""

from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
from hypothesis import given, settings

import schemaflow
from schemaflow import Schema
from schemaflow.drawing import schemas
from schemaflow.errors import InputError
from schemaflow.origins import nodes
from tests.corpus_data import iter_bench
from tests.effort import at_most, calls_of
from tests.surveys import PIPELINES

S: Schema = {"type": "string"}
Nesting = Callable[[Any, int], Schema]


def tagged(value: Any) -> Schema:
    return {"properties": {"k": {"const": value}}, "required": ["k"]}


ONCE: dict[str, Nesting] = {
    "oneOf of objects": lambda inner, level: {
        "type": "object",
        "oneOf": [{"properties": {"a": inner}, "required": ["a"]}, {"properties": {"b": S}, "required": ["b"]}],
    },
    "oneOf of arrays": lambda inner, level: {"oneOf": [{"items": inner}, {"minItems": 1}]},
    "oneOf in place": lambda inner, level: {"oneOf": [inner, {"minLength": level}]},
    "if": lambda inner, level: {"type": "object", "if": {"properties": {"a": inner}}, "then": {"required": ["b"]}},
    "else": lambda inner, level: {
        "if": tagged(level),
        "then": {"required": ["b"]},
        "else": {"properties": {"a": inner}},
    },
    "else in place": lambda inner, level: {"if": tagged(level), "then": {"required": [f"b{level}"]}, "else": inner},
    "not": lambda inner, level: {"type": "object", "not": {"properties": {"a": inner}, "required": ["a"]}},
    "dependencies": lambda inner, level: {"type": "object", "dependentSchemas": {"a": {"properties": {"b": inner}}}},
}
"""What holds what is below it once: it is written out."""

SEVERAL: dict[str, Nesting] = {
    "oneOf": lambda inner, level: {"oneOf": [{"properties": {name: inner}} for name in "abc"]},
    "if then else": lambda inner, level: {
        "if": {"properties": {"k": inner}},
        "then": {"properties": {"a": inner}},
        "else": {"properties": {"b": inner}},
    },
    "anyOf in allOf": lambda inner, level: {
        "allOf": [
            {"anyOf": [{"properties": {"a": inner}}, {"properties": {"b": inner}}]},
            {"anyOf": [{"properties": {"a": inner, "c": S}}, {"required": [f"x{level}"]}]},
        ]
    },
    "allOf": lambda inner, level: {
        "allOf": [{"properties": {"a": inner, "b": {"minLength": level}}}, {"properties": {"a": {"items": inner}}}]
    },
    "not": lambda inner, level: {
        "type": "object",
        "properties": {"a": inner},
        "not": {"properties": {"b": inner}, "required": ["b"]},
    },
    "dependencies": lambda inner, level: {
        "dependentSchemas": {"a": {"properties": {"b": inner}}},
        "properties": {"c": inner},
    },
}
"""What holds what is below it several times: by references, since it would be exponentially big."""


def nested(nesting: Nesting, levels: int) -> Schema:
    schema = S
    for level in range(levels):
        schema = nesting(schema, level)
    return schema


def referred(nesting: Nesting, levels: int) -> Schema:
    definitions = {"d0": S}
    for level in range(levels):
        definitions[f"d{level + 1}"] = nesting({"$ref": f"#/$defs/d{level}"}, level)
    return {"$defs": definitions, "$ref": f"#/$defs/d{levels}"}


GROWING: dict[str, Callable[[int], Schema]] = {
    **{f"{name}, written out": partial(nested, nesting) for name, nesting in ONCE.items()},
    **{f"{name}, by references": partial(referred, nesting) for name, nesting in {**ONCE, **SEVERAL}.items()},
}


def size(schema: Any) -> int:
    """How many schema objects there are, each counted once however often it stands there."""
    return sum(1 for _, node in nodes(schema) if isinstance(node, dict))


def normal(schema: Any) -> Any:
    return schemaflow.adapter("normalize").adapt(schema).schema


def adapt_and_report(pipeline: str, schema: Schema) -> None:
    result = schemaflow.adapter(pipeline).adapt(schema)
    assert result.report.effect is not None


@pytest.mark.parametrize("pipeline", ["normalize", "adk/gemini"])
@pytest.mark.parametrize("schema", GROWING.values(), ids=GROWING)
def test_twice_the_levels_are_not_many_times_the_work(schema: Callable[[int], Schema], pipeline: str) -> None:
    adapt_and_report(pipeline, schema(8))
    few, many = (calls_of(partial(adapt_and_report, pipeline, schema(levels))) for levels in (8, 16))

    # Each level is looked at from those above it; were it worked on again, this would be hundreds.
    assert many < 8 * few


@pytest.mark.parametrize("levels", [2, 4, 8, 32])
@pytest.mark.parametrize("schema", GROWING.values(), ids=GROWING)
def test_what_nests_does_not_grow_many_times(schema: Callable[[int], Schema], levels: int) -> None:
    written = schema(levels)

    assert size(normal(written)) <= 10 * size(written)


SMALL = 30
"""Schemas smaller than this may grow as these may: one node can name dozens of properties that depend on others."""


@settings(max_examples=300)
@given(schemas())
def test_no_drawn_schema_grows_many_times(schema: Any) -> None:
    try:
        adapted = normal(schema)
    except InputError:
        return

    assert size(adapted) <= 10 * max(size(schema), SMALL)


@pytest.mark.corpus
def test_no_real_schema_grows_many_times() -> None:
    grown = {entry.id: (size(entry.schema), size(normal(entry.schema))) for entry in iter_bench()}

    assert {name: sizes for name, sizes in grown.items() if sizes[1] > 10 * sizes[0]} == {}
    assert len(grown) > 700


ROUND: Schema = {
    "$ref": "#/$defs/y",
    "properties": {"c": {}},
    "$defs": {
        "x": {"$ref": "#/$defs/y", "additionalProperties": {"$ref": "#"}},
        "y": {"items": S, "properties": {"a": {"$ref": "#/$defs/x"}}},
    },
}
"""Three schemas that lead to one another, each beside other conditions."""


@pytest.mark.parametrize("pipeline", PIPELINES)
def test_small_schemas_that_lead_to_one_another_are_little_work(pipeline: str) -> None:
    with at_most(3_000_000):
        adapt_and_report(pipeline, ROUND)


def test_what_goes_round_is_cut_where_there_is_too_much_of_it() -> None:
    result = schemaflow.adapter("adk/gemini").adapt(ROUND)

    assert any("over budget" in finding.note for finding in result.report)
    assert result.report.effect.may_widen


MANY: dict[str, Callable[[int], Schema]] = {
    "properties": lambda count: {"allOf": [{"properties": {f"p{index}": S}} for index in range(count)]},
    "constants": lambda count: {"oneOf": [{"const": index} for index in range(count)]},
    "tags": lambda count: {"oneOf": [{"type": "object", **tagged(index)} for index in range(count)]},
    "tags beside others": lambda count: {
        "type": "object",
        "properties": {"a": S},
        "oneOf": [{"type": "object", **tagged(index)} for index in range(count)],
    },
}


@pytest.mark.parametrize("pipeline", ["normalize", "adk/gemini", "adk/openai-strict"])
@pytest.mark.parametrize("schema", MANY.values(), ids=MANY)
def test_twice_the_members_are_not_many_times_the_work(schema: Callable[[int], Schema], pipeline: str) -> None:
    adapt_and_report(pipeline, schema(100))
    few, many = (calls_of(partial(adapt_and_report, pipeline, schema(count))) for count in (100, 200))

    # For closed objects each member has to name the properties of all: that is four times as much.
    assert many < 4.5 * few
    assert many < 4_000_000
