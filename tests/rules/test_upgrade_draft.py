"""`upgrade_draft`: what its examples do not show. The judge of its claims is jsonschema-rs."""

from collections.abc import Iterator
from typing import Any

import pytest
from attrs import evolve

import schemaflow
from schemaflow import Adapter, Effect, Report, Result, Schema, Step
from schemaflow.validation import judge_of
from tests import corpus_data
from tests.claims import URIS, Verdict, judged_by, suite
from tests.corpus_data import OWN, Entry, Group

DRAFT_4, DRAFT_7, DRAFT_2019 = URIS["draft4"], URIS["draft7"], URIS["draft2019-09"]
LATEST = "https://json-schema.org/draft/2020-12/schema"
STANDARD = {"ref_siblings": "standard", "newer_keywords": "drop"}
OPTIONS: list[dict[str, Any]] = [{}, STANDARD]
OUTSIDE = {"draft2020-12/vocabulary/0": "names a metaschema which only the suite has"}


def alone(**options: Any) -> Adapter:
    return schemaflow.compose("up", Step("upgrade_draft", options=options))


def adapted(schema: Schema, **options: Any) -> Result:
    return alone(**options).adapt(schema)


def upgraded(schema: Schema, **options: Any) -> Any:
    return adapted(schema, **options).schema


def told(report: Report) -> dict[str, Effect]:
    """The effects that are not exact, by the pointers of their findings."""
    return {one.pointer: one.effect for one in report if one.effect}


# --- references lead to where things stand now


@pytest.mark.parametrize(
    ("schema", "expected"),
    [
        (
            {"items": {"$ref": "#/definitions/a~1b/items/0"}, "definitions": {"a/b": {"items": [{"minimum": 0}]}}},
            {"items": {"$ref": "#/$defs/a~1b/prefixItems/0"}, "$defs": {"a/b": {"prefixItems": [{"minimum": 0}]}}},
        ),
        (
            {"not": {"$ref": "#/definitions/a%20b"}, "definitions": {"a b": {"minimum": 0}}},
            {"not": {"$ref": "#/$defs/a%20b"}, "$defs": {"a b": {"minimum": 0}}},
        ),
        (
            {"not": {"$ref": "#/additionalItems"}, "items": [True], "additionalItems": {"minimum": 0}},
            {"not": {"$ref": "#/items"}, "prefixItems": [True], "items": {"minimum": 0}},
        ),
        (
            {"not": {"$ref": "#/properties/definitions"}, "properties": {"definitions": {"nullable": False}}},
            {"not": {"$ref": "#/properties/definitions"}, "properties": {"definitions": {}}},
        ),
        (
            {"not": {"$ref": "#/definitions/a"}, "definitions": {"a": {"minimum": 0}}, "$defs": {"a": {"maximum": 0}}},
            {"not": {"$ref": "#/$defs/a_2"}, "$defs": {"a": {"maximum": 0}, "a_2": {"minimum": 0}}},
        ),
        (
            {
                "not": {"$ref": "#/dependencies/a"},
                "if": {"$ref": "#/dependentSchemas/a"},
                "dependencies": {"a": {"minimum": 0}, "b": ["c"]},
                "dependentSchemas": {"a": {"maximum": 0}},
                "dependentRequired": {"b": ["d"]},
            },
            {
                "not": {"$ref": "#/dependentSchemas/a/allOf/1"},
                "if": {"$ref": "#/dependentSchemas/a/allOf/0"},
                "dependentSchemas": {"a": {"allOf": [{"maximum": 0}, {"minimum": 0}]}},
                "dependentRequired": {"b": ["d", "c"]},
            },
        ),
        (
            {"$id": "http://a/b", "not": {"$ref": "b#/definitions/a"}, "definitions": {"a": {"minimum": 0}}},
            {"$id": "http://a/b", "not": {"$ref": "b#/$defs/a"}, "$defs": {"a": {"minimum": 0}}},
        ),
        (
            {"not": {"$ref": "#/definitions/gone"}, "definitions": {"a": {"$ref": "other.json#/definitions/a"}}},
            {"not": {"$ref": "#/definitions/gone"}, "$defs": {"a": {"$ref": "other.json#/definitions/a"}}},
        ),
        (
            {"not": {"$ref": "#/additionalItems"}, "additionalItems": {"nullable": False}},
            {"not": {"$ref": "#/$defs/additionalItems"}, "$defs": {"additionalItems": {}}},
        ),
        (
            {"not": {"$ref": "#/schemas/A"}, "schemas": {"A": {"type": "string", "nullable": True}}},
            {
                "not": {"$ref": "#/$defs/A"},
                "schemas": {"A": {"type": "string", "nullable": True}},
                "$defs": {"A": {"type": ["string", "null"]}},
            },
        ),
    ],
)
def test_references_lead_to_where_things_stand_now(schema: Schema, expected: Schema) -> None:
    assert upgraded(schema) == expected


def test_a_schema_inside_may_be_of_another_draft() -> None:
    inner = {"$schema": DRAFT_4, "id": "http://a/inner", "minimum": 0, "exclusiveMinimum": True}
    schema = {"$schema": DRAFT_7, "properties": {"id": {"const": 1}, "a": inner}}
    expected = {
        "$schema": LATEST,
        "properties": {"id": {"const": 1}, "a": {"$schema": LATEST, "$id": "http://a/inner", "exclusiveMinimum": 0}},
    }

    assert upgraded(schema) == expected


@pytest.mark.parametrize(
    ("schema", "expected"),
    [
        ({"$schema": DRAFT_4, "id": "http://a/b#"}, {"$id": "http://a/b"}),
        ({"$schema": DRAFT_4, "not": {"id": "#x"}}, {"not": {"$anchor": "x"}}),
        ({"$schema": DRAFT_4, "not": {"$id": "http://a/b"}}, {"not": {}}),
        ({"$schema": DRAFT_7, "not": {"$id": "http://a/b", "$ref": "#"}}, {"not": {"$ref": "#"}}),
        ({"$schema": DRAFT_7, "not": {"id": "http://a/b"}}, {"not": {"id": "http://a/b"}}),
        (
            {"$schema": DRAFT_7, "not": {"$ref": "#x:y"}, "definitions": {"a": {"$id": "#x:y"}}},
            {"not": {"$ref": "#/$defs/a"}, "$defs": {"a": {}}},
        ),
    ],
)
def test_names(schema: Schema, expected: Schema) -> None:
    assert upgraded(schema) == {"$schema": LATEST, **expected}


def test_recursive_references_that_no_anchor_makes_dynamic_are_plain() -> None:
    schema = {
        "$schema": DRAFT_2019,
        "properties": {"a": {"$recursiveRef": "#", "$ref": "#/$defs/b"}},
        "$defs": {"b": {}},
    }
    expected = [{"$ref": "#"}]

    assert upgraded(schema)["properties"]["a"]["allOf"] == expected


def test_the_name_of_recursive_anchors_is_free() -> None:
    schema = {"$schema": DRAFT_2019, "$recursiveAnchor": True, "not": {"$anchor": "recursive", "$recursiveRef": "#"}}

    assert upgraded(schema)["not"] == {"$anchor": "recursive", "$dynamicRef": "#recursive_2"}


# --- what it says of what it did


@pytest.mark.parametrize(
    ("schema", "expected"),
    [
        ({"$schema": DRAFT_7, "not": {"$ref": "#", "minLength": 1}}, {"/not": Effect.UNKNOWN}),
        ({"$schema": DRAFT_7, "items": {"$ref": "#/$defs/a", "title": "A"}, "$defs": {"a": {}}}, {}),
        ({"$schema": DRAFT_7, "not": {"$ref": "#/$defs/a", "enum": [1]}, "$defs": {"a": {}}}, {"/not": Effect.WIDENS}),
        ({"$schema": DRAFT_7, "items": {"dependentRequired": {"a": ["b"]}}}, {"/items": Effect.NARROWS}),
        ({"$schema": DRAFT_7, "definitions": {"a": {"dependentRequired": {"a": ["b"]}}}}, {}),
        ({"$schema": DRAFT_7, "contains": {}, "minContains": 0}, {"": Effect.WIDENS}),
        ({"$schema": DRAFT_7, "items": {"minimum": 0}, "prefixItems": [True]}, {"": Effect.BOTH}),
        ({"$schema": DRAFT_4, "items": {"type": "integer"}}, {"": Effect.WIDENS}),
        ({"$schema": DRAFT_4, "not": {"type": "integer"}}, {"": Effect.NARROWS}),
        ({"$schema": DRAFT_4, "items": {"type": ["integer", "number"]}}, {}),
        (
            {"$schema": DRAFT_4, "items": {"$ref": "#/definitions/a"}, "definitions": {"a": {"type": "integer"}}},
            {"": Effect.WIDENS},
        ),
        ({"$schema": DRAFT_2019, "contains": {"minimum": 0}, "unevaluatedItems": False}, {"": Effect.WIDENS}),
        ({"type": "string", "enum": ["a"], "nullable": True}, {}),
    ],
)
def test_effects(schema: Schema, expected: dict[str, Effect]) -> None:
    assert told(adapted(schema).report) == expected


@pytest.mark.parametrize(
    ("schema", "options", "lost"),
    [
        ({"$schema": DRAFT_7, "$ref": "#/definitions/a", "minLength": 1, "definitions": {"a": {}}}, {}, {}),
        (
            {"$schema": DRAFT_7, "$ref": "#/definitions/a", "minLength": 1, "title": "A", "definitions": {"a": {}}},
            STANDARD,
            {"minLength": 1},
        ),
        ({"$schema": DRAFT_7, "unevaluatedItems": False}, STANDARD, {"unevaluatedItems": False}),
        ({"additionalItems": False}, {}, {"additionalItems": False}),
        ({"nullable": True}, {}, {"nullable": True}),
        ({"nullable": True, "type": "string"}, {}, {}),
    ],
)
def test_what_is_lost_is_named(schema: Schema, options: dict[str, Any], lost: Schema) -> None:
    assert adapted(schema, **options).report.findings[0].lost == lost


def test_each_change_is_told_where_the_author_wrote_it() -> None:
    schema = {"definitions": {"a": {"items": [{"nullable": False}]}}, "items": {"type": "string", "nullable": True}}

    assert [(one.pointer, one.output) for one in adapted(schema).report] == [
        ("", ""),
        ("/definitions/a", "/$defs/a"),
        ("/definitions/a/items/0", "/$defs/a/prefixItems/0"),
        ("/items", "/items"),
    ]


def test_null_is_not_added_to_an_enum_and_that_is_told() -> None:
    (finding,) = adapted({"type": "string", "enum": ["a"], "nullable": True}).report

    assert "null stays refused" in finding.note


def test_draft_3_is_refused() -> None:
    result = adapted({"$schema": "http://json-schema.org/draft-03/schema#", "definitions": {}})

    assert [(one.refused, "draft 4" in one.note) for one in result.report] == [(True, True)]


# --- whatever comes in


@pytest.mark.parametrize("options", OPTIONS)
@pytest.mark.parametrize("uri", [None, "http://example.com/own", *URIS.values(), LATEST])
@pytest.mark.parametrize("value", [None, True, 1, "x", [], [1], [[]], {}, {"a": 1}, {"a": [1, {}]}, {"$ref": 1}])
def test_values_of_wrong_kinds_are_left_and_twice_is_once(value: Any, uri: Any, options: dict[str, Any]) -> None:
    words = (
        "id $id $ref $dynamicRef $recursiveRef $recursiveAnchor definitions $defs items additionalItems prefixItems "
        "dependencies dependentRequired dependentSchemas exclusiveMinimum minimum nullable type enum contains "
        "unevaluatedItems if then"
    )
    declared = {} if uri is None else {"$schema": uri}
    for word in words.split():
        for other in ("$ref", "definitions", "items", "nullable", "minimum"):
            schema = {**declared, "not": {"$ref": "#/definitions/a", "definitions": {"a": {word: value, other: value}}}}
            once = upgraded(schema, **options)

            assert upgraded(once, **options) is once, schema


def test_deep_and_shared_schemas() -> None:
    deep: Schema = {"nullable": True, "type": "string"}
    for level in range(90):
        shared = {"b": deep} if level < 14 else {}
        deep = {"$schema": DRAFT_7, "properties": {"a": deep, **shared}, "definitions": {}}
    after = upgraded({**deep, "not": {"$ref": "#/properties/a/definitions"}})
    for _ in range(80):
        after = after["properties"]["a"]

    assert after["properties"]["a"] is after["properties"]["b"]


def test_a_document_in_2020_12_is_the_same_object() -> None:
    schema = {
        "$schema": LATEST,
        "$id": "http://a/b#",
        "properties": {"definitions": {"$ref": "#/schemas/a"}, "id": {"$dynamicRef": "#x"}},
        "schemas": {"a": {"$ref": "#/$defs/x"}},
        "$defs": {"x": {"$dynamicAnchor": "x", "prefixItems": [True], "items": False, "minimum": 1}},
        "default": {"nullable": True, "definitions": {}},
    }

    assert upgraded(schema) is schema


# --- claims


def declared(entries: "list[Entry]") -> Iterator[Entry]:
    """The schemas once more in each draft."""
    for entry in entries:
        for draft, uri in URIS.items():
            if isinstance(entry.schema, dict):
                rest = {keyword: value for keyword, value in entry.schema.items() if keyword != "$schema"}
                inside = evolve(entry, id=f"{entry.id}@{draft}", schema={"$schema": uri, **rest})
                yield evolve(inside, draft=draft) if isinstance(inside, Group) else inside


def refuted(verdict: Verdict) -> list[str]:
    return list(map(str, verdict.refuted))


@pytest.mark.parametrize("options", OPTIONS)
def test_no_value_refutes_a_claim_in_any_draft(options: dict[str, Any]) -> None:
    verdict = judged_by([*OWN, *declared(OWN)], alone(**options))

    assert refuted(verdict) == []
    assert verdict.effects["exact"] > 700


@pytest.mark.corpus
@pytest.mark.parametrize("options", OPTIONS)
def test_no_value_of_the_official_suite_refutes_a_claim(options: dict[str, Any]) -> None:
    verdict = judged_by((group for group in suite() if group.id not in OUTSIDE), alone(**options))

    assert refuted(verdict) == []
    assert verdict.effects["exact"] > 1300
    assert verdict.effects.get("unknown", 0) < 5


@pytest.mark.corpus
@pytest.mark.parametrize("options", OPTIONS)
def test_no_value_of_the_official_suite_refutes_a_claim_in_any_draft(options: dict[str, Any]) -> None:
    verdict = judged_by(declared(list(corpus_data.iter_suite())), alone(**options))

    assert refuted(verdict) == []
    assert verdict.effects["exact"] > 3000


@pytest.mark.corpus
def test_no_labelled_instance_refutes_a_claim() -> None:
    verdict = judged_by(corpus_data.iter_bench(), alone())

    assert refuted(verdict) == []
    assert verdict.effects["exact"] > 650


def test_what_the_judge_takes_before_it_takes_afterwards() -> None:
    """A reference that leads nowhere any more would not be judged at all."""
    for entry in declared(OWN):
        try:
            judge_of(entry.schema)
        except schemaflow.InputError:
            continue
        judge_of(upgraded(entry.schema))  # type: ignore[arg-type]
