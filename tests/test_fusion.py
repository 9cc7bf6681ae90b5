"""Fusion: however a plan cuts, skips and folds its steps, the result is the reference's, to the byte."""

from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from schemaflow import EVERY, Effect, JsonValue, Order, Rule, document_rule, node_rule
from schemaflow.adapters import to_bytes
from schemaflow.drawing import schemas
from schemaflow.fusion import PlannedStep
from schemaflow.intake import admit, plain_copy
from schemaflow.keywords import subschemas
from schemaflow.laws import reference, settings_of
from schemaflow.pipeline import Condition
from schemaflow.plan import Plan, Run
from schemaflow.registry import installed
from schemaflow.report import Report
from schemaflow.securing import leads_outside
from tests.corpus_data import OWN
from tests.synthetic_rules import RULES as SYNTHETIC
from tests.synthetic_rules import (
    boolean_to_object,
    closes,
    comments_every,
    counts_below,
    formats_valued,
    hoists_a_lone_branch,
    inlines_definitions,
    marks_deep_documents,
    marks_definitions,
    marks_long_documents,
    negates_contains_late,
    nullable_to_any_of,
    numbers_levels,
    quotes_children,
    requires_strings,
    titles_booleans,
    titles_booleans_late,
    titles_typed,
)

REGISTERED = [installed().rule(name) for name in installed().rule_names()]
DROP = installed().rule("drop_keywords")
KEEP = installed().rule("keep_keywords")


# --- drawing plans and documents

LISTED = st.lists(
    st.sampled_from("type title pattern $ref anyOf allOf properties items not const description $defs".split()),
    max_size=8,
    unique=True,
)
SETTINGS: dict[str, st.SearchStrategy[Any]] = {
    **{rule.name: st.sampled_from(settings_of(rule)) for rule in REGISTERED},
    **{rule.name: st.builds(lambda keywords: {"keywords": keywords}, LISTED) for rule in (DROP, KEEP)},
}
HOLDERS = st.sampled_from(["properties", "items", "anyOf", "$defs", "not", "prefixItems"])
CONDITIONS = st.builds(
    Condition,
    at_root=st.sampled_from([False, False, False, True]),
    has=st.frozensets(st.sampled_from(["type", "title", "anyOf"]), max_size=1),
    under=st.frozensets(HOLDERS, max_size=2),
    at_parameter=st.sampled_from([False, False, False, True]),
    held_by=st.one_of(st.just(frozenset()), st.frozensets(HOLDERS, max_size=2)),
)
WHEN_UNLESS = st.one_of(
    st.just((None, None)),
    st.just((None, None)),
    st.tuples(CONDITIONS, st.none()),
    st.tuples(st.none(), CONDITIONS),
)


def plan_of(*steps: Any) -> Plan:
    """A plan of rules, or of `(rule, options, when, unless)`, whose later members may be left out."""
    planned = []
    for number, step in enumerate(steps):
        rule, options, *conditions = step if isinstance(step, tuple) else (step, {})
        planned.append(PlannedStep(number, f"{number} {rule.name}", rule.bind(**options), *conditions))
    return Plan("a plan", tuple(planned))


def plans(rules: list[Rule], most: int = 8) -> st.SearchStrategy[Plan]:
    """Plans of up to so many steps, each with options, and now and then with conditions."""
    step = st.sampled_from(rules).flatmap(
        lambda rule: st.builds(
            lambda options, conditions: (rule, options, *conditions),
            SETTINGS.get(rule.name, st.just({})),
            WHEN_UNLESS,
        )
    )
    return st.lists(step, min_size=1, max_size=most).map(lambda steps: plan_of(*steps))


def repeated(schema: JsonValue) -> JsonValue:
    """A document that refers to a definition from two kinds of places."""
    reference = {"$ref": "#/$defs/A"}
    return {"$defs": {"A": schema}, "items": reference, "properties": {"a": reference, "b": {"not": reference}}}


DRAWN = schemas(depth=2, malformed=True)
DOCUMENTS = st.one_of(DRAWN, DRAWN, schemas(depth=1).map(repeated))


# --- the law


def ways(plan: Plan, document: JsonValue) -> dict[str, Run]:
    """Every way to run a plan."""
    admitted, raw = admit(document)
    return {
        "quick": plan.run(admitted, raw),
        "without bytes": plan.run(admitted, None),
        "in full": plan.run_in_full(admitted),
    }


def assert_agrees(plan: Plan, document: JsonValue) -> None:
    expected = to_bytes(reference.run(plan.steps, document).document)
    steps = [(step.id, step.bound.options, step.when, step.unless) for step in plan.steps]

    for way, run in ways(plan, document).items():
        assert to_bytes(run.schema) == expected, f"{way}: {steps}"


@settings(max_examples=300)
@given(plans(REGISTERED), DOCUMENTS)
def test_plans_of_registered_rules_mean_what_the_reference_does(plan: Plan, document: JsonValue) -> None:
    assert_agrees(plan, document)


@settings(max_examples=600)
@given(plans(SYNTHETIC + REGISTERED), DOCUMENTS)
def test_plans_of_all_kinds_of_rules_mean_what_the_reference_does(plan: Plan, document: JsonValue) -> None:
    assert_agrees(plan, document)


@settings(max_examples=200)
@given(plans(SYNTHETIC + REGISTERED), st.sampled_from([entry.schema for entry in OWN]))
def test_plans_mean_what_the_reference_does_on_our_corpus(plan: Plan, document: JsonValue) -> None:
    assert_agrees(plan, document)


def separately(plan: Plan, document: JsonValue) -> Run:
    """One pass for each step."""
    return plan.run_apart(admit(document)[0])


def findings(run: Run) -> list[tuple[str, str, str | None, bool]]:
    return sorted(
        (one.step, one.pointer, one.output or "", one.refused) for one in Report(run).findings if not one.superseded
    )


SHARING = ("inlines_definitions", "resolve_refs")
APART = [rule for rule in SYNTHETIC + REGISTERED if rule.name not in SHARING]


@settings(max_examples=300)
@given(plans(APART), DOCUMENTS)
def test_fused_passes_find_what_separate_passes_find(plan: Plan, document: JsonValue) -> None:
    """
    At the same places, but for what a later step takes away: a fused pass need not have been there.

    Where one node stands in several places it is told of once, at any of them: so no node may, nor
    be referred to where a step would first make a definition of it.
    """
    assume(not leads_outside(document))
    document = plain_copy(document)
    apart = separately(plan, document)
    assume(not any(repeats(traced.schema) for _, _, traced in apart.passes))
    expected = findings(apart)

    for way, run in ways(plan, document).items():
        assert findings(run) == expected, way


def repeats(document: JsonValue) -> bool:
    """Whether a schema object stands in several places."""
    seen: set[int] = set()
    waiting = [document]
    while waiting:
        node = waiting.pop()
        if not isinstance(node, dict):
            continue
        if id(node) in seen:
            return True
        seen.add(id(node))
        waiting.extend(child for _, _, child in subschemas(node))
    return False


@settings(max_examples=200)
@given(plans(SYNTHETIC + REGISTERED), DOCUMENTS)
def test_fused_steps_find_something_where_separate_ones_do(plan: Plan, document: JsonValue) -> None:
    expected = {(step, refused) for step, _, _, refused in findings(separately(plan, document))}

    for way, run in ways(plan, document).items():
        assert {(step, refused) for step, _, _, refused in findings(run)} == expected, way


@settings(max_examples=150)
@given(plans(SYNTHETIC + REGISTERED), DOCUMENTS)
def test_steps_with_findings_are_those_of_the_reference(plan: Plan, document: JsonValue) -> None:
    done = reference.run(plan.steps, document)
    found = Report(separately(plan, document)).findings

    assert {one.step for one in found if not one.refused} == done.changed
    assert {one.step for one in found if one.refused} == done.refused


# --- what a fused pass could get wrong, one by one


def test_a_document_rule_acts_elsewhere_because_of_what_stands_in_a_part_that_is_dropped() -> None:
    plan = plan_of((installed().rule("resolve_refs"), {"keep": "resolvable"}), (DROP, {"keywords": ["else"]}))
    document = {"else": {"$ref": "#/$defs/A"}, "$defs": {"A": {"$id": "urn:x:a"}}}

    assert plan.run(document, to_bytes(document)).schema == {"$defs": {"A": {}}}
    assert_agrees(plan, document)


TITLED_THERE = Condition(has=frozenset({"title"}), under=frozenset({"properties"}))
TYPED_THERE = Condition(has=frozenset({"type"}), under=frozenset({"properties"}))
THREE_DEEP = {"properties": {"a": {"properties": {"b": {"type": "string"}}}}}


@document_rule(on={"title"}, writes={"x-titled"}, effect=Effect.EXACT)
def marks_titled_documents(document: Any) -> Any:
    return {**document, "x-titled": True} if isinstance(document, dict) and "title" in document else document


@pytest.mark.parametrize(
    ("document", "steps"),
    [
        pytest.param({"additionalProperties": {}}, [titles_booleans, closes], id="a boolean built before"),
        pytest.param({"contains": True}, [negates_contains_late, titles_booleans_late], id="a boolean built after"),
        pytest.param({"nullable": True}, [comments_every, nullable_to_any_of], id="an object built before"),
        pytest.param(
            {"properties": {"a": {"const": 1}}, "title": "T"},
            [(KEEP, {"keywords": ["properties"]}, None, Condition(under=frozenset({"not"})))],
            id="an allow-list with a condition",
        ),
        pytest.param(
            {"properties": {"a": {"x-a": 1, "x-b": 1}}},
            [(KEEP, {"keywords": ["properties", "x-a"]}), titles_typed, (KEEP, {"keywords": ["properties"]})],
            id="two allow-lists",
        ),
        pytest.param({"items": {"minimum": True}}, [formats_valued], id="true is no integer"),
        pytest.param(
            repeated({"type": "string"}),
            [inlines_definitions, titles_typed, (formats_valued, {}, TITLED_THERE)],
            id="a shared node whose places ask after an earlier step",
        ),
        pytest.param(
            repeated({"not": {"type": "string"}}),
            [inlines_definitions, (titles_typed, {}, TYPED_THERE)],
            id="a shared node whose places ask below it",
        ),
        pytest.param(
            THREE_DEEP,
            [comments_every, marks_deep_documents, (DROP, {"keywords": ["properties"]})],
            id="levels counted before they are dropped",
        ),
        pytest.param(
            THREE_DEEP,
            [formats_valued, marks_deep_documents, marks_titled_documents],
            id="a rule that minds levels triggers a later one",
        ),
        pytest.param(
            {"$defs": {"A": {"title": "nearly so many bytes"}}},
            [marks_definitions, marks_long_documents],
            id="a document that grows too long",
        ),
        pytest.param(
            {"items": {"type": "string", "minimum": 1, "x": "so many"}},
            [formats_valued, marks_long_documents, marks_titled_documents],
            id="a walk makes a document too long",
        ),
        pytest.param(
            {"$defs": {}, "title": "T", "items": {"nullable": True}},
            [marks_definitions, nullable_to_any_of, quotes_children, marks_titled_documents],
            id="only what a document rule left counts afterwards",
        ),
        pytest.param(
            {"else": {"additionalItems": False}},
            [titles_booleans, marks_deep_documents],
            id="a boolean becomes a level",
        ),
        pytest.param(
            {"$defs": {}, "items": {"type": "string"}},
            [(installed().rule("drop_definitions"), {}, TITLED_THERE)],
            id="a document rule with conditions",
        ),
        *(
            pytest.param({name: 1}, [(DROP, {"keywords": [name]}), numbers_levels], id=f"the key {name!r}")
            for name in ('a"b', "a\\b", "a\nb", "é", "\ud800")
        ),
    ],
)
def test_a_plan_means_what_the_reference_does(document: JsonValue, steps: list[Any]) -> None:
    assert_agrees(plan_of(*steps), document)


# --- what fuses, and what does not


def passes_of(*steps: Any) -> list[int]:
    """How many steps each pass has."""
    return [len(one.steps) for one in plan_of(*steps).passes]


def test_rules_that_mind_only_their_node_share_a_pass() -> None:
    assert passes_of(titles_typed, formats_valued, closes, (DROP, {"keywords": ["x"]}), comments_every) == [5]


def test_rules_of_the_other_direction_share_passes_of_their_own() -> None:
    assert passes_of(titles_typed, titles_booleans_late, negates_contains_late, titles_typed) == [1, 2, 1]


@pytest.mark.parametrize(
    ("steps", "reason"),
    [
        ([titles_typed, numbers_levels], "1 numbers_levels gets the whole document"),
        ([numbers_levels, titles_typed], "0 numbers_levels got the whole document"),
        ([titles_typed, counts_below], "1 counts_below takes nodes children first"),
        ([titles_typed, nullable_to_any_of], "1 nullable_to_any_of builds new subschemas"),
        ([titles_booleans, closes], "1 closes builds new subschemas"),
        ([titles_typed, quotes_children], "1 quotes_children looks into children"),
        ([titles_typed, hoists_a_lone_branch], "1 hoists_a_lone_branch looks into children"),
        (
            [(titles_typed, {}, Condition(under=frozenset({"additionalProperties"}))), closes],
            "1 closes changes keywords above nodes",
        ),
        ([counts_below, (counts_below, {})], "0 counts_below looks into children"),
        ([negates_contains_late, counts_below], "0 negates_contains_late builds new subschemas"),
    ],
)
def test_a_cut_says_why(steps: list[Any], reason: str) -> None:
    second = plan_of(*steps).passes[1]

    assert second.reason.startswith(reason)


@pytest.mark.parametrize(
    "steps",
    [
        [titles_typed, requires_strings],
        [nullable_to_any_of, titles_typed],
        [titles_typed, closes],
        [(titles_typed, {}, Condition(under=frozenset({"items"}))), closes],
        [closes, (titles_typed, {}, Condition(under=frozenset({"additionalProperties"})))],
    ],
)
def test_what_cannot_matter_does_not_cut(steps: list[Any]) -> None:
    assert passes_of(*steps) == [2]


def test_neighbouring_drops_are_one_step_of_the_walk() -> None:
    (one,) = plan_of((DROP, {"keywords": ["a"]}), (KEEP, {"keywords": ["b", "c"]}), (DROP, {"keywords": ["c"]})).passes

    assert [step.name for step in one.walk.steps] == ["0 drop_keywords + 1 keep_keywords + 2 drop_keywords"]


# --- the law needs every declaration


def undeclared(rule: Rule, **instead: Any) -> Rule:
    """A rule whose contract says something else."""
    return Rule(rule.name, rule.function, rule.options, {**rule.declared, **instead}, rule.is_document)


@node_rule(on={"anyOf"}, writes={"title"}, peeks={"title"}, order=Order.CHILDREN_FIRST, effect=Effect.EXACT)
def quotes_the_first_choice_late(schema: Any) -> Any:
    first = schema["anyOf"][0] if isinstance(schema["anyOf"], list) and schema["anyOf"] else None
    title = first.get("title") if isinstance(first, dict) else None
    return schema if title is None or schema.get("title") == title else {**schema, "title": title}


@node_rule(on={EVERY}, writes={"title"}, order=Order.CHILDREN_FIRST, effect=Effect.EXACT)
def numbers_titles_late(schema: Any) -> Any:
    return {**schema, "title": f"{schema.get('title', '')}."}


@pytest.mark.parametrize(
    ("document", "steps"),
    [
        ({"items": {"type": "string"}}, [undeclared(titles_typed, writes={"format"}), quotes_children]),
        ({"items": {"type": "string"}}, [titles_typed, undeclared(quotes_children, peeks=())]),
        ({"allOf": [{"type": "string"}]}, [titles_typed, undeclared(hoists_a_lone_branch, peeks=())]),
        ({"nullable": True}, [titles_typed, undeclared(nullable_to_any_of, spawns=False)]),
        ({"items": False}, [comments_every, undeclared(boolean_to_object, spawns=False)]),
        ({"additionalProperties": {}}, [titles_booleans, undeclared(closes, writes={"title"})]),
        ({"anyOf": [{"title": "T"}]}, [undeclared(quotes_the_first_choice_late, peeks=()), numbers_titles_late]),
        ({"contains": {}}, [undeclared(negates_contains_late, spawns=False), numbers_titles_late]),
        (
            {"type": "array", "prefixItems": [{"type": "string"}]},
            [
                (titles_typed, {}, Condition(under=frozenset({"items"}))),
                undeclared(installed().rule("single_items"), writes={"prefixItems"}, spawns=False),
            ],
        ),
        (
            {"nullable": True, "title": "T"},
            [undeclared(nullable_to_any_of, introduces=()), undeclared(quotes_children, on={"anyOf"})],
        ),
        (THREE_DEEP, [titles_typed, undeclared(marks_deep_documents, levels=3)]),
        ({"title": "T" * 80}, [undeclared(marks_long_documents, length=100)]),
    ],
)
def test_without_a_declaration_that_is_needed_plans_go_wrong(document: JsonValue, steps: list[Any]) -> None:
    with pytest.raises(AssertionError):
        assert_agrees(plan_of(*steps), document)
