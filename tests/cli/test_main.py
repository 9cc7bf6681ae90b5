"""The command as a process: its exit codes, its imports, its ends."""

import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest
from click.testing import Result

from schemaflow.cli.root import COMMANDS, root

Run = Callable[..., Result]

START = "from schemaflow.cli import main; main()"
MANY = json.dumps([{"name": f"tool_{number}", "parameters": {"title": "x" * 1000}} for number in range(1000)])


def start(*arguments: str | Path, code: str = START) -> list[str | Path]:
    return [sys.executable, "-c", code, *arguments]


def finished(*arguments: str | Path, code: str = START, stdin: str = "") -> subprocess.CompletedProcess[str]:
    command = start(*arguments, code=code)
    return subprocess.run(command, input=stdin, capture_output=True, text=True, check=False, timeout=120)


def test_every_command_has_the_short_help_that_the_list_gives() -> None:
    import click

    for name, text in COMMANDS.items():
        command = root.get_command(click.Context(root), name)
        assert command is not None
        assert command.name == name
        assert command.get_short_help_str(limit=200) == text


def test_help_lists_commands_and_exit_codes(run: Run) -> None:
    result = run("--help")

    assert result.exit_code == 0
    for word in (*COMMANDS, "0  fine", "1  some tool was set aside", "2  wrong usage"):
        assert word in result.stdout


def test_version(run: Run) -> None:
    result = run("--version")

    assert result.exit_code == 0
    assert re.fullmatch(r"schemaflow \d+\.\d+\S*\n", result.stdout)


def test_help_imports_neither_the_engine_nor_what_it_stands_on() -> None:
    heavy = "{'rich', 'yaml', 'glom', 'attrs', 'orjson', 'mcp', 'asyncio', 'importlib.metadata', 'schemaflow.adapters'}"
    code = f"import sys, atexit; atexit.register(lambda: print(sorted({heavy} & set(sys.modules)))); {START}"

    result = finished("--help", code=code)

    assert result.returncode == 0
    assert result.stdout.splitlines()[-1] == "[]"


@pytest.mark.parametrize(("blocked", "told"), [("click", "click"), ("rich", "rich")])
def test_a_missing_extra_is_told_in_one_line(blocked: str, told: str) -> None:
    code = f"""
import sys
from importlib.machinery import PathFinder
class Without(PathFinder):
    @classmethod
    def find_spec(cls, name, path=None, target=None):
        return None if name == {blocked!r} else PathFinder.find_spec(name, path, target)
sys.meta_path[sys.meta_path.index(PathFinder)] = Without
{START}"""

    result = finished("--help", code=code)

    assert (result.returncode, result.stdout) == (2, "")
    assert result.stderr == f"the command line needs {told}: pip install 'schemaflow-tools[cli]'\n"


def test_an_unknown_command_is_told(run: Run) -> None:
    result = run("adpt")

    assert result.exit_code == 2
    assert "Did you mean 'adapt'?" in result.stderr


def test_the_process_exits_with_the_codes_that_help_documents(acme: Path) -> None:
    good = finished("adapt", "--pipeline", acme, stdin="{}")
    aside = finished("adapt", "--pipeline", acme, stdin="[5]")
    wrong = finished("adapt", "--pipeline", acme, stdin="5")

    assert [one.returncode for one in (good, aside, wrong)] == [0, 1, 2]


@pytest.mark.parametrize(
    "arguments",
    [("adapt", "--provider", "default"), ("rules",), ("show", "default", "--json"), ("--help",), ("adapt", "--help")],
)
def test_nobody_reading_the_output_is_no_error(arguments: tuple[str, ...]) -> None:
    with subprocess.Popen(
        start(*arguments), stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdout.close()
        with suppress(BrokenPipeError):
            process.stdin.write(MANY.encode())
            process.stdin.close()
        assert process.stderr is not None
        told = process.stderr.read()
        code = process.wait(timeout=120)

    assert (code, told) == (141, b"")


@pytest.mark.skipif(os.name == "nt", reason="signals are POSIX's")
def test_an_interrupt_ends_quietly(acme: Path) -> None:
    with subprocess.Popen(
        start("adapt", "--jsonl", "--pipeline", acme),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(b'{"id": 1, "schema": true}\n')
        process.stdin.flush()
        process.stdout.readline()
        process.send_signal(signal.SIGINT)
        _, told = process.communicate(timeout=60)

    assert process.returncode == 130
    assert b"Traceback" not in told


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_a_full_disk_is_told(acme: Path) -> None:
    with Path("/dev/full").open("w") as full:
        result = subprocess.run(
            start("adapt", "--pipeline", acme), input=b"{}", stdout=full, stderr=subprocess.PIPE, check=False
        )

    assert result.returncode == 2
    assert b"Traceback" not in result.stderr
    assert b"No space left" in result.stderr


def test_an_ascii_terminal_gets_escapes(acme: Path) -> None:
    result = subprocess.run(
        start("show", "--pipeline", acme),
        env={**os.environ, "PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"},
        capture_output=True,
        check=False,
    )

    assert (result.returncode, result.stderr) == (0, b"")
