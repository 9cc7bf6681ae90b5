"""An explanation for people: each step's changes as a coloured diff, beside what they do to the accepted values."""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import TYPE_CHECKING, Final, NamedTuple

from attrs import define
from rich.cells import chop_cells
from rich.text import Text

from schemaflow.adapters import Adapter
from schemaflow.brief import ROOT
from schemaflow.cli.choosing import Chosen
from schemaflow.cli.diff import COUNTED, Diff, Hunk, Line, more
from schemaflow.cli.screen import console, effect_text, printable
from schemaflow.effect import Effect
from schemaflow.keywords import pointer
from schemaflow.report import Finding
from schemaflow.stages import Explanation, Stage

if TYPE_CHECKING:
    from rich.console import Console

LONG: Final = 12
"""How many lines of a value that comes or goes whole are shown, unless all are asked for."""

_STYLES: Final = {"+": "green", "-": "red", " ": "dim"}


def tell(explanation: Explanation, adapter: Adapter, chosen: Chosen, lines: int) -> None:
    """The explanation to stdout, with at most so many lines of each step's diff; 0 for all."""
    screen = console()
    title = Text.assemble((printable(chosen.tool or chosen.source), "bold"), f"  for {printable(adapter.name)}")
    screen.print(title)
    told = [stage for stage in explanation.stages if stage.changed or stage.findings]
    for stage in told:
        screen.print()
        _Telling(stage, screen, lines).tell()
    screen.print()
    for line in _closing(explanation, chosen):
        screen.print(line)


def _closing(explanation: Explanation, chosen: Chosen) -> Iterator[Text]:
    idle = [stage.step.id for stage in explanation.stages if not (stage.changed or stage.findings)]
    if idle:
        yield Text(printable(f"Nothing to do: {', '.join(idle)}"), style="dim")
    if chosen.schema is None:
        yield Text("The tool has no schema: it gets the pipeline's empty one.")
    changed = [stage for stage in explanation.stages if stage.changed]
    if not changed:
        yield Text("Nothing changed.")
        return
    count = _count(len(changed), "step")
    verb = "changes" if len(changed) == 1 else "change"
    yield Text.assemble(f"{count} of {len(explanation.stages)} {verb} it; all in all: ", _effect(explanation))


def _effect(explanation: Explanation) -> Text:
    return effect_text(explanation.result.report.effect)


@define(eq=False)
class _Telling:
    """One stage on its way to the screen."""

    stage: Stage
    screen: "Console"
    most: int

    def tell(self) -> None:
        width = max(self.screen.width - 6, 40)
        diff = Diff(self.stage.before, self.stage.after, width, LONG if self.most else 0)
        self._print(self._heading())
        lines = self._lines(diff)
        for line in lines if not self.most else islice(lines, self.most):
            self._print(line)
        left = sum(1 for _ in islice(lines, COUNTED))
        if left:
            self._print(Text(f"    … {more(left)} (--lines 0 shows all)", style="dim"))
        if diff.repeats:
            self._print(Text("    The same change to the same part in other places is not repeated.", style="dim"))

    def _print(self, line: Text) -> None:
        self.screen.print(line, no_wrap=True, overflow="ellipsis", crop=True)

    def _heading(self) -> Text:
        stage = self.stage
        rule = "" if stage.step.id == stage.step.bound.name else f" ({stage.step.bound.name})"
        text = Text.assemble((f"{stage.step.number + 1}  {printable(stage.step.id)}", "bold"), f"{rule}  ")
        if not stage.changed:
            return text.append("left as it is")
        return text.append(effect_text(stage.effect)).append(f", {_count(len(stage.findings), 'finding')}", style="dim")

    def _lines(self, diff: Diff) -> Iterator[Text]:
        """What belongs to each place: first the findings, then the lines that differ."""
        waiting: dict[str, list[Finding]] = {}
        for finding in self.stage.findings:
            waiting.setdefault(finding.pointer, []).append(finding)
        for hunk in diff.hunks():
            own = [one for place in self._authors(hunk) for one in waiting.pop(place, ())]
            yield from self._place(pointer(hunk.path), own)
            yield from self._hunk(hunk)
        for place, findings in waiting.items():
            yield from self._place(place, findings)

    def _authors(self, hunk: Hunk) -> Iterator[str]:
        """The author's pointers of the places that a hunk lies in, of its own, and of the parts that changed whole."""
        author = self.stage.author(hunk.path)
        yield from (pointer(author[:end]) for end in range(len(author) + 1))
        yield from (pointer(self.stage.author((*hunk.path, token))) for token in hunk.changed)

    def _place(self, place: str, findings: Sequence[Finding]) -> Iterator[Text]:
        line = Text.assemble("  ", (_fitting(printable(place) or ROOT, self.screen.width - 24), "cyan"))
        # A shared part has a finding for each of its places, which often say the same.
        counted = Counter(_said(finding, place) for finding in findings)
        if not counted:
            yield line
        for said, count in counted.items():
            yield from _with_finding(line, said, count, self.screen.width)
            line = Text("  ")

    def _hunk(self, hunk: Hunk) -> Iterator[Text]:
        for line in hunk.lines:
            yield from self._line(line)

    def _line(self, line: Line) -> Iterator[Text]:
        indent = "  " * line.depth
        start = f"    {line.sign} {indent}"
        room = max(self.screen.width - len(start), 20)
        if line.sign == " ":
            yield Text(start + line.text, style=_STYLES[" "])
            return
        for index, part in enumerate(Text(line.text).wrap(self.screen, room)):
            yield Text(start + part.plain if not index else f"      {indent}{part.plain}", style=_STYLES[line.sign])


class _Said(NamedTuple):
    """What a line says of a finding."""

    effect: Effect | None
    annotation: bool
    author: str | None
    note: str


def _said(finding: Finding, place: str) -> _Said:
    effect = None if finding.refused else finding.effect
    return _Said(effect, finding.annotation, None if finding.pointer == place else finding.pointer, finding.note)


def _with_finding(line: Text, said: _Said, count: int, width: int) -> Iterator[Text]:
    line.append("  ")
    line.append(Text("left as it is") if said.effect is None else effect_text(said.effect))
    line.append(", text" if said.annotation else "")
    line.append(f" ({count} times)" if count > 1 else "")
    details = [Text(printable(said.note))] if said.note else []
    if said.author is not None:
        details.append(Text(f"author's {_fitting(printable(said.author) or ROOT, width - 16)}", style="dim"))
    for detail in details:
        if line.cell_len + 2 + detail.cell_len > width:
            yield line
            line = Text("  ")
        line.append("  ").append(detail)
    yield from _folded(line, width)


def _folded(line: Text, width: int) -> Iterator[Text]:
    """A line, in several where it is too long."""
    if line.cell_len <= width:
        yield line
        return
    for part in chop_cells(line.plain.lstrip(), max(width - 4, 20)):
        yield Text(f"    {part}", style=line.style)


def _fitting(name: str, width: int) -> str:
    """A pointer in so many columns: of a longer one the two ends."""
    half = max(width - 1, 20) // 2
    return name if len(name) <= 2 * half + 1 else f"{name[:half]}…{name[-half:]}"


def _count(number: int, word: str) -> str:
    return f"{number} {word if number == 1 else word + 's'}"
