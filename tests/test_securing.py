"""References into what a step takes apart lead to the same schema afterwards."""

from typing import Any

import pytest

from schemaflow import Effect, Schema, compose
from schemaflow.adapters import to_bytes
from schemaflow.laws.dangling import dangling
from schemaflow.laws.judging import judge_or_none, refutation
from schemaflow.laws.sampling import USUAL
from schemaflow.securing import leads_outside, may_lead_outside
from schemaflow.stages import explain

S: Schema = {"type": "string"}
B: Schema = {"required": ["b"]}
WITH_A: Schema = {"properties": {"a": S}}
VALUES = [
    *USUAL,
    *({"b": value} for value in (1, "a", "abcdef", None, {"a": 1}, {"b": 1}, {"type": "string"})),
    *({"a": 1, "b": "a"}, {"a": "a", "b": 1}, {"z": {"a": 1}}, {"c": 1, "b": 1}),
]


def to(reference: str) -> Schema:
    return {"properties": {"b": {"$ref": reference}}}


def shown(document: Schema, rule: str, options: Schema) -> Any:
    """What a rule alone makes of a document: nothing dangles, and no value refutes the claim."""
    result = compose("own", (rule, options)).adapt(document)
    before, after = judge_or_none(document, "json-schema"), judge_or_none(result.schema, "json-schema")
    assert before is not None
    assert after is not None
    assert refutation(before, after, result.report.effect, VALUES) is None
    return result


CASES = [
    ("fold_not", {}, {"not": WITH_A, **to("#/not/properties/a")}),
    ("fold_not", {}, {"not": {"$anchor": "n", "required": ["a"]}, **to("#n")}),
    ("fold_not", {}, {"$defs": {"L": {"$anchor": "leaf", "not": {}}}, **to("#leaf")}),
    ("fold_not", {}, {"properties": {"a": {"$defs": {"z": S}, "not": {}}, "b": {"$ref": "#/properties/a/$defs/z"}}}),
    ("fold_if", {}, {"if": WITH_A, "then": {"required": ["a"]}, **to("#/if/properties/a")}),
    ("strip_conditional_keywords", {}, {"if": WITH_A, "then": {"required": ["a"]}, **to("#/if/properties/a")}),
    (
        "strip_conditional_keywords",
        {},
        {"if": WITH_A, "then": {"properties": {"c": {"$id": "urn:x:c", "type": "integer"}}}, **to("urn:x:c")},
    ),
    ("exclusive_one_of", {}, {"oneOf": [{"type": "object", "required": ["a"]}, S], **to("#/oneOf/0")}),
    ("one_of_to_any_of", {}, {"oneOf": [{"type": "object", "required": ["a"]}, S], **to("#/oneOf/0")}),
    ("fold_dependencies", {}, {"dependentSchemas": {"a": WITH_A}, **to("#/dependentSchemas/a/properties/a")}),
    # It leads somewhere afterwards, but not to the same.
    ("push_siblings_into_branches", {}, {"type": "object", **to("#/anyOf/1"), "anyOf": [{"required": ["a"]}, B]}),
    (
        "push_siblings_into_branches",
        {},
        {"type": ["object", "null"], "properties": {"a": S, "b": {"$ref": "#/properties/a"}}},
    ),
    ("type_to_any_of", {}, {"type": ["object", "null"], "properties": {"a": S, "b": {"$ref": "#/properties/a"}}}),
    ("merge_all_of", {}, {"allOf": [WITH_A, to("#/allOf/0/properties/a")]}),
    ("merge_all_of", {"unions": "distribute"}, {"allOf": [WITH_A, to("#/allOf/0/properties/a")]}),
    ("merge_all_of", {}, {"$defs": {"L": {"allOf": [WITH_A, B]}}, **to("#/$defs/L/allOf/0/properties/a")}),
    ("collapse_combiners", {}, {"anyOf": [WITH_A, S], **to("#/anyOf/0/properties/a")}),
    ("collapse_combiners", {"merge": True}, {"anyOf": [WITH_A, S], **to("#/anyOf/0/properties/a")}),
    ("collapse_combiners", {"merge": True}, {"$id": "urn:x:r", "$defs": {"x": S}, "anyOf": [to("#/$defs/x"), S]}),
    ("const_to_enum", {}, {"properties": {"a": {"const": S}, "b": {"$ref": "#/properties/a/const"}}}),
    ("single_items", {}, {"items": [S, {"type": "integer"}], **to("#/items/1")}),
    ("fold_unevaluated", {}, {"unevaluatedProperties": {"type": "integer"}, **to("#/unevaluatedProperties")}),
    ("unevaluated_to_additional", {}, {"unevaluatedProperties": {"type": "integer"}, **to("#/unevaluatedProperties")}),
    ("drop_keywords", {"keywords": ["x-parts"]}, {"x-parts": {"q": S}, **to("#/x-parts/q")}),
    ("drop_keywords", {"keywords": ["$anchor"]}, {"items": {"$anchor": "n", "type": "string"}, **to("#n")}),
    (
        "keep_keywords",
        {"keywords": ["properties", "$ref", "$defs", "type"]},
        {"not": WITH_A, **to("#/not/properties/a")},
    ),
    (
        "enforce_nesting_depth",
        {"depth": 1},
        {"properties": {"a": WITH_A, "b": {"$ref": "#/properties/a/properties/a"}}},
    ),
    # What stands in a resource of its own refers to others than what comes to stand there.
    ("exclusive_one_of", {}, {"$defs": {"x": S}, **to("#/$defs/x"), "oneOf": [{"$id": "urn:x:m", "minProperties": 1}]}),
    (
        "exclusive_one_of",
        {},
        {
            "$defs": {"x": S},
            **to("#/$defs/x"),
            "oneOf": [{"$id": "urn:x:m", "$defs": {"y": S}, "items": {"$ref": "#/$defs/y"}}],
        },
    ),
    ("resolve_refs", {}, {"$ref": "#/$defs/m", "$defs": {"m": {"$ref": "#/properties/a"}}, "properties": {"a": False}}),
    (
        "resolve_refs",
        {},
        {"items": {"$anchor": "n", "type": "string"}, "$defs": {"m": {"$ref": "#n"}}, **to("#/$defs/m")},
    ),
]


@pytest.mark.parametrize(("rule", "options", "document"), CASES)
def test_no_rule_leaves_a_reference_dangling(rule: str, options: Schema, document: Schema) -> None:
    given = to_bytes(document)
    result = shown(document, rule, options)

    assert dangling(result.schema) == []
    assert result.report.effect is not Effect.UNKNOWN
    assert to_bytes(document) == given


def test_the_target_moves_to_the_definitions_and_the_report_says_so() -> None:
    document = {"not": WITH_A, **to("#/not/properties/a")}
    result = shown(document, "fold_not", {})
    refuses = {"type": ["object", "array", "number", "boolean", "null"]}

    assert result.schema == {
        "$defs": {"a": S},
        "properties": {"b": {"$ref": "#/$defs/a"}, "a": refuses},
        "type": "object",
        "required": ["a"],
    }
    assert {(one.pointer, one.rule, one.effect.word, one.note) for one in result.report} == {
        ("/properties/b", "fold_not", "exact", "now '#/$defs/a': '#/not/properties/a'"),
        ("", "fold_not", "exact", "moved to $defs: a"),
        ("", "fold_not", "exact", ""),
    }


@pytest.mark.parametrize(
    ("rule", "document"),
    [
        # Nothing comes near what is referred to.
        ("const_to_enum", {"properties": {"a": S, "b": {"$ref": "#/properties/a"}}}),
        ("merge_all_of", {"properties": {"a": S, "b": {"$ref": "#/properties/a"}}}),
        ("drop_unknown_required", {"items": S, **to("#/items")}),
        # The author's own references that lead nowhere are left alone.
        ("one_of_to_any_of", {"items": {"$ref": "#/nowhere"}, "properties": {"b": {"$ref": "elsewhere"}}}),
    ],
)
def test_what_no_step_endangers_stays_as_it_is(rule: str, document: Schema) -> None:
    assert compose("own", rule).adapt(document).schema is document


def test_what_leads_nowhere_stays_so_where_others_are_secured() -> None:
    document = {"not": WITH_A, "items": {"$ref": "#/nowhere"}, **to("#/not/properties/a")}

    assert compose("own", "fold_not").adapt(document).schema["items"] == {"$ref": "#/nowhere"}


@pytest.mark.parametrize(
    ("schema", "expected"),
    [
        ({"type": "string"}, False),
        ({"properties": {"b": {"$ref": "#/$defs/A"}}, "items": {"$ref": "#"}}, False),
        ({"properties": {"b": {"$ref": "#/definitions/A~1b"}}}, False),
        ({"$id": "urn:x:r"}, False),
        ({"items": {"$ref": "#/$defs/A/items"}}, True),
        ({"items": {"$ref": "#/properties/a"}}, True),
        ({"items": {"$ref": "#leaf"}}, True),
        ({"items": {"$dynamicRef": "#leaf"}}, True),
        ({"$id": "urn:x:r", "items": {"$ref": "#/$defs/A"}}, True),
    ],
)
def test_plain_references_to_definitions_are_told_by_their_text(schema: Schema, expected: bool) -> None:
    assert may_lead_outside(to_bytes(schema)) is expected


@pytest.mark.parametrize(
    ("document", "expected"),
    [
        (True, False),
        ({"$id": "urn:x:r", "items": {"$ref": "#/$defs/A"}, "$defs": {"A": S}}, False),
        ({"items": {"$ref": "#/nowhere"}}, False),
        ({"items": {"$ref": "#/$defs/A/items"}, "$defs": {"A": {"items": S}}}, True),
        ({"items": {"$ref": "#leaf"}, "$defs": {"A": {"$anchor": "leaf"}}}, True),
        ({"items": {"$ref": "#/$defs/A"}, "$defs": {"A": S}, "not": {"$id": "urn:x:m"}}, True),
        ({"not": {"$id": "urn:x:m"}}, False),
    ],
)
def test_references_that_lead_elsewhere_are_seen(document: Any, expected: bool) -> None:
    assert leads_outside(document) is expected


def test_an_explanation_shows_it_as_part_of_the_step() -> None:
    document = {"not": WITH_A, **to("#/not/properties/a")}
    (stage,) = explain(compose("own", "fold_not"), document).stages

    assert (stage.before, stage.after["$defs"]) == (document, {"a": S})
    assert [finding.note for finding in stage.findings if finding.note][-1] == "moved to $defs: a"


def test_a_reference_that_its_draft_does_not_read_dangles_no_more_than_others() -> None:
    document = {"$schema": "http://json-schema.org/draft-07/schema#", "$dynamicRef": "#/items", "items": S}
    result = compose("own", ("drop_keywords", {"keywords": ["items"]})).adapt(document)

    assert result.schema["$dynamicRef"] == "#/$defs/items"
    assert result.report.effect is Effect.WIDENS
