"""What a declared draft does not read: changes that took it for said, or that make it count, claim nothing."""

from typing import Any

import pytest

import schemaflow
from schemaflow import Effect, Schema, compose
from schemaflow.drafts import Age, unheard
from schemaflow.hearing import has_inner_drafts, is_heard
from schemaflow.laws.judging import judge_or_none, refutation
from schemaflow.laws.sampling import USUAL

DRAFT_4 = "http://json-schema.org/draft-04/schema#"
DRAFT_7 = "http://json-schema.org/draft-07/schema#"
LATEST = "https://json-schema.org/draft/2020-12/schema"
A: Schema = {"$ref": "#/definitions/a"}
TEXT: Schema = {"$ref": "#/definitions/a", "type": "string"}
VALUES = [*USUAL, 2, -5, ["a", "a"], {"a": {"a": 1}}, {"a": {"a": 1, "b": 1}}, {"a": 2}, {"a": 1.0}, {"b": {"a": 1}}]


def effect_of(document: Schema, rule: str, **options: Any) -> Effect:
    """What a rule alone is said to do to a document, which no value refutes."""
    result = compose("own", (rule, options)).adapt(document)
    before, after = judge_or_none(document, "json-schema"), judge_or_none(result.schema, "json-schema")
    effect = result.report.effect
    assert before is not None
    assert after is None or refutation(before, after, effect, VALUES) is None
    return effect


# --- beside `$ref`


@pytest.mark.parametrize(
    ("document", "rule", "options"),
    [
        ({"allOf": [A, {"minimum": 1}]}, "merge_all_of", {}),
        ({"allOf": [A, {"minimum": 1}]}, "merge_all_of", {"unions": "distribute"}),
        ({"allOf": [TEXT]}, "merge_all_of", {}),
        ({"anyOf": [TEXT, {"type": "integer"}], "minimum": 3}, "push_siblings_into_branches", {}),
        ({"anyOf": [TEXT, {"type": "integer"}], "minimum": 3}, "collapse_combiners", {"merge": True}),
        ({"oneOf": [TEXT, {"type": "integer"}]}, "collapse_combiners", {"merge": True}),
        ({"oneOf": [TEXT, {"type": "integer"}]}, "exclusive_one_of", {}),
        ({"oneOf": [TEXT, {"type": "integer"}]}, "one_of_to_any_of", {}),
        ({"not": TEXT}, "fold_not", {}),
        ({"if": TEXT, "then": False}, "fold_if", {}),
        ({"dependencies": {"a": TEXT}, "dependentSchemas": {"a": TEXT}}, "fold_dependencies", {}),
        (TEXT, "drop_keywords", {"keywords": ["$ref"]}),
        ({"not": TEXT}, "drop_keywords", {"keywords": ["$ref"]}),
        (TEXT, "keep_keywords", {"keywords": ["$schema", "type"]}),
    ],
)
def test_what_stands_beside_a_reference_is_not_taken_for_said(document: Schema, rule: str, options: Schema) -> None:
    declared = {"$schema": DRAFT_7, **document, "definitions": {"a": {"type": "integer"}}}

    assert effect_of(declared, rule, **options) is Effect.UNKNOWN


@pytest.mark.parametrize(
    ("beside", "rule"),
    [
        ({"allOf": [{"type": "string"}, {"minLength": 1}]}, "merge_all_of"),
        ({"type": ["string", "null"]}, "type_to_any_of"),
        ({"const": 1}, "const_to_enum"),
    ],
)
def test_changes_beside_a_reference_that_stays_are_exact(beside: Schema, rule: str) -> None:
    document = {"$schema": DRAFT_7, **A, **beside, "definitions": {"a": {"type": "integer"}}}

    assert effect_of(document, rule) is Effect.EXACT


def test_a_draft_that_reads_them_minds_siblings() -> None:
    document = {"$schema": LATEST, "allOf": [A, {"minimum": 1}], "definitions": {"a": {"type": "integer"}}}

    assert effect_of(document, "merge_all_of") is Effect.EXACT


def test_dropping_what_a_draft_does_not_read_loses_nothing_more_than_is_said() -> None:
    document = {"$schema": DRAFT_7, **TEXT, "definitions": {"a": {"type": "integer"}}}

    assert effect_of(document, "drop_keywords", keywords=["type"]) is Effect.WIDENS


# --- drafts further down


@pytest.mark.parametrize("identity", [{}, {"$id": "urn:x:part"}])
@pytest.mark.parametrize(
    ("outer", "inner", "schema", "rule"),
    [
        (None, DRAFT_7, {"dependentRequired": {"a": ["b"]}}, "fold_dependencies"),
        (LATEST, DRAFT_7, {"dependentRequired": {"a": ["b"]}}, "fold_dependencies"),
        (DRAFT_7, LATEST, {"dependentRequired": {"a": ["b"]}}, "fold_dependencies"),
        (None, DRAFT_7, {"items": {"dependentRequired": {"a": ["b"]}}}, "fold_dependencies"),
        (None, DRAFT_4, {"oneOf": [{"const": 1}, {"const": 2}]}, "one_of_to_any_of"),
        (DRAFT_4, DRAFT_7, {"const": 1}, "strip_schema_keyword"),
    ],
)
def test_a_draft_declared_further_down_is_minded(
    identity: Schema, outer: str | None, inner: str, schema: Schema, rule: str
) -> None:
    declared = {} if outer is None else {"$schema": outer}
    document = {**declared, "properties": {"a": {**identity, "$schema": inner, **schema}}}

    assert effect_of(document, rule) is Effect.UNKNOWN


@pytest.mark.parametrize("rule", ["merge_all_of", "push_siblings_into_branches", "collapse_combiners"])
def test_what_moves_out_of_another_draft_claims_nothing(rule: str) -> None:
    part = {"$id": "urn:x:part", "$schema": DRAFT_4, "const": 1}
    document = {"allOf": [part, {"minimum": 0}], "anyOf": [part, {"type": "string"}]}

    assert effect_of(document, rule) is Effect.UNKNOWN


def test_a_reference_into_another_draft_is_not_inlined_exactly() -> None:
    part = {"$id": "urn:x:part", "id": "urn:x:part", "$schema": DRAFT_4, "const": 1}
    document = {"$schema": DRAFT_7, "properties": {"a": {"$ref": "urn:x:part"}}, "definitions": {"x": part}}

    assert effect_of(document, "resolve_refs") is Effect.UNKNOWN


def test_where_every_part_declares_the_same_draft_nothing_is_in_doubt() -> None:
    part = {"$id": "urn:x:part", "$schema": LATEST, "dependentRequired": {"a": ["b"]}}

    assert effect_of({"properties": {"a": part}}, "fold_dependencies") is Effect.EXACT


@pytest.mark.parametrize(
    ("document", "expected"),
    [
        (True, False),
        ({"$schema": DRAFT_7, "properties": {"a": {}}}, False),
        ({"properties": {"a": {"$schema": DRAFT_7}}}, True),
        ({"x-parts": [{"$schema": DRAFT_7}]}, True),
    ],
)
def test_drafts_below_the_root_are_seen(document: Any, expected: bool) -> None:
    assert has_inner_drafts(document) is expected


# --- draft 4


@pytest.mark.parametrize(
    ("document", "rule"),
    [
        ({"enum": [1.0]}, "require_types"),
        ({"enum": [1.0, "a"], "type": ["integer", "string"]}, "type_to_any_of"),
        ({"allOf": [{"enum": [1.0, 2]}, {"type": "integer"}]}, "merge_all_of"),
        # What it has no word for.
        ({"oneOf": [{"items": [{"type": "string"}]}, {"minItems": 1}]}, "exclusive_one_of"),
        ({"not": {"required": ["a"]}}, "fold_not"),
        ({"not": {"minimum": 1}}, "fold_not"),
    ],
)
def test_draft_4_has_its_own_integers_and_fewer_words(document: Schema, rule: str) -> None:
    assert effect_of({"$schema": DRAFT_4, **document}, rule) is Effect.UNKNOWN


@pytest.mark.parametrize("members", [[1, 2], [1.5], ["a"]])
def test_draft_4_knows_other_values_types(members: list[object]) -> None:
    assert effect_of({"$schema": DRAFT_4, "enum": members}, "require_types") is Effect.EXACT


@pytest.mark.parametrize(
    ("schema", "age", "names"),
    [
        ({"$ref": "#", "type": "string", "title": "T", "definitions": {}}, Age.DRAFT_7, {"type"}),
        ({"$ref": 1, "type": "string"}, Age.DRAFT_7, set()),
        ({"$ref": "#", "type": "string"}, Age.DRAFT_2019, set()),
        ({"const": 1, "enum": [1]}, Age.DRAFT_4, {"const"}),
    ],
)
def test_what_a_draft_does_not_read(schema: Schema, age: Age, names: set[str]) -> None:
    assert unheard(schema, age) == names


@pytest.mark.parametrize(
    ("schema", "age", "expected"),
    [
        ({"items": {"const": 1}}, Age.DRAFT_4, False),
        ({"items": {"const": 1}}, Age.DRAFT_7, True),
        ({"items": {"$schema": DRAFT_7}}, Age.DRAFT_7, True),
        ({"items": {"$schema": DRAFT_7}}, Age.DRAFT_2020, False),
        ({"enum": [[1.0]], "items": {"type": "integer"}}, Age.DRAFT_4, False),
        (True, Age.DRAFT_4, True),
    ],
)
def test_a_draft_reads_all_of_a_schema_or_not(schema: Any, age: Age, expected: bool) -> None:
    assert is_heard(schema, age) is expected


# --- `nullable` beside `$ref`


@pytest.mark.parametrize("provider", ["adk/gemini", "adk/vertex", "adk/gemini-json-schema"])
def test_nullable_beside_a_reference_widens_once_it_is_inlined(provider: str) -> None:
    result = schemaflow.adapter(provider).adapt(
        {"$ref": "#/$defs/x", "nullable": True, "$defs": {"x": {"type": "string"}}}
    )

    assert result.report.effect is Effect.WIDENS


@pytest.mark.parametrize(
    ("beside", "target", "effect"),
    [
        ({"nullable": True}, {"type": "string"}, Effect.WIDENS),
        ({"nullable": True, "minLength": 1}, {"type": "string"}, Effect.WIDENS),
        ({"nullable": False}, {"type": "string", "nullable": True}, Effect.NARROWS),
        ({"nullable": False}, {"type": "string"}, Effect.EXACT),
        ({"nullable": True}, {"type": ["string", "null"]}, Effect.EXACT),
        ({"nullable": True}, {"type": "string", "enum": ["a"]}, Effect.EXACT),
        ({"nullable": True}, {"type": "string", "enum": ["a", None]}, Effect.WIDENS),
        ({"nullable": True}, {"minLength": 1}, Effect.EXACT),
        ({"nullable": True, "type": "string"}, {"type": ["string", "null"]}, Effect.EXACT),
    ],
)
def test_nullable_says_something_beside_the_type_of_the_target(beside: Schema, target: Schema, effect: Effect) -> None:
    document = {"items": {"$ref": "#/$defs/x", **beside}, "$defs": {"x": target}}

    assert effect_of(document, "resolve_refs") is effect
