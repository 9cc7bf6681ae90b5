"""`schemaflow adapt`: schemas and tools in, what a provider accepts out."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final, TypeAlias

import click
from attrs import frozen

from schemaflow.adapters import Adapter, Result, to_bytes
from schemaflow.cli.faults import explain
from schemaflow.cli.lines import adapt_lines
from schemaflow.cli.reading import STDIN, label, read_value, stdin
from schemaflow.cli.screen import is_terminal_input, pretty, set_aside, warn, write
from schemaflow.cli.targets import choose, one_way_of, pipeline_option, values_option
from schemaflow.effect import WORDS
from schemaflow.errors import NotASchemaError
from schemaflow.keywords import JsonValue, Schema, json_type
from schemaflow.report import Report
from schemaflow.tool import find_tools, holds_tools, is_meant_as_tools, is_tool, read_tool

Encode: TypeAlias = Callable[[JsonValue], bytes]

_FILE = click.Path(exists=True, dir_okay=False, allow_dash=True)


@click.command
@click.argument("file", default=STDIN, type=_FILE)
@click.option("-p", "--provider", metavar="NAME", help="The provider; see `schemaflow providers`.")
@pipeline_option
@values_option
@click.option("--report", is_flag=True, help="Say what changed, and what that costs (on stderr).")
@click.option("--findings", metavar="FILE", type=click.Path(dir_okay=False), help="Write that to a file, as JSON.")
@click.option("--tolerate", type=click.Choice(WORDS), help="The most that a conversion may do to the accepted values.")
@click.option("--compact", is_flag=True, help="Write compact JSON.")
@click.option(
    "--one-way", is_flag=True, help="Only what needs no decoding of arguments (encode=false, where it encodes)."
)
@click.option("--jsonl", is_flag=True, help='Answer lines {"id", "schema"} one by one.')
def adapt(
    file: str,
    provider: str | None,
    pipeline: str | None,
    values: dict[str, Any],
    *,
    report: bool,
    findings: str | None,
    tolerate: str | None,
    compact: bool,
    one_way: bool,
    jsonl: bool,
) -> int:
    """
    Adapt schemas and tools to what a provider accepts.

    FILE (or standard input) is JSON or YAML: a bare schema, a tool in the shape of MCP,
    OpenAI, Anthropic, Gemini, Bedrock or Koog, a list of tools, or an MCP tools/list result.
    A schema comes out as a schema, a tool in the provider's envelope, a list as a list.

    A tool that cannot be adapted is set aside and named on stderr; the others still go
    out, and the exit code is 1. The same goes for a tool whose conversion does more to the
    accepted values than --tolerate says (unknown tolerates everything).

    With --jsonl every line {"id": ..., "schema": ...} is answered at once, in order, by a
    line {"id": ..., "schema": ..., "effect": "..."} (with --report it has "findings", too)
    or {"id": ..., "error": "..."}; the exit code is 1 if any line had an error. For a line
    with "instances": [...] the answer has "encoded": [{"value": ...} or {"error": "..."}, ...].
    """
    if jsonl and findings is not None:
        raise click.UsageError("--findings goes with files; with --jsonl, --report puts them into the answers")
    adapter = choose(provider, pipeline, values, fallback=True, how="--provider NAME")
    if one_way:
        adapter = one_way_of(adapter)
    if tolerate is not None:
        adapter = adapter.tolerating(tolerate)
    if file == STDIN and is_terminal_input():
        warn("reading from the terminal; end with Ctrl-D")
    if jsonl:
        return 0 if _adapt_lines(adapter, file, report=report) else 1
    outcomes = _adapt_value(adapter, read_value(file), label(file), compact=compact)
    adapted = [one for one in outcomes if isinstance(one, Adapted)]
    if report:
        from schemaflow.cli.findings import print_reports

        reports = [(one.name, _own_report(adapter, one.result)) for one in adapted]
        print_reports(reports, aside=len(outcomes) - len(adapted))
    if findings is not None:
        Path(findings).write_bytes(pretty([_findings(one) for one in adapted]) + b"\n")
    return 0 if len(adapted) == len(outcomes) else 1


def _adapt_lines(adapter: Adapter, file: str, *, report: bool) -> bool:
    if file == STDIN:
        return adapt_lines(adapter, stdin(), write, findings=report)
    with Path(file).open("rb") as lines:
        return adapt_lines(adapter, lines, write, findings=report)


@frozen
class Adapted:
    """One tool (or a bare schema) that went out: what messages call it, its JSON, its result."""

    name: str
    encoded: bytes
    result: Result


def _findings(adapted: Adapted) -> dict[str, JsonValue]:
    report = adapted.result.report
    return {"name": adapted.name, "effect": report.effect.word, "findings": report.to_json()}


def _adapt_value(adapter: Adapter, value: JsonValue, source: str, *, compact: bool) -> "list[Adapted | str]":
    """What came of every tool; what went out is written, what was set aside is told."""
    outcomes = list(_outcomes(adapter, value, source, to_bytes if compact else pretty))
    written = [one.encoded for one in outcomes if isinstance(one, Adapted)]
    if holds_tools(value) and not is_tool(value):
        write(_listed(written, compact=compact))
    elif written:
        write(written[0] + b"\n")
    for reason in outcomes:
        if isinstance(reason, str):
            set_aside(reason)
    return outcomes


def _own_report(adapter: Adapter, result: Result) -> Report:
    """The report without what holds for every tool, which was said already."""
    return Report(result.run, tuple(finding for finding in result.extra if finding not in adapter.findings))


_KINDS: Final = {"null": "null", "string": "a string", "integer": "a number", "number": "a number"}


def _outcomes(adapter: Adapter, value: JsonValue, source: str, encode: Encode) -> Iterator[Adapted | str]:
    """What came of every tool, or of the bare schema: the result, or why there is none."""
    if holds_tools(value):
        for place, raw in find_tools(value):
            yield _tool(adapter, raw, f"{source}#{place}" if place else source, encode)
    elif is_meant_as_tools(value):
        # It is none: what is said of it is why.
        yield _tool(adapter, value, source, encode)
    elif isinstance(value, (dict, bool)):
        yield _schema(adapter, value, source, encode)
    else:
        raise NotASchemaError(f"neither a schema nor tools, but {_KINDS[json_type(value)]}", source=source)


def _schema(adapter: Adapter, schema: Schema | bool, source: str, encode: Encode) -> Adapted | str:
    try:
        result = adapter.adapt(schema)
        return Adapted(Path(source).name, encode(result.schema), result)
    except Exception as error:
        return explain(error, source=source)


def _tool(adapter: Adapter, raw: JsonValue, source: str, encode: Encode) -> Adapted | str:
    name = None
    try:
        tool = read_tool(raw)
        name = tool.name
        result = adapter.adapt_tool(tool)
        return Adapted(name, encode(result.tool), result)
    except Exception as error:
        return explain(error, source=source, tool=name)


def _listed(items: list[bytes], *, compact: bool) -> bytes:
    """A JSON list of what is JSON already; a line end inside a string is always escaped."""
    if compact or not items:
        return b"[" + b",".join(items) + b"]\n"
    indented = (b"  " + item.replace(b"\n", b"\n  ") for item in items)
    return b"[\n" + b",\n".join(indented) + b"\n]\n"
