"""Constraints in plain words: one phrase each, in a fixed order, and none where there is nothing to say."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from schemaflow import wording
from schemaflow.drawing import schemas
from schemaflow.keywords import KEYWORDS, Role
from schemaflow.wording import phrases


def said(schema: Any, *lost: str) -> list[str | None]:
    """The phrases of the lost keywords of a schema; of all of them where none is named."""
    return [phrase for _, phrase in phrases({name: schema[name] for name in lost or schema}, schema)]


@pytest.mark.parametrize(
    ("schema", "phrase"),
    [
        ({"type": "integer"}, "an integer"),
        ({"type": ["string", "null"]}, "a string or null"),
        ({"type": "string", "nullable": True}, "a string or null"),
        ({"const": "red"}, 'always "red"'),
        ({"const": [1, {"a": None}]}, 'always [1, {"a": null}]'),
        ({"enum": ["red", 5, None]}, 'one of "red", 5, null'),
        ({"enum": [5]}, "always 5"),
        ({"format": "date-time"}, "a date-time"),
        ({"format": "x-code"}, 'in the format "x-code"'),
        ({"minLength": 3}, "at least 3 characters"),
        ({"minLength": 1}, "at least 1 character"),
        ({"maxLength": 3.0}, "at most 3 characters"),
        ({"pattern": "^a"}, "matches the pattern `^a`"),
        ({"minimum": 5}, "not less than 5"),
        ({"minimum": 5, "exclusiveMinimum": True}, "more than 5"),
        ({"exclusiveMinimum": 2.50}, "more than 2.5"),
        ({"maximum": -5.0}, "not more than -5"),
        ({"maximum": 5, "exclusiveMaximum": True}, "less than 5"),
        ({"exclusiveMaximum": 1e300}, "less than 1e+300"),
        ({"multipleOf": 5}, "a multiple of 5"),
        ({"minItems": 2}, "at least 2 items"),
        ({"maxItems": 10}, "at most 10 items"),
        ({"maxItems": 0}, "at most 0 items"),
        ({"uniqueItems": True}, "items are unique"),
        ({"minProperties": 1}, "at least 1 property"),
        ({"maxProperties": 2}, "at most 2 properties"),
        ({"required": ["a", "b c"]}, 'requires "a", "b c"'),
        ({"dependentRequired": {"a": ["b", "c"], "d": ["e"]}}, 'with "a" also "b", "c" and with "d" also "e"'),
        ({"properties": {"a": {"type": "string"}, "b": True}}, 'properties "a" (a string), "b" (anything)'),
        ({"patternProperties": {"^x-": {"minLength": 2}}}, "properties that match `^x-` (at least 2 characters)"),
        ({"additionalProperties": False}, "no other properties"),
        ({"unevaluatedProperties": False}, "no other properties"),
        (
            {"additionalProperties": {"type": "integer", "minimum": 0}},
            "other properties: an integer and not less than 0",
        ),
        ({"propertyNames": {"pattern": "^x"}}, "property names: matches the pattern `^x`"),
        ({"dependentSchemas": {"a": {"required": ["b"]}}}, 'with "a" (requires "b")'),
        ({"dependencies": {"a": ["b"], "c": {"required": ["d"]}}}, 'with "a" also "b" and with "c" (requires "d")'),
        ({"items": {"type": "string", "title": "Word"}}, "each item: a string"),
        ({"items": False}, "no items"),
        ({"prefixItems": [{"type": "string"}, False]}, "items in order: (a string), (nothing)"),
        ({"items": [{"type": "string"}]}, "items in order: (a string)"),
        ({"unevaluatedItems": {"const": 1}}, "other items: always 1"),
        ({"contains": {"const": 1}}, "contains at least 1 of: always 1"),
        (
            {"contains": {"const": 1}, "minContains": 2, "maxContains": 3},
            "contains at least 2 and at most 3 of: always 1",
        ),
        ({"contains": {"const": 1}, "minContains": 0, "maxContains": 3}, "contains at most 3 of: always 1"),
        ({"allOf": [{"minLength": 1}, {"maxLength": 2}]}, "all of: (at least 1 character), (at most 2 characters)"),
        ({"anyOf": [{"type": "string"}, {"type": "null"}]}, "any of: (a string), (null)"),
        ({"oneOf": [{"multipleOf": 3}, {"multipleOf": 5}]}, "exactly one of: (a multiple of 3), (a multiple of 5)"),
        ({"not": {"enum": ["a", "b"]}}, 'not (one of "a", "b")'),
        ({"not": {"type": "string", "nullable": True, "title": "T", "x-more": {}}}, "not (a string or null)"),
        (
            {"if": {"required": ["a"]}, "then": {"required": ["b"]}, "else": False},
            'if (requires "a"), then (requires "b"), otherwise (nothing)',
        ),
    ],
)
def test_a_constraint_in_words(schema: Any, phrase: str) -> None:
    assert said(schema)[0] == phrase


@pytest.mark.parametrize(
    "schema",
    [
        {"uniqueItems": False},
        {"minLength": 0},
        {"items": {}},
        {"additionalProperties": True},
        {"exclusiveMaximum": False, "maximum": 1},
        {"patternProperties": {}},
        {"contains": {}, "minContains": 0},
    ],
)
def test_what_asks_for_nothing_has_no_phrase(schema: Any) -> None:
    assert said(schema, next(iter(schema))) == []


@pytest.mark.parametrize(
    "schema",
    [
        {"$ref": "#/$defs/a"},
        {"minLength": "3"},
        {"minLength": True},
        {"minLength": -1},
        {"pattern": 5},
        {"type": "text"},
        {"type": []},
        {"enum": []},
        {"enum": ["x" * 2000]},
        {"multipleOf": 10**50},
        {"multipleOf": 10**5000},
        {"required": "a"},
        {"items": 5},
        {"not": {"items": {"type": "string"}}},
        {"anyOf": [{"type": "string"}, {"$ref": "#"}]},
        {"contains": {}, "maxContains": "many"},
        {"if": {}, "then": 5},
    ],
)
def test_what_cannot_be_said_has_none_but_is_named(schema: Any) -> None:
    assert said(schema, next(iter(schema))) == [None]


def test_phrases_come_in_the_table_s_order_whatever_the_schema_s() -> None:
    schema = {"maxLength": 5, "not": {}, "pattern": "a", "minLength": 3, "type": "string"}
    backwards = dict(reversed(schema.items()))

    found = [name for name, _ in phrases(schema, schema)]

    assert found == ["type", "minLength", "maxLength", "pattern", "not"]
    assert list(phrases(backwards, backwards)) == list(phrases(schema, schema))


def test_what_speaks_together_is_said_once_with_what_stays() -> None:
    schema = {"contains": {"const": 1}, "minContains": 2, "maxContains": 3}

    assert said(schema, "minContains", "maxContains") == ["contains at least 2 and at most 3 of: always 1"]


def test_every_keyword_that_decides_anything_has_words() -> None:
    deciding = {row.name for row in KEYWORDS.values() if row.role in (Role.ASSERTION, Role.APPLICATOR)}

    # To drop nullable refuses null: no constraint is lost with it.
    assert deciding - set(wording.TABLE) == {"nullable"}


@given(schemas(depth=3, malformed=True), st.data())
def test_any_schema_has_phrases_of_one_line_without_stops(schema: Any, data: st.DataObject) -> None:
    if not isinstance(schema, dict):
        return
    lost = data.draw(st.lists(st.sampled_from(sorted(schema)), unique=True)) if schema else []

    found = list(phrases({name: schema[name] for name in lost}, schema))

    assert found == list(phrases({name: schema[name] for name in reversed(lost)}, schema))
    assert {name for name, _ in found} <= set(lost)
    for _, phrase in found:
        assert phrase is None or (phrase and not phrase.endswith((".", ";")) and phrase == phrase.strip())
