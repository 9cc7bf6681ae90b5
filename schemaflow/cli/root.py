"""The root command: which commands there are, and which mistake gives which exit code."""

import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from importlib import import_module
from typing import Any, Final, Never

import click

COMMANDS: Final = {
    "adapt": "Adapt schemas and tools to what a provider accepts.",
    "compare": "Compare what two schemas accept.",
    "decode": "Read the arguments of a call back into the author's shape.",
    "demo": "Adapt the tools of real MCP servers for every provider.",
    "explain": "Show what each step of a pipeline does to a schema.",
    "fuzz": "Look for schemas that a pipeline treats wrongly.",
    "providers": "List the providers.",
    "rules": "List the rules, or describe one.",
    "show": "Show the plan of a provider's pipeline.",
}
"""The commands with their short help; each is `schemaflow.cli.NAME.NAME`, imported when it is called."""

EXIT_CODES: Final = """\b
Exit codes:
  0  fine
  1  some tool was set aside, some line was in error, arguments are not valid, or a law is broken
  2  wrong usage, an unreadable file, a broken pipeline or plug-in"""

INTERRUPTED: Final = 128 + 2  # as shells report SIGINT
UNREAD: Final = 128 + 13  # as shells report SIGPIPE


class Root(click.Group):
    """A group whose commands are imported when called, and whose failures are lines, not tracebacks."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        command: click.Command = getattr(import_module(f"schemaflow.cli.{cmd_name}"), cmd_name)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        try:
            return super().resolve_command(ctx, args)
        except click.NoSuchCommand as error:
            raise click.NoSuchCommand(error.command_name, possibilities=COMMANDS, ctx=ctx) from None

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))

    def main(
        self,
        args: Sequence[str] | None = None,
        prog_name: str | None = None,
        complete_var: str | None = None,
        standalone_mode: bool = True,
        **extra: Any,
    ) -> Never:
        """Run a command, and exit as the package's docstring says."""
        sys.exit(self._exit_code(args, prog_name, complete_var, extra))

    def _exit_code(self, args: Any, prog_name: str | None, complete_var: str | None, extra: dict[str, Any]) -> int:
        _tolerate_odd_characters()
        try:
            code = super().main(args, prog_name, complete_var, standalone_mode=False, **extra)
            if sys.stdout is not None:
                sys.stdout.flush()
        except click.ClickException as error:
            error.show()
            return 2
        except click.Abort:
            return INTERRUPTED
        except BrokenPipeError:
            return _unread()
        except Exception as error:
            problem = _users_mistake(error)
            if problem is None:
                raise
            _say(problem)
            return 2
        return code if isinstance(code, int) else 0

    def make_context(
        self, info_name: str | None, args: list[str], parent: click.Context | None = None, **extra: Any
    ) -> click.Context:
        try:
            return super().make_context(info_name, args, parent, **extra)
        except BrokenPipeError:
            # As below, while --help is written.
            raise click.exceptions.Exit(_unread()) from None

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except BrokenPipeError:
            # click would make this the exit code 1, which has another meaning here.
            return _unread()


def _users_mistake(error: Exception) -> str | None:
    """What a user can do something about, in words; None for anything else, which is a bug."""
    from schemaflow.errors import SchemaflowError  # not needed by a run that goes well

    if isinstance(error, SchemaflowError):
        return str(error)
    if isinstance(error, OSError):
        return f"{error.filename}: {error.strerror}" if error.filename else str(error)
    return None


def _say(text: str) -> None:
    from schemaflow.cli.screen import fail

    fail(text)


def _unread() -> int:
    """Nobody reads the output any more: what is still buffered must not fail when Python ends."""
    with suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return UNREAD


def _tolerate_odd_characters() -> None:
    """Let lone surrogates, and what the terminal's encoding lacks, be printed escaped."""
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="backslashreplace")


def _version(ctx: click.Context, param: click.Parameter, wanted: bool) -> None:
    if not wanted or ctx.resilient_parsing:
        return
    from importlib.metadata import PackageNotFoundError, version

    try:
        number = version("schemaflow-tools")
    except PackageNotFoundError:
        number = "(not installed)"
    click.echo(f"schemaflow {number}")
    ctx.exit()


@click.group(cls=Root, epilog=EXIT_CODES, context_settings={"help_option_names": ["-h", "--help"]})
@click.option(
    "--version", is_flag=True, is_eager=True, expose_value=False, callback=_version, help="Show the version and exit."
)
def root() -> None:
    """
    Adapt LLM tool schemas to what each provider accepts, and say what that cost.
    """
