import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result

Run = Callable[..., Result]


def answers(result: Result) -> list[Any]:
    return [json.loads(line) for line in result.stdout.splitlines()]


def test_every_line_is_answered_in_order(run: Run, acme: Path) -> None:
    lines = "".join(json.dumps({"id": number, "schema": {"const": number}}) + "\n" for number in range(50))

    result = run("adapt", "--jsonl", "--pipeline", acme, stdin=lines)

    assert (result.exit_code, result.stderr) == (0, "")
    assert answers(result) == [{"id": number, "schema": {"enum": [number]}} for number in range(50)]


def test_answers_are_compact(run: Run, acme: Path) -> None:
    result = run("adapt", "--jsonl", "--pipeline", acme, stdin='{"id": 1, "schema": {"title": "é"}}')

    assert result.stdout == '{"id":1,"schema":{"title":"é"}}\n'


DEEP = b'{"id": 1, "schema": ' + b'{"not":' * 100_000 + b"true" + b"}" * 100_000 + b"}"


@pytest.mark.parametrize(
    ("line", "identifier"),
    [
        (b"nonsense", None),
        (b'{"id": 1, "schema": {}', None),
        (b"[1]", None),
        (b'"x"', None),
        (b"1", None),
        (b"\xff\xfe", None),
        (b'{"id": 1, "schema": {"title": "\xff"}}', None),
        (DEEP, None),
        (b"1" * 5000, None),
        (b'{"id": 1}', 1),
        (b'{"id": 1, "schema": null}', 1),
        (b'{"id": 1, "schema": []}', 1),
        (b'{"id": 1, "schema": "x"}', 1),
        (b'{"id": 1, "schema": {"minimum": NaN}}', 1),
        (b'{"id": 1, "schema": {"minimum": 1e999}}', 1),
        (b'{"id": 1, "schema": ' + b'{"not":' * 120 + b"{}" + b"}" * 121, 1),
        (b'{"schema": 5}', None),
        (b'{"id": NaN, "schema": true}', None),
        (b'{"id": ["\\ud800", 1e999], "schema": true}', None),
    ],
)
def test_a_bad_line_is_an_error_and_stops_nothing(run: Run, acme: Path, line: bytes, identifier: Any) -> None:
    good = b'{"id": "good", "schema": {"const": 1}}'

    result = run("adapt", "--jsonl", "--pipeline", acme, stdin=b"\n".join([good, line, good]))

    first, bad, last = answers(result)
    assert first == last == {"id": "good", "schema": {"enum": [1]}}
    assert bad.keys() == {"id", "error"}
    assert bad["id"] == identifier
    assert isinstance(bad["error"], str)
    assert "please report" not in bad["error"]
    assert result.exit_code == 1


def test_an_error_names_the_place_in_the_schema(run: Run, acme: Path) -> None:
    result = run("adapt", "--jsonl", "--pipeline", acme, stdin='{"id": 1, "schema": {"a": {"minimum": NaN}}}')

    assert answers(result)[0]["error"].startswith("/a/minimum: ")


def test_empty_lines_are_passed_over(run: Run, acme: Path) -> None:
    result = run("adapt", "--jsonl", "--pipeline", acme, stdin=b'\n  \n\r\n{"id": 1, "schema": true}\r\n\n')

    assert (result.exit_code, answers(result)) == (0, [{"id": 1, "schema": True}])


@pytest.mark.parametrize("identifier", ["null", "0", '"a\\ud800"', "123456789012345678901234567890", '{"a":[1.5]}'])
def test_any_id_comes_back_unchanged(run: Run, acme: Path, identifier: str) -> None:
    result = run("adapt", "--jsonl", "--pipeline", acme, stdin=f'{{"schema": true, "id": {identifier}}}')

    assert result.stdout == f'{{"id":{identifier},"schema":true}}\n'


def test_a_line_without_an_id_has_the_id_null(run: Run, acme: Path) -> None:
    assert answers(run("adapt", "--jsonl", "--pipeline", acme, stdin='{"schema": true}')) == [
        {"id": None, "schema": True}
    ]


def test_odd_values_pass_unchanged(run: Run, acme: Path) -> None:
    schema = '{"maximum":123456789012345678901234567890,"default":"\\ud800","title":"a","title":"b"}'

    result = run("adapt", "--jsonl", "--pipeline", acme, stdin=f'{{"id": 1, "schema": {schema}}}')

    assert answers(result) == [{"id": 1, "schema": json.loads(schema)}]


def test_lines_may_come_from_a_file(run: Run, acme: Path, tmp_path: Path) -> None:
    file = tmp_path / "schemas.jsonl"
    file.write_text('{"id": 1, "schema": {"const": 1}}\n')

    assert answers(run("adapt", file, "--jsonl", "--pipeline", acme)) == [{"id": 1, "schema": {"enum": [1]}}]


def test_a_report_does_not_go_with_lines(run: Run, acme: Path) -> None:
    assert run("adapt", "--jsonl", "--report", "--pipeline", acme, stdin="").exit_code == 2


def test_a_line_is_answered_before_the_next_is_written(acme: Path) -> None:
    start = "from schemaflow.cli import main; main()"
    command = [sys.executable, "-c", start, "adapt", "--jsonl", "--pipeline", str(acme)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        for number in range(3):
            process.stdin.write(b'{"id": %d, "schema": {"const": 1}}\n' % number)
            process.stdin.flush()
            assert process.stdout.readline() == b'{"id":%d,"schema":{"enum":[1]}}\n' % number
        process.stdin.close()
        assert process.wait(timeout=60) == 0
