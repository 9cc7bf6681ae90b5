"""What becomes of one reference, and how that is told."""

from typing import Any, NamedTuple

from schemaflow.effect import Effect
from schemaflow.inlining.policy import State, Stop
from schemaflow.keywords import JsonValue
from schemaflow.references import Nowhere, Target


class Settled(NamedTuple):
    """What becomes of one reference: the schema for it, and the state to visit that with, if any."""

    schema: Any
    note: str
    effect: Effect = Effect.EXACT
    state: State | None = None
    unit: int | None = None
    stop: Stop | Nowhere | None = None


def noted(how: str, ref: JsonValue, target: Target) -> str:
    """The note on a reference: what became of it, and how it was read."""
    parts = [f"{how} {ref!r}", target.note, "another target is possible" if target.is_guess else ""]
    if target.note.startswith(repr(ref)):
        parts[:2] = [f"{how} {target.note}"]
    return "; ".join(part for part in parts if part)
