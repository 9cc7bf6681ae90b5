import json
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from click.testing import Result

from schemaflow import providers
from schemaflow.registry import Plugin, Registry, installed

Run = Callable[..., Result]


@pytest.fixture
def with_plugins(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[None]:
    """The installed registry, with a plug-in that is not there and one of whose rules does not import."""
    package = tmp_path / "acme_rules"
    package.mkdir()
    (package / "__init__.py").write_text("")
    (package / "broken_rule.py").write_text("import nothing_of_that_name\n")
    (package / "fine_rule.py").write_text(
        "from schemaflow import node_rule\n\n"
        "@node_rule(drops={'x-acme'})\n"
        "def fine_rule(schema):\n"
        '    """Drop what Acme added."""\n'
        "    return {name: value for name, value in schema.items() if name != 'x-acme'}\n"
    )
    (package / "pipelines").mkdir()
    (package / "pipelines" / "chat.yaml").write_text("provider: acme\nsteps:\n  - acme/nothing\n")
    plugins = [*installed().plugins.values(), Plugin("acme", "acme_rules"), Plugin("gone", "package_that_is_gone")]
    registry = Registry.of(plugins)
    monkeypatch.syspath_prepend(str(tmp_path))
    for command in ("rules", "providers"):
        monkeypatch.setattr(f"schemaflow.cli.{command}.installed", lambda: registry)
    yield
    for name in [name for name in sys.modules if name.startswith("acme_rules")]:
        del sys.modules[name]


def test_providers_lists_every_pipeline_with_what_it_rests_on(run: Run) -> None:
    result = run("providers")

    assert result.exit_code == 0
    for name in providers():
        assert f"{name}  " in result.stdout


def test_providers_as_json(run: Run) -> None:
    entries = json.loads(run("providers", "--json").stdout)

    assert [entry["name"] for entry in entries] == providers()
    for entry in entries:
        assert entry.keys() == {"name", "summary", "steps", "dialect", "models", "sources"}
        assert entry["summary"]
        assert all(source.keys() == {"url", "verified"} for source in entry["sources"])


@pytest.mark.usefixtures("with_plugins")
def test_broken_plugins_hide_no_provider(run: Run) -> None:
    listed = run("providers")
    entries = {entry["name"]: entry for entry in json.loads(run("providers", "--json").stdout)}

    assert listed.exit_code == 0
    assert set(providers()) < set(entries)
    assert "chat.yaml:3:" in entries["acme/chat"]["error"]
    assert "package_that_is_gone" in entries["gone"]["error"]
    assert "acme/chat  broken" in listed.stdout


def test_rules_lists_every_rule_with_effect_triggers_and_summary(run: Run) -> None:
    lines = run("rules").stdout.splitlines()

    assert [line.split("  ")[0] for line in lines[::2]] == installed().rule_names()
    place = lines.index("const_to_enum  exact, on const")
    assert lines[place + 1] == "    Spell `const` as a one-member `enum`."


def test_rules_as_json(run: Run) -> None:
    entries = {entry["name"]: entry for entry in json.loads(run("rules", "--json").stdout)}

    assert list(entries) == installed().rule_names()
    assert entries["const_to_enum"] == {
        "name": "const_to_enum",
        "summary": "Spell `const` as a one-member `enum`.",
        "document": False,
        "effect": "exact",
        "on": ["const"],
    }


def test_a_rule_is_described_with_examples_options_and_contract(run: Run) -> None:
    shown = run("rules", "const_to_enum").stdout

    assert "Before (add_type: true):\n" in shown
    assert '    {"enum": ["red"], "type": "string"}\n' in shown
    assert "add_type   a boolean   false" in shown
    assert "writes  const, enum\n" in shown
    assert "lacking nothing\n" in shown
    assert "lacking type\n" in run("rules", "add_implicit_object_type").stdout


def test_a_rule_as_json(run: Run) -> None:
    described = json.loads(run("rules", "const_to_enum", "--json").stdout)

    assert described["options"] == [
        {"name": "add_type", "type": "a boolean", "default": False, "doc": "Also state the JSON type of the value."}
    ]
    assert described["contract"]["writes"] == ["const", "enum"]


def test_every_rule_can_be_described(run: Run) -> None:
    for name in installed().rule_names():
        assert run("rules", name).exit_code == 0
        assert json.loads(run("rules", name, "--json").stdout)["name"] == name


def test_an_unknown_rule_is_told(run: Run) -> None:
    result = run("rules", "const_to_enums")

    assert result.exit_code == 2
    assert result.stderr == "Error: unknown rule 'const_to_enums' (did you mean 'const_to_enum'?)\n"


@pytest.mark.usefixtures("with_plugins")
def test_broken_plugins_are_lines_in_the_list_and_errors_when_named(run: Run) -> None:
    listed = run("rules")
    named = run("rules", "acme/broken_rule")
    fine = run("rules", "acme/fine_rule")

    assert listed.exit_code == 0
    assert "acme/fine_rule  depends, on x-acme\n    Drop what Acme added.\n" in listed.stdout
    assert "acme  broken\n    cannot import acme_rules.broken_rule: " in listed.stdout
    assert "gone  broken\n" in listed.stdout
    assert (named.exit_code, named.stdout) == (2, "")
    assert named.stderr.startswith("Error: plug-in 'acme': cannot import acme_rules.broken_rule: ")
    assert fine.exit_code == 0
