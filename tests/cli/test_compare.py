import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result

Run = Callable[..., Result]
OLD: dict[str, Any] = {"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a"]}
NEW = {**OLD, "properties": {**OLD["properties"], "b": {"type": "integer"}}, "required": ["a", "b"]}


@pytest.fixture
def files(tmp_path: Path) -> tuple[Path, Path]:
    paths = tmp_path / "new.json", tmp_path / "old.json"
    for path, schema in zip(paths, (NEW, OLD), strict=True):
        path.write_text(json.dumps([{"name": "buy", "inputSchema": schema}, {"name": "sell", "inputSchema": OLD}]))
    return paths


def test_a_new_version_that_refuses_more_is_told_by_a_value(run: Run, files: tuple[Path, Path]) -> None:
    result = run("compare", *files, "--tool", "buy", "--examples", "100")

    assert result.exit_code == 1
    assert result.stdout.splitlines() == [
        "NEW is narrower than OLD",
        'OLD accepts {"a": ""}, NEW does not: /required refuses (root).',
        "OLD accepts everything that NEW accepts (proved).",
    ]


def test_a_new_version_that_accepts_all_may_stand_in(run: Run, files: tuple[Path, Path]) -> None:
    new, old = files
    result = run("compare", old, new, "--tool", "buy", "--json", "--examples", "100")

    assert result.exit_code == 0
    assert json.loads(result.stdout) == {
        "word": "wider",
        "backward": {"holds": True, "proved": True, "tries": 0},
        "forward": {
            "holds": False, "proved": False, "tries": 0, "value": {"a": ""}, "refused": "", "by": "/required",
        },
        "notes": [],
    }  # fmt: skip


def test_what_the_answer_does_not_speak_of_is_said(run: Run, tmp_path: Path) -> None:
    old = tmp_path / "old.json"
    old.write_text('{"type": "string", "format": "uri"}')

    told = run("compare", old, old, "--examples", "50").stdout

    assert told.endswith("Note: formats are left aside.\n")


@pytest.mark.parametrize("name", ["sel", None])
def test_the_tool_must_be_named(run: Run, files: tuple[Path, Path], name: str | None) -> None:
    result = run("compare", *files, *(["--tool", name] if name else []))

    assert result.exit_code == 2
    assert "sell" in result.stderr


def test_what_is_no_schema_is_told(run: Run, tmp_path: Path) -> None:
    bad = tmp_path / "bad.json"
    bad.write_text('{"type": 5}')
    result = run("compare", bad, bad)

    assert result.exit_code == 2
    assert "Traceback" not in result.stderr


def test_standard_input_is_one_of_them_only(run: Run, files: tuple[Path, Path]) -> None:
    piped = run("compare", "-", files[1], "--tool", "buy", "--examples", "50", stdin=files[1].read_text())

    assert (piped.exit_code, piped.stdout.splitlines()[0]) == (0, "NEW is equal to OLD")
    assert run("compare", "-", "-", stdin="{}").exit_code == 2
