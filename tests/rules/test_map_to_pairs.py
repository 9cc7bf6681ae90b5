from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from schemaflow import Effect, JsonValue, Schema
from schemaflow.drawing import schemas
from tests.codec_laws import adapted, broken_on_either_way
from tests.codec_schemas import documents

STEP = "map_to_pairs"
STRING, INTEGER = {"type": "string"}, {"type": "integer"}


@pytest.mark.parametrize(
    "drawn",
    [documents(), schemas(depth=2, drafts=["2020-12"], roots="any", focus=["type", "additionalProperties"])],
    ids=["normal", "any"],
)
@pytest.mark.parametrize("steps", [(STEP,), (STEP, "any_to_text")], ids=["alone", "with text"])
def test_the_laws_of_codecs_hold(drawn: st.SearchStrategy[Schema], steps: tuple[str, ...]) -> None:
    @settings(max_examples=120)
    @given(drawn, st.data())
    def law(schema: Schema, data: st.DataObject) -> None:
        assert broken_on_either_way(data, schema, adapted(schema, *steps)) is None

    law()


@pytest.mark.parametrize(
    ("schema", "value", "encoded"),
    [
        ({"additionalProperties": INTEGER}, {"x": 1, "y": 2}, [{"key": "x", "value": 1}, {"key": "y", "value": 2}]),
        ({}, {}, []),
        ({"additionalProperties": True}, {"": None}, [{"key": "", "value": None}]),
        (
            {"patternProperties": {"^x-": STRING}, "additionalProperties": False},
            {"x-a": "s"},
            [{"key": "x-a", "value": "s"}],
        ),
        ({"propertyNames": {"pattern": "^a"}}, {"a": [1]}, [{"key": "a", "value": [1]}]),
        (
            {"additionalProperties": {"type": "object", "additionalProperties": INTEGER}},
            {"x": {"y": 1}},
            [{"key": "x", "value": [{"key": "y", "value": 1}]}],
        ),
    ],
)
def test_members_go_out_as_pairs_and_come_back(schema: Schema, value: JsonValue, encoded: JsonValue) -> None:
    result = adapted({"type": "object", **schema}, STEP)

    assert result.report.effect is Effect.EXACT
    assert result.encode(value) == encoded
    assert result.decode_value(encoded) == value


def test_of_two_pairs_with_one_key_the_last_counts() -> None:
    result = adapted({"type": "object", "additionalProperties": INTEGER}, STEP)

    assert result.decode_value([{"key": "x", "value": 1}, {"key": "x", "value": 2}]) == {"x": 2}


@pytest.mark.parametrize("sent", [None, 1, "x", {"x": 1}, [1], [{"key": 1, "value": 1}], [{"key": "x"}]])
def test_what_is_no_list_of_pairs_comes_back_as_it_is(sent: JsonValue) -> None:
    assert adapted({"type": "object", "additionalProperties": INTEGER}, STEP).decode_value(sent) == sent


@pytest.mark.parametrize("more", [{"minProperties": 2}, {"required": ["a"]}])
def test_more_is_accepted_where_a_key_that_repeats_or_is_missing_matters(more: Schema) -> None:
    result = adapted({"type": "object", **more}, STEP)

    assert result.report.effect is Effect.WIDENS
    assert [one.lost for one in result.report] == [more]


def test_values_beside_are_written_as_pairs() -> None:
    result = adapted({"type": "object", "default": {"a": 1}, "examples": [{}, 1]}, STEP)

    assert result.schema["default"] == [{"key": "a", "value": 1}]
    assert result.schema["examples"] == [[]]


@pytest.mark.parametrize(
    "schema",
    [
        {"not": {"type": "object"}},
        {"anyOf": [{"type": "object"}, {"type": "array"}]},
        {"anyOf": [{"type": "object"}, {}]},
        {"type": "object", "patternProperties": 1},
        {"type": "object", "patternProperties": {"^a": True, "^b": True}, "additionalProperties": False},
        {"type": "object", "patternProperties": {"^a": STRING}},
        {"type": "object", "additionalProperties": "yes"},
        {"type": "object", "propertyNames": []},
        {"type": "object", "propertyNames": {"enum": ["a"]}},
        {"type": "object", "allOf": [{}]},
    ],
)
def test_what_is_no_plain_map_is_left(schema: Any) -> None:
    assert adapted(schema, STEP).schema is schema
