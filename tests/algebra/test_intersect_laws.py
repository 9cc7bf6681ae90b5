"""The laws of `intersect`, on drawn schemas and values. The judge is jsonschema-rs."""

import json
from collections.abc import Callable, Sequence
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema_rs import Draft202012Validator

from schemaflow import Effect, JsonValue, Schema
from schemaflow.algebra import Outcome, intersect, intersect_all
from schemaflow.drawing import schemas, values_near
from tests.algebra.related import GROUPS, SMALL_VALUES, Members, related

PLAIN = schemas(depth=2, references=False, drafts=["2020-12"])
UNEVALUATED = st.sampled_from(["unevaluatedProperties", "unevaluatedItems"])


def judge(schema: Schema | bool) -> Callable[[JsonValue], bool]:
    return Draft202012Validator(schema, validate_formats=False).is_valid


def verdicts(schema: Schema | bool, values: Sequence[JsonValue] = SMALL_VALUES) -> list[bool]:
    return list(map(judge(schema), values))


def all_hold(drawn: Members, values: Sequence[JsonValue] = SMALL_VALUES) -> list[bool]:
    return [all(each) for each in zip(*(verdicts(member, values) for member in drawn), strict=True)]


def check(outcome: Outcome, expected: Sequence[bool], actual: Sequence[bool]) -> None:
    """Whether the effect of an outcome keeps its promise."""
    assert outcome.effect in (Effect.EXACT, Effect.WIDENS)
    if outcome.effect is Effect.EXACT:
        assert actual == expected
    else:
        assert all(after or not before for before, after in zip(expected, actual, strict=True))


@pytest.mark.parametrize("group", GROUPS)
def test_the_result_accepts_what_all_accept(group: str) -> None:
    @settings(max_examples=80)
    @given(related(group), st.booleans())
    def law(drawn: Members, residual: bool) -> None:
        outcome = intersect_all(drawn, residual=residual)

        check(outcome, all_hold(drawn), verdicts(outcome.schema))

    law()


@settings(max_examples=50)
@given(st.lists(PLAIN, min_size=1, max_size=2), st.booleans(), st.data())
def test_so_it_does_for_schemas_of_any_kind(drawn: Members, residual: bool, data: st.DataObject) -> None:
    outcome = intersect_all(drawn, residual=residual)
    values = [*SMALL_VALUES, *(data.draw(values_near(each)) for each in (*drawn, outcome.schema))]

    check(outcome, all_hold(drawn, values), verdicts(outcome.schema, values))


@settings(max_examples=100)
@given(related())
def test_with_a_residual_the_result_is_exact(drawn: Members) -> None:
    assert intersect_all(drawn).effect is Effect.EXACT


@settings(max_examples=100)
@given(related())
def test_without_a_residual_there_is_no_all_of(drawn: Members) -> None:
    schema = intersect_all(drawn, residual=False).schema

    assert isinstance(schema, bool) or "allOf" not in schema


@settings(max_examples=150)
@given(related(), UNEVALUATED)
def test_the_result_evaluates_what_all_evaluate(drawn: Members, word: str) -> None:
    outcome = intersect_all(drawn)

    assert verdicts({word: False, "allOf": [outcome.schema]}) == verdicts({word: False, "allOf": drawn})


@settings(max_examples=150)
@given(related(), st.booleans(), UNEVALUATED)
def test_an_all_of_is_taken_apart_beside_unevaluated(drawn: Members, residual: bool, word: str) -> None:
    schema: Schema = {word: False, "allOf": drawn}
    outcome = intersect_all([schema], residual=residual)

    check(outcome, verdicts(schema), verdicts(outcome.schema))


@settings(max_examples=100)
@given(related(count=3))
def test_neither_order_nor_grouping_matters(drawn: Members) -> None:
    first, second, third = drawn
    left = intersect(intersect(first, second).schema, third).schema
    right = intersect(third, intersect(second, first).schema).schema

    assert verdicts(left) == verdicts(right)


@settings(max_examples=100)
@given(related(count=1))
def test_with_itself_it_says_the_same(drawn: Members) -> None:
    copy = json.loads(json.dumps(drawn))

    assert verdicts(intersect_all(drawn + copy).schema) == all_hold(drawn)


@settings(max_examples=100)
@given(related(count=1), st.sampled_from([True, {}]))
def test_what_says_nothing_changes_nothing(drawn: Members, nothing: Any) -> None:
    for schema in (intersect(drawn[0], nothing).schema, intersect(nothing, drawn[0]).schema):
        assert verdicts(schema) == all_hold(drawn)


@settings(max_examples=100)
@given(related(), st.booleans())
def test_the_input_is_untouched_and_gets_the_same_answer(drawn: Members, residual: bool) -> None:
    before = json.dumps(drawn)
    first, second = (intersect_all(drawn, residual=residual) for _ in range(2))

    assert json.dumps(drawn) == before
    assert (json.dumps(first.schema), first.notes) == (json.dumps(second.schema), second.notes)


@settings(max_examples=40)
@given(st.lists(schemas(malformed=True), min_size=1, max_size=3), st.booleans())
def test_odd_schemas_are_no_reason_to_fail(drawn: Members, residual: bool) -> None:
    assert intersect_all(drawn, residual=residual).effect in (Effect.EXACT, Effect.WIDENS)
