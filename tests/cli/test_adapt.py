import json
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result

from schemaflow.registry import Plugin, Registry, installed

Run = Callable[..., Result]

SCHEMA = {"type": "object", "properties": {"a": {"const": 1}}}
ADAPTED = {"type": "object", "properties": {"a": {"enum": [1]}}}
REFUSED = {"type": "object", "properties": {"a": {"default": [float("nan")]}}}


def adapted(result: Result) -> Any:
    return json.loads(result.stdout)


def test_the_provider_has_a_short_option(run: Run) -> None:
    assert adapted(run("adapt", "-p", "adk/openai", stdin=json.dumps(SCHEMA))) == ADAPTED


def test_a_bare_schema_gives_a_schema(run: Run, acme: Path) -> None:
    result = run("adapt", "--pipeline", acme, stdin=json.dumps(SCHEMA))

    assert (result.exit_code, adapted(result), result.stderr) == (0, ADAPTED, "")


def test_a_boolean_schema_is_a_schema(run: Run, acme: Path) -> None:
    assert adapted(run("adapt", "--pipeline", acme, stdin="true")) is True


@pytest.mark.parametrize(
    "tool",
    [
        {"name": "t", "description": "T.", "inputSchema": SCHEMA},
        {"name": "t", "description": "T.", "input_schema": SCHEMA},
        {"name": "t", "description": "T.", "parameters": SCHEMA},
        {"name": "t", "description": "T.", "parametersJsonSchema": SCHEMA},
        {"type": "function", "function": {"name": "t", "description": "T.", "parameters": SCHEMA}},
        {"toolSpec": {"name": "t", "description": "T.", "inputSchema": {"json": SCHEMA}}},
    ],
)
def test_one_tool_of_any_shape_gives_the_envelope(run: Run, acme: Path, tool: Any) -> None:
    expected = {"name": "t", "description": "T.", "parameters": ADAPTED}

    assert adapted(run("adapt", "--pipeline", acme, stdin=json.dumps(tool))) == expected


@pytest.mark.parametrize(
    "wrapped",
    [
        lambda tools: tools,
        lambda tools: {"tools": tools},
        lambda tools: {"tools": tools, "nextCursor": "x"},
        lambda tools: {"jsonrpc": "2.0", "id": 1, "result": {"tools": tools}},
        lambda tools: [{"functionDeclarations": tools}],
    ],
)
def test_a_list_of_any_kind_gives_a_list(run: Run, acme: Path, wrapped: Callable[[Any], Any]) -> None:
    value = wrapped([{"name": "t", "parameters": SCHEMA}])

    assert adapted(run("adapt", "--pipeline", acme, stdin=json.dumps(value))) == [{"name": "t", "parameters": ADAPTED}]


def test_an_empty_list_gives_an_empty_list(run: Run, acme: Path) -> None:
    assert run("adapt", "--pipeline", acme, stdin="[]").stdout == "[]\n"


def test_a_file_may_be_yaml(run: Run, acme: Path, tmp_path: Path) -> None:
    file = tmp_path / "tool.yaml"
    file.write_text("name: t\ninputSchema:\n  type: object\n  properties:\n    a: {const: 1}\n")

    assert adapted(run("adapt", file, "--pipeline", acme)) == {"name": "t", "parameters": ADAPTED}


def test_output_is_indented_unless_compact_is_asked_for(run: Run, acme: Path) -> None:
    tools = json.dumps([{"name": "t", "parameters": True}, {"name": "u", "parameters": True}])

    indented = run("adapt", "--pipeline", acme, stdin=tools).stdout
    compact = run("adapt", "--pipeline", acme, "--compact", stdin=tools).stdout

    assert indented == json.dumps(json.loads(tools), indent=2) + "\n"
    assert compact == json.dumps(json.loads(tools), separators=(",", ":")) + "\n"


def test_numbers_beyond_64_bits_and_lone_surrogates_pass_unchanged(run: Run, acme: Path) -> None:
    schema = '{"maximum": 123456789012345678901234567890, "default": "\\ud800 \\u00e9"}'

    for arguments in ((), ("--compact",)):
        result = run("adapt", "--pipeline", acme, *arguments, stdin=schema)
        assert (result.exit_code, adapted(result)) == (0, json.loads(schema))


def test_of_equal_keys_the_last_counts(run: Run, acme: Path) -> None:
    assert adapted(run("adapt", "--pipeline", acme, stdin='{"title": "a", "title": "b"}')) == {"title": "b"}


def test_a_bad_tool_is_set_aside_and_the_others_go_out(run: Run, acme: Path, tmp_path: Path) -> None:
    deep: dict[str, Any] = {}
    for _ in range(120):
        deep = {"not": deep}
    file = tmp_path / "tools.json"
    tools = [{"name": "deep", "parameters": deep}, {"name": "odd", "parameters": 5}, 5, {"name": "t"}]
    file.write_text(json.dumps({"tools": tools}))

    result = run("adapt", file, "--pipeline", acme)

    assert result.exit_code == 1
    assert [tool["name"] for tool in adapted(result)] == ["t"]
    first, second, third = result.stderr.splitlines()
    assert first.startswith(f"Set aside: {file}#/tools/0: tool 'deep': /not/not")
    assert "$ref" in first
    assert second.startswith(f"Set aside: {file}#/tools/1: tool 'odd': ")
    assert third.startswith(f"Set aside: {file}#/tools/2: ")


@pytest.mark.parametrize(
    ("value", "told"),
    [
        ({"inputSchema": SCHEMA}, "Set aside: <stdin>: not a tool: it needs a name"),
        ({"tools": None}, "Set aside: <stdin>: not a tool: it needs a name"),
        ({"jsonrpc": "2.0", "id": 1, "error": {"code": 1}}, "Set aside: <stdin>: a JSON-RPC message without a result"),
    ],
)
def test_a_broken_tool_alone_gives_nothing(run: Run, acme: Path, value: Any, told: str) -> None:
    result = run("adapt", "--pipeline", acme, stdin=json.dumps(value))

    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr.startswith(told)


def test_a_refused_schema_alone_gives_nothing(run: Run, acme: Path) -> None:
    result = run("adapt", "--pipeline", acme, stdin='{"not":' * 120 + "{}" + "}" * 120)

    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr.startswith("Set aside: <stdin>: /not")


def test_the_report_names_tool_place_step_effect_and_what_is_gone(run: Run, acme: Path) -> None:
    tools = [{"name": "t", "parameters": {"properties": {"a": {"pattern": "^x$"}}}}, {"name": "u"}]

    result = run("adapt", "--pipeline", acme, "--report", stdin=json.dumps(tools))

    lines = result.stderr.splitlines()
    assert lines[0] == "t: 1 change, widens"
    row = next(line for line in lines if "/properties/a" in line)
    assert row.split() == ["/properties/a", "drop_keywords", "widens", "pattern", '"^x$"']
    assert lines[-1] == "1 changed, 1 unchanged, 0 set aside; all in all: widens"


def test_the_report_fits_80_columns_and_is_plain_where_nobody_looks(
    run: Run, acme: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    schema: dict[str, Any] = {"pattern": "^" + "x" * 500}
    for level in range(30):
        schema = {"properties": {f"a_rather_long_name_{level}": schema}}

    result = run("adapt", "--pipeline", acme, "--report", "--option", "depth=50", stdin=json.dumps(schema))

    assert result.exit_code == 0
    assert max(map(len, result.stderr.splitlines())) <= 80
    assert "\x1b" not in result.stderr


def test_an_unknown_provider_gets_the_default_pipeline_and_a_warning(run: Run) -> None:
    result = run("adapt", "--provider", "nobody", stdin=json.dumps(SCHEMA))
    reported = run("adapt", "--provider", "nobody", "--report", stdin=json.dumps(SCHEMA))

    assert result.exit_code == 0
    assert result.stderr.startswith("Warning: unknown provider 'nobody'")
    assert reported.stderr.count("unknown provider") == 1


def test_an_option_reaches_the_pipeline(run: Run, acme: Path) -> None:
    schema = {"type": "object", "properties": {"a": {"type": "object", "required": ["b"]}}}

    result = run("adapt", "--pipeline", acme, "--option", "depth=1", stdin=json.dumps(schema))

    assert adapted(result) == {"type": "object", "properties": {"a": {"type": "object"}}}


@pytest.mark.parametrize(
    ("option", "told"),
    [
        ("depth", "NAME=VALUE"),
        ("dpth=1", "did you mean 'depth'?"),
        ("registry=1", "unknown option"),
        ("depth=x", "must be an integer, not 'x'"),
    ],
)
def test_a_wrong_option_is_told(run: Run, acme: Path, option: str, told: str) -> None:
    result = run("adapt", "--pipeline", acme, "--option", option, stdin="{}")

    assert (result.exit_code, result.stdout) == (2, "")
    assert told in result.stderr


def test_control_characters_reach_no_terminal(run: Run, acme: Path) -> None:
    tools = [{"name": "a\x1b[31m", "parameters": {"properties": {"\x1b]0;x\x07": {"pattern": "\x1b"}}}}]
    bad = [{"name": "a\x1b[31m", "parameters": {"\x1b[31m": {"a": "deep"}, "not": 5, "properties": [5]}}, "\x1b"]

    result = run("adapt", "--pipeline", acme, "--report", stdin=json.dumps(tools + bad))

    assert "\x1b" not in result.stderr
    assert "/properties/\\x1b]0;x\\x07" in result.stderr.replace("\n", "")


@pytest.mark.parametrize("arguments", [(), ("--provider", "default", "--pipeline", "{acme}")])
def test_one_target_must_be_chosen(run: Run, acme: Path, arguments: tuple[str, ...]) -> None:
    result = run("adapt", *(one.format(acme=acme) for one in arguments), stdin="{}")

    assert result.exit_code == 2
    assert "--provider NAME" in result.stderr


def test_a_file_given_as_provider_is_told(run: Run, acme: Path) -> None:
    result = run("adapt", "--provider", acme, stdin="{}")

    assert result.exit_code == 2
    assert f"use --pipeline {acme}" in result.stderr


def test_a_broken_pipeline_is_told_at_its_place(run: Run, tmp_path: Path) -> None:
    broken = tmp_path / "broken.yaml"
    broken.write_text("provider: broken\nsteps:\n  - const_to_enums\n")

    result = run("adapt", "--pipeline", broken, stdin="{}")

    assert result.exit_code == 2
    assert "broken.yaml:3:" in result.stderr
    assert "did you mean 'const_to_enum'?" in result.stderr


@pytest.fixture
def faulty(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Path]:
    """A pipeline with a plug-in's rule that fails at nodes with a `const`."""
    package = tmp_path / "tripping_rules"
    package.mkdir()
    (package / "__init__.py").write_text("")
    (package / "trip.py").write_text(
        "from schemaflow import Effect, node_rule\n\n"
        "@node_rule(on={'const'}, writes={'const'}, effect=Effect.EXACT)\n"
        "def trip(schema):\n"
        '    """Fail."""\n'
        "    raise KeyError('lost')\n"
    )
    path = tmp_path / "faulty.yaml"
    path.write_text("provider: tripping\nsteps:\n  - tripping/trip\n")
    registry = Registry.of([*installed().plugins.values(), Plugin("tripping", "tripping_rules")])
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setattr("schemaflow.adapters.installed", lambda: registry)
    yield path
    for name in [name for name in sys.modules if name.partition(".")[0] == "tripping_rules"]:
        del sys.modules[name]


def test_a_rule_that_fails_costs_only_the_tool_that_it_failed_at(run: Run, faulty: Path) -> None:
    tools = [{"name": "bad", "parameters": {"const": 1}}, {"name": "good"}]

    result = run("adapt", "--pipeline", faulty, stdin=json.dumps(tools))

    assert result.exit_code == 1
    assert [tool["name"] for tool in adapted(result)] == ["good"]
    assert result.stderr.startswith("Set aside: <stdin>#/0: tool 'bad': unexpected KeyError('lost') at trip.py:6: ")


def test_a_rule_that_fails_costs_only_the_line_that_it_failed_at(run: Run, faulty: Path) -> None:
    lines = '{"id": 1, "schema": {"const": 1}}\n{"id": 2, "schema": {}}\n'

    result = run("adapt", "--jsonl", "--pipeline", faulty, stdin=lines)

    bad, good = map(json.loads, result.stdout.splitlines())
    assert bad["error"].startswith("unexpected KeyError('lost')")
    assert good == {"id": 2, "schema": {}, "effect": "exact"}


# --- what is tolerated, and findings as JSON

TOOLS = [
    {"name": "coder", "inputSchema": {"properties": {"code": {"pattern": "^x"}}}},
    {"name": "plain", "inputSchema": {"properties": {"code": {"const": 1}}}},
]


def test_a_tool_that_goes_beyond_what_is_tolerated_is_set_aside_by_name(run: Run, acme: Path) -> None:
    result = run("adapt", "--pipeline", acme, "--tolerate", "exact", stdin=json.dumps(TOOLS))

    assert [tool["name"] for tool in adapted(result)] == ["plain"]
    assert result.exit_code == 1
    assert result.stderr.splitlines() == [
        "Set aside: <stdin>#/0: tool 'coder': acme: 1 finding goes beyond the tolerated 'exact'",
        '  /properties/code  drop_keywords  widens  dropped pattern "^x"',
    ]


def test_what_is_tolerated_on_the_command_line_counts_more_than_the_file(run: Run, acme: Path) -> None:
    acme.write_text(acme.read_text() + "tolerate: exact\n")

    assert run("adapt", "--pipeline", acme, stdin=json.dumps(TOOLS)).exit_code == 1
    assert run("adapt", "--pipeline", acme, "--tolerate", "widens", stdin=json.dumps(TOOLS)).exit_code == 0


def test_findings_go_to_a_file_as_json(run: Run, acme: Path, tmp_path: Path) -> None:
    file = tmp_path / "findings.json"

    result = run("adapt", "--pipeline", acme, "--findings", file, stdin=json.dumps(TOOLS))

    first, second = json.loads(file.read_bytes())
    assert (result.exit_code, result.stderr) == (0, "")
    assert (first["name"], first["effect"], second["name"], second["effect"]) == ("coder", "widens", "plain", "exact")
    assert first["findings"][0]["lost"] == {"pattern": "^x"}
    assert second["findings"][0]["step"] == "const_to_enum"


def test_findings_in_a_file_have_what_holds_for_every_tool(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "findings.json"

    run("adapt", "--provider", "nobody", "--findings", file, stdin=json.dumps(TOOLS))

    assert ["unknown provider" in tool["findings"][0]["note"] for tool in json.loads(file.read_bytes())] == [True, True]


def test_a_report_shows_where_a_change_is_in_the_author_s_document_and_in_the_output(run: Run, tmp_path: Path) -> None:
    pipeline = tmp_path / "moving.yaml"
    text = "[resolve_refs, {rule: drop_keywords, id: no_patterns, with: {keywords: [pattern]}}, drop_definitions]"
    pipeline.write_text(f"provider: moving\nsteps: {text}\n")
    schema = {"properties": {"zip": {"$ref": "#/$defs/Z"}}, "$defs": {"Z": {"items": {"pattern": "^x"}}}}

    report = run("adapt", "--pipeline", pipeline, "--report", stdin=json.dumps(schema)).stderr

    lines = [line.split() for line in report.splitlines()]
    start = lines.index(["/$defs/Z/items", "no_patterns", "widens", "pattern", '"^x"'])
    assert lines[start + 1] == ["->", "/properties/zip/items", "(drop_keywords)"]
