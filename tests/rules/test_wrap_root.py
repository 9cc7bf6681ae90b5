from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from schemaflow import Effect, JsonValue, Schema
from schemaflow.drawing import schemas
from schemaflow.laws.dangling import dangling
from tests.codec_laws import adapted, broken_on_either_way
from tests.codec_schemas import documents

STEP = "wrap_root"


@pytest.mark.parametrize(
    "drawn", [documents(), schemas(depth=2, drafts=["2020-12"], roots="any")], ids=["normal", "any"]
)
@pytest.mark.parametrize("steps", [(STEP,), ("map_to_pairs", STEP, "any_to_text")], ids=["alone", "after others"])
def test_the_laws_of_codecs_hold(drawn: st.SearchStrategy[Schema], steps: tuple[str, ...]) -> None:
    @settings(max_examples=120)
    @given(drawn, st.data())
    def law(schema: Schema, data: st.DataObject) -> None:
        result = adapted(schema, *steps)
        assert broken_on_either_way(data, schema, result) is None
        assert not dangling(result.schema) or dangling(schema)

    law()


@pytest.mark.parametrize(
    ("schema", "value"),
    [
        ({"type": "string"}, "x"),
        ({"anyOf": [{"type": "object"}, {"type": "null"}]}, None),
        ({}, [1]),
        (True, 1),
        ({"$ref": "#/$defs/a", "$defs": {"a": {"type": "array", "items": {"$ref": "#"}}}}, [[], [[]]]),
        ({"type": "array", "prefixItems": [{"type": "string"}], "items": {"$ref": "#/prefixItems/0"}}, ["a", "b"]),
    ],
)
def test_what_is_no_object_is_wrapped(schema: Any, value: JsonValue) -> None:
    result = adapted(schema, STEP)

    assert result.schema["type"] == "object"
    assert result.encode(value) == {"value": value}
    assert result.decode_value({"value": value}) == value
    assert result.report.effect is Effect.EXACT
    assert not dangling(result.schema)


@pytest.mark.parametrize("sent", [None, 1, {}, {"other": 1}, {"value": 1, "more": 2}])
def test_what_is_not_wrapped_comes_back_as_it_is(sent: JsonValue) -> None:
    assert adapted({"type": "string"}, STEP).decode_value(sent) == sent


@pytest.mark.parametrize(
    "schema",
    [
        {"type": "object", "properties": {}},
        {"type": "array", "items": {"$dynamicRef": "#a"}},
        {"type": "array", "items": {"$id": "urn:x:a"}},
    ],
)
def test_objects_and_what_names_may_turn_are_left(schema: Any) -> None:
    assert adapted(schema, STEP).schema is schema
