from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from schemaflow import Effect, JsonValue, Schema
from schemaflow.drawing import schemas
from schemaflow.errors import NotEncodable
from tests.codec_laws import adapted, broken_on_either_way
from tests.codec_schemas import documents

STEP = "tuple_to_object"
STRING, NUMBER, NULL = {"type": "string"}, {"type": "number"}, {"type": "null"}
STEPS = [STEP, (STEP, {"optional": "absent"})]


def tuple_of(*elements: Any, **beside: Any) -> Schema:
    return {"type": "array", "prefixItems": list(elements), **beside}


@pytest.mark.parametrize("step", STEPS)
def test_the_laws_of_codecs_hold_on_documents_in_normal_form(step: Any) -> None:
    @settings(max_examples=150)
    @given(documents(), st.data())
    def law(schema: Schema, data: st.DataObject) -> None:
        assert broken_on_either_way(data, schema, adapted(schema, step)) is None

    law()


@pytest.mark.parametrize("step", STEPS)
def test_the_laws_of_codecs_hold_on_any_documents(step: Any) -> None:
    drawn = schemas(depth=2, drafts=["2020-12"], roots="any", focus=["prefixItems", "type"])

    @settings(max_examples=100)
    @given(drawn, st.data())
    def law(schema: Schema, data: st.DataObject) -> None:
        assert broken_on_either_way(data, schema, adapted(schema, step)) is None

    law()


@pytest.mark.parametrize(
    ("value", "encoded"),
    [
        (["a"], {"item_1": "a", "item_2": None, "further_items": []}),
        (["a", 1], {"item_1": "a", "item_2": 1, "further_items": []}),
        (["a", 1, None, "x"], {"item_1": "a", "item_2": 1, "further_items": [None, "x"]}),
    ],
)
def test_an_array_is_written_as_an_object_and_read_back(value: JsonValue, encoded: JsonValue) -> None:
    result = adapted(tuple_of(STRING, NUMBER, minItems=1), STEP)

    assert result.encode(value) == encoded
    assert result.decode_value(encoded) == value


@pytest.mark.parametrize(
    "element", [{}, True, {"type": ["string", "null"]}, {"$ref": "#/$defs/x"}, {"enum": [1, None]}]
)
def test_an_element_that_may_be_null_is_boxed_where_the_array_may_end_before_it(element: Any) -> None:
    result = adapted({**tuple_of(element, items=False), "$defs": {"x": NULL}}, STEP)

    assert result.encode([None]) == {"item_1": {"value": None}}
    assert result.encode([]) == {"item_1": None}
    assert result.decode_value({"item_1": {"value": None}}) == [None]
    assert result.decode_value({"item_1": None}) == []
    assert result.report.effect is Effect.EXACT


def test_null_is_an_element_where_absent_ones_are_left_out() -> None:
    result = adapted(tuple_of({"type": ["string", "null"]}, items=False), (STEP, {"optional": "absent"}))

    assert result.encode([None]) == {"item_1": None}
    assert result.encode([]) == {}
    assert result.decode_value({"item_1": None}) == [None]


@pytest.mark.parametrize(
    ("beside", "names"),
    [
        ({}, ["item_1", "item_2", "further_items"]),
        ({"items": False}, ["item_1", "item_2"]),
        ({"maxItems": 2}, ["item_1", "item_2"]),
        ({"maxItems": 1.0}, ["item_1"]),
        ({"maxItems": 3}, ["item_1", "item_2", "further_items"]),
    ],
)
def test_the_array_ends_where_it_must(beside: Schema, names: list[str]) -> None:
    result = adapted(tuple_of(STRING, NUMBER, **beside), STEP)

    assert list(result.schema["properties"]) == names
    assert result.report.effect is Effect.EXACT


def test_a_false_element_ends_the_array() -> None:
    assert list(adapted(tuple_of(STRING, False, NUMBER), STEP).schema["properties"]) == ["item_1"]


def test_further_elements_keep_what_is_said_of_them() -> None:
    schema = tuple_of(STRING, items=NUMBER, minItems=3, maxItems=4, uniqueItems=True)
    further = {"type": "array", "items": NUMBER, "minItems": 2, "maxItems": 3, "uniqueItems": True}

    assert adapted(schema, STEP).schema["properties"]["further_items"] == further


@pytest.mark.parametrize(
    ("beside", "lost", "effect"),
    [
        ({"uniqueItems": True}, ["uniqueItems"], Effect.WIDENS),
        ({"uniqueItems": True, "maxItems": 1}, [], Effect.EXACT),
        ({"uniqueItems": False}, [], Effect.EXACT),
        ({"contains": STRING, "maxContains": 2}, ["contains", "maxContains"], Effect.WIDENS),
        ({"maxContains": 2}, [], Effect.EXACT),
    ],
)
def test_what_an_object_cannot_say_is_lost_and_said_to_be(beside: Schema, lost: list[str], effect: Effect) -> None:
    report = adapted(tuple_of(STRING, NUMBER, **beside), STEP).report

    assert report.effect is effect
    assert [word for finding in report.findings for word in finding.lost] == lost


@pytest.mark.parametrize(
    "schema",
    [
        tuple_of(STRING, NUMBER, minItems=3, items=False),
        tuple_of(STRING, minItems=3, maxItems=2),
        tuple_of(False),
        tuple_of(),
        tuple_of(STRING, enum=[["a"]]),
        tuple_of(STRING, unevaluatedItems=False),
        {"prefixItems": [STRING]},
        {"type": ["array", "string"], "prefixItems": [STRING]},
        {"not": tuple_of(STRING)},
        {"allOf": [tuple_of(STRING)]},
        {"type": "array", "items": tuple_of(STRING), "uniqueItems": True},
        {"anyOf": [tuple_of(STRING), {"type": "object"}]},
        {"anyOf": [tuple_of(STRING), {}]},
        {"type": "object", "properties": {"a": tuple_of(STRING)}, "patternProperties": {"a": {"type": "array"}}},
        {"$ref": "#/$defs/x", "minItems": 1, "$defs": {"x": tuple_of(STRING)}},
    ],
)
def test_a_tuple_stays_where_no_codec_may_stand_or_none_is_met(schema: Schema) -> None:
    assert adapted(schema, STEP).schema is schema


def test_a_tuple_may_be_a_member_of_a_union_and_of_a_definition() -> None:
    schema = {"anyOf": [{"$ref": "#/$defs/x"}, STRING], "$defs": {"x": tuple_of(STRING, {"$ref": "#"}, items=False)}}

    result = adapted(schema, STEP)

    nested = ["a", ["b", "c"]]
    assert result.decode_value(result.encode(nested)) == nested
    assert "prefixItems" not in result.schema["$defs"]["x"]


def test_default_and_examples_are_written_as_values_are() -> None:
    schema = tuple_of(STRING, items=False, default=["a"], examples=[["b"], [None], "c"])

    after = adapted(schema, STEP).schema

    assert (after["default"], after["examples"]) == ({"item_1": "a"}, [{"item_1": "b"}])


def test_a_null_that_the_author_refuses_is_not_written_as_absent() -> None:
    with pytest.raises(NotEncodable, match="absent") as caught:
        adapted({"type": "object", "properties": {"a": tuple_of(STRING)}}, STEP).encode({"a": [None]})

    assert caught.value.tokens == ("a", 0)


def test_the_further_elements_name_is_never_that_of_an_element() -> None:
    result = adapted(tuple_of(STRING), (STEP, {"further": "item_1"}))

    assert list(result.schema["properties"]) == ["item_1", "item_1_"]


@pytest.mark.parametrize(
    "word", ["prefixItems", "items", "minItems", "maxItems", "uniqueItems", "contains", "type", "default"]
)
@pytest.mark.parametrize("value", [None, 1, -1, 2.5, "x", [], {}, [1], {"a": 1}, True])
def test_values_of_the_wrong_kind_are_left_alone(word: str, value: Any) -> None:
    adapted({**tuple_of(STRING, NUMBER), word: value}, STEP)
