"""Reports: what each change does to the accepted values, seen from the root, and which changes still count."""

from collections.abc import Callable
from typing import Any

import jsonschema_rs
import orjson
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from schemaflow import Effect, JsonValue, Report, Rewrite, Schema, dropping, node_rule, without
from schemaflow.drawing import schemas, values, values_near
from schemaflow.intake import admit
from schemaflow.keywords import KEYWORDS
from schemaflow.plan import Run
from schemaflow.registry import installed
from schemaflow.report import Finding
from tests.synthetic_rules import (
    constant_to_false,
    counts_below,
    drops_patterns_or_refuses,
    hoists_a_choice_late,
    hoists_a_lone_branch,
    inlines_definitions,
    shortens_titles_late,
    titles_typed,
)
from tests.test_fusion import plan_of

DROP = installed().rule("drop_keywords")
KEEP = installed().rule("keep_keywords")
DROP_DEFINITIONS = installed().rule("drop_definitions")
NO_PATTERNS = (DROP, {"keywords": ["pattern"]})

DRAFT_2020_12 = "https://json-schema.org/draft/2020-12/schema"


def run_of(document: JsonValue, *steps: Any) -> Run:
    return plan_of(*steps).run(*admit(document))


def findings(document: JsonValue, *steps: Any) -> list[Finding]:
    return list(Report(run_of(document, *steps)))


def finding(document: JsonValue, *steps: Any) -> Finding:
    (one,) = findings(document, *steps)
    return one


# --- one finding


def test_a_finding_says_what_was_dropped_where_and_what_that_does() -> None:
    expected = Finding(
        rule="drop_keywords",
        step="0 drop_keywords",
        pointer="/properties/a",
        output="/properties/a",
        effect=Effect.WIDENS,
        lost={"pattern": "^a"},
    )

    assert finding({"properties": {"a": {"type": "string", "pattern": "^a"}}}, NO_PATTERNS) == expected


def test_a_finding_is_json_with_its_effect_as_a_word() -> None:
    expected = {
        "rule": "drop_keywords",
        "step": "0 drop_keywords",
        "pointer": "",
        "output": "",
        "effect": "widens",
        "annotation": False,
        "lost": {"pattern": "^a"},
        "note": "",
        "refused": False,
        "superseded": False,
    }

    assert finding({"pattern": "^a"}, NO_PATTERNS).to_json() == expected


def test_a_finding_reads_in_one_line() -> None:
    document = {"pattern": "a", "items": {"pattern": "b"}}

    assert list(map(str, findings(document, NO_PATTERNS))) == [
        "/  0 drop_keywords  widens  dropped pattern",
        "/items  0 drop_keywords  widens  dropped pattern",
    ]
    assert str(finding({"pattern": "a"}, drops_patterns_or_refuses)) == "/  0 drops_patterns_or_refuses  widens  gone"


def test_a_rewrite_has_the_last_word_on_effect_note_and_loss() -> None:
    def function(schema: Schema) -> Rewrite:
        return Rewrite({"title": "T"}, effect=Effect.NARROWS, note="because", lost={"whole": schema})

    rule = node_rule(on={"type"}, writes={"type", "title"}, effect=Effect.BOTH)(function)
    found = finding({"type": "null"}, rule)

    assert (found.effect, found.note, found.lost) == (Effect.NARROWS, "because", {"whole": {"type": "null"}})


def test_without_a_last_word_the_contract_speaks_and_what_is_gone_is_lost() -> None:
    rule = node_rule(on={"type"}, writes={"type", "enum"}, effect=Effect.BOTH)(lambda schema: {"enum": [1]})
    found = finding({"type": "null", "title": "T"}, rule)

    assert (found.effect, found.lost) == (Effect.BOTH, {"type": "null", "title": "T"})


def test_an_exact_rewrite_loses_nothing_unless_it_says_so() -> None:
    rule = node_rule(on={"const"}, writes={"const", "enum"}, effect=Effect.EXACT)(
        lambda schema: {"enum": [schema["const"]]}
    )

    assert finding({"const": 1}, rule).lost == {}


@pytest.mark.parametrize(
    ("document", "steps", "annotation"),
    [
        ({"title": "T"}, [(DROP, {"keywords": ["title"]})], True),
        ({"pattern": "a"}, [NO_PATTERNS], False),
        ({"pattern": "a", "title": "T"}, [NO_PATTERNS], False),
        ({"type": "null"}, [titles_typed], True),
        ({"title": "T"}, [shortens_titles_late], True),
        ({"const": 1, "title": "T"}, [constant_to_false], True),
        ({"const": 1}, [constant_to_false], False),
    ],
)
def test_text_for_people_and_models_is_flagged(document: JsonValue, steps: list[Any], annotation: bool) -> None:
    assert finding(document, *steps).annotation is annotation


def test_a_rule_that_does_not_support_a_node_is_a_refusal_and_changes_nothing() -> None:
    found = finding({"items": {"enum": ["a"], "pattern": "a"}}, drops_patterns_or_refuses)

    assert (found.pointer, found.refused, found.note) == ("/items", True, "it has an enum")
    assert (found.effect, found.annotation, found.superseded) == (Effect.EXACT, False, False)
    assert Report(run_of({"enum": [], "pattern": ""}, drops_patterns_or_refuses)).effect is Effect.EXACT


def test_a_document_rule_can_refuse_too() -> None:
    found = finding({"$defs": {}, "items": {"$ref": "#/$defs/A"}}, DROP_DEFINITIONS)

    assert (found.pointer, found.refused) == ("", True)
    assert "#/$defs/A" in found.note


# --- a report


def test_the_effect_of_a_report_is_that_of_its_findings_together() -> None:
    document = {"pattern": "a", "not": {"pattern": "b"}}

    assert Report(run_of({"pattern": "a"}, NO_PATTERNS)).effect is Effect.WIDENS
    assert Report(run_of(document, NO_PATTERNS)).effect is Effect.BOTH
    assert Report(run_of({"title": "T"}, NO_PATTERNS)).effect is Effect.EXACT


def test_findings_come_in_the_order_of_the_steps_whichever_share_a_pass() -> None:
    document = {"type": "null", "pattern": "a", "items": {"pattern": "b", "type": "null"}}
    found = findings(document, NO_PATTERNS, titles_typed, drops_patterns_or_refuses, shortens_titles_late)

    assert [(one.step, one.pointer) for one in found] == [
        ("0 drop_keywords", ""),
        ("0 drop_keywords", "/items"),
        ("1 titles_typed", ""),
        ("1 titles_typed", "/items"),
    ]


def test_a_report_without_a_run_holds_what_was_found_besides() -> None:
    extra = Finding("names", "names", "", "", Effect.EXACT, note="cut")

    assert list(Report(None, (extra,))) == [extra]
    assert next(iter(Report(run_of({"pattern": "a"}, NO_PATTERNS), (extra,)))) is extra
    assert str(Report()) == "nothing changed"
    assert len(Report()) == 0


def test_a_report_is_json() -> None:
    found = Report(run_of({"pattern": "a", "enum": [1]}, drops_patterns_or_refuses, NO_PATTERNS))

    assert [one["step"] for one in orjson.loads(orjson.dumps(found.to_json()))] == [
        "0 drops_patterns_or_refuses",
        "1 drop_keywords",
    ]


# --- seen from the root


@pytest.mark.parametrize(
    ("place", "effect"),
    [
        (lambda node: node, Effect.WIDENS),
        (lambda node: {"properties": {"a": node}}, Effect.WIDENS),
        (lambda node: {"patternProperties": {"a": node}}, Effect.WIDENS),
        (lambda node: {"propertyNames": node}, Effect.WIDENS),
        (lambda node: {"items": node}, Effect.WIDENS),
        (lambda node: {"items": [node]}, Effect.WIDENS),
        (lambda node: {"anyOf": [node]}, Effect.WIDENS),
        (lambda node: {"allOf": [node]}, Effect.WIDENS),
        (lambda node: {"if": {}, "then": node}, Effect.WIDENS),
        (lambda node: {"if": {}, "else": node}, Effect.WIDENS),
        (lambda node: {"dependentSchemas": {"a": node}}, Effect.WIDENS),
        (lambda node: {"contains": node}, Effect.WIDENS),
        (lambda node: {"contains": node, "minContains": 2}, Effect.WIDENS),
        (lambda node: {"contains": node, "maxContains": 2}, Effect.UNKNOWN),
        (lambda node: {"not": node}, Effect.NARROWS),
        (lambda node: {"not": {"not": node}}, Effect.WIDENS),
        (lambda node: {"not": {"properties": {"a": {"not": {"not": node}}}}}, Effect.NARROWS),
        (lambda node: {"oneOf": [node]}, Effect.WIDENS),
        (lambda node: {"oneOf": [node, {}]}, Effect.UNKNOWN),
        (lambda node: {"oneOf": [{**node, "type": "string"}, {"type": "null"}]}, Effect.WIDENS),
        (lambda node: {"oneOf": [{**node, "type": "string"}, {"type": ["null", "string"]}]}, Effect.UNKNOWN),
        (lambda node: {"not": {"oneOf": [node, {}]}}, Effect.UNKNOWN),
        (lambda node: {"if": node}, Effect.UNKNOWN),
        (lambda node: {"$defs": {"A": node}}, Effect.EXACT),
        (lambda node: {"definitions": {"A": node}}, Effect.EXACT),
        (lambda node: {"contentSchema": node}, Effect.EXACT),
        (lambda node: {"oneOf": [{"contentSchema": node}, {}]}, Effect.EXACT),
        (lambda node: {"allOf": [{"items": node}], "unevaluatedItems": False}, Effect.WIDENS),
        (lambda node: {"allOf": [node], "unevaluatedItems": False}, Effect.UNKNOWN),
    ],
)
def test_a_loss_is_seen_from_the_root(place: Callable[[Schema], Schema], effect: Effect) -> None:
    document = place({"pattern": "a"})

    assert finding(document, NO_PATTERNS).effect is effect
    assert finding(document, drops_patterns_or_refuses).effect is effect


def test_what_is_exact_is_exact_below_everything() -> None:
    document = {"not": {"oneOf": [{"if": {"type": "null"}}]}}

    assert finding(document, titles_typed).effect is Effect.EXACT


def test_a_shared_node_counts_once_for_each_thing_that_it_means() -> None:
    reference = {"$ref": "#/$defs/A"}
    document = {
        "$defs": {"A": {"properties": {"a": {"pattern": "a", "items": {}}}}},
        "items": dict(reference),
        "contains": dict(reference),
        "not": dict(reference),
    }
    found = Report(run_of(document, inlines_definitions, drops_patterns_or_refuses, DROP_DEFINITIONS))
    losses = [one for one in found if one.rule == "drops_patterns_or_refuses" and not one.superseded]

    assert {one.pointer for one in losses} == {"/$defs/A/properties/a"}
    assert sorted((one.output, one.effect.word) for one in losses) == [
        ("/items/properties/a", "widens"),
        ("/not/properties/a", "narrows"),
    ]


def test_a_node_shared_with_a_definition_that_goes_still_counts_where_it_stays() -> None:
    document = {
        "$defs": {"A": {"not": {"pattern": "a", "items": {}}}},
        "items": {"$ref": "#/$defs/A"},
    }
    report = Report(run_of(document, inlines_definitions, drops_patterns_or_refuses, DROP_DEFINITIONS))
    losses = [(one.output, one.effect, one.superseded) for one in report if one.step == "1 drops_patterns_or_refuses"]

    assert losses == [(None, Effect.EXACT, True), ("/items/not", Effect.NARROWS, False)]


def test_places_that_multiply_are_told_in_time() -> None:
    """Twenty definitions, each twice the one below: a million places, each of which means the same."""
    definitions: Schema = {"d0": {"pattern": "a", "items": {}}}
    for number in range(1, 21):
        below = {"$ref": f"#/$defs/d{number - 1}"}
        definitions[f"d{number}"] = {"properties": {"a": below, "b": below}}
    document = {"$defs": definitions, "items": {"$ref": "#/$defs/d20"}}
    report = Report(run_of(document, installed().rule("resolve_refs"), drops_patterns_or_refuses))

    assert len(report) < 200


# --- what still counts


def test_a_change_inside_what_a_later_step_drops_is_superseded() -> None:
    document = {"items": {"not": {"pattern": "a"}}, "properties": {"a": {"pattern": "b"}}}
    report = Report(run_of(document, NO_PATTERNS, counts_below, (DROP, {"keywords": ["items"]})))
    found = {one.pointer: (one.output, one.superseded) for one in report if one.step == "0 drop_keywords"}

    assert found == {"/items/not": (None, True), "/properties/a": ("/properties/a", False)}
    assert report.effect is Effect.WIDENS


def test_the_step_that_drops_speaks_for_the_whole() -> None:
    document = {"items": {"not": {"pattern": "a"}}}
    report = Report(run_of(document, NO_PATTERNS, counts_below, (DROP, {"keywords": ["items"]})))
    last = list(report)[-1]

    assert (last.step, last.pointer, list(last.lost)) == ("2 drop_keywords", "", ["items"])
    assert report.effect is Effect.WIDENS


def test_a_fused_pass_need_not_look_into_what_it_drops() -> None:
    document = {"items": {"pattern": "a"}}
    found = findings(document, titles_typed, (DROP, {"keywords": ["items"]}), drops_patterns_or_refuses)

    assert [one.step for one in found] == ["1 drop_keywords"]


def test_a_change_to_a_node_that_is_merged_away_still_counts() -> None:
    document = {"allOf": [{"properties": {"a": {}}}], "pattern": "a"}
    found = findings(document, NO_PATTERNS, counts_below, hoists_a_lone_branch)

    assert [(one.effect, one.superseded) for one in found if one.step == "0 drop_keywords"] == [(Effect.WIDENS, False)]


def test_a_change_to_a_node_that_is_merged_into_one_that_goes_does_not_count() -> None:
    document = {"items": {"anyOf": [{"pattern": "a"}]}}
    steps = [drops_patterns_or_refuses, hoists_a_choice_late, counts_below, (DROP, {"keywords": ["items"]})]
    found = [one for one in findings(document, *steps) if one.rule != "counts_below"]

    assert [(one.rule, one.superseded) for one in found] == [
        ("drops_patterns_or_refuses", True),
        ("hoists_a_choice_late", True),
        ("drop_keywords", False),
    ]


@pytest.mark.parametrize("apart", [True, False])
def test_who_took_a_part_away_does_not_depend_on_the_steps_that_share_a_pass(apart: bool) -> None:
    merge = installed().rule("share_property_names")
    document = {"dependencies": {"a": {"pattern": "a"}}, "allOf": [{"properties": {"b": {}}}]}
    between = [counts_below] if apart else []
    found = findings(document, drops_patterns_or_refuses, merge, *between, (KEEP, {"keywords": []}))

    assert [one.superseded for one in found if one.rule == "drops_patterns_or_refuses"] == [True]


# --- folded drops


def test_folded_drops_are_told_apart() -> None:
    document = {"a": 1, "b": 2, "c": 3, "d": 4, "type": "null"}
    steps = [
        (DROP, {"keywords": ["b", "c"]}),
        (KEEP, {"keywords": ["type", "c", "d"]}),
        (DROP, {"keywords": ["a", "d"]}),
    ]
    found = findings(document, *steps)

    assert [(one.step, one.lost) for one in found] == [
        ("0 drop_keywords", {"b": 2, "c": 3}),
        ("1 keep_keywords", {"a": 1}),
        ("2 drop_keywords", {"d": 4}),
    ]


def test_each_of_the_folded_steps_answers_for_its_own_losses() -> None:
    document = {"title": "T", "pattern": "a", "properties": {"a": {"title": "U"}}, "additionalProperties": False}
    steps = [
        (DROP, {"keywords": ["title"]}),
        NO_PATTERNS,
        (DROP, {"keywords": ["properties"]}),
        (DROP, {"keywords": ["additionalProperties"]}),
    ]
    found = findings(document, *steps)

    assert [(one.step, one.effect, one.annotation) for one in found] == [
        ("0 drop_keywords", Effect.EXACT, True),
        ("1 drop_keywords", Effect.WIDENS, False),
        # The reader was still there when its turn came.
        ("2 drop_keywords", Effect.BOTH, False),
        ("3 drop_keywords", Effect.WIDENS, False),
    ]


# --- dropping keywords, their families minded


@pytest.mark.parametrize(
    ("schema", "names", "effect"),
    [
        (
            {"title": "T", "$comment": "C", "default": 1, "x-unknown": 1},
            "title $comment default x-unknown",
            Effect.EXACT,
        ),
        (
            {"$schema": DRAFT_2020_12, "$id": "I", "$anchor": "A", "$defs": {}},
            "$schema $id $anchor $defs",
            Effect.EXACT,
        ),
        ({"pattern": "a"}, "pattern", Effect.WIDENS),
        ({"type": "integer", "pattern": "a", "maxItems": 1}, "pattern maxItems", Effect.EXACT),
        ({"type": "integer", "minimum": 1}, "minimum", Effect.WIDENS),
        ({"type": ["integer", "string"], "pattern": "a"}, "pattern", Effect.WIDENS),
        ({"type": "string"}, "type", Effect.WIDENS),
        ({"$ref": "#"}, "$ref", Effect.WIDENS),
        ({"properties": {"a": {}, "b": True}}, "properties", Effect.EXACT),
        ({"properties": {"a": {}, "b": False}}, "properties", Effect.WIDENS),
        ({"minLength": 0, "minItems": 0.0, "minProperties": -1}, "minLength minItems minProperties", Effect.EXACT),
        ({"minLength": 1}, "minLength", Effect.WIDENS),
        ({"minLength": False}, "minLength", Effect.WIDENS),
        ({"required": [], "uniqueItems": False, "not": False}, "required uniqueItems not", Effect.EXACT),
        ({"required": ["a"], "uniqueItems": True}, "required uniqueItems", Effect.WIDENS),
        ({"items": {}, "additionalProperties": True}, "items additionalProperties", Effect.EXACT),
        ({"items": {"minLength": 0}}, "items", Effect.WIDENS),
        ({"additionalProperties": True, "unevaluatedProperties": False}, "additionalProperties", Effect.UNKNOWN),
        ({"allOf": [{}]}, "allOf", Effect.EXACT),
        ({"properties": {}, "additionalProperties": False}, "properties", Effect.BOTH),
        ({"properties": {}, "additionalProperties": False}, "additionalProperties", Effect.WIDENS),
        ({"properties": {}, "additionalProperties": False}, "properties additionalProperties", Effect.WIDENS),
        ({"patternProperties": {}, "additionalProperties": False}, "patternProperties", Effect.BOTH),
        ({"type": "string", "properties": {}, "additionalProperties": False}, "properties", Effect.EXACT),
        ({"prefixItems": [], "items": False}, "prefixItems", Effect.BOTH),
        ({"prefixItems": [], "items": False}, "items", Effect.WIDENS),
        ({"items": [], "additionalItems": False}, "items", Effect.BOTH),
        ({"if": {}, "then": {}}, "if", Effect.WIDENS),
        ({"if": {}, "then": {}}, "then", Effect.WIDENS),
        ({"if": {}, "then": {}}, "if then", Effect.WIDENS),
        ({"if": {}}, "if", Effect.EXACT),
        ({"then": {}}, "then", Effect.EXACT),
        ({"if": {}, "unevaluatedProperties": False}, "if", Effect.UNKNOWN),
        ({"anyOf": [{}], "unevaluatedProperties": False}, "anyOf", Effect.UNKNOWN),
        ({"anyOf": [{}], "unevaluatedProperties": False}, "anyOf unevaluatedProperties", Effect.WIDENS),
        ({"contains": {}, "unevaluatedItems": False}, "contains", Effect.UNKNOWN),
        ({"contains": {}, "minContains": 2}, "contains", Effect.WIDENS),
        ({"contains": {}, "minContains": 2}, "minContains", Effect.WIDENS),
        ({"contains": {}, "minContains": 0}, "minContains", Effect.NARROWS),
        ({"contains": {}, "maxContains": 2}, "maxContains", Effect.WIDENS),
        ({"contains": {}, "minContains": 0, "maxContains": 2}, "minContains maxContains", Effect.BOTH),
        ({"contains": {}, "minContains": 0}, "contains minContains", Effect.WIDENS),
        ({"minContains": 2}, "minContains", Effect.EXACT),
        ({"maximum": 1, "exclusiveMaximum": 2}, "maximum", Effect.WIDENS),
        ({"type": "string", "nullable": True}, "nullable", Effect.NARROWS),
        ({"type": "string", "nullable": False}, "nullable", Effect.EXACT),
        ({"nullable": True}, "nullable", Effect.EXACT),
        ({"type": "string", "nullable": True}, "type nullable", Effect.WIDENS),
        ({}, "", Effect.EXACT),
    ],
)
def test_what_dropping_does(schema: Schema, names: str, effect: Effect) -> None:
    assert dropping(schema, names.split()) is effect


def _told(schema: Schema) -> bool:
    """Whether validators read a schema as we do: they do not read what OpenAPI and old drafts say."""
    return "nullable" not in schema and not isinstance(schema.get("items"), list)


@settings(max_examples=300)
@given(schemas(depth=2, drafts=["2020-12"], references=False), st.data())
def test_dropping_keeps_its_promise(schema: Schema, data: st.DataObject) -> None:
    assume(_told(schema))
    names = data.draw(st.sets(st.sampled_from(sorted(schema)), min_size=1)) if schema else set()
    effect = dropping(schema, names)
    before = jsonschema_rs.validator_for(schema, validate_formats=False)
    after = jsonschema_rs.validator_for(without(schema, names), validate_formats=False)
    for _ in range(4):
        value = data.draw(st.one_of(values_near(schema), values()))
        was, becomes = before.is_valid(value), after.is_valid(value)

        assert effect.may_narrow or not was or becomes, f"{value!r} was accepted"
        assert effect.may_widen or not becomes or was, f"{value!r} was refused"


def test_the_table_of_losses_knows_every_keyword() -> None:
    """Dropping any keyword alone has an effect that can be told."""
    for name in KEYWORDS:
        assert isinstance(dropping({name: {}}, [name]), Effect)
