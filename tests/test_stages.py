"""Explanations: the stages of a pipeline lead, one after the other, to what the plan makes at once."""

from typing import Any

import pytest
from hypothesis import given, settings

from schemaflow import Effect, adapter, compose
from schemaflow.adapters import to_bytes
from schemaflow.drawing import schemas
from schemaflow.stages import Explanation, explain
from tests.corpus_data import OWN
from tests.surveys import PIPELINES


def assert_leads_to_the_result(pipeline: str, schema: Any) -> None:
    chosen = adapter(pipeline)
    expected = chosen.adapt(schema)

    explanation = explain(chosen, schema)

    current = to_bytes(schema)
    for stage in explanation.stages:
        assert to_bytes(stage.before) == current
        current = to_bytes(stage.after)
        assert stage.changed == (current != to_bytes(stage.before))
        assert not stage.changed or any(not finding.refused for finding in stage.findings)
    assert current == to_bytes(expected.schema)
    assert to_bytes(explanation.result.schema) == to_bytes(expected.schema)


@pytest.mark.parametrize("pipeline", PIPELINES)
@settings(max_examples=60)
@given(schema=schemas(depth=2, malformed=True))
def test_stages_lead_to_the_result(pipeline: str, schema: Any) -> None:
    assert_leads_to_the_result(pipeline, schema)


@pytest.mark.parametrize("pipeline", PIPELINES)
def test_stages_lead_to_the_result_on_our_corpus(pipeline: str) -> None:
    for entry in OWN:
        assert_leads_to_the_result(pipeline, entry.schema)


def explained(*steps: Any, schema: Any) -> Explanation:
    return explain(compose("mine", *steps), schema)


def test_each_stage_has_its_own_findings_and_effect() -> None:
    explanation = explained(
        "const_to_enum", ("drop_keywords", {"keywords": ["pattern"]}), schema={"const": "a", "pattern": "a"}
    )

    first, second = explanation.stages
    assert [finding.rule for finding in first.findings] == ["const_to_enum"]
    assert (first.effect, second.effect) == (Effect.EXACT, Effect.WIDENS)
    assert (second.before, second.after) == ({"pattern": "a", "enum": ["a"]}, {"enum": ["a"]})
    assert explanation.result.report.effect is Effect.WIDENS


def test_steps_of_one_name_are_kept_apart() -> None:
    drops = [("drop_keywords", {"keywords": [name]}) for name in ("title", "pattern")]

    first, second = explained(*drops, schema={"title": "a", "pattern": "b"}).stages

    assert [list(finding.lost) for finding in first.findings] == [["title"]]
    assert [list(finding.lost) for finding in second.findings] == [["pattern"]]
    assert {finding.step for finding in (*first.findings, *second.findings)} == {"drop_keywords"}


def test_a_refusal_is_a_finding_of_a_stage_that_changed_nothing() -> None:
    (stage,) = explained("one_of_to_any_of", schema={"oneOf": [{}], "anyOf": [{}]}).stages

    assert not stage.changed
    assert [finding.refused for finding in stage.findings] == [True]


def test_a_tool_without_a_schema_has_no_stages() -> None:
    explanation = explain(adapter("adk/generic"), None)

    assert explanation.stages == ()
    assert explanation.result.schema == {"type": "object", "properties": {}}


def test_places_are_traced_to_the_authors_document() -> None:
    schema = {"properties": {"a": {"$ref": "#/$defs/A"}}, "$defs": {"A": {"properties": {"b": {"const": 1}}}}}
    _, second = explained(("resolve_refs", {"keep": "none"}), "const_to_enum", schema=schema).stages

    assert second.author(("properties", "a", "properties", "b", "enum")) == ("$defs", "A", "properties", "b")
    assert second.author(("properties",)) == ()


def test_stages_are_told_as_json() -> None:
    changed, idle = explained("const_to_enum", "strip_schema_keyword", schema={"const": 1}).stages

    assert changed.to_json() == {
        "number": 1,
        "step": "const_to_enum",
        "rule": "const_to_enum",
        "changed": True,
        "effect": "exact",
        "findings": [finding.to_json() for finding in changed.findings],
        "before": {"const": 1},
        "after": {"enum": [1]},
    }
    assert "before" not in idle.to_json()
