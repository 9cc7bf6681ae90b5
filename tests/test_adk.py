"""ADK-Rust's adapters: every row of their documented behaviour, and how one is changed without touching code."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import jsonschema_rs
import orjson
import pytest
from attrs import frozen

import schemaflow
from schemaflow import JsonValue, PipelineError, Schema, UnknownNameError
from schemaflow.adapters import to_bytes
from schemaflow_rules.const_to_enum import const_to_enum
from schemaflow_rules.strip_schema_keyword import strip_schema_keyword

GEMINI = ("adk/gemini", "adk/vertex")
ALL_GEMINI = (*GEMINI, "adk/gemini-json-schema")
FIVE_STEPS = ("adk/openai", "adk/openai-strict", "adk/generic")
BUT_GEMINI_JSON_SCHEMA = (*GEMINI, *FIVE_STEPS, "adk/anthropic")
ADAPTERS = (*ALL_GEMINI, *FIVE_STEPS, "adk/anthropic")
CLOSING = ("adk/vertex", "adk/openai-strict")
KEEPING_REFERENCES = (*FIVE_STEPS, "adk/anthropic")

STRING: Schema = {"type": "string"}
CLOSED: Schema = {"type": "object", "additionalProperties": False}
LISTED: Schema = {"type": "array", "items": STRING}


def _nested(objects: int) -> Schema:
    """So many objects inside one another."""
    schema: Schema = {"type": "object", "description": "Innermost"}
    for _ in range(objects - 1):
        schema = {"type": "object", "properties": {"a": schema}}
    return schema


def _levels(schema: JsonValue) -> int:
    """How many objects lie inside one another, along the property `a`."""
    count = 0
    while isinstance(schema, dict):
        count += 1
        schema = schema.get("properties", {}).get("a")
    return count


@frozen
class Row:
    """A row of the table: a schema, and what some adapters make of it. The others leave it as it is."""

    name: str
    given: Schema
    changes: Mapping[tuple[str, ...], JsonValue]

    def expected(self, adapter: str) -> JsonValue:
        """What an adapter makes of the schema."""
        return next((changed for adapters, changed in self.changes.items() if adapter in adapters), self.given)


ROWS = [
    Row("$ref", {"items": {"$ref": "#/$defs/A"}, "$defs": {"A": STRING}, "type": "array"}, {ALL_GEMINI: LISTED}),
    Row(
        "$ref to definitions",
        {"items": {"$ref": "#/definitions/A"}, "definitions": {"A": STRING}, "type": "array"},
        {ALL_GEMINI: LISTED},
    ),
    Row(
        "anyOf",
        {"description": "A", "anyOf": [{"type": "null"}, STRING, {"type": "integer"}]},
        {GEMINI: {"description": "A", "type": "string"}},
    ),
    Row("oneOf", {"oneOf": [STRING, {"type": "integer"}]}, {GEMINI: STRING}),
    Row("anyOf of null alone", {"anyOf": [{"type": "null"}]}, {GEMINI: {"type": "null"}}),
    Row("allOf", {"allOf": [STRING, {"description": "A"}]}, {GEMINI: {"type": "string", "description": "A"}}),
    Row(
        "additionalProperties: true",
        {"type": "object", "additionalProperties": True},
        {("adk/gemini",): {"type": "object"}, CLOSING: CLOSED},
    ),
    Row(
        "additionalProperties: a schema",
        {"type": "object", "additionalProperties": {"type": "integer"}},
        {("adk/gemini",): {"type": "object"}, CLOSING: CLOSED},
    ),
    Row("additionalProperties: false", CLOSED, {("adk/gemini",): {"type": "object"}}),
    Row("no additionalProperties", {"type": "object"}, {CLOSING: CLOSED}),
    Row("a list of types", {"type": ["null", "string", "integer"]}, {GEMINI: STRING}),
    Row("$schema", {"$schema": "https://json-schema.org/draft/2020-12/schema", "type": "string"}, {ADAPTERS: STRING}),
    Row(
        "$schema below the root",
        {"type": "array", "items": {"$schema": "http://json-schema.org/draft-07/schema#", "type": "string"}},
        {ADAPTERS: LISTED},
    ),
    Row(
        "if, then, else",
        {"type": "string", "if": {"maxLength": 3}, "then": {"pattern": "^a"}, "else": False},
        {BUT_GEMINI_JSON_SCHEMA: STRING},
    ),
    Row("const", {"const": "x"}, {(*GEMINI, *FIVE_STEPS): {"enum": ["x"]}}),
    Row("an unsupported format", {"type": "string", "format": "hostname"}, {(*ALL_GEMINI, *FIVE_STEPS): STRING}),
    Row(
        "exclusive bounds",
        {"type": "number", "exclusiveMinimum": 0, "exclusiveMaximum": 9},
        {GEMINI: {"type": "number"}},
    ),
    Row("null in an enum", {"enum": ["x", None]}, {GEMINI: {"enum": ["x"]}}),
    Row("an enum of null alone", {"description": "A", "enum": [None]}, {GEMINI: {"description": "A"}}),
    Row("const: null", {"const": None}, {GEMINI: {}, FIVE_STEPS: {"enum": [None]}}),
    Row(
        "properties without a type",
        {"properties": {}},
        {
            ("adk/gemini", "adk/openai", "adk/anthropic", "adk/generic"): {"properties": {}, "type": "object"},
            CLOSING: {"properties": {}, **CLOSED},
        },
    ),
    Row("a tuple", {"type": "array", "items": [STRING, {"type": "integer"}]}, {GEMINI: LISTED}),
    Row("an array that says nothing of its items", {"type": "array"}, {GEMINI: LISTED}),
    Row("items of what is no array", {"type": "string", "items": STRING}, {GEMINI: STRING}),
]


@pytest.mark.parametrize("adapter", ADAPTERS)
@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)
def test_every_row_of_the_table(row: Row, adapter: str) -> None:
    assert schemaflow.adapter(adapter).normalize_schema(row.given) == row.expected(adapter)


@pytest.mark.parametrize("adapter", ADAPTERS)
@pytest.mark.parametrize(
    "format_", ["date-time", "date", "time", "email", "uri", "uuid", "int32", "int64", "float", "double"]
)
def test_supported_formats_stay(adapter: str, format_: str) -> None:
    schema = {"type": "string", "format": format_}

    assert schemaflow.adapter(adapter).normalize_schema(schema) == schema


@pytest.mark.parametrize("adapter", ADAPTERS)
def test_five_objects_inside_one_another_are_left_by_every_adapter(adapter: str) -> None:
    assert _levels(schemaflow.adapter(adapter).normalize_schema(_nested(5))) == 5


@pytest.mark.parametrize("adapter", ADAPTERS)
def test_the_depth_is_five_for_gemini_and_free_for_the_others(adapter: str) -> None:
    expected = 6 if adapter in ALL_GEMINI else 9

    # The sixth object is there, but cut.
    assert _levels(schemaflow.adapter(adapter).normalize_schema(_nested(9))) == expected


@pytest.mark.parametrize("adapter", ALL_GEMINI)
def test_below_the_depth_any_object_will_do(adapter: str) -> None:
    result = schemaflow.adapter(adapter).normalize_schema(_nested(6))
    for _ in range(5):
        result = result["properties"]["a"]

    assert result == {"type": "object"}


UNSUPPORTED: Schema = {
    "type": "string", "$id": "a", "contentEncoding": "base64", "contentMediaType": "text/plain", "default": "x",
    "deprecated": True, "examples": ["x"], "maxLength": 9, "minLength": 1, "pattern": "x", "readOnly": True,
    "title": "A", "writeOnly": True, "not": {"const": "y"}, "x-order": 1, "$comment": "B",
}  # fmt: skip


@pytest.mark.parametrize("adapter", GEMINI)
def test_unsupported_keywords_go_unknown_ones_too(adapter: str) -> None:
    assert schemaflow.adapter(adapter).normalize_schema(UNSUPPORTED) == STRING


@pytest.mark.parametrize("adapter", KEEPING_REFERENCES)
def test_keywords_that_no_step_names_stay(adapter: str) -> None:
    schema = {**UNSUPPORTED, "not": {"enum": ["y"]}}

    assert schemaflow.adapter(adapter).normalize_schema(schema) == schema


KEYWORD_NAMES = ["$ref", "$schema", "$defs", "anyOf", "allOf", "const", "format", "if", "title", "default", "items",
                 "additionalProperties", "properties", "type", "exclusiveMinimum", "enum"]  # fmt: skip


@pytest.mark.parametrize("adapter", ADAPTERS)
@pytest.mark.parametrize("name", KEYWORD_NAMES)
def test_a_parameter_named_like_a_keyword_is_a_parameter(name: str, adapter: str) -> None:
    schema = {"type": "object", "properties": {name: STRING}, "required": [name]}
    result = schemaflow.adapter(adapter).normalize_schema(schema)

    assert (result["properties"], result["required"]) == ({name: STRING}, [name])


RECURSIVE: Schema = {"$ref": "#/$defs/L", "$defs": {"L": {"type": "array", "items": {"$ref": "#/$defs/L"}}}}


@pytest.mark.parametrize("adapter", ALL_GEMINI)
def test_recursion_is_cut_after_ten_rounds_and_leaves_no_reference(adapter: str) -> None:
    text = orjson.dumps(schemaflow.adapter(adapter).normalize_schema(RECURSIVE))

    assert (text.count(b"array"), text.count(b"$ref"), text.count(b"$defs")) == (12, 0, 0)


@pytest.mark.parametrize("adapter", KEEPING_REFERENCES)
def test_recursion_is_kept_where_references_are(adapter: str) -> None:
    assert schemaflow.adapter(adapter).normalize_schema(RECURSIVE) == RECURSIVE


@pytest.mark.parametrize("adapter", ADAPTERS)
def test_a_reference_that_leads_nowhere_becomes_an_object(adapter: str) -> None:
    result = schemaflow.adapter(adapter).normalize_schema({"type": "array", "items": {"$ref": "#/$defs/Gone"}})

    assert result["items"]["type"] == "object"
    assert b"$ref" not in to_bytes(result)


def test_every_object_of_openai_strict_is_closed_in_definitions_too() -> None:
    branch: Schema = {"type": "object", "properties": {"b": {"$ref": "#/$defs/B"}}}
    document = {"anyOf": [branch], "$defs": {"B": {"type": "object"}}}
    expected = {"anyOf": [{**branch, "additionalProperties": False}], "$defs": {"B": CLOSED}}

    assert schemaflow.adapter("adk/openai-strict").normalize_schema(document) == expected


def test_schemas_of_one_object_know_each_others_properties_through_references_too() -> None:
    base: Schema = {"type": "object", "properties": {"id": STRING}}
    cat: Schema = {
        "allOf": [{"$ref": "#/$defs/Base"}, {"type": "object", "properties": {"claws": {"type": "integer"}}}]
    }
    document = {"properties": {"cat": {"$ref": "#/$defs/Cat"}}, "$defs": {"Base": base, "Cat": cat}}
    result = schemaflow.adapter("adk/openai-strict").normalize_schema(document)
    judge = jsonschema_rs.validator_for(result)

    assert result["properties"]["cat"] == {"$ref": "#/$defs/Cat"}
    assert judge.is_valid({"cat": {"id": "Tom", "claws": 18}})
    assert not judge.is_valid({"cat": {"id": "Tom", "claws": "18"}})
    assert not judge.is_valid({"cat": {"id": 1, "claws": 18}})
    assert not judge.is_valid({"cat": {"id": "Tom", "wings": 2}})


def test_what_is_cut_comes_too_late_to_be_closed_for_vertex() -> None:
    document = {"type": "object", "properties": {"a": {"type": "object", "properties": {"b": STRING}}}}
    expected = {"type": "object", "properties": {"a": {"type": "object"}}, "additionalProperties": False}

    assert schemaflow.adapter("adk/vertex", depth=1).normalize_schema(document) == expected


# --- the order of the steps

CUT_FORMATS = "strip_unsupported_formats"


def test_the_steps_of_gemini_stand_in_the_documented_order() -> None:
    expected = [
        "resolve_refs",
        "strip_schema_keyword",
        "collapse_combiners",
        "merge_all_of",
        "collapse_type_arrays",
        "strip_conditional_keywords",
        "const_to_enum",
        "strip_null_from_enum",
        "add_implicit_object_type",
        "single_items",
        "keep_keywords",
        CUT_FORMATS,
        "enforce_nesting_depth",
        "drop_definitions",
    ]

    assert [step.name for step in schemaflow.adapter("adk/gemini").pipeline.steps] == expected


def test_vertex_closes_objects_among_the_steps_of_gemini() -> None:
    expected = [step.name for step in schemaflow.adapter("adk/gemini").pipeline.steps]
    expected.insert(expected.index("keep_keywords"), "close_objects")

    assert [step.name for step in schemaflow.adapter("adk/vertex").pipeline.steps] == expected


def test_gemini_with_a_json_schema_takes_five_of_the_steps() -> None:
    expected = ["resolve_refs", "strip_schema_keyword", CUT_FORMATS, "enforce_nesting_depth", "drop_definitions"]

    assert [step.name for step in schemaflow.adapter("adk/gemini-json-schema").pipeline.steps] == expected


# The seed's own; before them, references that lead nowhere are mended.
FIVE = ["strip_schema_keyword", "strip_conditional_keywords", "const_to_enum", "add_implicit_object_type", CUT_FORMATS]


@pytest.mark.parametrize(
    ("adapter", "steps"),
    [
        ("adk/generic", FIVE),
        ("adk/openai", FIVE),
        ("adk/openai-strict", [*FIVE, "share_property_names", "close_objects"]),
        ("adk/anthropic", ["strip_schema_keyword", "strip_conditional_keywords", "add_implicit_object_type"]),
    ],
)
def test_the_steps_of_the_adapters_that_keep_references(adapter: str, steps: list[str]) -> None:
    assert [step.name for step in schemaflow.adapter(adapter).pipeline.steps] == ["resolve_refs", *steps]


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        # references before combiners before allOf before lists of types
        (
            {"anyOf": [{"$ref": "#/$defs/A"}], "$defs": {"A": {"allOf": [{"type": ["null", "string"]}]}}},
            {"type": "string"},
        ),
        # const before null in enums
        ({"type": "string", "const": None}, {"type": "string"}),
        # what a union hid gets its type, then its items
        ({"anyOf": [{"properties": {"a": {"type": ["array"]}}}]}, {"properties": {"a": LISTED}, "type": "object"}),
    ],
)
def test_a_step_sees_what_the_ones_before_it_made(given: Schema, expected: Schema) -> None:
    assert schemaflow.adapter("adk/gemini").normalize_schema(given) == expected


# --- tool names, the empty schema, the wire


@pytest.mark.parametrize("adapter", ADAPTERS)
@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("read_file", "read_file"),
        ("n" * 64, "n" * 64),
        ("n" * 65, "n" * 64),
        ("€" * 22, "€" * 21),
        ("n" * 63 + "é", "n" * 63),
        ("n" * 62 + "é", "n" * 62 + "é"),
        ("n" * 61 + "🐝", "n" * 61),
        ("a b.c/d", "a b.c/d"),
        ("", ""),
    ],
)
def test_names_are_cut_to_64_bytes_between_characters(name: str, expected: str, adapter: str) -> None:
    assert schemaflow.adapter(adapter).normalize_tool_name(name) == expected


@pytest.mark.parametrize("adapter", ADAPTERS)
def test_the_schema_of_a_tool_without_one(adapter: str) -> None:
    empty: Schema = {"type": "object", "properties": {}}
    expected = {**empty, "additionalProperties": False} if adapter == "adk/openai-strict" else empty

    assert schemaflow.adapter(adapter).empty_schema == expected
    assert schemaflow.adapter(adapter).normalize_schema(None) == expected


FIELDS = {
    "adk/gemini": "parameters",
    "adk/vertex": "parameters",
    "adk/gemini-json-schema": "parametersJsonSchema",
    "adk/openai": "parameters",
    "adk/openai-strict": "parameters",
    "adk/anthropic": "input_schema",
    "adk/generic": "parameters",
}


@pytest.mark.parametrize(("adapter", "field"), FIELDS.items())
def test_the_wire_field_of_the_schema(adapter: str, field: str) -> None:
    assert schemaflow.adapter(adapter).parameters_field == field


TOOL: dict[str, Any] = {"name": "greet", "description": "Greets.", "inputSchema": STRING}


@pytest.mark.parametrize(("adapter", "field"), FIELDS.items())
def test_the_envelope_of_a_tool(adapter: str, field: str) -> None:
    flat = {"name": "greet", "description": "Greets.", field: STRING}
    expected = {"type": "function", "function": flat} if adapter in FIVE_STEPS else flat
    tool = schemaflow.adapter(adapter).adapt_tool(TOOL).tool

    assert orjson.dumps(tool) == orjson.dumps(expected)


@pytest.mark.parametrize("adapter", ADAPTERS)
def test_an_absent_description_is_left_out(adapter: str) -> None:
    tool = schemaflow.adapter(adapter).adapt_tool({"name": "greet", "inputSchema": STRING}).tool
    inner = tool.get("function", tool)

    assert "description" not in inner


@pytest.mark.parametrize("adapter", ADAPTERS)
def test_the_name_on_the_wire_is_the_cut_one_and_the_report_says_so(adapter: str) -> None:
    result = schemaflow.adapter(adapter).adapt_tool({"name": "n" * 70, "inputSchema": True})
    tool = result.tool.get("function", result.tool)

    assert (tool["name"], result.name, result.author.name) == ("n" * 64, "n" * 64, "n" * 70)
    assert result.report.findings[0].rule == "normalize_tool_name"


# --- which adapter


@pytest.mark.parametrize(
    "schema",
    [row.given for row in ROWS],
    ids=[row.name for row in ROWS],
)
def test_an_unknown_provider_is_served_like_the_generic_one(schema: Schema) -> None:
    expected = schemaflow.adapter("adk/generic").normalize_schema(schema)

    assert schemaflow.adapter("acme").normalize_schema(schema) == expected


def test_every_report_of_an_unknown_provider_says_so() -> None:
    report = schemaflow.adapter("adk/gemni").adapt(STRING).report

    assert "'adk/gemni'" in report.findings[0].note
    assert "did you mean 'adk/gemini'?" in report.findings[0].note


def test_a_known_provider_is_not_commented_on() -> None:
    assert len(schemaflow.adapter("adk/generic").adapt(STRING).report) == 0


def test_without_the_fallback_an_unknown_provider_is_an_error() -> None:
    with pytest.raises(UnknownNameError) as raised:
        schemaflow.adapter("adk/gemni", fallback=False)

    assert (raised.value.name, "adk/gemini" in raised.value.known) == ("adk/gemni", True)


@pytest.mark.parametrize("path", ["../adk/gemini", "adk/gemini.yaml", "/etc/hosts", ""])
def test_a_path_is_no_name_of_a_provider(path: str) -> None:
    with pytest.raises(UnknownNameError):
        schemaflow.adapter(path, fallback=False)


# --- options, and adapters of one's own


@pytest.mark.parametrize("adapter", ALL_GEMINI)
@pytest.mark.parametrize("depth", [0, 1, 3, 7])
def test_the_depth_is_an_option(depth: int, adapter: str) -> None:
    result = schemaflow.adapter(adapter, depth=depth).normalize_schema(_nested(9))

    assert _levels(result) == depth + 1


def test_an_option_changes_no_other_adapter() -> None:
    schemaflow.adapter("adk/gemini", depth=3)

    assert _levels(schemaflow.adapter("adk/gemini").normalize_schema(_nested(9))) == 6


def test_an_unknown_option_is_an_error() -> None:
    with pytest.raises(UnknownNameError) as raised:
        schemaflow.adapter("adk/gemini", dept=3)

    assert "did you mean 'depth'?" in str(raised.value)


@pytest.mark.parametrize("depth", [-1, "3", True, None, 2.5])
def test_a_wrong_value_for_an_option_is_an_error(depth: Any) -> None:
    with pytest.raises(PipelineError, match="depth"):
        schemaflow.adapter("adk/gemini", depth=depth)


CUSTOM = """\
provider: acme
summary: Acme takes no const and no format, and calls its schema args.
steps:
  - strip_schema_keyword
  - rule: const_to_enum
    with: {add_type: true}
  - strip_unsupported_formats
names:
  tool: {max_bytes: 8}
empty: {type: object}
field: args
envelope: {tool: name, args: schema}
"""


@pytest.fixture
def custom(tmp_path: Path) -> schemaflow.Adapter:
    path = tmp_path / "acme.yaml"
    path.write_text(CUSTOM)
    return schemaflow.adapter_from_file(path)


def test_a_custom_adapter_is_a_file(custom: schemaflow.Adapter) -> None:
    schema = {"type": "object", "properties": {"a": {"const": "x"}, "b": {"type": "string", "format": "date"}}}
    expected = {"type": "object", "properties": {"a": {"enum": ["x"], "type": "string"}, "b": STRING}}

    assert custom.normalize_schema(schema) == expected


def test_the_file_says_how_the_wire_looks(custom: schemaflow.Adapter) -> None:
    tool = custom.adapt_tool({"name": "send_letter", "description": "Sends."}).tool

    assert tool == {"tool": "send_let", "args": {"type": "object"}}


def test_a_custom_adapter_in_python() -> None:
    adapter = schemaflow.compose(
        "mine",
        strip_schema_keyword,
        (const_to_enum, {"add_type": True}),
        "collapse_type_arrays",
    )
    result = adapter.normalize_schema({"$schema": "x", "properties": {"a": {"const": 1}, "b": {"type": ["string"]}}})

    assert result == {"properties": {"a": {"enum": [1], "type": "integer"}, "b": STRING}}


def test_a_composed_adapter_with_an_unknown_rule_is_an_error() -> None:
    with pytest.raises(PipelineError, match="did you mean 'const_to_enum'"):
        schemaflow.compose("mine", "const_to_enums")


def _gemini_with(tmp_path: Path, steps: str) -> schemaflow.Adapter:
    path = tmp_path / "mine.yaml"
    path.write_text(f"provider: acme\nextends: adk/gemini\nsteps:\n{steps}")
    return schemaflow.adapter_from_file(path)


def test_null_goes_from_enums_before_const_becomes_one(tmp_path: Path) -> None:
    moved = _gemini_with(tmp_path, "  - {rule: const_to_enum, after: strip_null_from_enum}\n")

    assert moved.normalize_schema({"const": None}) == {"enum": [None]}
    assert schemaflow.adapter("adk/gemini").normalize_schema({"const": None}) == {}


UNION: Schema = {"type": "object", "anyOf": [{"type": "object", "properties": {"a": _nested(4)}}]}


def test_cutting_before_unions_are_collapsed_counts_their_members(tmp_path: Path) -> None:
    moved = _gemini_with(tmp_path, "  - {rule: enforce_nesting_depth, before: collapse_combiners}\n")

    assert b"Innermost" not in to_bytes(moved.normalize_schema(UNION))
    assert b"Innermost" in to_bytes(schemaflow.adapter("adk/gemini").normalize_schema(UNION))


def test_closing_after_the_cut_closes_what_was_cut(tmp_path: Path) -> None:
    path = tmp_path / "mine.yaml"
    path.write_text(
        """\
provider: acme
extends: adk/vertex
options:
  depth: {default: 0, doc: Nothing may lie in anything.}
steps:
  - {rule: close_objects, after: enforce_nesting_depth}
"""
    )

    assert schemaflow.adapter_from_file(path).normalize_schema({"type": "object", "properties": {}}) == CLOSED
    assert schemaflow.adapter("adk/vertex", depth=0).normalize_schema({"type": "object"}) == {"type": "object"}


def test_a_step_can_be_left_out(tmp_path: Path) -> None:
    path = tmp_path / "mine.yaml"
    path.write_text("provider: acme\nextends: adk/gemini\nwithout: [keep_keywords]\nsteps: []\n")
    schema = {"type": "string", "title": "A"}

    assert schemaflow.adapter_from_file(path).normalize_schema(schema) == schema


def test_a_step_can_be_put_in_between(tmp_path: Path) -> None:
    mine = _gemini_with(
        tmp_path, "  - rule: drop_keywords\n    with: {keywords: [anyOf]}\n    before: collapse_combiners\n"
    )

    assert mine.normalize_schema({"type": "object", "anyOf": [{"type": "string"}]}) == {"type": "object"}
