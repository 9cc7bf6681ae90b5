"""Reports for people: findings as tables, and a whole report in two words."""

from collections.abc import Sequence
from typing import Any, Final

from rich import box
from rich.table import Table
from rich.text import Text

from schemaflow.brief import ROOT, cut
from schemaflow.cli.layout import broken
from schemaflow.cli.screen import console, effect_text, printable
from schemaflow.effect import Effect
from schemaflow.report import Finding, Report

LONGEST: Final = 60
"""How much of a lost value is shown."""


def print_reports(reports: Sequence[tuple[str, Report]], *, aside: int) -> None:
    """The reports of several tools to stderr, each under its tool's name, and a last line for all."""
    screen = console(stderr=True)
    changed = [(name, report) for name, report in reports if len(report)]
    for name, report in changed:
        screen.print(Text.assemble((printable(name), "bold"), ": ", summary(report)))
        screen.print(findings_table(report, screen.width))
    screen.print(_closing(len(reports) - len(changed), [report for _, report in changed], aside))


def _closing(unchanged: int, changed: Sequence[Report], aside: int) -> Text:
    effect = Effect.EXACT
    for report in changed:
        effect |= report.effect
    words = [f"{len(changed)} changed", f"{unchanged} unchanged", f"{aside} set aside"]
    text = Text(", ".join(words))
    return text.append("; all in all: ").append(effect_text(effect)) if changed else text


def summary(report: Report) -> Text:
    """`3 changes, widens`."""
    changes = count_changes(report)
    if not changes:
        return Text("unchanged")
    return Text.assemble(f"{changes} change{'s' if changes > 1 else ''}, ", effect_text(report.effect))


def count_changes(report: Report) -> int:
    """How many changes of a report can be seen in the result."""
    return sum(not (finding.refused or finding.superseded) for finding in report)


def findings_table(report: Report, width: int) -> Table:
    """
    The findings, one a row: where, which step, what it does to the accepted values, what is gone and why.

    `width` is the screen's: the table leaves most of it to the last column.
    """
    room = width - len("left as is") - 8
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, padding=(0, 1))
    for heading in ("pointer", "step", "effect"):
        table.add_column(heading, no_wrap=True)
    table.add_column("gone / note", overflow="fold")
    for finding in report:
        table.add_row(_where(finding, room * 2 // 5), _step(finding, room // 3), _effect(finding), _detail(finding))
    return table


def _where(finding: Finding, room: int) -> Text:
    """The place in the author's document, and below it the one in the output where that is another."""
    text = Text(broken(printable(finding.pointer) or ROOT, room))
    if finding.output is None:
        return text if finding.refused else text.append("\n-> nowhere", style="dim")
    if finding.output != finding.pointer:
        text.append("\n" + broken(f"-> {printable(finding.output) or '/'}", room), style="dim")
    return text


def _step(finding: Finding, room: int) -> Text:
    """The step, and below it its rule where that has another name."""
    text = Text(broken(printable(finding.step), room))
    if finding.rule != finding.step:
        text.append("\n" + broken(f"({printable(finding.rule)})", room), style="dim")
    return text


def _effect(finding: Finding) -> Text:
    if finding.refused:
        return Text("left as is")
    text = effect_text(finding.effect)
    if finding.superseded:
        text.stylize("dim strike")
    return text.append("\n+ text", style="dim") if finding.annotation else text


def _detail(finding: Finding) -> Text:
    """The keywords that are gone, each on a line with its value, and what the rule said."""
    lines = [
        Text.assemble((printable(keyword), "bold"), " ", printable(_shown(value)))
        for keyword, value in finding.lost.items()
    ]
    if finding.note:
        lines.append(Text(printable(finding.note)))
    if finding.superseded:
        lines.append(Text("a later step took the whole part away", style="dim"))
    return Text("\n").join(lines)


def _shown(value: Any) -> str:
    return cut(value, LONGEST)
