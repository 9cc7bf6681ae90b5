"""Koog on the command line: descriptors from files, and what the demo shows of them."""

import io
import json
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result

from schemaflow.cli.koog_demo import DESCRIPTOR, show_koog
from schemaflow.koog import OllamaToolDescriptorSchemaGenerator, parse_descriptors

Run = Callable[..., Result]


@pytest.fixture
def trip(tmp_path: Path) -> Path:
    path = tmp_path / "trip.yaml"
    path.write_text(DESCRIPTOR)
    return path


def test_adapt_reads_a_descriptor_from_a_file(run: Run, trip: Path) -> None:
    (descriptor,) = parse_descriptors(DESCRIPTOR)
    result = run("adapt", trip, "--provider", "koog/ollama")

    wire = json.loads(result.stdout)
    assert (result.exit_code, result.stderr) == (0, "")
    assert wire["function"]["name"] == "plan_trip"
    assert json.dumps(wire["function"]["parameters"]) == json.dumps(
        OllamaToolDescriptorSchemaGenerator().generate(descriptor)
    )


def test_every_other_provider_takes_it_too(run: Run, trip: Path) -> None:
    result = run("adapt", trip, "--provider", "adk/gemini")

    parameters = json.loads(result.stdout)["parameters"]
    assert parameters["properties"]["stops"]["items"]["required"] == ["town"]


def test_the_report_names_what_the_provider_does_not_get(run: Run, trip: Path) -> None:
    result = run("adapt", trip, "--provider", "koog/openai", "--report")

    assert "/properties/stops/items" in result.stderr
    assert 'required ["town"]' in result.stderr


def test_faithful_is_an_option(run: Run, trip: Path) -> None:
    result = run("adapt", trip, "--provider", "koog/openai", "--option", "faithful=true")

    parameters = json.loads(result.stdout)["function"]["parameters"]
    assert parameters["properties"]["stops"]["items"]["required"] == ["town"]


def test_a_bad_descriptor_is_set_aside_by_file_tool_and_pointer(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "tools.yaml"
    path.write_text(
        "- {name: ping, requiredParameters: []}\n- {name: pong, requiredParameters: [{name: a, type: Lst}]}\n"
    )
    result = run("adapt", path, "--provider", "koog/openai")

    assert result.exit_code == 1
    assert [tool["function"]["name"] for tool in json.loads(result.stdout)] == ["ping"]
    assert f"{path}#/1: tool 'pong': /requiredParameters/0/type: 'Lst' is no type of Koog's" in result.stderr


@pytest.mark.parametrize("width", [80, 120])
def test_the_demo_shows_both_generators(monkeypatch: pytest.MonkeyPatch, width: int) -> None:
    stream = io.StringIO()
    monkeypatch.setattr(sys, "stdout", stream)
    monkeypatch.setenv("COLUMNS", str(width))
    show_koog()
    shown = stream.getvalue()

    assert max(map(len, shown.splitlines())) <= width
    assert '"title": "plan_trip"' in shown
    for heading in ("koog/openai: ", "koog/openai, faithful: ", "koog/ollama: ", "koog/ollama, faithful: "):
        assert heading in shown
    assert 'required ["town"]' in shown
