"""Every registered pipeline on our own corpus: what must never happen does not happen."""

from typing import Any

import pytest

import schemaflow
from schemaflow.adapters import to_bytes
from schemaflow.laws.dangling import REFERENCES, dangling, nodes
from tests.corpus_data import OWN, Entry
from tests.surveys import PIPELINES, belied, is_json, survey, within


@pytest.mark.parametrize("pipeline", PIPELINES)
def test_nothing_goes_wrong(pipeline: str) -> None:
    found = survey("own", pipeline)

    assert (found.count, found.wrongs) == (len(OWN), {})


# --- what single adapters promise

GEMINI = {"type", "format", "description", "nullable", "enum", "items", "properties", "required", "example"}


@pytest.mark.parametrize("pipeline", ["adk/gemini", "adk/vertex", "adk/gemini-json-schema"])
def test_gemini_gets_no_reference_and_no_definition(pipeline: str) -> None:
    offending = [
        entry.id
        for entry in OWN
        for node in nodes(schemaflow.adapter(pipeline).normalize_schema(entry.schema))
        if not node.keys().isdisjoint(REFERENCES)
    ]

    assert offending == []


@pytest.mark.parametrize(
    ("pipeline", "allowed"), [("adk/gemini", GEMINI), ("adk/vertex", GEMINI | {"additionalProperties"})]
)
def test_gemini_gets_its_own_keywords_alone(pipeline: str, allowed: set[str]) -> None:
    offending = [
        (entry.id, node.keys() - allowed)
        for entry in OWN
        for node in nodes(schemaflow.adapter(pipeline).normalize_schema(entry.schema))
        if not node.keys() <= allowed
    ]

    assert offending == []


@pytest.mark.parametrize("pipeline", PIPELINES)
def test_adapting_what_was_adapted_changes_nothing(pipeline: str) -> None:
    adapter = schemaflow.adapter(pipeline)
    once = {entry.id: adapter.normalize_schema(entry.schema) for entry in OWN}
    offending = [
        name for name, schema in once.items() if to_bytes(adapter.normalize_schema(schema)) != to_bytes(schema)
    ]

    assert offending == []


# --- the checks catch what they are for


@pytest.mark.parametrize(
    "document",
    [
        {"$ref": "#/$defs/Gone"},
        {"$ref": "#gone"},
        {"$ref": "other.json"},
        {"$ref": 5},
        {"items": [{"$ref": "#/items/7"}]},
        {"$defs": {"A": {"$dynamicRef": "#/$defs/B"}}},
        {"$ref": "#/components/A", "components": {"A": {"not": {"$ref": "#/components/B"}}}},
        {"$defs": {"A": True, "B": {"$id": "https://example.com/b", "items": {"$ref": "#/$defs/A"}}}},
        {"$ref": "#/required", "required": ["a"]},
    ],
)
def test_a_dangling_reference_is_found(document: Any) -> None:
    assert len(dangling(document)) == 1


@pytest.mark.parametrize(
    "document",
    [
        {"properties": {"$ref": {"type": "string"}}, "default": {"$ref": "#/nowhere"}},
        {"items": {"$ref": "#"}},
        {"items": [{"$ref": "#/items/1"}, True]},
        {"$ref": "#/$defs/a~1b%20c", "$defs": {"a/b c": {}}},
        {"$ref": "#a", "$defs": {"A": {"$anchor": "a"}}},
        {
            "$ref": "https://example.com/b#/$defs/A",
            "$defs": {"B": {"$id": "https://example.com/b", "$defs": {"A": {}}}},
        },
        {"$ref": "#/components/A", "components": {"A": {"not": {"$ref": "#/components/A"}}}},
    ],
)
def test_a_reference_that_leads_somewhere_is_not_dangling(document: Any) -> None:
    assert dangling(document) == []


@pytest.mark.parametrize("value", [(1,), {1: 2}, {1}, float("nan"), {"a": [float("inf")]}, object()])
def test_what_is_not_json_is_found(value: Any) -> None:
    assert not is_json(value)


def test_what_runs_for_too_long_is_stopped() -> None:
    def runs_for_ever() -> None:
        while True:
            pass

    with pytest.raises(TimeoutError), within(0.05):
        runs_for_ever()


@pytest.mark.parametrize("instance", ["x", 1])
def test_a_report_that_says_too_little_is_found(instance: Any) -> None:
    entry = Entry("a", {"type": "string"}, ["x"], [1])
    result = schemaflow.adapter("adk/openai").adapt(entry.schema)
    result.schema = {"type": "integer"}

    assert any(repr(instance) in what for what in belied(entry, result, "json-schema"))
