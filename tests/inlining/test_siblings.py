"""What stands beside a reference."""

import pytest

from schemaflow import Schema
from tests.inlining.calls import DRAFT_4, DRAFT_7, INTEGER, STRING, findings, members, ref, resolved, traced


def test_the_text_of_the_use_wins_in_its_place() -> None:
    definition = {"description": "Generic.", **members(id=INTEGER), "title": "T"}
    document = {"$defs": {"A": definition}, "items": {"title": "Mine", **ref("A"), "description": "Use."}}

    assert list(resolved(document)["items"].items()) == [
        ("title", "Mine"),
        *members(id=INTEGER).items(),
        ("description", "Use."),
    ]


def test_what_is_said_beside_a_reference_holds_too() -> None:
    document = {"$defs": {"A": {**STRING, "maxLength": 9}}, "items": {**ref("A"), "minLength": 1, "maxLength": 5}}

    assert resolved(document) == {"items": {**STRING, "minLength": 1, "maxLength": 5}}
    assert findings(document)["/items"][0] == "exact"


def test_nothing_may_be_left() -> None:
    assert resolved({"$defs": {"A": STRING}, "items": {**ref("A"), **INTEGER}}) == {"items": False}


@pytest.mark.parametrize(
    ("siblings", "dialect", "expected", "effect"),
    [
        ("intersect", None, {**STRING, "minLength": 1}, "exact"),
        ("intersect", DRAFT_7, {**STRING, "minLength": 1}, "narrows"),
        ("standard", None, {**STRING, "minLength": 1}, "exact"),
        ("standard", DRAFT_7, STRING, "exact"),
        ("drop", None, STRING, "widens"),
        ("drop", DRAFT_7, STRING, "exact"),
    ],
)
def test_siblings(siblings: str, dialect: str | None, expected: Schema, effect: str) -> None:
    declared = {} if dialect is None else {"$schema": dialect}
    document = {**declared, "$defs": {"A": STRING}, "items": {**ref("A"), "minLength": 1}}

    assert resolved(document, siblings=siblings) == {**declared, "items": expected}
    assert findings(document, siblings=siblings)["/items"][0] == effect


def test_unevaluated_properties_see_the_target() -> None:
    target = members(a=STRING)
    document = {"$defs": {"A": target}, **ref("A"), "properties": {"b": STRING}, "unevaluatedProperties": False}
    expected = {"properties": {"b": STRING}, "unevaluatedProperties": False, "allOf": [target]}

    assert resolved(document) == expected


def test_drafts_without_boolean_schemas_get_none() -> None:
    document = {"$schema": DRAFT_4, "definitions": {"A": STRING}, "items": {"$ref": "#/definitions/A", **INTEGER}}

    assert resolved(document) == {"$schema": DRAFT_4, "items": {**INTEGER, "allOf": [STRING]}}


@pytest.mark.parametrize("siblings", ["intersect", "drop"])
def test_what_stands_beside_a_reference_that_stays_does_too(siblings: str) -> None:
    document = {"$schema": DRAFT_7, "$defs": {"A": STRING}, "items": {**ref("A"), "minLength": 1}}

    assert traced(document, keep="resolvable", siblings=siblings).schema is document


def test_where_the_draft_ignores_it_it_may_be_dropped() -> None:
    document = {"$schema": DRAFT_7, "$defs": {"A": STRING}, "items": {**ref("A"), "minLength": 1}}
    expected = ("exact", "dropped what stood beside: minLength")

    assert traced(document, keep="resolvable", siblings="standard").schema["items"] == ref("A")
    assert findings(document, keep="resolvable", siblings="standard")["/items"] == expected


def test_nullable_goes_with_the_type_of_the_target() -> None:
    document = {"$defs": {"E": {**STRING, "enum": ["x"]}}, "items": {**ref("E"), "nullable": True}}

    assert resolved(document) == {"items": {**STRING, "enum": ["x"], "nullable": True}}


def test_references_beside_a_reference_are_resolved() -> None:
    document = {"$defs": {"A": members(a={}), "S": STRING}, "items": {**ref("A"), "properties": {"a": ref("S")}}}

    assert resolved(document) == {"items": {"type": "object", "properties": {"a": STRING}}}


def test_the_effect_inside_counts_where_the_target_is_merged() -> None:
    document = {"$defs": {"L": {"items": ref("L")}}, "properties": {"x": {"not": {**ref("L"), "minItems": 1}}}}

    assert findings(document, unroll=0)["/properties/x/not"][0] == "widens"


def test_a_draft_that_does_not_know_the_keyword() -> None:
    document = {"$schema": DRAFT_7, "$defs": {"n": STRING}, "items": {"$dynamicRef": "#/$defs/n"}}
    effect, note = findings(document)["/items"]

    assert (effect, note) == ("both", "inlined '#/$defs/n'; this draft ignores $dynamicRef")
