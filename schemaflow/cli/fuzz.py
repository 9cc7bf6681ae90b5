"""`schemaflow fuzz`: the laws of a pipeline, tried on drawn schemas and values."""

from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from attrs import frozen

from schemaflow.adapters import Adapter
from schemaflow.cli.screen import console, printable, warn, write_json
from schemaflow.cli.targets import choose
from schemaflow.errors import UnknownNameError
from schemaflow.keywords import JsonValue

if TYPE_CHECKING:
    from schemaflow.cli.attempts import Attempt
    from schemaflow.laws import Failure


@click.command
@click.argument("pipeline")
@click.option("--examples", default=500, show_default=True, metavar="N", type=click.IntRange(min=1), help="How many.")
@click.option("--seed", default=0, show_default=True, metavar="S", help="The same seed draws the same examples.")
@click.option(
    "--allow",
    multiple=True,
    metavar="LAW",
    help="A law that the pipeline breaks on purpose: told, but no failure; may be repeated.",
)
@click.option("--json", "as_json", is_flag=True, help="Write JSON.")
def fuzz(pipeline: str, examples: int, seed: int, allow: Sequence[str], *, as_json: bool) -> int:
    """
    Look for schemas that a pipeline treats wrongly.

    PIPELINE is a YAML file or the name of a registered pipeline. On schemas and values drawn at
    random it is tried whether the pipeline raises, whether what its report says of the accepted
    values is so, whether a step loses what a later one could have used, and the other laws.

    Of each law that is broken, the smallest schema found is shown, with the value that shows it,
    the step to blame, what was promised, and a test to paste into a suite; the exit code is then 1.
    Ctrl-C ends the search: what was found until then is shown.
    """
    need_the_extra("fuzz")
    from schemaflow.cli.attempts import attempt
    from schemaflow.laws import PROMISES

    for law in allow:
        if law not in PROMISES:
            raise UnknownNameError("law", law, tuple(PROMISES))
    is_file = _is_file(pipeline)
    provider, file = (None, pipeline) if is_file else (pipeline, None)
    adapter = choose(provider, file, {}, fallback=False, how="a PIPELINE")
    done = attempt(adapter, examples, seed)
    findings = _Findings(adapter, Path(pipeline) if is_file else pipeline, done, frozenset(allow))
    write_json(findings.to_json()) if as_json else findings.print()
    return findings.exit_code


def need_the_extra(command: str) -> None:
    """Raise UsageError where the command lacks what it is made of, with what to install."""
    missing = [name for name, module in _NEEDED.items() if find_spec(module) is None]
    if missing:
        raise click.UsageError(
            f"{command} needs {' and '.join(missing)}: pip install 'schemaflow-tools[fuzz]', "
            "or in a checkout pip install -e '.[cli,fuzz]'"
        )


_NEEDED = {"hypothesis": "hypothesis", "jsonschema-rs": "jsonschema_rs"}


def _is_file(pipeline: str) -> bool:
    if Path(pipeline).suffix not in (".yaml", ".yml"):
        return False
    if not Path(pipeline).is_file():
        raise click.UsageError(f"{pipeline}: no such file")
    return True


@frozen(eq=False, slots=False)
class _Findings:
    """What was found, beside the pipeline as the user named it."""

    adapter: Adapter
    pipeline: Path | str
    done: "Attempt"
    allowed: frozenset[str]

    @property
    def exit_code(self) -> int:
        """1 where a law is broken that may not be, 130 where the search was ended before anything was found."""
        if any(failure.law not in self.allowed for failure in self.done.failures):
            return 1
        return 130 if self.done.interrupted else 0

    def to_json(self) -> dict[str, JsonValue]:
        return {
            "pipeline": str(self.pipeline),
            "examples": self.done.tried,
            "seed": self.done.seed,
            "interrupted": self.done.interrupted,
            "failures": [self._failure_json(failure) for failure in self.done.failures],
        }

    def _failure_json(self, failure: "Failure") -> dict[str, JsonValue]:
        from schemaflow.laws import PROMISES, regression_test

        told = {
            "law": failure.law,
            "promise": PROMISES[failure.law],
            "allowed": failure.law in self.allowed,
            "step": failure.step,
            "at": self._place(failure.step),
            "problem": failure.problem,
            "schema": failure.schema,
            "output": failure.output,
            "test": regression_test(failure, self.pipeline),
        }
        return {**told, "value": failure.value} if failure.has_value else told

    def print(self) -> None:
        for failure in self.done.failures:
            self._print_failure(failure)
        if self.done.interrupted:
            warn("interrupted")
        tried = _count(self.done.tried, "different example")
        if self.done.tried < self.done.asked and not self.done.interrupted:
            tried += f" ({self.done.asked:,} drawn, repetitions left out)"
        tried += f", seed {self.done.seed}"
        laws = [failure.law for failure in self.done.failures]
        broken = [law for law in laws if law not in self.allowed]
        said = [f"{_count(len(broken), 'law')} broken: {', '.join(broken)}" if broken else "no law is broken"]
        if allowed := [law for law in laws if law in self.allowed]:
            said.append(f"but for {', '.join(allowed)}, which may be")
        click.echo(printable(f"{self.pipeline}: {tried}: {' '.join(said)}"))

    def _print_failure(self, failure: "Failure") -> None:
        from rich.table import Table
        from rich.text import Text

        from schemaflow.laws import PROMISES, regression_test

        screen = console()
        style = "yellow" if failure.law in self.allowed else "red"
        word = "Allowed" if failure.law in self.allowed else "Broken"
        screen.print(Text.assemble((f"{word}: {failure.law}", f"bold {style}"), f", {PROMISES[failure.law]}"))
        table = Table.grid(padding=(0, 1, 0, 1))
        table.add_column(style="dim", no_wrap=True)
        table.add_column(overflow="fold")
        for name, text in self._details(failure):
            table.add_row(name, Text(printable(text)))
        screen.print(table)
        screen.print(Text("\n  as a test:\n", style="dim"))
        click.echo(regression_test(failure, self.pipeline))

    def _details(self, failure: "Failure") -> list[tuple[str, str]]:
        from schemaflow.laws.breaches import shortened

        place = self._place(failure.step)
        details = [("step", f"{failure.step} ({place})" if place else failure.step)] if failure.step else []
        details += [("problem", failure.problem), ("schema", shortened(failure.schema))]
        if failure.has_value:
            details.append(("value", shortened(failure.value)))
        return details if failure.output is None else [*details, ("output", shortened(failure.output))]

    def _place(self, step: str) -> str:
        """Where the pipeline's file has the step: `acme.yaml:12`."""
        places: dict[str, Any] = {one.name: one.place for one in self.adapter.pipeline.steps}
        place = places.get(step)
        return f"{Path(place.source).name}:{place.line}" if place is not None and place.line else ""


def _count(number: int, word: str) -> str:
    return f"{number:,} {word if number == 1 else word + 's'}"
