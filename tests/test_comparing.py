"""Two schemas compared: what is proved, what a value shows, and what is not known."""

from typing import Any

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

import schemaflow
from schemaflow import NotASchemaError, Schema
from schemaflow.comparing import Comparison, compare
from schemaflow.drawing import schemas, values_near
from schemaflow.validation import judge_of
from tests.algebra.related import SMALL_VALUES, related

S: Schema = {"type": "string"}
A: Schema = {"type": "object", "properties": {"a": S}, "required": ["a"]}
MIRRORED = {"equal": "equal", "wider": "narrower", "narrower": "wider", "different": "different", "unknown": "unknown"}


@pytest.mark.parametrize(
    ("first", "second", "word"),
    [
        (S, S, "equal"),
        (S, {"type": ["string"]}, "equal"),
        (S, {**S, "title": "T", "format": "date"}, "equal"),
        ({"const": 1}, {"enum": [1.0]}, "equal"),
        ({"type": ["string", "null"]}, {"anyOf": [{"type": "null"}, S]}, "equal"),
        ({"not": {"not": S}}, S, "equal"),
        (True, S, "wider"),
        (S, False, "wider"),
        ({**S, "minLength": 1}, {**S, "minLength": 2}, "wider"),
        ({"type": "number"}, {"type": "integer"}, "wider"),
        (A, {**A, "additionalProperties": False}, "wider"),
        (A, {**A, "required": ["a", "b"]}, "wider"),
        ({**A, "properties": {"a": {**S, "maxLength": 3}}}, A, "narrower"),
        (S, {"type": "null"}, "different"),
        ({**S, "minLength": 2}, {**S, "maxLength": 3}, "different"),
        # A pattern is not read.
        ({**S, "pattern": "^(a|b)$"}, {**S, "pattern": "^[ab]$"}, "unknown"),
    ],
)
def test_what_one_schema_is_beside_another(first: Any, second: Any, word: str) -> None:
    adapter = schemaflow.adapter("normalize")
    normal = (adapter.normalize_schema(first), adapter.normalize_schema(second))
    found = compare(first, second, normal=normal, examples=200)

    assert found.word == word
    assert compare(second, first, normal=(normal[1], normal[0]), examples=200).word == MIRRORED[word]


def test_a_value_shows_what_does_not_hold() -> None:
    found = compare(A, {**A, "required": ["a", "b"]}, examples=200)

    assert (found.backward.holds, found.backward.proved) == (True, True)
    assert (found.forward.holds, found.forward.value) == (False, {"a": ""})


def test_what_is_not_known_says_how_much_was_tried() -> None:
    found = compare({**S, "pattern": "^(a|b)$"}, {**S, "pattern": "^[ab]$"}, examples=100)

    assert found.backward.holds is None
    assert found.backward.tries > 50


def test_a_reference_means_something_else_in_another_document() -> None:
    def recursive(limit: int) -> Schema:
        text = {"type": "string", "maxLength": limit}
        return {"type": "object", "properties": {"n": {"not": {"$ref": "#"}}, "v": text}}

    found = compare(recursive(4001), recursive(4000), examples=50)

    assert (found.backward.proved, found.forward.proved) == (False, False)
    assert compare(recursive(4000), recursive(4000), examples=50).word == "equal"


def test_a_schema_that_no_validator_reads_cannot_be_compared() -> None:
    with pytest.raises(NotASchemaError):
        compare({"type": 5}, True)


# Values are searched by drawing, too.
@settings(max_examples=40, suppress_health_check=[HealthCheck.nested_given])
@given(st.tuples(schemas(depth=1, references=False, drafts=["2020-12"]), related(count=2)), st.data())
def test_what_is_proved_no_value_refutes(drawn: tuple[Schema, list[Schema]], data: st.DataObject) -> None:
    one, (two, three) = drawn
    first, second = data.draw(st.sampled_from([(one, two), (two, three), (two, {**two, **three}), (one, one)]))
    try:
        found: Comparison = compare(first, second, examples=20)
    except NotASchemaError:
        assume(False)
        raise
    accepts, other = judge_of(first), judge_of(second)
    values = [*SMALL_VALUES, data.draw(values_near(first)), data.draw(values_near(second))]
    if found.backward.proved:
        assert not any(other(value) and not accepts(value) for value in values)
    if found.forward.proved:
        assert not any(accepts(value) and not other(value) for value in values)
    for inclusion, part, whole in ((found.backward, other, accepts), (found.forward, accepts, other)):
        if inclusion.holds is False:
            assert part(inclusion.value)
            assert not whole(inclusion.value)
