from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from schemaflow import Effect, JsonValue, Schema
from schemaflow.drawing import schemas
from tests.codec_laws import adapted, broken_on_either_way
from tests.codec_schemas import documents

STEP = "any_to_text"


@pytest.mark.parametrize(
    "drawn", [documents(), schemas(depth=2, drafts=["2020-12"], focus=["properties", "items"])], ids=["normal", "any"]
)
def test_the_laws_of_codecs_hold(drawn: st.SearchStrategy[Schema]) -> None:
    @settings(max_examples=150)
    @given(drawn, st.data())
    def law(schema: Schema, data: st.DataObject) -> None:
        assert broken_on_either_way(data, schema, adapted(schema, STEP)) is None

    law()


@pytest.mark.parametrize("value", [None, True, 2**70, 1.5, "text", '"quoted"', [], {"a": [{}]}, "é", "\U0001f600"])
def test_any_value_comes_back(value: JsonValue) -> None:
    result = adapted({"type": "object", "properties": {"a": {}}}, STEP)
    encoded = result.encode({"a": value})

    assert isinstance(encoded["a"], str)
    assert result.decode_value(encoded) == {"a": value}
    assert result.report.effect is Effect.EXACT


@pytest.mark.parametrize("text", ["", "{", "NaN", "1e999", "plain words", "[" * 100_000])
def test_text_that_is_no_json_is_the_string_that_it_is(text: str) -> None:
    result = adapted({"type": "array", "items": True}, STEP)

    assert result.decode_value([text]) == [text]


def test_texts_stay_and_values_beside_are_written_so() -> None:
    node = {"title": "A", "description": "What was seen.", "default": {"a": 1}, "examples": [1, "x"]}
    result = adapted({"type": "array", "items": node}, STEP)

    assert result.schema["items"] == {
        "type": "string",
        "title": "A",
        "description": "What was seen. Any JSON value, as JSON text.",
        "default": '{"a":1}',
        "examples": ["1", '"x"'],
    }


@pytest.mark.parametrize(
    "schema",
    [
        {"type": "object", "additionalProperties": True},
        {"type": "object", "additionalProperties": {}},
        {"not": {"properties": {"a": {}}}},
        {"type": "object", "properties": {"a": {}}, "patternProperties": {"a": {"type": "string"}}},
        {"type": "object", "properties": [True]},
        {"type": "array", "items": False},
    ],
)
def test_what_something_else_speaks_of_is_left(schema: Any) -> None:
    assert adapted(schema, STEP).schema is schema
