"""`schemaflow decode`, and the codecs' part of `adapt --jsonl`."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click
import pytest
from click.testing import Result

import schemaflow
from schemaflow.cli.lines import adapt_lines, decode_lines
from schemaflow.cli.targets import one_way_of
from schemaflow.codecs import Pairs, marked
from schemaflow.effect import Effect

Run = Callable[..., Result]

TOOL = {
    "name": "weather",
    "inputSchema": {"type": "object", "properties": {"days": {"type": "integer"}}, "required": ["days"]},
}


@pytest.fixture
def tools(tmp_path: Path) -> Path:
    path = tmp_path / "tools.json"
    path.write_text(json.dumps([TOOL, {**TOOL, "name": "other"}]))
    return path


def test_valid_arguments_come_out(run: Run, acme: Path, tools: Path) -> None:
    result = run("decode", "--pipeline", acme, "--tool", "weather", "--compact", tools, "-", stdin='{"days": 3}')

    assert (result.exit_code, result.stdout, result.stderr) == (0, '{"days":3}\n', "")


def test_errors_are_lines_and_the_exit_code_is_1(run: Run, acme: Path, tools: Path) -> None:
    result = run("decode", "--pipeline", acme, "--tool", "weather", "--compact", tools, "-", stdin='{"days": "3"}')

    assert (result.exit_code, result.stdout) == (1, '{"days":"3"}\n')
    assert result.stderr == '/days: expected integer, got string "3"\n'


def test_repairs_are_told(run: Run, acme: Path, tools: Path) -> None:
    options = ("--repair", "--compact", "--pipeline", acme, "--tool", "weather")
    result = run("decode", *options, tools, "-", stdin='{"days": "3"}')

    assert (result.exit_code, result.stdout) == (0, '{"days":3}\n')
    assert result.stderr == "/days: JSON text read as integer\n"


@pytest.mark.parametrize("stdin", [b"", b"{", b"\xff", b"[" * 100_000, b"NaN"])
def test_what_is_no_valid_call_is_no_traceback(run: Run, acme: Path, tools: Path, stdin: bytes) -> None:
    result = run("decode", "--pipeline", acme, "--tool", "weather", tools, "-", stdin=stdin)

    assert (result.exit_code, len(result.stderr.splitlines())) == (1, 1)


@pytest.mark.parametrize("arguments", [[], ["-", "-"], ["--jsonl", "-", "-"]])
def test_wrong_usage_is_told(run: Run, acme: Path, arguments: list[str]) -> None:
    assert run("decode", "--pipeline", acme, *arguments).exit_code == 2


def test_lines_are_answered_and_bad_ones_stop_nothing(run: Run, acme: Path) -> None:
    schema = json.dumps(TOOL["inputSchema"])
    lines = "\n".join(
        [
            f'{{"id": 1, "schema": {schema}, "arguments": {{"days": 1}}}}',
            "nonsense",
            '{"id": 2, "schema": true}',
            f'{{"id": 3, "schema": {schema}, "arguments": {{}}}}',
            f'{{"id": 4, "schema": {schema}, "arguments": {{"days": NaN}}}}',
        ]
    )

    result = run("decode", "--jsonl", "--pipeline", acme, stdin=lines)

    first, bad, without, missing, odd = map(json.loads, result.stdout.splitlines())
    assert result.exit_code == 1
    assert first == {"id": 1, "arguments": {"days": 1}, "errors": []}
    assert (bad.keys(), without.keys()) == ({"id", "error"}, {"id", "error"})
    assert missing == {"id": 3, "arguments": {}, "errors": ['(root): expected the property "days", got nothing']}
    assert odd["errors"] == ["/days: expected a number that JSON has, got NaN or infinity"]


@schemaflow.node_rule(
    on={"additionalProperties"}, writes={"additionalProperties", "type", "items"}, effect=Effect.EXACT, encodes=True
)
def maps_to_pairs(schema: Any) -> Any:
    """Write a map of anything as a list of entries."""
    entry = {"type": "object", "properties": {"key": {"type": "string"}, "value": {}}, "required": ["key", "value"]}
    return marked({"type": "array", "items": entry}, Pairs())


def test_instances_are_answered_as_the_codecs_write_them() -> None:
    written: list[bytes] = []
    line = {"id": 1, "schema": {"type": "object", "additionalProperties": True}, "instances": [{"a": 1}, 5]}

    adapt_lines(schemaflow.compose("own", maps_to_pairs), [json.dumps(line).encode()], written.append)

    answer = json.loads(written[0])
    assert answer["encoded"][0] == {"value": [{"key": "a", "value": 1}]}
    assert answer["encoded"][1].keys() in ({"error"}, {"value"})


def test_lines_are_decoded_through_the_codecs() -> None:
    written: list[bytes] = []
    line = {
        "id": 1,
        "schema": {"type": "object", "additionalProperties": True},
        "arguments": [{"key": "a", "value": 1}],
    }

    decode_lines(schemaflow.compose("own", maps_to_pairs), [json.dumps(line).encode()], written.append)

    assert json.loads(written[0]) == {"id": 1, "arguments": {"a": 1}, "errors": []}


def test_without_codecs_instances_come_back_as_they_are(run: Run, acme: Path) -> None:
    line = '{"id": 1, "schema": {"const": 1}, "instances": [1, 2, null]}'

    assert json.loads(run("adapt", "--jsonl", "--pipeline", acme, stdin=line).stdout)["encoded"] == [
        {"value": 1},
        {"value": 2},
        {"value": None},
    ]


def test_instances_that_are_no_list_are_an_error(run: Run, acme: Path) -> None:
    result = run("adapt", "--jsonl", "--pipeline", acme, stdin='{"id": 1, "schema": true, "instances": 5}')

    assert (result.exit_code, json.loads(result.stdout).keys()) == (1, {"id", "error"})


def test_one_way_is_nothing_where_nothing_encodes(run: Run, acme: Path) -> None:
    line = '{"id": 1, "schema": {"const": 1}}'

    assert run("adapt", "--jsonl", "--one-way", "--pipeline", acme, stdin=line).exit_code == 0


def test_one_way_says_where_a_pipeline_encodes_and_cannot_be_kept_from_it() -> None:
    encoding = schemaflow.compose("own", maps_to_pairs)

    with pytest.raises(click.UsageError, match="no option 'encode'"):
        one_way_of(encoding)
