"""How a place of a document counts for the whole of it: by where it stands, and by the references that lead there."""

from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import schemaflow
from schemaflow import Effect, NotASchemaError, Schema, compose
from schemaflow.algebra import exclusive
from schemaflow.drawing import schemas, values_near
from schemaflow.keywords import Polarity
from schemaflow.standing import Standings, View, evaluates_alike, seen
from schemaflow.validation import judge_of

A = {"$ref": "#/$defs/A"}
B = {"$ref": "#/$defs/B"}
NODE: Schema = {"pattern": "a"}
CLOSED = {"unevaluatedProperties": False}


def effect_of(document: Schema) -> Effect:
    """What dropping every pattern of a document is said to do."""
    return compose("own", ("drop_keywords", {"keywords": ["pattern"]})).adapt(document).report.effect


@pytest.mark.parametrize(
    ("place", "effect"),
    [
        ({"items": A}, Effect.WIDENS),
        ({"not": A}, Effect.NARROWS),
        ({"not": {"not": A}}, Effect.WIDENS),
        ({"items": A, "not": A}, Effect.UNKNOWN),
        ({"items": A, "additionalProperties": A}, Effect.WIDENS),
        ({"if": A}, Effect.UNKNOWN),
        ({"contentSchema": A}, Effect.EXACT),
        ({"properties": {"$ref": {"type": "string"}}}, Effect.EXACT),
        ({"default": A}, Effect.EXACT),
        # Through other definitions, which count only where they are referred to.
        ({"items": B, "$defs": {"B": {"not": A}}}, Effect.NARROWS),
        ({"$defs": {"B": {"not": A}}, "items": A}, Effect.WIDENS),
        # Two ways round a cycle.
        (
            {"items": {"$ref": "#/$defs/B"}, "$defs": {"B": {"anyOf": [A, {"not": {"$ref": "#/$defs/B"}}]}}},
            Effect.UNKNOWN,
        ),
        ({"items": {"$dynamicRef": "#one"}, "$defs": {"B": {"$dynamicAnchor": "one", "not": A}}}, Effect.NARROWS),
    ],
)
def test_a_definition_counts_where_references_lead_to_it(place: Schema, effect: Effect) -> None:
    document = {**place, "$defs": {"A": NODE, **place.get("$defs", {})}}

    assert effect_of(document) is effect


@pytest.mark.parametrize(
    ("document", "effect"),
    [
        ({"properties": {"a": NODE}, "items": {"$ref": "#/properties/a"}}, Effect.WIDENS),
        ({"properties": {"a": NODE}, "items": {"not": {"$ref": "#/properties/a"}}}, Effect.UNKNOWN),
        ({"properties": {"a": {"items": NODE}}, "not": {"$ref": "#/properties/a"}}, Effect.UNKNOWN),
        ({"not": {"items": NODE}, "items": {"$ref": "#/not/items"}}, Effect.UNKNOWN),
        ({"items": NODE, "not": {"required": ["a"], "additionalItems": {"$ref": "#/items"}}}, Effect.UNKNOWN),
        (
            {"x-parts": {"a": {"items": {"$ref": "#/items"}}}, "items": NODE, "not": {"$ref": "#/x-parts/a"}},
            Effect.UNKNOWN,
        ),
        ({"items": NODE, "contains": {"not": {"$ref": "#"}}}, Effect.UNKNOWN),
    ],
)
def test_any_place_may_be_referred_to(document: Schema, effect: Effect) -> None:
    assert effect_of(document) is effect


@pytest.mark.parametrize(
    ("document", "views"),
    [
        ({**A, **CLOSED, "$defs": {"A": NODE}}, {View(Polarity.NONE), View(Polarity.SAME, True)}),
        ({"allOf": [A], **CLOSED, "$defs": {"A": NODE}}, {View(Polarity.NONE), View(Polarity.SAME, True)}),
        ({"items": A, **CLOSED, "$defs": {"A": NODE}}, {View(Polarity.NONE), View(Polarity.SAME)}),
        ({"$defs": {"A": NODE}}, {View(Polarity.NONE)}),
    ],
)
def test_what_is_unevaluated_is_minded_through_references(document: Schema, views: set[View]) -> None:
    assert Standings(document).views((None, "$defs", "A")) == views


def test_a_name_that_is_a_keyword_is_no_way_down() -> None:
    document = {"properties": {"not": NODE}}

    assert Standings(document).views((None, "properties", "not")) == {View(Polarity.SAME)}


@pytest.mark.parametrize(
    ("before", "after", "alike"),
    [
        ({"const": 1}, {"enum": [1]}, True),
        ({"properties": {"a": {}}}, {"properties": {"a": {"type": "null"}}}, True),
        ({"properties": {"a": {}}}, {"properties": {"a": {}, "b": {}}}, False),
        ({"items": True}, {}, False),
        ({"prefixItems": [{}]}, {"prefixItems": [{}, {}]}, False),
        ({"$ref": "#"}, {"$ref": "#"}, True),
        (True, {}, False),
    ],
)
def test_keywords_tell_what_is_evaluated(before: Schema, after: Schema, alike: bool) -> None:
    assert evaluates_alike(before, after) is alike


def test_exact_changes_of_what_is_evaluated_are_unknown_where_that_is_minded() -> None:
    governed = [View(Polarity.SAME, governed=True)]

    assert seen(Effect.EXACT, governed, evaluates_alike=True) is Effect.EXACT
    assert seen(Effect.EXACT, governed, evaluates_alike=False) is Effect.UNKNOWN
    assert seen(Effect.EXACT, [View(Polarity.SAME)], evaluates_alike=False) is Effect.EXACT
    assert seen(Effect.EXACT, [View(Polarity.NONE, governed=True)], evaluates_alike=False) is Effect.EXACT


# --- schemas that exclude one another


DRAFT_7 = {"$ref": "#/$defs/A", "type": "string"}


@pytest.mark.parametrize(
    ("members", "expected"),
    [
        ([], True),
        ([NODE], True),
        ([True, False], True),
        ([True, NODE], False),
        ([{"type": "string"}, {"type": ["null", "integer"]}], True),
        ([{"type": "integer"}, {"type": "number"}], False),
        ([{"type": "string", "nullable": True}, {"type": "null"}], False),
        ([{"type": "number", "maximum": 1}, {"type": "number", "minimum": 2}], True),
        ([{"type": "number", "maximum": 1}, {"type": "number", "minimum": 1}], False),
        # An old draft does not hear what stands beside a reference.
        ([DRAFT_7, {"type": "null"}], False),
        ([{"type": "object", "properties": {"a": DRAFT_7}, "required": ["a"]}, {"type": "null"}], True),
        ("a", False),
        ([1, 2], False),
    ],
)
def test_schemas_without_a_common_value_are_exclusive(members: object, expected: bool) -> None:
    assert exclusive(members) is expected


@settings(max_examples=200)
@given(st.lists(schemas(depth=1, references=False, drafts=["2020-12"]), min_size=2, max_size=3), st.data())
def test_no_value_matches_two_exclusive_schemas(members: list[Schema], data: st.DataObject) -> None:
    if not exclusive(members):
        return
    values = [data.draw(values_near(member)) for member in members]
    try:
        judges = [judge_of(member) for member in members]
    except NotASchemaError:
        return

    assert all(sum(accepts(value) for accepts in judges) <= 1 for value in values)


@pytest.mark.parametrize(
    "change",
    [
        lambda member: {**member, "additionalProperties": False},
        lambda member: {"type": member["type"]},
    ],
)
def test_one_member_may_change_where_the_others_exclude_it_before_and_after(change: Callable[[Schema], Schema]) -> None:
    """A member that narrows may free values for another, and one that widens may take them away."""
    number = {"type": "object", "properties": {"a": {"type": "number"}}, "required": ["a"]}
    text = {"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a"]}

    @schemaflow.node_rule(on={"required"}, writes=schemaflow.EVERYTHING, effect=Effect.BOTH)
    def changes(schema: Schema) -> schemaflow.Rewrite:
        changed = change(schema)
        return schemaflow.Rewrite(changed, effect=Effect.WIDENS if len(changed) == 1 else Effect.NARROWS)

    (first, second) = compose("own", changes).adapt({"oneOf": [number, text]}).report
    expected = Effect.UNKNOWN if len(change(number)) == 1 else Effect.NARROWS

    assert (first.effect, second.effect) == (expected, expected)


DRAFT_4_URI = "http://json-schema.org/draft-04/schema#"


@pytest.mark.parametrize(
    ("declared", "effect"),
    [({}, Effect.NARROWS), ({"$schema": DRAFT_4_URI}, Effect.UNKNOWN), ({"$schema": "urn:x:own"}, Effect.UNKNOWN)],
)
def test_what_a_draft_does_not_read_excludes_nothing(declared: Schema, effect: Effect) -> None:
    tagged = [{"type": "object", "properties": {"a": {"const": name}}, "required": ["a"]} for name in "ab"]

    assert compose("own", "close_objects").adapt({**declared, "oneOf": tagged}).report.effect is effect


def test_what_a_draft_does_not_read_in_a_member_is_not_merged_exactly() -> None:
    document = {"$schema": DRAFT_4_URI, "allOf": [{"maxItems": 0}, {"const": [1]}]}

    assert compose("own", "merge_all_of").adapt(document).report.effect is Effect.UNKNOWN
