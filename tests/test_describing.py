"""Describing: what a step drops is told in the description, and nothing else is any different."""

from pathlib import Path
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from schemaflow import (
    Adapter,
    Effect,
    JsonValue,
    OptionError,
    PipelineError,
    Rewrite,
    Rule,
    Step,
    adapter_from_file,
    compose,
    node_rule,
)
from schemaflow.adapters import to_bytes
from schemaflow.describing import appended, described
from schemaflow.drawing import schemas
from schemaflow.fusion import PlannedStep
from schemaflow.intake import admit
from schemaflow.keywords import KEYWORDS, subschemas
from schemaflow.laws import NODE_LAWS, check_introduces
from schemaflow.origins import nodes
from schemaflow.pipeline import Describe
from schemaflow.plan import Plan
from schemaflow.report import Report
from tests.synthetic_rules import RULES as SYNTHETIC
from tests.synthetic_rules import quotes_children
from tests.test_fusion import DOCUMENTS, DROP, KEEP, REGISTERED, SETTINGS, assert_agrees, plan_of, plans

UNDESCRIBED = (DROP, {"keywords": ["description"]})


def describing(*keywords: str, describe: Any = True) -> Step:
    return Step("drop_keywords", {"keywords": list(keywords)}, describe=describe, id=" ".join(keywords))


def description(schema: JsonValue, *steps: Any) -> Any:
    return compose("acme", *steps).adapt(schema).schema.get("description")


# --- one node


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ({"minLength": 3}, "At least 3 characters."),
        ({"description": "A code", "minLength": 3}, "A code. At least 3 characters."),
        ({"description": "A code.", "minLength": 3}, "A code. At least 3 characters."),
        ({"description": "A code!\n", "minLength": 3}, "A code! At least 3 characters."),
        ({"description": "Codes:", "minLength": 3}, "Codes:\nAt least 3 characters."),
        ({"description": " ", "minLength": 3}, "At least 3 characters."),
        ({"pattern": "^a", "minLength": 3}, "At least 3 characters; matches the pattern `^a`."),
        ({"description": "At least 3 characters.", "minLength": 3}, "At least 3 characters."),
        ({"description": "Code; at least 3 characters", "minLength": 3}, "Code; at least 3 characters"),
        ({"description": "At least 3 characters.", "minLength": 3, "pattern": "a"}, "At least 3 characters. Matches …"),
        ({"description": "At least 30 characters.", "minLength": 3}, "At least 30 characters. At least 3 characters."),
        ({"description": "Not less than 5.5.", "minLength": 3}, "Not less than 5.5. At least 3 characters."),
        ({"description": 5, "minLength": 3}, 5),
        ({"description": "A number", "type": "integer", "minLength": 3}, "A number"),
        ({"title": "Only text"}, None),
        ({"pattern": "\ud800"}, "Matches the pattern `\\ud800`."),
        ({"pattern": "^a\n\tb$"}, "Matches the pattern `^a\\n\\tb$`."),
    ],
)  # fmt: skip
def test_what_is_dropped_goes_to_the_end_of_the_description(before: Any, after: Any) -> None:
    expected = after.replace("…", "the pattern `a`.") if isinstance(after, str) else after

    assert description(before, describing("minLength", "pattern", "title")) == expected


def test_a_phrase_is_not_taken_for_the_end_of_another() -> None:
    schema = {"description": "Not less than 5.", "exclusiveMaximum": 5}

    assert description(schema, describing("exclusiveMaximum")) == "Not less than 5. Less than 5."


def test_the_description_keeps_its_place_or_comes_last() -> None:
    adapter = compose("acme", describing("pattern"))
    schema = {"description": "D.", "pattern": "a", "items": {"pattern": "b", "type": "string"}}

    assert to_bytes(adapter.adapt(schema).schema) == (
        b'{"description":"D. Matches the pattern `a`.",'
        b'"items":{"type":"string","description":"Matches the pattern `b`."}}'
    )


def test_several_steps_make_one_text() -> None:
    steps = [describing("pattern"), describing("minLength"), "const_to_enum", describing("enum", "multipleOf")]
    schema = {"description": "A code", "const": "aaaa", "multipleOf": 2, "minLength": 3, "pattern": "^a"}

    text = 'A code. Matches the pattern `^a`. At least 3 characters. Always "aaaa"; a multiple of 2.'
    assert description(schema, *steps) == text


def test_order_is_the_author_s() -> None:
    steps = [describing("pattern"), ("drop_keywords", {"keywords": ["description"]})]

    assert description({"pattern": "a"}, *steps) is None
    assert description({"pattern": "a"}, *reversed(steps)) == "Matches the pattern `a`."


def test_steps_around_a_describing_one_are_folded_without_it() -> None:
    keep = Step("keep_keywords", {"keywords": ["type", "description"]}, describe=True)
    schema = {"type": "string", "title": "T", "minLength": 3, "format": "date", "maxLength": 9}

    adapter = compose("acme", ("drop_keywords", {"keywords": ["title", "maxLength"]}), keep)

    assert adapter.adapt(schema).schema == {"type": "string", "description": "A date; at least 3 characters."}


# --- rules that say what they lose


@node_rule(on={"pattern"}, writes={"pattern"}, introduces=(), effect=Effect.BOTH)
def loosens_patterns(schema: Any) -> Any:
    effect = {"n": Effect.NARROWS, "e": Effect.EXACT}.get(schema["pattern"], Effect.WIDENS)
    return Rewrite(
        {**schema, "pattern": ""}, effect=effect, note="loosened", lost=lambda: {"pattern": schema["pattern"]}
    )


@pytest.mark.parametrize(
    ("pattern", "text"),
    [("w", "Matches the pattern `w`."), ("n", None), ("e", None)],
    ids=["widens", "narrows", "exact"],
)
def test_what_a_rule_says_is_lost_is_told_where_more_is_accepted(pattern: str, text: str | None) -> None:
    adapter = compose("acme", Step(loosens_patterns, describe=True))

    result = adapter.adapt({"pattern": pattern})

    assert result.schema.get("description") == text
    assert [(one.lost, one.note) for one in result.report] == [({"pattern": pattern}, "loosened")]


def test_of_required_names_only_those_that_go_are_told() -> None:
    step = Step("drop_unknown_required", describe=True)
    schema = {"properties": {"a": {}}, "required": ["a", "b"]}

    assert description(schema, step) == 'Requires "b".'


def test_an_exact_rewrite_tells_nothing() -> None:
    assert description({"const": 1}, Step("const_to_enum", describe=True)) is None


# --- the finding


def test_the_finding_says_that_text_has_changed_and_what_had_no_room() -> None:
    step = describing("minLength", "enum", "pattern", "$ref", describe={"budget": 60})
    schema = {"enum": ["x" * 60], "minLength": 3, "pattern": "^a", "$ref": "#/$defs/A"}

    result = compose("acme", step).adapt(schema)

    (finding,) = result.report
    assert result.schema == {"description": "At least 3 characters; matches the pattern `^a`."}
    assert (finding.effect, finding.annotation, finding.lost) == (Effect.WIDENS, True, schema)
    assert finding.note == "no room in the description for enum; no words in the description for $ref"


def test_a_description_that_is_no_text_is_left_alone_and_the_finding_says_so() -> None:
    (finding,) = compose("acme", describing("minLength")).adapt({"minLength": 3, "description": ["x"]}).report

    assert (finding.annotation, finding.note) == (False, "the description is no string: nothing was added to it")


@settings(max_examples=200)
@given(schemas(depth=2, malformed=True), st.sets(st.sampled_from(sorted(KEYWORDS.keys() - {"description"}))))
def test_the_findings_are_those_of_the_plain_step_but_for_text(schema: Any, keywords: set[str]) -> None:
    plain, told = (
        compose("acme", Step("drop_keywords", {"keywords": sorted(keywords)}, describe=describe)).adapt(schema).report
        for describe in (False, True)
    )

    assert [(one.pointer, one.output, one.effect, one.lost, one.superseded) for one in told] == [
        (one.pointer, one.output, one.effect, one.lost, one.superseded) for one in plain
    ]


# --- laws


def undescribed(schema: JsonValue) -> bytes:
    """A document without its descriptions."""
    return to_bytes(compose("bare", UNDESCRIBED).adapt(schema).schema)


LISTED = st.lists(st.sampled_from(sorted(KEYWORDS.keys() - {"description"})), max_size=12, unique=True)
DROPPING = st.lists(st.tuples(st.sampled_from([DROP, KEEP]), LISTED), min_size=1, max_size=3)


def of_drops(steps: list[tuple[Rule, list[str]]], *, describe: Any) -> Adapter:
    return compose(
        "acme",
        *(
            Step(
                rule,
                {"keywords": [*keywords, "description"] if rule is KEEP else keywords},
                describe=describe,
                id=f"s{n}",
            )
            for n, (rule, keywords) in enumerate(steps)
        ),
    )


@settings(max_examples=300)
@given(schemas(depth=2, malformed=True), DROPPING)
def test_describing_changes_nothing_but_descriptions(schema: Any, steps: list[tuple[Rule, list[str]]]) -> None:
    plain, told = (of_drops(steps, describe=describe).adapt(schema).schema for describe in (False, True))

    assert undescribed(told) == undescribed(plain)


@given(schemas(depth=2), DROPPING)
def test_the_same_schema_is_described_the_same(schema: Any, steps: list[tuple[Rule, list[str]]]) -> None:
    first, second = (of_drops(steps, describe=True).adapt(schema).schema for _ in range(2))

    assert to_bytes(first) == to_bytes(second)


@settings(max_examples=200)
@given(schemas(depth=2), LISTED, st.integers(1, 120))
def test_no_description_grows_beyond_the_budget(schema: Any, keywords: list[str], budget: int) -> None:
    before, after = (
        of_drops([(DROP, keywords)], describe=describe).adapt(schema).schema for describe in (None, {"budget": budget})
    )

    for old, new in pairs(before, after):
        if isinstance(old, dict) and isinstance(new.get("description"), str):
            text = old.get("description", "")
            assert new["description"].startswith(text.rstrip())
            assert len(new["description"]) <= len(text) + budget


def pairs(one: Any, other: Any) -> list[tuple[Any, Any]]:
    """The schemas that stand at the same places of two documents that differ in descriptions alone."""
    found, waiting = [], [(one, other)]
    while waiting:
        left, right = waiting.pop()
        found.append((left, right))
        if isinstance(left, dict):
            children = zip(subschemas(left), subschemas(right), strict=True)
            waiting += [(below, beside) for (_, _, below), (_, _, beside) in children]
    return found


PHRASES = st.lists(
    st.sampled_from(
        ["not less than 5", "less than 5", "at least 3 characters", "always 5.5", 'one of "a. b", ";"', "é"]
    ),
    unique=True,
)
TEXTS = st.one_of(
    st.text(max_size=20),
    st.lists(st.sampled_from(["Not less than 5", ". ", "; ", "less than 5", ":", "\n", "Always 5.5", "."])).map(
        "".join
    ),
)


@settings(max_examples=500)
@given(TEXTS, PHRASES, PHRASES, st.integers(1, 100))
def test_to_append_twice_is_to_append_once(text: str, some: list[str], others: list[str], budget: int) -> None:
    first, left = appended(text, [(phrase, phrase) for phrase in some], budget)
    second, _ = appended(first, [(phrase, phrase) for phrase in others], budget)

    assert appended(first, [(phrase, phrase) for phrase in some], budget) == (first, left)
    assert appended(second, [(phrase, phrase) for phrase in some], budget)[0] == second
    assert len(first) <= len(text) + budget
    assert all(phrase[1:] in first for phrase in some if phrase not in left)


@pytest.mark.parametrize("text", ["\n" * 50_000, ". " * 50_000, "." * 50_000, "at least 3 characters" * 5_000])
def test_long_descriptions_are_read_once(text: str) -> None:
    assert appended(text, [("minLength", "at least 3 characters")], 300)[0].endswith("At least 3 characters.")


# --- fused = reference


def with_describing(plan: Plan, which: int) -> Plan:
    """A plan some of whose steps (bits of a number) describe, where they can."""
    return Plan(plan.name, tuple(_describing(step) if which >> step.number & 1 else step for step in plan.steps))


def _describing(step: PlannedStep) -> PlannedStep:
    try:
        bound = described(step.bound, Describe(120))
    except OptionError:
        return step
    return PlannedStep(step.number, step.id, bound, step.when, step.unless)


@settings(max_examples=300)
@given(st.builds(with_describing, plans([*REGISTERED, DROP, KEEP, DROP, KEEP]), st.integers(0, 255)), DOCUMENTS)
def test_describing_steps_mean_what_the_reference_does(plan: Plan, document: JsonValue) -> None:
    assert_agrees(plan, document)


@settings(max_examples=300)
@given(st.builds(with_describing, plans([*SYNTHETIC, DROP, KEEP, DROP, KEEP]), st.integers(0, 255)), DOCUMENTS)
def test_describing_steps_among_odd_rules_mean_what_the_reference_does(plan: Plan, document: JsonValue) -> None:
    assert_agrees(plan, document)
    # A report can be made of any run.
    assert all(finding.effect.word for finding in Report(plan.run(*admit(document))))


@node_rule(on={"description"}, writes={"title"}, effect=Effect.EXACT)
def titles_described(schema: Any) -> Any:
    return {**schema, "title": schema["description"]}


@pytest.mark.parametrize(
    "dropping", [(DROP, {"keywords": ["pattern"]}), (KEEP, {"keywords": ["items", "description"]})]
)
@pytest.mark.parametrize("later", [quotes_children, titles_described])
def test_later_steps_see_what_was_described(dropping: Any, later: Rule) -> None:
    plan = with_describing(plan_of(dropping, later), 1)
    document = {"items": {"pattern": "a"}}

    assert_agrees(plan, document)
    assert b'"Matches the pattern `a`."' in to_bytes(plan.run(*admit(document)).schema)


def test_a_child_is_told_as_earlier_steps_left_it() -> None:
    plan = with_describing(plan_of((DROP, {"keywords": ["pattern"]}), (DROP, {"keywords": ["items"]})), 2)
    document = {"items": {"type": "string", "pattern": "a"}}

    assert_agrees(plan, document)
    assert plan.run(*admit(document)).schema == {"description": "Each item: a string."}


def test_what_was_done_in_a_child_that_is_told_and_dropped_is_superseded() -> None:
    steps: list[Any] = [("drop_keywords", {"keywords": ["pattern"]}), describing("items")]

    report = compose("acme", *steps).adapt({"items": {"not": {"pattern": "a"}}}).report

    assert [(one.pointer, one.effect, one.superseded) for one in report] == [
        ("/items/not", Effect.NARROWS, True),
        ("", Effect.WIDENS, False),
    ]
    assert report.effect is Effect.WIDENS


DESCRIBED = [rule for rule in [*REGISTERED, *SYNTHETIC] if not rule.is_document]


@settings(max_examples=300)
@given(st.sampled_from(DESCRIBED), DOCUMENTS, st.data())
def test_a_describing_rule_keeps_its_contract(rule: Rule, schema: JsonValue, data: st.DataObject) -> None:
    options = data.draw(SETTINGS.get(rule.name, st.just({})))
    try:
        bound = described(rule.bind(**options), Describe())
    except OptionError:
        assume(False)

    for _, node in nodes(schema):
        for check in NODE_LAWS.values():
            check(bound, node)
    check_introduces(bound, schema)


# --- what cannot be described


def test_a_rule_that_drops_descriptions_cannot_describe() -> None:
    for step in [describing("description"), Step("keep_keywords", {"keywords": ["type"]}, describe=True)]:
        with pytest.raises(
            PipelineError, match=r"describe: rule '.*' drops the description itself: let it keep that keyword"
        ):
            compose("acme", step)


def test_a_document_rule_cannot_describe() -> None:
    with pytest.raises(
        PipelineError, match="'drop_definitions' takes the whole document: there is no one node to describe"
    ):
        compose("acme", Step("drop_definitions", describe=True))


@pytest.mark.parametrize("value", ["yes", 3, {"budget": 0}, {"budget": True}, {"budget": "3"}, {"most": 3}])
def test_describe_is_true_or_a_budget(value: Any) -> None:
    with pytest.raises(OptionError, match="describe"):
        Step("const_to_enum", describe=value)


# --- in a pipeline file


def adapter_of(tmp_path: Path, steps: str) -> Adapter:
    path = tmp_path / "acme.yaml"
    path.write_text(f"provider: acme\nsteps:\n{steps}")
    return adapter_from_file(path)


def test_describe_is_a_field_of_any_step(tmp_path: Path) -> None:
    steps = "  - {rule: drop_keywords, describe: true, with: {keywords: [pattern]}}\n"
    steps += "  - {rule: keep_keywords, id: keep, describe: {budget: 20}, with: {keywords: [description]}}\n"
    steps += "  - {rule: const_to_enum, describe: false}\n"

    adapter = adapter_of(tmp_path, steps)

    assert [step.describe for step in adapter.pipeline.steps] == [Describe(), Describe(20), None]
    assert adapter.adapt({"pattern": "a", "minLength": 1, "multipleOf": 5}).schema == {
        "description": "Matches the pattern `a`. A multiple of 5."
    }


@pytest.mark.parametrize(
    ("step", "message"),
    [
        ("{rule: const_to_enum, describe: yes}", "3:37: must be true, false or {budget: …}, not 'yes'"),
        ("{rule: const_to_enum, describe: {budget: 0}}", "3:46: must be a number of characters above 0, not 0"),
        ("{rule: const_to_enum, describe: {most: 9}}", "3:38: unknown field 'most' (describe has: budget)"),
        (
            "{rule: resolve_refs, describe: true}",
            "3:36: describe: resolve_refs takes the whole document: there is no one node to describe",
        ),
        (
            "{rule: drop_keywords, describe: true, with: {keywords: [description]}}",
            "3:37: describe: rule 'drop_keywords' drops the description itself: let it keep that keyword",
        ),
        (
            "{rule: drop_keywords, with: {describe: true, keywords: [a]}}",
            "3:44: rule 'drop_keywords' has no option 'describe' (it has: keywords); describe is a field of the step, "
            "beside with",
        ),
        (
            "{rule: strip_schema_keyword, with: {describe: true}}",
            "3:51: rule 'strip_schema_keyword' has no option 'describe' (it has none); describe is a field of the "
            "step, beside with",
        ),
    ],
)
def test_mistakes_are_told_at_their_places(tmp_path: Path, step: str, message: str) -> None:
    with pytest.raises(PipelineError) as caught:
        adapter_of(tmp_path, f"  - {step}\n")

    assert str(caught.value) == f"{tmp_path}/acme.yaml:{message}"


def test_a_described_step_beside_an_anchor_is_a_new_one(tmp_path: Path) -> None:
    (tmp_path / "base.yaml").write_text("provider: base\nsteps: [const_to_enum, one_of_to_any_of]\n")
    path = tmp_path / "child.yaml"
    path.write_text(
        "provider: child\nextends: base\nsteps: [{rule: one_of_to_any_of, before: const_to_enum, describe: true}]\n"
    )

    with pytest.raises(PipelineError, match="a second step called 'one_of_to_any_of': give it an id"):
        adapter_from_file(path)
