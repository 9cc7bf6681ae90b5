"""`schemaflow decode`: what a model sent, in the author's shape, and what is wrong with it."""

import sys
from pathlib import Path
from typing import Any

import click

from schemaflow.adapters import Adapter, Result, to_bytes
from schemaflow.cli.choosing import chosen_schema
from schemaflow.cli.lines import decode_lines
from schemaflow.cli.reading import STDIN, label, read_bytes, read_value, stdin
from schemaflow.cli.screen import pretty, printable, warn, write
from schemaflow.cli.targets import choose, pipeline_option, values_option
from schemaflow.reading import first_not_finite

_FILE = click.Path(exists=True, dir_okay=False, allow_dash=True)


@click.command
@click.argument("tools", required=False, type=_FILE)
@click.argument("arguments", required=False, type=_FILE)
@click.option("-p", "--provider", metavar="NAME", help="The provider; see `schemaflow providers`.")
@pipeline_option
@values_option
@click.option("--tool", metavar="NAME", help="Which tool of TOOLS was called.")
@click.option("--repair", is_flag=True, help="Mend usual slips of models where a value is refused (told on stderr).")
@click.option("--compact", is_flag=True, help="Write compact JSON.")
@click.option("--jsonl", is_flag=True, help='Answer lines {"id", "schema", "arguments"} one by one.')
def decode(
    tools: str | None,
    arguments: str | None,
    provider: str | None,
    pipeline: str | None,
    values: dict[str, Any],
    *,
    tool: str | None,
    repair: bool,
    compact: bool,
    jsonl: bool,
) -> int:
    """
    Read the arguments of a call back into the author's shape.

    TOOLS holds the author's schema or tools, as for `adapt`; ARGUMENTS (a file, or - for
    standard input) what the model sent for the adapted tool. The decoded JSON goes to stdout;
    what the author's schema refuses is told on stderr, one line each, and the exit code is 1.

    With --jsonl there is one file (or standard input) of lines {"id": ..., "schema": ...,
    "arguments": ...}; each is answered by {"id": ..., "arguments": ..., "errors": [...]} or
    {"id": ..., "error": "..."}.
    """
    adapter = choose(provider, pipeline, values, fallback=True, how="--provider NAME")
    if jsonl:
        if arguments is not None or tool is not None:
            raise click.UsageError("--jsonl takes one file of lines, and no --tool")
        return 0 if _lines(adapter, tools or STDIN, repair=repair) else 1
    if tools is None or arguments is None:
        raise click.UsageError("name two files: the tools (or a schema), and the arguments (- for standard input)")
    if tools == arguments == STDIN:
        raise click.UsageError("only one of the two can be standard input")
    chosen = chosen_schema(read_value(tools), label(tools), tool)
    with chosen.named():
        result = adapter.adapt(chosen.schema)
    return _answer(result, read_bytes(arguments), repair=repair, compact=compact)


def _lines(adapter: Adapter, file: str, *, repair: bool) -> bool:
    if file == STDIN:
        return decode_lines(adapter, stdin(), write, repair=repair)
    with Path(file).open("rb") as lines:
        return decode_lines(adapter, lines, write, repair=repair)


def _answer(result: Result, text: bytes, *, repair: bool, compact: bool) -> int:
    found = result.decode(text, repair=repair)
    for note in found.notes:
        warn(note)
    for line in (*found.repairs, *found.errors):
        print(printable(str(line)), file=sys.stderr)
    if first_not_finite(found.arguments) is None:
        write((to_bytes if compact else pretty)(found.arguments) + b"\n")
    return 0 if found.ok else 1
