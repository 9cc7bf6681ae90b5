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
    assert answers(result) == [{"id": number, "schema": {"enum": [number]}, "effect": "exact"} for number in range(50)]


def test_answers_are_compact(run: Run, acme: Path) -> None:
    result = run("adapt", "--jsonl", "--pipeline", acme, stdin='{"id": 1, "schema": {"title": "é"}}')

    assert result.stdout == '{"id":1,"schema":{"title":"é"},"effect":"exact"}\n'


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
    assert first == last == {"id": "good", "schema": {"enum": [1]}, "effect": "exact"}
    assert bad.keys() == {"id", "error"}
    assert bad["id"] == identifier
    assert isinstance(bad["error"], str)
    assert "please report" not in bad["error"]
    assert result.exit_code == 1


def test_an_error_names_the_place_in_the_schema(run: Run, acme: Path) -> None:
    result = run("adapt", "--jsonl", "--pipeline", acme, stdin='{"id": 1, "schema": {"a": {"minimum": NaN}}}')

    assert answers(result)[0]["error"].startswith("/a/minimum: ")


def test_a_number_that_nobody_can_read_is_an_error_at_its_place(run: Run, acme: Path) -> None:
    line = f'{{"id": 7, "schema": {{"minimum": {"9" * 5000}}}}}'

    answer = json.loads(run("adapt", "--jsonl", "--pipeline", acme, stdin=line).stdout)

    assert answer == {"id": 7, "error": "/minimum: inf is not a JSON number"}


def test_empty_lines_are_passed_over(run: Run, acme: Path) -> None:
    result = run("adapt", "--jsonl", "--pipeline", acme, stdin=b'\n  \n\r\n{"id": 1, "schema": true}\r\n\n')

    assert (result.exit_code, answers(result)) == (0, [{"id": 1, "schema": True, "effect": "exact"}])


@pytest.mark.parametrize("identifier", ["null", "0", '"a\\ud800"', "123456789012345678901234567890", '{"a":[1.5]}'])
def test_any_id_comes_back_unchanged(run: Run, acme: Path, identifier: str) -> None:
    result = run("adapt", "--jsonl", "--pipeline", acme, stdin=f'{{"schema": true, "id": {identifier}}}')

    assert result.stdout == f'{{"id":{identifier},"schema":true,"effect":"exact"}}\n'


def test_a_line_without_an_id_has_the_id_null(run: Run, acme: Path) -> None:
    assert answers(run("adapt", "--jsonl", "--pipeline", acme, stdin='{"schema": true}')) == [
        {"id": None, "schema": True, "effect": "exact"}
    ]


def test_odd_values_pass_unchanged(run: Run, acme: Path) -> None:
    schema = '{"maximum":123456789012345678901234567890,"default":"\\ud800","title":"a","title":"b"}'

    result = run("adapt", "--jsonl", "--pipeline", acme, stdin=f'{{"id": 1, "schema": {schema}}}')

    assert answers(result) == [{"id": 1, "schema": json.loads(schema), "effect": "exact"}]


def test_lines_may_come_from_a_file(run: Run, acme: Path, tmp_path: Path) -> None:
    file = tmp_path / "schemas.jsonl"
    file.write_text('{"id": 1, "schema": {"const": 1}}\n')

    assert answers(run("adapt", file, "--jsonl", "--pipeline", acme)) == [
        {"id": 1, "schema": {"enum": [1]}, "effect": "exact"}
    ]


# --- effects and findings

DROPS_A_PATTERN = {
    "rule": "drop_keywords",
    "step": "drop_keywords",
    "pointer": "/not",
    "output": "/not",
    "effect": "narrows",
    "annotation": False,
    "lost": {"pattern": "^x"},
    "note": "",
    "refused": False,
    "superseded": False,
}


def test_an_answer_says_what_the_whole_conversion_does(run: Run, acme: Path) -> None:
    lines = b"""
        {"id": "w", "schema": {"pattern": "^x"}}
        {"id": "n", "schema": {"not": {"pattern": "^x"}}}
        {"id": "b", "schema": {"pattern": "^x", "not": {"pattern": "^x"}}}
        {"id": "u", "schema": {"oneOf": [{"pattern": "^x"}, true]}}
        {"id": "e", "schema": {"const": 1}}"""

    result = run("adapt", "--jsonl", "--pipeline", acme, stdin=lines)

    effects = {answer["id"]: answer["effect"] for answer in answers(result)}
    assert effects == {"w": "widens", "n": "narrows", "b": "both", "u": "unknown", "e": "exact"}


def test_with_a_report_an_answer_has_its_findings(run: Run, acme: Path) -> None:
    lines = b'{"id": 1, "schema": {"not": {"pattern": "^x"}}}\n{"id": 2, "schema": true}'

    result = run("adapt", "--jsonl", "--report", "--pipeline", acme, stdin=lines)

    assert (result.exit_code, result.stderr) == (0, "")
    assert answers(result) == [
        {"id": 1, "schema": {"not": {}}, "effect": "narrows", "findings": [DROPS_A_PATTERN]},
        {"id": 2, "schema": True, "effect": "exact", "findings": []},
    ]


def test_the_same_line_has_the_same_answer_to_the_byte(run: Run, acme: Path) -> None:
    line = '{"id": 1, "schema": {"pattern": "a", "anyOf": [{"pattern": "b"}, {"const": 1, "pattern": "c"}]}}\n'

    first, second = run("adapt", "--jsonl", "--report", "--pipeline", acme, stdin=line * 2).stdout.splitlines()

    assert first == second
    assert first.startswith('{"id":1,"schema":{"anyOf":[{},{"enum":[1]}]},"effect":"widens","findings":[{"rule":')


def test_what_holds_for_every_line_is_in_every_answer(run: Run) -> None:
    lines = '{"id": 1, "schema": true}\n{"id": 2, "schema": true}'

    result = run("adapt", "--jsonl", "--report", "--provider", "nobody-knows", stdin=lines)

    notes = [answer["findings"][0]["note"] for answer in answers(result)]
    assert len(notes) == 2
    assert all("unknown provider 'nobody-knows'" in note for note in notes)


@pytest.mark.parametrize(
    "lost",
    [
        r'"\ud800"',
        "1" * 4000,
        "-1e-320",
        '"line\\nend"',
        "[" * 240 + "]" * 240,
        '{"a":' * 240 + "1" + "}" * 240,
    ],
    ids=["a lone surrogate", "a huge integer", "a tiny number", "a line end", "deep lists", "deep objects"],
)
def test_whatever_was_lost_the_answer_is_one_line_of_json(run: Run, acme: Path, lost: str) -> None:
    result = run(
        "adapt", "--jsonl", "--report", "--pipeline", acme, stdin=f'{{"id": 1, "schema": {{"pattern": {lost}}}}}'
    )

    (answer,) = answers(result)
    assert answer["findings"][0]["lost"] == {"pattern": json.loads(lost)}


def test_a_line_that_goes_beyond_what_is_tolerated_is_an_error(run: Run, acme: Path) -> None:
    lines = b'{"id": 1, "schema": {"not": {"pattern": "^x"}}}\n{"id": 2, "schema": {"pattern": "^x"}}'

    result = run("adapt", "--jsonl", "--tolerate", "widens", "--pipeline", acme, stdin=lines)

    error = "acme: 1 finding goes beyond the tolerated 'widens'\n  /not  drop_keywords  narrows  dropped pattern \"^x\""
    assert result.exit_code == 1
    assert answers(result) == [{"id": 1, "error": error}, {"id": 2, "schema": {}, "effect": "widens"}]


def test_findings_in_a_file_do_not_go_with_lines(run: Run, acme: Path, tmp_path: Path) -> None:
    result = run("adapt", "--jsonl", "--findings", tmp_path / "f.json", "--pipeline", acme, stdin="")

    assert (result.exit_code, "--report" in result.stderr) == (2, True)


def test_a_line_is_answered_before_the_next_is_written(acme: Path) -> None:
    start = "from schemaflow.cli import main; main()"
    command = [sys.executable, "-c", start, "adapt", "--jsonl", "--pipeline", str(acme)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        for number in range(3):
            process.stdin.write(b'{"id": %d, "schema": {"const": 1}}\n' % number)
            process.stdin.flush()
            assert process.stdout.readline() == b'{"id":%d,"schema":{"enum":[1]},"effect":"exact"}\n' % number
        process.stdin.close()
        assert process.wait(timeout=60) == 0
