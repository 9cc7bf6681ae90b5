"""Every registered pipeline on the big corpora: what must never happen does not happen."""

from typing import Any

import pytest

import schemaflow
from schemaflow import json_equal
from tests.corpus_data import iter_adk_native, iter_server_tools
from tests.surveys import PIPELINES, survey

pytestmark = pytest.mark.corpus

LEAST = {"tools": 2000, "bench": 700, "suite": 900, "cases": 130}


@pytest.mark.parametrize("pipeline", PIPELINES)
@pytest.mark.parametrize("corpus", ["tools", "bench", "suite"])
def test_nothing_goes_wrong(corpus: str, pipeline: str) -> None:
    found = survey(corpus, pipeline)

    assert found.wrongs == {}
    assert found.count > LEAST[corpus]


# What else an adapter of ADK-Rust answers is explained in the header comment of its pipeline.
SHARES = {"gemini": 0.95, "vertex": 0.95, "openai-strict": 0.95, "anthropic": 0.95}


@pytest.mark.parametrize(("column", "least"), SHARES.items())
def test_most_answers_are_those_of_the_native_adapter(column: str, least: float) -> None:
    schemas: dict[str, Any] = {name: tool["inputSchema"] for name, tool in iter_server_tools()}
    native = {name: answers[column] for name, answers in iter_adk_native() if answers[column] is not None}
    adapter = schemaflow.adapter(f"adk/{column}")
    same = sum(json_equal(adapter.normalize_schema(schemas[name]), answer) for name, answer in native.items())

    assert same / len(native) >= least
