from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from schemaflow import Effect, JsonValue, Schema
from schemaflow.drawing import schemas
from schemaflow.errors import NotEncodable
from tests.codec_laws import adapted, broken_on_either_way
from tests.codec_schemas import documents

STEP = "absent_to_null"
STEPS = [STEP, (STEP, {"null_means": "boxed"})]
STRING = {"type": "string"}


def record(**properties: Any) -> Schema:
    return {"type": "object", "properties": properties, "required": ["a"], "additionalProperties": False}


@pytest.mark.parametrize("step", STEPS)
def test_the_laws_of_codecs_hold_on_documents_in_normal_form(step: Any) -> None:
    @settings(max_examples=150)
    @given(documents(), st.data())
    def law(schema: Schema, data: st.DataObject) -> None:
        assert broken_on_either_way(data, schema, adapted(schema, step)) is None

    law()


@pytest.mark.parametrize("step", STEPS)
def test_the_laws_of_codecs_hold_on_any_documents(step: Any) -> None:
    drawn = schemas(depth=2, drafts=["2020-12"], focus=["properties", "required", "type"])

    @settings(max_examples=100)
    @given(drawn, st.data())
    def law(schema: Schema, data: st.DataObject) -> None:
        assert broken_on_either_way(data, schema, adapted(schema, step)) is None

    law()


@pytest.mark.parametrize(
    ("value", "encoded"),
    [
        ({"a": "x"}, {"a": "x", "b": None, "c": None}),
        ({"a": "x", "b": "y"}, {"a": "x", "b": "y", "c": None}),
        ({"a": "x", "c": {"a": "z"}}, {"a": "x", "b": None, "c": {"a": "z", "d": None}}),
    ],
)
def test_what_is_absent_is_written_as_null_and_left_out_again(value: JsonValue, encoded: JsonValue) -> None:
    result = adapted(record(a=STRING, b={"enum": ["y"], **STRING}, c=record(a=STRING, d=STRING)), STEP)

    assert result.encode(value) == encoded
    assert result.decode_value(encoded) == value
    assert result.report.effect is Effect.EXACT


def test_a_null_that_the_author_does_not_allow_is_not_taken_for_absent() -> None:
    result = adapted(record(a=STRING, b=record(a=STRING, c=STRING)), STEP)

    with pytest.raises(NotEncodable) as raised:
        result.encode({"a": "x", "b": {"a": "y", "c": None}})
    assert raised.value.pointer == "/b/c"


def test_a_required_null_stays() -> None:
    result = adapted(record(a={"type": ["string", "null"]}, b=STRING), STEP)

    assert result.decode_value({"a": None, "b": None}) == {"a": None}


@pytest.mark.parametrize(
    ("default", "decoded"),
    [({}, {"a": "x"}), ({"default": None}, {"a": "x"}), ({"default": "y"}, {"a": "x", "b": None})],
)
def test_null_is_absent_unless_the_default_is_something_else(default: Schema, decoded: JsonValue) -> None:
    result = adapted(record(a=STRING, b={"type": ["string", "null"], **default}), STEP)

    assert result.decode_value({"a": "x", "b": None}) == decoded
    assert result.report.effect is Effect.NARROWS


def test_boxes_keep_absent_and_null_apart() -> None:
    result = adapted(record(a=STRING, b={"type": ["string", "null"]}), (STEP, {"null_means": "boxed"}))

    for value in ({"a": "x"}, {"a": "x", "b": None}, {"a": "x", "b": "y"}):
        assert result.decode_value(result.encode(value)) == value
    assert result.encode({"a": "x", "b": None}) == {"a": "x", "b": {"value": None}}
    assert result.report.effect is Effect.EXACT


def test_a_reference_that_may_be_null_is_looked_up() -> None:
    node = record(a=STRING, next={"$ref": "#/$defs/node"})
    result = adapted({"$ref": "#/$defs/node", "$defs": {"node": node}}, STEP)
    value = {"a": "x", "next": {"a": "y", "next": {"a": "z"}}}

    assert result.decode_value(result.encode(value)) == value
    assert result.encode({"a": "x"}) == {"a": "x", "next": None}
    assert result.report.effect is Effect.EXACT


def test_forbidden_properties_stay_absent() -> None:
    result = adapted(record(a=STRING, b=False), STEP)

    assert result.encode({"a": "x"}) == {"a": "x"}


@pytest.mark.parametrize(
    "schema",
    [
        {"not": record(a=STRING, b=STRING)},
        {"allOf": [record(a=STRING, b=STRING)]},
        {**record(a=STRING, b=STRING), "propertyNames": {"maxLength": 1}},
        {"type": "object", "properties": [], "required": ["a"]},
        {"type": "object", "properties": {"a": {}}, "required": "a"},
    ],
)
def test_what_does_not_stand_alone_or_is_no_such_object_is_left(schema: Any) -> None:
    assert adapted(schema, STEP).schema is schema


def test_what_counts_properties_is_dropped_and_told() -> None:
    result = adapted({**record(a=STRING, b=STRING), "minProperties": 2}, STEP)

    assert "minProperties" not in result.schema
    assert result.report.effect is Effect.WIDENS
    assert [one.lost for one in result.report] == [{"minProperties": 2}]
