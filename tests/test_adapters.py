"""Adapters: what goes in, what comes out, what belongs to whom, and what is refused, by name and pointer."""

import json
import math
from collections import OrderedDict, UserDict
from collections.abc import Callable, Mapping
from types import SimpleNamespace
from typing import Any, TypeVar

import orjson
import pytest

import schemaflow
from schemaflow import InputError, JsonValue, LimitError, Limits, NotASchemaError, NotJsonError, Schema, Tool
from schemaflow.adapters import to_bytes
from schemaflow.pipeline import Pipeline
from tests.effort import at_most

ADAPTERS = [name for name in schemaflow.providers() if name.startswith("adk/")]
STRING: Schema = {"type": "string"}
T = TypeVar("T")


def _rich() -> Schema:
    """A schema at which every adapter finds something to do, and something to leave."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "type": "object",
        "properties": {
            "when": {"$ref": "#/$defs/When", "description": "When to sail."},
            "crew": {"type": ["integer", "null"], "exclusiveMinimum": 0, "title": "Crew"},
            "kind": {"const": "sloop"},
            "route": {"type": "array", "items": {"anyOf": [STRING, {"type": "null"}]}},
            "extra": {"type": "object", "additionalProperties": {"type": "string", "format": "hostname"}},
            "plain": {"type": "string", "description": "Nobody changes this."},
        },
        "required": ["when"],
        "$defs": {"When": {"type": "string", "format": "date-time"}},
    }


# --- what goes in


@pytest.mark.parametrize("adapter", ADAPTERS)
@pytest.mark.parametrize("boolean", [True, False])
def test_a_boolean_schema_comes_out_as_it_is(boolean: bool, adapter: str) -> None:
    assert schemaflow.adapter(adapter).adapt(boolean).schema is boolean


@pytest.mark.parametrize("adapter", ADAPTERS)
def test_none_is_a_tool_without_a_schema(adapter: str) -> None:
    result = schemaflow.adapter(adapter).adapt(None)

    assert result.schema == schemaflow.adapter(adapter).empty_schema
    assert len(result.report) == 0


@pytest.mark.parametrize("adapter", ADAPTERS)
def test_nothing_to_do_gives_the_same_object(adapter: str) -> None:
    assert schemaflow.adapter(adapter).adapt(STRING).schema is STRING


def test_tools_of_every_shape_are_one_tool() -> None:
    named = {"name": "sail", "description": "Sets sail."}
    shapes: list[dict[str, Any]] = [
        {**named, "inputSchema": _rich()},
        {**named, "input_schema": _rich()},
        {**named, "parameters": _rich()},
        {**named, "parametersJsonSchema": _rich()},
        {"type": "function", **named, "parameters": _rich(), "strict": True},
        {"type": "function", "function": {**named, "parameters": _rich()}},
        {"function": {**named, "parameters": _rich()}},
        {"toolSpec": {**named, "inputSchema": {"json": _rich()}}},
    ]
    adapter = schemaflow.adapter("adk/openai")
    expected = adapter.adapt_tool(Tool("sail", "Sets sail.", _rich())).tool

    assert [adapter.adapt_tool(shape).tool for shape in shapes] == [expected] * len(shapes)


@pytest.mark.parametrize("tool", [{"name": "sail"}, {"name": "sail", "inputSchema": None}, Tool("sail")])
def test_a_tool_without_a_schema_gets_the_empty_one(tool: Any) -> None:
    result = schemaflow.adapter("adk/gemini").adapt_tool(tool)

    assert result.tool == {"name": "sail", "parameters": {"type": "object", "properties": {}}}


def test_a_tool_in_its_envelope_holds_the_adapted_schema() -> None:
    adapter = schemaflow.adapter("adk/vertex")
    result = adapter.adapt_tool({"name": "sail", "inputSchema": _rich()})

    assert result.tool["parameters"] == result.schema == adapter.normalize_schema(_rich())


def test_what_surrounds_a_schema_does_not_reach_the_wire() -> None:
    tool = {
        "name": "flip",
        "title": "Flip",
        "required": ["words"],
        "inputSchema": STRING,
        "outputSchema": {"$ref": "#/$defs/Gone"},
        "annotations": {"readOnlyHint": True},
        "_meta": {"x": 1},
    }

    assert schemaflow.adapter("adk/gemini").adapt_tool(tool).tool == {"name": "flip", "parameters": STRING}


# --- what belongs to whom


def _containers(value: JsonValue) -> set[int]:
    """The identities of all containers in a value."""
    found: set[int] = set()
    waiting = [value]
    while waiting:
        one = waiting.pop()
        if isinstance(one, (dict, list)):
            found.add(id(one))
            waiting.extend(one.values() if isinstance(one, dict) else one)
    return found


@pytest.mark.parametrize("adapter", ADAPTERS)
def test_the_input_is_untouched(adapter: str) -> None:
    document = _rich()
    schemaflow.adapter(adapter).adapt(document).report.to_json()

    assert orjson.dumps(document) == orjson.dumps(_rich())


@pytest.mark.parametrize("adapter", ADAPTERS)
def test_a_copy_shares_nothing_with_the_input_nor_with_the_result(adapter: str) -> None:
    document = _rich()
    result = schemaflow.adapter(adapter).adapt(document)
    copied = result.copy()

    assert copied == result.schema
    assert _containers(copied).isdisjoint(_containers(document) | _containers(result.schema))


@pytest.mark.parametrize("adapter", ADAPTERS)
def test_a_copy_repeats_no_part_of_itself(adapter: str) -> None:
    document = {"type": "object", "properties": {"a": {"$ref": "#/$defs/A"}, "b": {"$ref": "#/$defs/A"}}}
    document["$defs"] = {"A": {"type": "object", "properties": {"c": STRING}}}
    copied: Any = schemaflow.adapter(adapter).adapt(document).copy()
    copied["properties"]["a"]["seen"] = True

    assert "seen" not in copied["properties"]["b"]


@pytest.mark.parametrize("adapter", ADAPTERS)
def test_a_copied_tool_shares_nothing_either(adapter: str) -> None:
    document = _rich()
    result = schemaflow.adapter(adapter).adapt_tool(Tool("sail", None, document))
    copied = result.copy_tool()

    assert copied == result.tool
    assert _containers(copied).isdisjoint(_containers(document) | _containers(result.tool))


@pytest.mark.parametrize("adapter", ADAPTERS)
def test_the_empty_schema_is_fresh_each_time(adapter: str) -> None:
    schemaflow.adapter(adapter).empty_schema["properties"]["leaked"] = STRING
    schemaflow.adapter(adapter).adapt(None).schema["properties"]["leaked"] = STRING

    assert schemaflow.adapter(adapter).empty_schema["properties"] == {}


@pytest.mark.parametrize("adapter", ADAPTERS)
def test_twice_gives_the_same_bytes(adapter: str) -> None:
    first = to_bytes(schemaflow.adapter(adapter).normalize_schema(_rich()))

    assert to_bytes(schemaflow.adapter(adapter).normalize_schema(_rich())) == first


@pytest.mark.parametrize("adapter", ADAPTERS)
def test_a_report_read_late_is_the_same(adapter: str) -> None:
    eager, late = (schemaflow.adapter(adapter).adapt(_rich()) for _ in range(2))
    expected = eager.report.to_json()
    schemaflow.adapter(adapter).adapt({"type": "object"})

    assert late.report.to_json() == expected


# --- what is refused


def _refusal(document: Any) -> InputError:
    with pytest.raises(InputError) as raised:
        schemaflow.adapter("adk/gemini").adapt(document)
    return raised.value


def _itself() -> Schema:
    document: Schema = {"type": "object", "properties": {}}
    document["properties"]["a"] = document
    return document


@pytest.mark.parametrize(
    ("value", "said"),
    [
        (math.nan, "nan"),
        (math.inf, "inf"),
        (-math.inf, "-inf"),
        ({1, 2}, "set"),
        (b"bytes", "bytes"),
        (1 + 2j, "complex"),
        (object(), "object"),
        (SimpleNamespace(type="string"), "SimpleNamespace"),
        (UserDict(type="string"), "UserDict"),
    ],
    ids=lambda given: given if isinstance(given, str) else "value",
)
@pytest.mark.parametrize("keyword", ["default", "minimum", "x-unknown"])
def test_what_is_not_json_is_refused_at_its_place(value: Any, said: str, keyword: str) -> None:
    error = _refusal({"type": "object", "properties": {"a/b": {"items": {keyword: value}}}})

    assert (type(error), error.pointer) == (NotJsonError, f"/properties/a~1b/items/{keyword}")
    assert said in error.problem


@pytest.mark.parametrize("place", ["properties", "default", "x-unknown"])
@pytest.mark.parametrize("key", [1, None, True, 1.5, (), b"a"])
def test_a_key_that_is_no_string_is_refused_at_its_object(key: Any, place: str) -> None:
    error = _refusal({"type": "object", place: {key: STRING}})

    assert (type(error), error.pointer) == (NotJsonError, f"/{place}")
    assert repr(key) in error.problem


@pytest.mark.parametrize(
    ("document", "said"),
    [
        ([], "list"),
        ([STRING], "list"),
        ("string", "str"),
        ('{"type": "string"}', "str"),
        (5, "int"),
        (1.5, "float"),
        (b"{}", "bytes"),
        ((), "tuple"),
        ({1}, "set"),
    ],
)
def test_a_root_that_is_no_schema_is_refused(document: Any, said: str) -> None:
    error = _refusal(document)

    assert (type(error), error.pointer) == (NotASchemaError, "")
    assert said in error.problem


@pytest.mark.parametrize("value", [math.nan, {1}, _itself()], ids=["nan", "set", "itself"])
def test_the_error_names_the_tool(value: Any) -> None:
    with pytest.raises(InputError) as raised:
        schemaflow.adapter("adk/openai").adapt_tool({"name": "sail", "parameters": {"default": value}})

    assert raised.value.tool == "sail"
    assert "tool 'sail'" in str(raised.value)


@pytest.mark.parametrize(
    "tool",
    [
        {"name": "", "inputSchema": STRING},
        {"name": 5, "inputSchema": STRING},
        {"inputSchema": STRING},
        {"name": "sail", "inputSchema": [STRING]},
        {"name": "sail", "inputSchema": "string"},
        {"name": "sail", "description": 5, "inputSchema": STRING},
        {"name": "sail", "colour": "red"},
        {},
        [],
        None,
        "sail",
    ],
)
def test_what_is_no_tool_is_refused(tool: Any) -> None:
    with pytest.raises(NotASchemaError):
        schemaflow.adapter("adk/openai").adapt_tool(tool)


# --- limits

NESTING: dict[str, Callable[[JsonValue], Schema]] = {
    "properties": lambda child: {"type": "object", "properties": {"a": child}},
    "items": lambda child: {"items": child},
    "items as a list": lambda child: {"items": [child]},
    "additionalProperties": lambda child: {"additionalProperties": child},
    "anyOf": lambda child: {"anyOf": [child, {"type": "null"}]},
    "allOf": lambda child: {"allOf": [child, {"title": "A"}]},
    "not": lambda child: {"not": child},
    "if": lambda child: {"if": child},
    "$defs": lambda child: {"$defs": {"a": child}},
    "default": lambda child: {"default": child},
    "enum": lambda child: {"enum": [child]},
    "an unknown keyword": lambda child: {"x-more": child},
}


def _nested(levels: int, nesting: Callable[[JsonValue], Schema]) -> Schema:
    schema: Schema = {"type": "string"}
    for _ in range(levels):
        schema = nesting(schema)
    return schema


def _below_frames(frames: int, call: Callable[[], T]) -> T:
    """Call with so many frames of the caller's on the stack."""
    return call() if frames == 0 else _below_frames(frames - 1, call)


@pytest.mark.parametrize("frames", [0, 300])
@pytest.mark.parametrize("nesting", NESTING)
def test_a_hundred_thousand_levels_are_refused_after_the_first_few_hundred(nesting: str, frames: int) -> None:
    adapter = schemaflow.adapter("adk/gemini")
    document = _nested(100_000, NESTING[nesting])

    with pytest.raises(LimitError) as raised, at_most(calls=20_000):
        _below_frames(frames, lambda: adapter.adapt(document))

    assert raised.value.pointer.startswith("/")
    assert len(str(raised.value)) < 500


@pytest.mark.parametrize("adapter", ADAPTERS)
@pytest.mark.parametrize("nesting", NESTING)
def test_a_document_just_within_the_limits_is_adapted_below_300_frames(nesting: str, adapter: str) -> None:
    levels = 80 if nesting in ("enum", "an unknown keyword") else 99
    document = _nested(levels, NESTING[nesting])
    result = _below_frames(300, lambda: schemaflow.adapter(adapter).adapt(document))

    assert json.dumps(result.schema)
    assert _below_frames(300, result.report.to_json) is not None


@pytest.mark.parametrize("levels", [100, 101])
def test_the_limit_of_levels_is_a_hundred_schemas(levels: int) -> None:
    document = _nested(levels - 1, NESTING["items"])
    within = levels <= 100

    assert _is_taken(document) is within


def _is_taken(document: Schema) -> bool:
    try:
        schemaflow.adapter("adk/openai").adapt(document)
    except LimitError:
        return False
    return True


def test_a_document_inside_itself_is_refused() -> None:
    assert isinstance(_refusal(_itself()), LimitError)


@pytest.mark.parametrize("adapter", ADAPTERS)
def test_references_that_multiply_are_not_all_written_out(adapter: str) -> None:
    """Twenty definitions, each twice the one below: a million copies, were all of them made."""
    definitions: Schema = {"d20": STRING}
    for number in range(20):
        below = {"$ref": f"#/$defs/d{number + 1}"}
        definitions[f"d{number}"] = {"type": "object", "properties": {"a": below, "b": below}}
    document = {"$ref": "#/$defs/d0", "$defs": definitions}

    compiled = schemaflow.adapter(adapter)

    with at_most(calls=200_000):
        schema = compiled.normalize_schema(document)
    assert len(to_bytes(schema)) < 4_000_000


def test_limits_are_the_callers_choice() -> None:
    document = {"type": "object", "properties": {"a": {"type": "array", "items": STRING}}}
    pipeline = Pipeline("mine", ["strip_schema_keyword"])

    assert schemaflow.Adapter.of(pipeline, limits=Limits(levels=3)).adapt(document).schema is document
    for limits in (Limits(levels=2), Limits(nodes=3), Limits(bytes=20)):
        with pytest.raises(LimitError):
            schemaflow.Adapter.of(pipeline, limits=limits).adapt(document)


# --- what the quick reading of inputs does not take is read slowly, to the same result


class _Word(str):
    """A string that is no plain one."""

    __slots__ = ()


class _Number(int):
    """An integer that is no plain one."""


def _words(value: JsonValue) -> JsonValue:
    """The same value in subclasses of the plain types."""
    if isinstance(value, dict):
        return OrderedDict((_Word(name), _words(member)) for name, member in value.items())
    if isinstance(value, list):
        return [_words(member) for member in value]
    if isinstance(value, str):
        return _Word(value)
    return _Number(value) if type(value) is int else value


def _types(value: JsonValue) -> set[type]:
    if isinstance(value, dict):
        return {type(value)}.union(*(_types(member) | {type(name)} for name, member in value.items()))
    if isinstance(value, list):
        return {type(value)}.union(*map(_types, value))
    return {type(value)}


@pytest.mark.parametrize("adapter", ADAPTERS)
def test_subclasses_of_the_plain_types_give_the_same_result(adapter: str) -> None:
    expected = to_bytes(schemaflow.adapter(adapter).normalize_schema(_rich()))

    assert to_bytes(schemaflow.adapter(adapter).normalize_schema(_words(_rich()))) == expected


@pytest.mark.parametrize("adapter", ADAPTERS)
def test_what_comes_out_is_made_of_the_plain_types(adapter: str) -> None:
    result = schemaflow.adapter(adapter).normalize_schema(_words(_rich()))

    assert _types(result) <= {dict, list, str, int, bool, type(None)}


ODDITIES: dict[str, JsonValue] = {
    "an integer of 70 bits": 2**70,
    "a negative one": -(2**64),
    "a lone surrogate": "\ud800",
    "a lone surrogate as a key": {"\udfff": 1},
    "deep data": json.loads("[" * 200 + "]" * 200),
}


@pytest.mark.parametrize("adapter", ADAPTERS)
@pytest.mark.parametrize("oddity", ODDITIES)
def test_odd_values_change_nothing_else(oddity: str, adapter: str) -> None:
    """A stand-in goes the quick way, the value itself the slow one."""
    place = "example" if adapter in ("adk/gemini", "adk/vertex") else "x-odd"
    expected = schemaflow.adapter(adapter).adapt({**_rich(), place: "stand-in"})
    result = schemaflow.adapter(adapter).adapt({**_rich(), place: ODDITIES[oddity]})

    assert list(result.schema) == list(expected.schema)
    assert result.schema == {**expected.schema, place: ODDITIES[oddity]}
    assert len(result.report) == len(expected.report)


@pytest.mark.parametrize("oddity", ODDITIES)
def test_odd_values_can_be_written_as_json(oddity: str) -> None:
    schema = {"default": ODDITIES[oddity]}
    text = to_bytes(schemaflow.adapter("adk/openai").normalize_schema(schema))

    assert json.loads(text) == schema


@pytest.mark.parametrize("number", [1.0, -0.0, 1e300, 5e-324, 2**63 - 1, -(2**63), 2**64 - 1])
def test_numbers_keep_their_spelling(number: float) -> None:
    schema = {"type": "number", "multipleOf": number}
    result = schemaflow.adapter("adk/openai").normalize_schema(schema)

    assert repr(result["multipleOf"]) == repr(number)


@pytest.mark.parametrize(
    "document",
    [
        {"type": ("string", "null")},
        {"enum": ("a", None)},
        {"anyOf": (STRING, {"type": "null"})},
        {"type": "object", "properties": {"a": {"type": "string"}}, "required": ("a",)},
        {"type": "object", "default": {"a": ("b",)}},
    ],
)
@pytest.mark.parametrize("adapter", ["adk/gemini", "adk/openai"])
def test_a_tuple_is_as_good_as_a_list(document: Mapping[str, Any], adapter: str) -> None:
    expected = to_bytes(schemaflow.adapter(adapter).normalize_schema(json.loads(json.dumps(document))))

    assert to_bytes(schemaflow.adapter(adapter).normalize_schema(dict(document))) == expected


# --- what comes out


@pytest.mark.parametrize("adapter", ADAPTERS)
def test_schema_and_report_are_json(adapter: str) -> None:
    result = schemaflow.adapter(adapter).adapt(_rich())

    assert orjson.loads(orjson.dumps(result.schema)) == result.schema
    assert orjson.loads(orjson.dumps(result.report.to_json())) == result.report.to_json()


def test_bytes_keep_the_order_of_keys_and_waste_none() -> None:
    assert to_bytes({"b": 1, "a": [True, None, "é"]}) == '{"b":1,"a":[true,null,"é"]}'.encode()


def test_bytes_of_what_has_no_utf8_are_escaped() -> None:
    assert to_bytes({"a": "\ud800é"}) == rb'{"a":"\ud800\u00e9"}'


def test_providers_are_sorted_and_hold_the_seven() -> None:
    seven = {"anthropic", "gemini", "gemini-json-schema", "generic", "openai", "openai-strict", "vertex"}

    assert schemaflow.providers() == sorted(schemaflow.providers())
    assert {f"adk/{name}" for name in seven} <= {*schemaflow.providers()}


def test_a_registered_adapter_is_compiled_once() -> None:
    assert schemaflow.adapter("adk/gemini") is schemaflow.adapter("adk/gemini")
