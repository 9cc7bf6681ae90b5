"""Trying the laws of a pipeline under the eyes of whoever waits, and of whoever stops waiting."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from time import monotonic
from typing import Protocol

import click
from attrs import frozen

from schemaflow.adapters import Adapter
from schemaflow.cli.screen import console
from schemaflow.laws import PROMISES, Failure, fuzz_pipeline


@frozen(eq=False)
class Attempt:
    """What came of trying so many different examples of those asked for; with `interrupted` it was ended early."""

    tried: int
    asked: int
    seed: int
    failures: tuple[Failure, ...]
    interrupted: bool = False


class Display(Protocol):
    """Shows how many examples of how many were tried, and how many laws are broken."""

    def __call__(self, tried: int, examples: int, broken: int) -> None: ...


def attempt(adapter: Adapter, examples: int, seed: int) -> Attempt:
    """Try every law on so many examples, with a display on stderr; Ctrl-C ends it with what was found."""
    found: dict[str, Failure] = {}
    tried = 0
    interrupted = False
    with _bar(examples) if _is_terminal() else _plain() as show:

        def progress(law: str, done: int, total: int) -> None:
            nonlocal tried
            if done != tried:
                tried = done
                show(done, total, len(found))

        def note(failure: Failure) -> None:
            # The second time it is the same one, made small.
            found[failure.law] = failure

        try:
            fuzz_pipeline(adapter, examples=examples, seed=seed, progress=progress, found=note)
        except KeyboardInterrupt:
            interrupted = True
    ordered = tuple(found[law] for law in PROMISES if law in found)
    return Attempt(tried, examples, seed, ordered, interrupted)


def _is_terminal() -> bool:
    return sys.stderr is not None and sys.stderr.isatty()


@contextmanager
def _bar(examples: int) -> Iterator[Display]:
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (
        TextColumn("trying"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("examples"),
        TimeElapsedColumn(),
        TextColumn("{task.description}"),
    )
    with Progress(*columns, console=console(stderr=True), transient=True) as bar:
        task = bar.add_task("no law broken", total=examples)

        def show(tried: int, examples: int, broken: int) -> None:
            said = f"[red]{_broken(broken)}" if broken else _broken(broken)
            bar.update(task, completed=tried, total=examples, description=said)

        yield show


@contextmanager
def _plain() -> Iterator[Display]:
    """A line for every tenth of the way, and after every ten seconds."""
    last, told_at = -1, monotonic()

    def show(tried: int, examples: int, broken: int) -> None:
        nonlocal last, told_at
        tenth, now = 10 * tried // examples, monotonic()
        if tenth > last or now > told_at + 10:
            last, told_at = tenth, now
            click.echo(f"{tried:,} of {examples:,} examples, {_broken(broken)}", err=True)

    yield show


def _broken(count: int) -> str:
    if not count:
        return "no law broken"
    return f"{count} law{'s' if count > 1 else ''} broken"
