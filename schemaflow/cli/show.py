"""`schemaflow show`: a pipeline's plan, step by step, and why it is cut into passes as it is."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from schemaflow.adapters import Adapter
from schemaflow.cli.screen import console, printable, write_json
from schemaflow.cli.targets import choose, pipeline_option, values_option
from schemaflow.cli.words import condition_words, order_words, plain, spelt, trigger_words
from schemaflow.effect import Effect
from schemaflow.fusion import PlannedPass, PlannedStep
from schemaflow.pipeline import OptionRef, Pipeline, Place, Step


@click.command
@click.argument("provider", required=False)
@pipeline_option
@values_option
@click.option("--json", "as_json", is_flag=True, help="Write JSON.")
def show(provider: str | None, pipeline: str | None, values: dict[str, Any], *, as_json: bool) -> None:
    """
    Show the plan of a provider's pipeline.

    Every step in order, with its options, its conditions and the line that it comes from;
    the passes that the steps are fused into, and why each pass starts; what most documents
    take; and the steps that an option switches off.
    """
    chosen = choose(provider, pipeline, values, fallback=False, how="a PROVIDER")
    shown = _Shown(chosen, is_registered=pipeline is None)
    write_json(shown.to_json()) if as_json else shown.print()


class _Shown:
    """An adapter's plan beside the pipeline that it was compiled from."""

    def __init__(self, adapter: Adapter, *, is_registered: bool) -> None:
        self.is_registered = is_registered
        self.pipeline: Pipeline = adapter.pipeline
        self.plan = adapter.plan
        self.warnings = adapter.warnings
        self.written = {step.name: step for step in self.pipeline.steps}

    @property
    def off(self) -> list[Step]:
        """The steps that the pipeline's options switch off."""
        alive = {step.id for step in self.plan.steps}
        return [step for step in self.pipeline.steps if step.name not in alive]

    def to_json(self) -> dict[str, Any]:
        return {
            "name": self.pipeline.name,
            "summary": self.pipeline.summary,
            "source": self.pipeline.source,
            "dialect": self.pipeline.dialect,
            "extends": list(self.pipeline.extends),
            "tolerate": self.pipeline.tolerate.word,
            "options": {
                name: {"value": option.default, "doc": option.doc} for name, option in self.pipeline.options.items()
            },
            "passes": [
                {"reason": one.reason, "order": _kind(one), "steps": [self._step_json(step) for step in one.steps]}
                for one in self.plan.passes
            ],
            "off": [{"id": step.name, "why": self._why_off(step), "at": _full_place(step.place)} for step in self.off],
            "quiet": self.quiet(),
            "warnings": [
                {"step": one.earlier, "before": one.later, "keywords": list(one.keywords), "problem": one.problem}
                for one in self.warnings
            ],
        }

    def _step_json(self, step: PlannedStep) -> dict[str, Any]:
        written = self.written[step.id]
        return {
            "number": step.number + 1,
            "id": step.id,
            "rule": step.bound.name,
            "options": {name: plain(getattr(step.bound.options, name)) for name in written.options},
            "when": condition_words(step.when, step.unless),
            "describe": None if written.describe is None else written.describe.budget,
            "at": _full_place(written.place),
        }

    def quiet(self) -> list[str]:
        """What a document takes that triggers none of the steps which force a pass, in sentences."""
        quiet = self.plan.quiet
        if quiet is None:
            return [f"Every document takes {_count(len(self.plan.passes), 'pass', 'passes')}."]
        walked = {step.number for step in quiet.alive.steps}
        left = [step for step in self.plan.steps if step.number not in walked]
        sentences = [f"Most documents take one walk, with {_count(len(walked), 'step')} of {len(self.plan.steps)}."]
        for step in left:
            levels = step.contract.levels
            if step.is_document and levels is not None:
                needed = f"only for documents that are more than {_count(levels, 'schema')} deep"
            else:
                needed = f"only where the walk meets {' or '.join(trigger_words(step.contract.trigger))}"
            sentences.append(f"{step.id}: {needed}.")
        return sentences

    def print(self) -> None:
        from rich.text import Text

        screen = console()
        screen.print(Text.assemble((self.pipeline.name, "bold"), f"  {printable(self.pipeline.summary)}"))
        screen.print(Text(f"{_count(len(self.plan.steps), 'step')}, {self.pipeline.dialect}", style="dim"))
        if self.pipeline.tolerate is not Effect.UNKNOWN:
            screen.print(Text(f"tolerates {self.pipeline.tolerate.word}, no more", style="dim"))
        for name, option in self.pipeline.options.items():
            screen.print(Text(f"option {name} = {spelt(option.default)}  {printable(option.doc)}", style="dim"))
        for number, one in enumerate(self.plan.passes, start=1):
            screen.print()
            screen.print(Text.assemble((f"Pass {number}", "bold"), f" ({_kind(one)}): {one.reason}"))
            screen.print(self._table(one.steps))
        self._print_rest(screen)

    def _table(self, steps: Sequence[PlannedStep]) -> Any:
        from rich.console import Group
        from rich.padding import Padding
        from rich.table import Table
        from rich.text import Text

        table = Table(box=None, show_header=False, pad_edge=False, padding=(0, 2, 0, 0), expand=True)
        table.add_column(justify="right", no_wrap=True, width=len(str(len(self.plan.steps))))
        table.add_column(overflow="fold", ratio=1)
        table.add_column(overflow="fold", max_width=max(len(_place(step.place)) for step in self.pipeline.steps))
        for step in steps:
            details = (Padding(Text(line, style="dim"), (0, 0, 0, 4)) for line in self._details(step))
            place = Text(_place(self.written[step.id].place), style="dim")
            table.add_row(str(step.number + 1), Group(Text(step.id), *details), place)
        return table

    def _details(self, step: PlannedStep) -> list[str]:
        written = self.written[step.id]
        details = [] if step.id == step.bound.name else [f"rule {step.bound.name}"]
        for name, value in written.options.items():
            source = f" (option {value.name})" if isinstance(value, OptionRef) else ""
            details.append(f"{name}: {spelt(getattr(step.bound.options, name))}{source}")
        if written.describe is not None:
            details.append(f"describe: what is dropped, in at most {written.describe.budget} characters")
        condition = condition_words(step.when, step.unless)
        return [*details, condition] if condition else details

    def _print_rest(self, screen: Any) -> None:
        from rich.text import Text

        screen.print()
        for sentence in self.quiet():
            screen.print(Text(sentence))
        if self.is_registered:
            # Those of a file were told on stderr.
            for warning in self.warnings:
                screen.print(Text(f"order: {printable(warning.problem)}", style="yellow"))
        for step in self.off:
            screen.print(Text(f"switched off: {step.name}, {self._why_off(step)}  {_place(step.place)}", style="dim"))

    def _why_off(self, step: Step) -> str:
        return f"it runs {condition_words(step.when, step.unless)}"


def _kind(one: PlannedPass) -> str:
    return "the whole document" if one.is_document else order_words(one.order)


def _count(number: int, word: str, plural: str = "") -> str:
    return f"{number} {word if number == 1 else plural or word + 's'}"


def _place(place: Place) -> str:
    """`acme.yaml:12`; a registered pipeline's file is named from its plug-in's folder `pipelines` on."""
    parts = Path(place.source).parts
    if not parts:
        return ""
    first = len(parts) - parts[::-1].index("pipelines") if "pipelines" in parts else len(parts) - 1
    name = Path(*parts[first:]).as_posix()
    return f"{name}:{place.line}" if place.line else name


def _full_place(place: Place) -> str:
    """`/home/me/acme.yaml:12`."""
    return f"{place.source}:{place.line}" if place.line else place.source
