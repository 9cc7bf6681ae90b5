"""Reports for people: findings as tables, and a whole report in two words."""

from collections.abc import Sequence
from typing import Any, Final

from rich import box
from rich.table import Table
from rich.text import Text

from schemaflow.cli.layout import broken, one_line
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
    The findings, one a row: where, which step, what it does to the accepted values, what is gone.

    `width` is the screen's: the table leaves most of it to the last column.
    """
    room = width - len("left as is") - 8
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, padding=(0, 1))
    for heading in ("pointer", "step", "effect"):
        table.add_column(heading, no_wrap=True)
    table.add_column("gone / note", overflow="fold")
    for finding in report:
        pointer = broken(printable(finding.pointer) or "/", room * 2 // 5)
        step = broken(printable(finding.step), room // 3)
        table.add_row(Text(pointer), Text(step), _effect(finding), _detail(finding))
    return table


def _effect(finding: Finding) -> Text:
    return Text("left as is") if finding.refused else effect_text(finding.effect)


def _detail(finding: Finding) -> Text:
    """The keywords that are gone, with their values, and what the rule said."""
    parts = [", ".join(f"{name} {_shown(value)}" for name, value in finding.lost.items()), finding.note]
    if finding.superseded:
        parts.append("(a later step took the whole part away)")
    return Text(printable("; ".join(filter(None, parts))))


def _shown(value: Any) -> str:
    text = one_line(value)
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 4]} ..."
