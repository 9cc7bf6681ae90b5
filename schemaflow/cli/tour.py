"""What the demo shows: tools by providers at a glance, then one tool through one pipeline, step by step."""

from collections.abc import Iterator, Mapping, Sequence
from difflib import unified_diff
from typing import Final

from attrs import frozen
from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from schemaflow.adapters import Adapter, ToolResult, adapter, providers
from schemaflow.cli.faults import explain
from schemaflow.cli.findings import count_changes, findings_table, summary
from schemaflow.cli.layout import broken, laid_out
from schemaflow.cli.screen import console, effect_text, printable
from schemaflow.fusion import PlannedPass
from schemaflow.intake import admit
from schemaflow.keywords import JsonValue
from schemaflow.tool import Tool, read_tools

SAME: Final = "-"
LEGEND: Final = (
    "Each entry: how many changes, and what they do to the arguments that are accepted "
    f"(exact: nothing, widens: more are, narrows: fewer are, both); {SAME} is unchanged. "
    "Providers with the same entries share a column."
)
WIDEST: Final = 13
"""How wide a provider's column may be."""


def give_tour(servers: Mapping[str, Sequence[JsonValue]], provider: str | None = None) -> None:
    """Show what every provider's pipeline does to the tools of these servers."""
    screen = console()
    adapters = [adapter(name, fallback=False) for name in providers()]
    followed = adapters if provider is None else [adapter(provider, fallback=False)]
    tools = [tool for listed in servers.values() for _, tool in read_tools(list(listed))]
    for server, listed in servers.items():
        screen.print(f"{server}: {len(listed)} tool{'' if len(listed) == 1 else 's'}")
    _print_overview(screen, tools, adapters)
    busiest = max((_adapted(tool, one) for one in followed for tool in tools), key=_interest, default=None)
    if isinstance(busiest, Adapted):
        _print_steps(screen, busiest)


@frozen
class Adapted:
    """A tool that an adapter took."""

    adapter: Adapter
    result: ToolResult


def _adapted(tool: Tool, one: Adapter) -> Adapted | str:
    try:
        return Adapted(one, one.adapt_tool(tool))
    except Exception as error:
        return explain(error, tool=tool.name)


def _interest(outcome: Adapted | str) -> tuple[int, int]:
    """How much there is to see: steps that did something, then changes."""
    if isinstance(outcome, str):
        return (-1, -1)
    report = outcome.result.report
    return (len({finding.step for finding in report}), count_changes(report))


def _print_overview(screen: Console, tools: Sequence[Tool], adapters: Sequence[Adapter]) -> None:
    columns = _alike({one.name: [_cell(_adapted(tool, one)) for tool in tools] for one in adapters})
    names = max((len(tool.name) for tool in tools), default=0)
    room = max(1, (screen.width - names - 2) // (WIDEST + 2))
    screen.print()
    screen.print(Text("What each provider's pipeline changes", style="bold"))
    screen.print(LEGEND)
    for start in range(0, len(columns), room):
        screen.print(_overview([printable(tool.name) for tool in tools], columns[start : start + room]))


def _cell(outcome: Adapted | str) -> Text:
    if isinstance(outcome, str):
        return Text("set aside", style="red")
    report = outcome.result.report
    changes = count_changes(report)
    return Text.assemble(f"{changes} ", effect_text(report.effect)) if changes else Text(SAME, style="dim")


Column = tuple[list[str], list[Text]]


def _alike(cells: Mapping[str, list[Text]]) -> list[Column]:
    """Columns with the same entries as one, under all their names."""
    merged: dict[tuple[str, ...], Column] = {}
    for name, column in cells.items():
        merged.setdefault(tuple(cell.plain for cell in column), ([], column))[0].append(name)
    return list(merged.values())


def _overview(tools: Sequence[str], columns: Sequence[Column]) -> Table:
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, padding=(0, 1))
    table.add_column("tool", no_wrap=True, vertical="bottom")
    for names, _ in columns:
        table.add_column(Text("\n".join(broken(name, WIDEST) for name in names)), no_wrap=True)
    for index, tool in enumerate(tools):
        table.add_row(tool, *(column[index] for _, column in columns))
    return table


def _print_steps(screen: Console, adapted: Adapted) -> None:
    tool = adapted.result.author
    title = f"{printable(tool.name)} for {adapted.adapter.name}, step by step"
    screen.print(Text(title, style="bold"))
    screen.print()
    _print_json(screen, "The schema as its author wrote it", tool.schema)
    for step, before, after in steps_of(adapted):
        screen.print()
        screen.print(Text.assemble("Step ", (step, "bold")))
        for line in _difference(before, after, _room(screen)):
            _print_line(screen, f"  {line}", _STYLES.get(line[:1], "dim"))
    screen.print()
    _print_json(screen, "The tool as the provider gets it", adapted.result.tool)
    screen.print()
    screen.print(Text.assemble(("The report: ", "bold"), summary(adapted.result.report)))
    screen.print(findings_table(adapted.result.report, screen.width))
    screen.print(f"Try it: schemaflow adapt TOOLS.json --provider {adapted.adapter.name} --report", style="dim")


def steps_of(adapted: Adapted) -> Iterator[tuple[str, JsonValue, JsonValue]]:
    """The steps that changed something, each with the document before and after: one pass for each step."""
    schema = adapted.result.author.schema
    if schema is None:
        return
    document, _ = admit(schema)
    shared = False
    for step in adapted.adapter.plan.steps:
        traced = PlannedPass((step,), "shown alone").run(document, shared=shared)
        if traced.schema is not document:
            yield step.id, document, traced.schema
        document, shared = traced.schema, shared or traced.shared


def _print_json(screen: Console, title: str, value: JsonValue) -> None:
    screen.print(Text(title, style="bold"))
    for line in laid_out(value, _room(screen)):
        _print_line(screen, f"  {line}")


def _room(screen: Console) -> int:
    return min(screen.width, 100) - 4


def _difference(before: JsonValue, after: JsonValue, width: int) -> Iterator[str]:
    """What differs, without the commas, which would differ wherever a member comes or goes."""
    old, new = ([line.removesuffix(",") for line in laid_out(value, width)] for value in (before, after))
    for line in unified_diff(old, new, lineterm="", n=1):
        if line.startswith("@@"):
            yield "  ..."
        elif not line.startswith(("---", "+++")):
            yield line


_STYLES: Final = {"+": "green", "-": "red"}


def _print_line(screen: Console, line: str, style: str = "") -> None:
    """One line as one line, cut where the screen ends."""
    screen.print(Text(line, style=style), no_wrap=True, overflow="ellipsis")
