import io
import shutil
import sys
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result

from schemaflow import SchemaflowError, adapter, providers, read_tools
from schemaflow.cli.abilities import show_abilities
from schemaflow.cli.listing import list_tools
from schemaflow.cli.tour import Adapted, give_tour, steps_of

Run = Callable[..., Result]

TINY = [sys.executable, str(Path(__file__).with_name("tiny_server.py"))]

NO_SERVERS = find_spec("mcp_server_git") is None or find_spec("mcp_server_time") is None


@pytest.fixture(scope="module")
def listed() -> list[Any]:
    return list_tools(TINY)


@pytest.fixture
def tour(monkeypatch: pytest.MonkeyPatch, listed: list[Any]) -> Callable[..., str]:
    """What the tour of the tiny server's tools prints on a screen of that width."""

    def given(width: int, provider: str | None = None) -> str:
        stream = io.StringIO()
        monkeypatch.setattr(sys, "stdout", stream)
        monkeypatch.setenv("COLUMNS", str(width))
        give_tour({"tiny": listed}, provider)
        return stream.getvalue()

    return given


def test_every_page_of_a_servers_tools_is_listed_as_the_server_sent_it(capfd: pytest.CaptureFixture[str]) -> None:
    listed = list_tools(TINY)

    assert [tool["name"] for tool in listed] == ["forecast", "ping"]
    assert listed[0]["inputSchema"]["properties"]["unit"] == {"const": "celsius"}
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize(
    ("command", "told"),
    [
        ([*TINY, "--fail"], "the database is locked"),
        ([sys.executable, "-c", "pass"], "did not list its tools"),
        (["/nowhere/server"], "/nowhere/server"),
    ],
)
def test_a_server_that_fails_is_told(command: list[str], told: str, capfd: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SchemaflowError, match=told):
        list_tools(command)

    assert capfd.readouterr() == ("", "")


def test_a_server_that_says_nothing_is_given_up() -> None:
    with pytest.raises(SchemaflowError, match="did not list its tools"):
        list_tools([sys.executable, "-c", "import sys; sys.stdin.read()"], patience=0.5)


@pytest.mark.parametrize("width", [80, 120])
def test_the_tour_fits_the_screen(tour: Callable[..., str], width: int) -> None:
    shown = tour(width)

    assert max(map(len, shown.splitlines())) <= width
    assert "\x1b" not in shown


def test_the_tour_shows_every_provider_and_follows_one_tool(tour: Callable[..., str]) -> None:
    shown = tour(120)

    overview = shown.partition("step by step")[0].replace("\n", "")
    assert all(name.split("/")[0] in overview for name in providers())
    assert "tiny: 2 tools" in shown
    assert "forecast for " in shown


def test_the_tour_shows_each_step_that_changed_something_as_a_difference(tour: Callable[..., str]) -> None:
    shown = tour(120, "adk/generic")

    step = shown.partition("Step const_to_enum\n")[2].partition("\n\n")[0]
    assert '  -    "unit": {"const": "celsius"}' in step.splitlines()
    assert '  +    "unit": {"enum": ["celsius"]}' in step.splitlines()
    assert "The report: 2 changes, exact" in shown


def test_the_last_step_gives_what_the_adapter_gives(listed: list[Any]) -> None:
    tools = [tool for _, tool in read_tools(listed)]

    for one in map(adapter, providers()):
        for tool in tools:
            result = one.adapt_tool(tool)
            *_, last = [tool.schema, *(after for _, _, after in steps_of(Adapted(one, result)))]
            assert last == result.schema


@pytest.mark.parametrize("width", [80, 120])
def test_the_servers_tools_are_shown_as_abilities(
    monkeypatch: pytest.MonkeyPatch, listed: list[Any], width: int
) -> None:
    stream = io.StringIO()
    monkeypatch.setattr(sys, "stdout", stream)
    monkeypatch.setenv("COLUMNS", str(width))

    show_abilities({"tiny": listed})

    shown = stream.getvalue()
    rows = [line.split() for line in shown.splitlines()]
    assert ["remember", "-", "remember"] in rows
    assert ["mcp_tiny_forecast", "tiny", "forecast"] in rows
    assert ["mcp_tiny_ping", "tiny", "ping"] in rows
    assert "Not listed: server-that-is-down (it does not answer)" in shown
    assert '"colour": {"enum": ["yellow"]}' in shown
    assert max(map(len, shown.splitlines())) <= width


def test_missing_packages_are_told_in_one_line(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("schemaflow.cli.demo.find_spec", lambda name: None)

    result = run("demo")

    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr == (
        "Error: the demo needs mcp and mcp-server-time and mcp-server-git: pip install 'schemaflow-tools[demo]'\n"
    )


@pytest.mark.skipif(NO_SERVERS, reason="the servers come with the extra `demo`, which `make demo` installs")
@pytest.mark.skipif(shutil.which("git") is None, reason="mcp-server-git needs git")
def test_the_demo_runs(run: Run) -> None:
    result = run("demo")

    assert (result.exit_code, result.stderr) == (0, "")
    assert "mcp-server-git: " in result.stdout
    assert "The report: " in result.stdout
    assert "mcp_mcp-server-git_git_status" in result.stdout
