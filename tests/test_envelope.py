"""Envelopes: a compiled spec builds what glom builds from the same spec."""

from typing import Any

import pytest
from glom import glom
from hypothesis import given
from hypothesis import strategies as st

from schemaflow import JsonValue, Schema, Tool
from schemaflow.adapters import to_bytes
from schemaflow.envelope import build_wire, compile_envelope, fields_of, to_glom
from schemaflow.pipeline import Literal, Merged, Optional

FIELDS = ["name", "description", "schema", "title", "annotations", "output_schema"]
SCHEMA: Schema = {"type": "object"}

KEYS = st.sampled_from(["name", "type", "function", "parameters", "a.b", "*", ""])
LITERALS = st.sampled_from(["function", True, None, 1, {"type": "a"}, ["name"]])
LEAVES = st.sampled_from(FIELDS) | st.builds(Optional, st.sampled_from(FIELDS)) | st.builds(Literal, LITERALS)
SPECS = st.dictionaries(
    KEYS,
    st.recursive(
        LEAVES,
        lambda inner: (
            st.dictionaries(KEYS, inner, max_size=3)
            | st.lists(inner, max_size=3)
            | st.lists(inner, min_size=1, max_size=3).map(lambda parts: Merged(tuple(parts)))
        ),
    ),
    max_size=4,
)
TOOLS = st.builds(
    Tool,
    st.sampled_from(["search", "get.it"]),
    description=st.sampled_from([None, "", "Find it."]),
    title=st.sampled_from([None, "Search"]),
    annotations=st.sampled_from([None, {}, {"readOnlyHint": True}]),
    output_schema=st.sampled_from([None, {}, {"type": "string"}]),
)


def built(spec: Any, tool: Tool, schema: Schema | bool = SCHEMA) -> JsonValue:
    return build_wire(compile_envelope(spec), tool, schema, name=tool.name)


@given(SPECS, TOOLS, st.sampled_from([SCHEMA, {}, True, False]))
def test_compiled_is_what_glom_says(spec: Any, tool: Tool, schema: Schema | bool) -> None:
    expected = glom(fields_of(tool, schema), to_glom(spec))

    assert to_bytes(built(spec, tool, schema)) == to_bytes(expected)


@pytest.mark.parametrize(
    ("spec", "expected"),
    [
        ({"name": "name"}, {"name": "search"}),
        ({"description": "description"}, {"description": ""}),
        ({"description": Optional("description")}, {}),
        ({"title": "title"}, {"title": None}),
        ({"type": Literal("name")}, {"type": "name"}),
        ({"function": {"parameters": "schema"}}, {"function": {"parameters": SCHEMA}}),
        ({"tools": ["name", Optional("title"), Literal(None)]}, {"tools": ["search", None]}),
        ({"empty": {"title": Optional("title")}}, {"empty": {}}),
        ({"parameters": Merged(({"title": "name"}, "schema"))}, {"parameters": {"title": "search", **SCHEMA}}),
        ({"parameters": Merged(({"type": "name"}, "schema"))}, {"parameters": SCHEMA}),
        ({"parameters": Merged(({"title": "name"}, "title"))}, {"parameters": None}),
        ({"parameters": Merged((Optional("title"),))}, {"parameters": {}}),
    ],
)
def test_what_a_spec_builds_for_a_bare_tool(spec: Any, expected: JsonValue) -> None:
    assert built(spec, Tool("search")) == expected


def test_the_adapted_schema_stands_in_the_place_of_the_authors() -> None:
    assert built({"parameters": "schema"}, Tool("search", schema={"type": "string"})) == {"parameters": SCHEMA}


def test_a_false_schema_is_a_schema() -> None:
    assert built({"parameters": Optional("schema")}, Tool("search"), False) == {"parameters": False}


def test_the_name_is_the_one_that_the_provider_takes() -> None:
    build = compile_envelope({"name": "name"})

    assert build_wire(build, Tool("search"), SCHEMA, name="sea") == {"name": "sea"}
