from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result

Run = Callable[..., Result]


@pytest.mark.parametrize(
    ("value", "told"), [("5", "but a number"), ('"x"', "but a string"), ("null", "but null"), ("hello", "but a string")]
)
def test_what_is_neither_schema_nor_tool_is_told(run: Run, value: str, told: str) -> None:
    result = run("adapt", "--provider", "default", stdin=value)

    assert (result.exit_code, result.stdout) == (2, "")
    assert f"<stdin>: neither a schema nor tools, {told}" in result.stderr


def test_missing_files_and_folders_are_told(run: Run, tmp_path: Path) -> None:
    for path in (tmp_path / "missing.json", tmp_path):
        result = run("adapt", path, "--provider", "default")
        assert result.exit_code == 2
        assert str(path) in result.stderr
