"""What `intersect` shares with its input, and that neither depth nor size nor odd input hurts it."""

from collections.abc import Callable
from typing import Any

import pytest

from schemaflow import Effect, Schema
from schemaflow.algebra import intersect, intersect_all
from tests.effort import at_most

STRING: Schema = {"type": "string"}


@pytest.mark.parametrize(
    "right",
    [
        True,
        {},
        {"type": ["string", "null"]},
        {"minLength": 1},
        {"title": "B"},
        {"enum": ["c", "b", "a"]},
        {"allOf": [{"maxLength": 9}, {"enum": ["a", "b", 1]}]},
    ],
)
def test_the_left_itself_where_the_right_adds_nothing(right: Schema | bool) -> None:
    left = {"type": "string", "enum": ["a", "b"], "minLength": 1, "maxLength": 5, "title": "A"}

    assert intersect(left, right).schema is left


def test_the_left_itself_where_its_children_keep_theirs() -> None:
    left = {"properties": {"a": {"items": STRING}}, "required": ["a"], "additionalProperties": False}
    right = {"properties": {"a": {"items": {"type": ["string", "null"]}}, "b": {}}, "required": ["a"]}

    assert intersect(left, right).schema is left


def test_what_was_intersected_stays_as_it_is() -> None:
    merged = intersect_all([{"pattern": "a", "$id": "urn:x:a"}, {"pattern": "b"}, {"pattern": "c"}]).schema

    assert intersect_all([merged]).schema is merged


def test_children_that_do_not_change_are_shared() -> None:
    left: Schema = {"properties": {"a": {"items": {}}}}
    right: Schema = {"properties": {"b": {"items": {}}}}
    merged: Any = intersect(left, right).schema

    assert merged["properties"]["a"] is left["properties"]["a"]
    assert merged["properties"]["b"] is right["properties"]["b"]


def test_a_child_that_nothing_joins_keeps_its_all_of() -> None:
    child = {"allOf": [STRING, {"minLength": 1}]}
    merged: Any = intersect({"properties": {"a": child}}, {"properties": {"b": {}}}).schema

    assert merged["properties"]["a"] is child


@pytest.mark.parametrize("members", [[], [True], [True, True]])
def test_of_nothing_at_all(members: list[Schema | bool]) -> None:
    assert intersect_all(members).schema is True


def test_false_is_false() -> None:
    assert intersect(STRING, False).schema is False


@pytest.mark.parametrize(
    "odd",
    [
        {"type": "any"},
        {"type": [{}]},
        {"enum": "a"},
        {"minimum": "1"},
        {"multipleOf": 0},
        {"minLength": None},
        {"required": "a"},
        {"properties": []},
        {"properties": {"a": 1}},
        {"additionalProperties": "x"},
        {"prefixItems": {}},
        {"prefixItems": [{}], "items": [{}]},
        {"dependentRequired": {"a": "b"}},
        {"dependencies": {"a": 1}},
        {"propertyNames": 1},
        {"$defs": []},
        {"allOf": {}},
        {"allOf": [1]},
    ],
)
def test_what_cannot_be_read_is_kept_as_it_is(odd: Schema) -> None:
    plain: Schema = {
        "type": "string",
        "enum": ["a"],
        "minimum": 1,
        "multipleOf": 1,
        "minLength": 1,
        "required": ["a"],
        "properties": {"a": {}},
        "prefixItems": [{}],
        "dependentRequired": {},
        "dependencies": {},
        "propertyNames": {},
        "$defs": {},
        "allOf": [],
    }

    assert intersect(plain, odd).schema == {**plain, "allOf": [odd]}


NESTED: dict[str, Callable[[Any], Schema]] = {
    "properties": lambda schema: {"properties": {"a": schema}},
    "additionalProperties": lambda schema: {"additionalProperties": schema, "properties": {"b": {}}},
    "patternProperties": lambda schema: {"patternProperties": {"[a]": {}}, "additionalProperties": schema},
    "items": lambda schema: {"prefixItems": [{}], "items": schema},
    "anyOf": lambda schema: {"anyOf": [schema]},
    "allOf": lambda schema: {"allOf": [schema, {"title": "A"}]},
    "enum": lambda value: {"enum": [value]},
}


def nested(leaf: Any, shape: Callable[[Any], Schema], levels: int) -> Any:
    for _ in range(levels):
        leaf = shape(leaf)
    return leaf


def below(frames: int, call: Callable[[], Any]) -> Any:
    return below(frames - 1, call) if frames else call()


@pytest.mark.parametrize("keyword", NESTED)
def test_depth_does_not_hurt(keyword: str) -> None:
    left = nested({"minLength": 1}, NESTED[keyword], 120)
    right = nested({"minLength": 1, **STRING}, NESTED[keyword], 120)

    assert below(700, lambda: intersect(left, right)).effect is Effect.EXACT


def test_many_members() -> None:
    members: list[Schema | bool] = [
        {"properties": {f"p{number}": STRING, "all": {"minLength": number}}, "required": [f"p{number}"]}
        for number in range(5_000)
    ]
    merged: Any = intersect_all(members).schema

    assert len(merged["properties"]) == 5_001
    assert merged["properties"]["all"] == {"minLength": 4_999}


def test_many_closed_members() -> None:
    members: list[Schema | bool] = [
        {"properties": {f"p{number}": {}, "all": {}}, "additionalProperties": False} for number in range(5_000)
    ]
    expected = {"properties": {"all": {}}, "additionalProperties": False}

    assert intersect_all(members).schema == expected


def test_many_members_that_cannot_be_merged() -> None:
    members: list[Schema | bool] = [{"pattern": f"^{number % 2_500}"} for number in range(5_000)]
    merged: Any = intersect_all(members).schema

    assert len(merged["allOf"]) == 2_499


def tree(name: int, levels: int) -> Schema:
    """A schema that says something different of every path."""
    if levels == 0:
        return {"minLength": name}
    return {
        "properties": {f"a{name}": tree(2 * name, levels - 1)},
        "additionalProperties": tree(2 * name + 1, levels - 1),
    }


@pytest.mark.parametrize("residual", [True, False])
def test_exponentially_many_combinations_are_not_all_made(residual: bool) -> None:
    outcome = intersect_all([tree(number, 9) for number in range(1, 10)], residual=residual)

    assert outcome.effect is (Effect.EXACT if residual else Effect.WIDENS)


def test_what_stands_in_several_places_is_merged_once() -> None:
    """Two to the power of 40 ways lead down."""
    left: Schema = {"minLength": 1}
    right: Schema = {"maxLength": 5}
    for _ in range(40):
        left = {"properties": {"a": left, "b": left}}
        right = {"properties": {"a": right, "b": right}}
    with at_most(100_000):
        merged: Any = intersect(left, right).schema

    for _ in range(40):
        assert merged["properties"]["a"] is merged["properties"]["b"]
        merged = merged["properties"]["a"]
    assert merged == {"minLength": 1, "maxLength": 5}


def test_what_is_lost_in_several_places_is_told_of_each() -> None:
    left, right = {"pattern": "a"}, {"pattern": "b"}
    outcome = intersect(
        {"items": {"properties": {"a": left, "b": left}}, "contains": True},
        {"items": {"properties": {"a": right, "b": right}}},
        residual=False,
    )

    assert outcome.effect is Effect.WIDENS
    assert outcome.notes == (
        "/items/properties/a: left out pattern 'b'",
        "/items/properties/b: left out pattern 'b'",
    )
