from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from schemaflow import Effect, JsonValue, Schema, json_equal
from schemaflow.drawing import schemas
from tests.codec_laws import adapted, broken_on_either_way
from tests.codec_schemas import VALUES, constants, documents, simple, unions

STEP = "constants_to_strings"
STEPS = [STEP, (STEP, {"keep": ["string", "integer"]}), (STEP, {"empty": False})]


@pytest.mark.parametrize("step", STEPS)
@pytest.mark.parametrize(
    "drawn",
    [
        documents(),
        unions(constants() | simple),
        schemas(depth=2, drafts=["2020-12"], roots="any", focus=["enum", "const"]),
    ],
    ids=["normal", "unions", "any"],
)
def test_the_laws_of_codecs_hold(step: Any, drawn: st.SearchStrategy[Schema]) -> None:
    @settings(max_examples=80)
    @given(drawn, st.data())
    def law(schema: Schema, data: st.DataObject) -> None:
        assert broken_on_either_way(data, schema, adapted(schema, step)) is None

    law()


@given(st.lists(VALUES, min_size=1))
def test_every_constant_has_a_text_of_its_own(members: list[JsonValue]) -> None:
    result = adapted({"enum": members}, STEP)

    texts = [result.encode(member) for member in members]

    assert all(isinstance(text, str) or text is None for text in texts) or result.schema == {"enum": members}
    assert json_equal([result.decode_value(text) for text in texts], members)


@pytest.mark.parametrize(
    ("members", "texts"),
    [
        ([1, 1.0, 2], ["1", "2"]),
        ([60.0, 0.5], ["60", "0.5"]),
        ([1, "1"], ["1 (integer)", "1"]),
        ([1, "1", "1 (integer)"], ["1 (integer 2)", "1", "1 (integer)"]),
        ([True, "a", False], ["true", "a", "false"]),
        ([{"a": [1]}, [2]], ['{"a":[1]}', "[2]"]),
        ([2**70, "é"], [str(2**70), "é"]),
        ([1, ""], ["1", ""]),
    ],
)
def test_constants_are_spelled_as_json_told_apart_from_strings(members: list[JsonValue], texts: list[str]) -> None:
    assert adapted({"enum": members}, STEP).schema == {"type": "string", "enum": texts}


@pytest.mark.parametrize(
    ("schema", "texts"),
    [
        ({"type": "integer", "enum": [1, "a", 2.5, 3.0], "maximum": 2}, ["1"]),
        ({"const": 4, "enum": [3, 4]}, ["4"]),
        ({"type": "boolean", "enum": [True, 1]}, ["true"]),
        ({"enum": [1, "long", "a"], "maxLength": 1}, ["1", "a"]),
        ({"type": "integer", "format": "int32", "enum": [1, 2]}, ["1", "2"]),
    ],
)
def test_constants_that_the_node_refuses_go(schema: Schema, texts: list[str]) -> None:
    result = adapted(schema, STEP)

    assert result.schema == {"type": "string", "enum": texts}
    assert result.report.effect is Effect.EXACT


def test_null_becomes_a_member_of_a_union() -> None:
    result = adapted({"type": ["integer", "null"], "enum": [1, None], "title": "T", "default": None}, STEP)

    expected = {"title": "T", "anyOf": [{"type": "string", "enum": ["1"]}, {"type": "null"}], "default": None}
    assert result.schema == expected
    assert result.decode_value(None) is None


def test_an_empty_string_is_lost_by_option() -> None:
    result = adapted({"enum": [1, ""]}, (STEP, {"empty": False}))

    assert result.schema["enum"] == ["1"]
    assert result.report.effect is Effect.NARROWS


def test_texts_are_told_apart_from_the_strings_of_other_members() -> None:
    schema = {"anyOf": [{"type": "integer", "enum": [1, 2]}, {"type": "string", "enum": ["1"]}]}

    result = adapted(schema, STEP)

    assert result.schema["anyOf"][0] == {"type": "string", "enum": ["1 (integer)", "2"]}
    assert [result.decode_value(result.encode(value)) for value in (1, "1", 2)] == [1, "1", 2]


def test_constants_beside_open_strings_are_boxed() -> None:
    result = adapted({"anyOf": [{"type": "string"}, {"type": "integer", "enum": [1]}]}, STEP)

    assert result.encode(1) == {"value": "1"}
    assert [result.decode_value(result.encode(value)) for value in (1, "1")] == [1, "1"]


def test_default_and_examples_are_spelled_as_the_constants() -> None:
    schema = {"type": "integer", "enum": [1, 2], "default": 1, "examples": [2.0, 3]}

    assert adapted(schema, STEP).schema == {"type": "string", "enum": ["1", "2"], "default": "1", "examples": ["2"]}


@pytest.mark.parametrize(
    "schema",
    [
        {"enum": ["a", ""]},
        {"enum": [None]},
        {"enum": []},
        {"const": None},
        {"type": "string", "enum": [1]},
        {"enum": [1], "items": {}},
        {"not": {"enum": [1]}},
        {"anyOf": [{"enum": [1]}, {}]},
        {"anyOf": [{"enum": [1]}, {"type": ["string", "object"]}]},
        {"type": "array", "contains": {"const": 1}, "items": {"const": 1}},
    ],
)
def test_constants_stay_where_no_codec_may_stand_or_none_is_met(schema: Schema) -> None:
    assert adapted(schema, STEP).schema is schema


def test_elements_of_an_array_without_doubles_are_spelled_too() -> None:
    result = adapted({"type": "array", "items": {"enum": [1, 2]}, "uniqueItems": True}, STEP)

    assert result.encode([2, 1]) == ["2", "1"]
    assert result.report.effect is Effect.EXACT


@pytest.mark.parametrize("sent", ["3", 1, None, [], {"value": "1"}])
def test_what_is_no_constant_stays_what_it_is(sent: JsonValue) -> None:
    assert adapted({"type": "integer", "enum": [1]}, STEP).decode_value(sent) == sent


@pytest.mark.parametrize("word", ["enum", "const", "type", "minimum", "pattern", "format", "default", "examples"])
@pytest.mark.parametrize("value", [None, 1, "[", [], {}, [[]], {"a": 1}, True])
def test_values_of_the_wrong_kind_are_left_alone(word: str, value: Any) -> None:
    adapted({"enum": [1, "a"], word: value}, STEP)
