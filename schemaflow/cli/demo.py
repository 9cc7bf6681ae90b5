"""`schemaflow demo`: the tools of real MCP servers, adapted for every provider. No key, no network."""

import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path

import click

SERVERS = {"mcp-server-time": "mcp_server_time", "mcp-server-git": "mcp_server_git"}
"""The servers, by distribution and module."""


@click.command
@click.option("--provider", metavar="NAME", help="Show the steps of this provider, not of the busiest one.")
def demo(provider: str | None) -> int:
    """
    Adapt the tools of real MCP servers for every provider.

    Starts mcp-server-time and mcp-server-git, lists their tools through the official MCP
    client, shows what every provider's pipeline changes in them and what that costs, and
    follows one tool through one pipeline, step by step. Then it shows a descriptor of Koog's
    for both of Koog's own generators, and lists the servers' tools as openJiuwen's abilities.
    """
    missing = [name for name, module in {"mcp": "mcp", **SERVERS}.items() if find_spec(module) is None]
    if missing:
        names = " and ".join(missing)
        raise click.ClickException(f"the demo needs {names}: pip install 'schemaflow-tools[demo]'")
    from schemaflow.cli.abilities import show_abilities
    from schemaflow.cli.koog_demo import show_koog
    from schemaflow.cli.listing import list_tools
    from schemaflow.cli.tour import give_tour

    click.echo(f"Starting {' and '.join(SERVERS)} ...")
    with tempfile.TemporaryDirectory() as folder:
        _make_repository(Path(folder))
        tools = {name: list_tools(command) for name, command in _commands(folder).items()}
    give_tour(tools, provider)
    show_koog()
    show_abilities(tools)
    return 0


def _commands(repository: str) -> Mapping[str, Sequence[str]]:
    """How each server is started."""
    start = {name: [sys.executable, "-m", module] for name, module in SERVERS.items()}
    start["mcp-server-git"] += ["--repository", repository]
    return start


def _make_repository(folder: Path) -> None:
    try:
        subprocess.run(["git", "init", "--quiet", str(folder)], check=True, capture_output=True, text=True)
    except FileNotFoundError:
        raise click.ClickException("the demo needs git, for mcp-server-git: install it") from None
    except subprocess.CalledProcessError as error:
        raise click.ClickException(f"git init failed: {error.stderr.strip()}") from None
