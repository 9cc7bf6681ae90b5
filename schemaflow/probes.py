"""
Probes: what a document's text tells of which steps have anything to do, and the plan where hardly any has.
"""

from collections.abc import Iterable, Sequence
from typing import Final

import orjson
from attrs import frozen

from schemaflow.contract import HOLDERS, Order, meet
from schemaflow.fusion import PlannedPass, PlannedStep, cut, fold_drops
from schemaflow.keywords import JsonValue
from schemaflow.shapes import WalkStep
from schemaflow.trace import Traced
from schemaflow.visitor import Walk

_COMMON: Final = frozenset({"type", "properties", "description", "required"})
"""A step that one of these triggers is taken to be needed by every document."""


@frozen(eq=False)
class Probe:
    """A byte string that occurs in a document's compact JSON whenever a step's trigger does."""

    needle: bytes
    keyword: str


def probes(step: PlannedStep) -> list[Probe] | None:
    """What to look for before running a step, None where it must run in any case."""
    trigger = step.contract.trigger
    if not trigger.is_listed:
        return None
    if not _COMMON.isdisjoint(trigger.keywords):
        return None
    probes = [Probe(_needle(keyword), keyword) for keyword in sorted(trigger.keywords)]
    for keyword, (values, kinds) in sorted(trigger.valued.items()):
        opening = b"[" if kinds == (list,) and not values else b""
        probes.append(Probe(_needle(keyword) + opening, keyword))
    return probes


def _needle(keyword: str) -> bytes:
    try:
        return orjson.dumps(keyword) + b":"
    except orjson.JSONEncodeError:
        # A lone surrogate: no document that orjson writes holds it.
        return b'"\xff'


class Met(Exception):  # noqa: N818 -- a signal, not an error
    """A keyword turned up whose step the quiet walk had left out."""


def _met(node: JsonValue) -> JsonValue:
    raise Met


@frozen(eq=False)
class Quiet:
    """
    The plan for documents in which the steps that force a new pass find nothing to do.

    Most documents are such. All other steps are one walk; the triggers of the steps
    left out are in its tables and stop it. `levels` is how deep a document may be for
    the document rules that mind depth to do nothing, `needles` are what the others are
    triggered by: they may act anywhere because of what stands in a part that is dropped.
    """

    alive: PlannedPass
    walk: Walk
    levels: int | None
    needles: tuple[bytes, ...]

    def serves(self, traced: Traced, raw: bytes | None) -> bool:
        """Whether what the walk did to a document, whose compact JSON is `raw`, is all that there was to do."""
        if self.levels is not None and (traced.levels is None or traced.levels > self.levels):
            return False
        return not self.needles or (raw is not None and not any(needle in raw for needle in self.needles))


def quiet_plan(steps: Sequence[PlannedStep]) -> Quiet | None:
    """
    The quiet plan, None where there is no such thing.

    It is right because a step left out has its trigger at no node that the walk
    reaches. Nodes that it does not reach were dropped whole, by a step that took
    them as opaque: hence no step may peek, nor drop levels after a rule that counts them.
    """
    alive: list[PlannedStep] = []
    walked: list[WalkStep] = []
    levels: list[int] = []
    needles: list[bytes] = []
    for step in steps:
        if step.is_document and step.contract.levels is not None:
            levels.append(step.contract.levels)
        elif _forces_a_pass(step, alive) or (levels and meet(step.contract.writes, HOLDERS)):
            if not step.contract.trigger.is_listed:
                return None
            trigger = step.contract.trigger
            if step.is_document:
                needles.extend(_needle(keyword) for keyword in sorted({*trigger.keywords, *trigger.valued}))
            walked.append(WalkStep(step.number, step.bound.name, _met, step.contract.trigger))
        else:
            alive.append(step)
            walked.append(WalkStep.of(step.number, step.bound, step.guard, step.place))
    if not alive:
        return None
    reason = "nothing in the document needs another pass"
    walk = Walk(tuple(_refolded(walked, alive)))
    return Quiet(PlannedPass(tuple(alive), reason), walk, min(levels, default=None), tuple(needles))


def _forces_a_pass(step: PlannedStep, alive: Sequence[PlannedStep]) -> bool:
    if step.is_document or step.contract.order is Order.CHILDREN_FIRST or step.contract.peeks:
        return True
    return bool(alive) and bool(cut(alive, step))


def _refolded(walked: Sequence[WalkStep], alive: Sequence[PlannedStep]) -> Iterable[WalkStep]:
    """The walk's steps, neighbouring drops folded again."""
    by_number = {step.number: step for step in alive}
    waiting: list[PlannedStep] = []
    for one in walked:
        step = by_number.get(one.number)
        if step is not None and step.contract.only_drops and step.guard is None:
            waiting.append(step)
            continue
        yield from fold_drops(waiting)
        waiting = []
        yield one
    yield from fold_drops(waiting)
