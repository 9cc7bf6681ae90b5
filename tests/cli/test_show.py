import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result

from schemaflow import adapter, adapter_from_file, providers

Run = Callable[..., Result]

CONDITIONS = """\
provider: acme
options:
  strict: {default: false, doc: Close what can be closed.}
steps:
  - rule: const_to_enum
    id: constants
    with: {add_type: true}
    unless: {has: [type]}
  - rule: close_objects
    when: {option: strict}
  - collapse_combiners
"""


@pytest.fixture
def conditions(tmp_path: Path) -> Path:
    path = tmp_path / "conditions.yaml"
    path.write_text(CONDITIONS)
    return path


def shown(result: Result) -> Any:
    assert result.exit_code == 0, result.output
    return json.loads(result.stdout)


def test_every_step_stands_in_its_order_with_its_line(run: Run, acme: Path) -> None:
    plan = shown(run("show", "--pipeline", acme, "--json"))

    steps = [step for one in plan["passes"] for step in one["steps"]]
    assert [step["id"] for step in steps] == [
        "strip_schema_keyword",
        "const_to_enum",
        "drop_keywords",
        "enforce_nesting_depth",
    ]
    assert [step["number"] for step in steps] == [1, 2, 3, 4]
    assert steps[2]["options"] == {"keywords": ["pattern"]}
    assert steps[3]["options"] == {"depth": 5}
    assert [step["at"].rpartition("acme.yaml:")[2] for step in steps] == ["9", "10", "11", "13"]


def test_passes_say_why_they_start(run: Run, acme: Path) -> None:
    expected = adapter_from_file(acme).plan.passes

    plan = shown(run("show", "--pipeline", acme, "--json"))
    text = run("show", "--pipeline", acme).stdout

    assert [one["reason"] for one in plan["passes"]] == [one.reason for one in expected]
    assert "Pass 1 (parents first): the pipeline starts" in text
    assert "(the whole document): enforce_nesting_depth gets the whole document" in text


def test_options_show_their_value_and_where_it_comes_from(run: Run, acme: Path) -> None:
    text = run("show", "--pipeline", acme, "--option", "depth=3").stdout

    assert "option depth = 3  How many objects may lie inside one another." in text
    assert "depth: 3 (option depth)" in text


def test_conditions_and_ids_are_shown(run: Run, conditions: Path) -> None:
    text = run("show", "--pipeline", conditions).stdout

    assert "rule const_to_enum" in text
    assert "unless has type" in text


def test_a_step_that_an_option_switches_off_is_named(run: Run, conditions: Path) -> None:
    off = shown(run("show", "--pipeline", conditions, "--json"))["off"]
    on = shown(run("show", "--pipeline", conditions, "--option", "strict=true", "--json"))

    assert [(step["id"], step["why"]) for step in off] == [("close_objects", "it runs when option strict is on")]
    assert "switched off: close_objects" in run("show", "--pipeline", conditions).stdout
    assert on["off"] == []


def test_what_most_documents_take_is_said_in_words(run: Run, conditions: Path) -> None:
    quiet = shown(run("show", "--pipeline", conditions, "--json"))["quiet"]

    assert quiet == [
        "Most documents take one walk, with 1 step of 2.",
        "collapse_combiners: only where the walk meets anyOf or oneOf.",
    ]


def test_every_provider_can_be_shown(run: Run) -> None:
    for name in providers():
        plan = shown(run("show", name, "--json"))
        assert sum(len(one["steps"]) for one in plan["passes"]) == len(adapter(name).plan.steps)
        assert run("show", name).exit_code == 0


def test_an_unknown_provider_is_told(run: Run) -> None:
    result = run("show", "adk/gemni")

    assert (result.exit_code, result.stdout) == (2, "")
    assert "did you mean 'adk/gemini'?" in result.stderr


def test_a_pipeline_without_steps_can_be_shown(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "empty.yaml"
    path.write_text("provider: acme\nsteps: []\n")

    assert run("show", "--pipeline", path).exit_code == 0


DESCRIBING = """\
provider: acme
tolerate: widens
steps:
  - {rule: drop_keywords, describe: {budget: 200}, with: {keywords: [pattern]}}
  - const_to_enum
"""


def test_what_is_described_and_what_is_tolerated_are_shown(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "acme.yaml"
    path.write_text(DESCRIBING)

    plan, text = shown(run("show", "--pipeline", path, "--json")), run("show", "--pipeline", path).stdout

    assert plan["tolerate"] == "widens"
    assert [step["describe"] for one in plan["passes"] for step in one["steps"]] == [200, None]
    assert "tolerates widens, no more" in text
    assert "describe: what is dropped, in at most 200 characters" in text


def test_a_pipeline_that_tolerates_everything_says_so_in_json_alone(run: Run, acme: Path) -> None:
    assert shown(run("show", "--pipeline", acme, "--json"))["tolerate"] == "unknown"
    assert "tolerates" not in run("show", "--pipeline", acme).stdout
