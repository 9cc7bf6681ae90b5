import pytest

from schemaflow import Effect, Schema
from schemaflow.validation import judge_of
from schemaflow_rules.exclusive_one_of import exclusive_one_of


@pytest.mark.parametrize("members", [5, {}, [1], "a"])
def test_what_is_no_list_of_schemas_stays(members: object) -> None:
    document = {"items": {"oneOf": members}}

    assert exclusive_one_of.apply(document) is document


@pytest.mark.parametrize("count", [2, 8, 24])
def test_exactly_one_of_many_that_overlap(count: int) -> None:
    schema: Schema = {"oneOf": [{"type": "object", "required": [f"p{number}"]} for number in range(count)]}
    answer = exclusive_one_of.bind().call(schema)
    accepts = judge_of(answer.schema)

    assert answer.effect in (None, Effect.EXACT)
    assert [accepts(value) for value in ({}, {"p1": 1}, {"p0": 1, "p1": 1})] == [False, True, False]


def test_nothing_matches_a_one_of_twice_the_same() -> None:
    assert exclusive_one_of.apply({"items": {"oneOf": [{"type": "string"}, {"type": "string"}]}}) == {"items": False}


def test_many_members_with_a_constant_each_are_a_union() -> None:
    members = [
        {"type": "object", "properties": {"kind": {"const": number}}, "required": ["kind"]} for number in range(300)
    ]

    assert exclusive_one_of.apply({"items": {"oneOf": members}}) == {"items": {"anyOf": members}}


def test_too_many_members_that_overlap_stay() -> None:
    document = {"items": {"oneOf": [{"required": [f"p{number}"]} for number in range(25)]}}

    assert exclusive_one_of.apply(document) is document
