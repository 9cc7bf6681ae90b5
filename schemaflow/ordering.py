"""
Orders of steps that contracts alone show to be wrong: one step loses something before another that needed it.

Only what cannot be otherwise is told. Steps that run at some nodes only are left out, and so is a keyword
that a step in between may bring back, or that a step before both was there to understand.
"""

from collections.abc import Iterable, Sequence
from functools import cached_property
from pathlib import Path

from attrs import field, frozen

from schemaflow.contract import Contract, Everything, Trigger, meet
from schemaflow.effect import Effect
from schemaflow.fusion import PlannedStep
from schemaflow.keywords import ANNOTATIONS, KEYWORDS, Role
from schemaflow.pipeline import Pipeline, Place
from schemaflow.plan import Plan


@frozen
class OrderWarning:
    """
    Two steps of which the `earlier` takes away, or blurs, `keywords` that the `later` looks for.

    `problem` says so in words, and what to do. With `idle` nothing is left for the later step
    to do. The places are those in the pipeline's file; a pipeline composed in Python has none.
    """

    earlier: str
    later: str
    keywords: tuple[str, ...]
    problem: str
    idle: bool = False
    place: Place = field(default=Place(), kw_only=True)
    later_place: Place = field(default=Place(), kw_only=True)

    def __str__(self) -> str:
        place = ":".join(str(part) for part in (self.place.source, self.place.line, self.place.column) if part)
        return f"{place}: {self.problem}" if place else self.problem


def order_warnings(pipeline: Pipeline, plan: Plan) -> tuple[OrderWarning, ...]:
    """What the contracts of a plan's steps say against their order; of several earlier steps the first is told."""
    places = {step.name: step.place for step in pipeline.steps}
    found: dict[tuple[int, tuple[str, ...]], OrderWarning] = {}
    for earlier in plan.steps:
        for later in plan.steps[earlier.number + 1 :]:
            if earlier.guard is None and later.guard is None:
                warning = _Pair(plan.steps, earlier, later, places).warning()
                if warning is not None:
                    found.setdefault((later.number, warning.keywords), warning)
    return tuple(found.values())


@frozen(eq=False, slots=False)
class _Pair:
    """Two steps of a plan that both run at every node."""

    steps: Sequence[PlannedStep]
    earlier: PlannedStep
    later: PlannedStep
    places: dict[str, Place]

    def warning(self) -> OrderWarning | None:
        loser, needer = self.earlier.contract, self.later.contract
        if not loser.only_drops:
            return self._about_blurring() if _blurs(loser, needer) else None
        is_idle = _leaves_nothing(loser, needer.trigger) and not self._comes_back(needer.trigger)
        lost = tuple(filter(self._is_lost, sorted(_needed(needer)))) if _translates(needer) else ()
        if lost:
            return self._about_loss(lost, is_idle=is_idle)
        return self._about_idleness() if is_idle else None

    def _is_lost(self, keyword: str) -> bool:
        """Whether the earlier step drops a keyword that nothing brings back, and nothing understood before."""
        is_dropped = _drops(self.earlier.contract, keyword)
        return is_dropped and not self._comes_back(Trigger(frozenset({keyword}))) and not self._was_understood(keyword)

    def _comes_back(self, trigger: Trigger) -> bool:
        """Whether a step between the two may bring back what triggers."""
        return any(_may_trigger(contract, trigger) for contract in self._alive)

    @cached_property
    def _alive(self) -> list[Contract]:
        """The contracts of the steps between the two that the earlier leaves something to do."""
        alive: list[Contract] = []
        for step in self.steps[self.earlier.number + 1 : self.later.number]:
            trigger = step.contract.trigger
            is_idle = _leaves_nothing(self.earlier.contract, trigger)
            if not is_idle or any(_may_trigger(contract, trigger) for contract in alive):
                alive.append(step.contract)
        return alive

    def _was_understood(self, keyword: str) -> bool:
        """Whether a step before both says the keyword in other words, so that dropping what is left is meant."""
        before = self.steps[: self.earlier.number]
        return any(keyword in _names(step.contract.trigger) and _translates(step.contract) for step in before)

    def _about_loss(self, lost: tuple[str, ...], *, is_idle: bool) -> OrderWarning:
        result = f", which then has nothing to do: move {self.earlier.id} after it" if is_idle else ""
        advice = result or f": move {self.earlier.id} after it"
        it = "it" if len(lost) == 1 else "them"
        return self._told(lost, f"drops {_spelt(lost)} before {self._later} sees {it}{advice}", is_idle=is_idle)

    def _about_idleness(self) -> OrderWarning:
        names = tuple(sorted(_names(self.later.contract.trigger)))
        what = f"no {_spelt(names, 'or')}" if names else "nothing"
        problem = f"leaves {what} for {self._later} to find: leave {self.later.id} out, or move it before"
        return self._told(names, problem, is_idle=True)

    def _about_blurring(self) -> OrderWarning | None:
        names = tuple(sorted(_names(self.later.contract.trigger)))
        if self._comes_back(self.later.contract.trigger):
            return None
        problem = (
            f"rewrites {_spelt(names)}, and loses something, before {self._later} sees it, which loses nothing: "
            f"leave {self.earlier.id} out, or move it after"
        )
        return self._told(names, problem, is_idle=False)

    @property
    def _later(self) -> str:
        """The later step, and where the reader finds it."""
        place, other = self.places.get(self.later.id, Place()), self.places.get(self.earlier.id, Place())
        if not place.line:
            return self.later.id
        where = f"line {place.line}" if place.source == other.source else f"{Path(place.source).name}:{place.line}"
        return f"{self.later.id} ({where})"

    def _told(self, keywords: tuple[str, ...], problem: str, *, is_idle: bool) -> OrderWarning:
        return OrderWarning(
            self.earlier.id,
            self.later.id,
            keywords,
            f"{self.earlier.id} {problem}",
            is_idle,
            place=self.places.get(self.earlier.id, Place()),
            later_place=self.places.get(self.later.id, Place()),
        )


def _drops(contract: Contract, keyword: str) -> bool:
    """Whether a step that only drops drops a keyword wherever it is."""
    if contract.keeps is not None:
        return keyword not in contract.keeps
    return contract.drops is not None and keyword in contract.drops


def _leaves_nothing(contract: Contract, trigger: Trigger) -> bool:
    """Whether nothing triggers any more where a step has dropped what it drops."""
    if trigger.every or trigger.boolean:
        return False
    if trigger.outside is not None and (contract.keeps is None or not contract.keeps <= trigger.outside):
        return False
    names = _names(trigger)
    return all(_drops(contract, name) for name in names) and (bool(names) or trigger.outside is not None)


def _may_trigger(contract: Contract, trigger: Trigger) -> bool:
    """Whether a step may bring what triggers into a document that had none of it."""
    new = contract.introduced
    if trigger.outside is not None and (isinstance(new, Everything) or not new <= trigger.outside):
        return True
    return meet(new, _names(trigger))


def _names(trigger: Trigger) -> frozenset[str]:
    """The keywords that trigger, by being there or by a value."""
    return trigger.keywords | trigger.valued.keys()


def _translates(contract: Contract) -> bool:
    """Whether a step says in other words what it finds, rather than only taking it away or ordering it."""
    return not contract.only_drops and bool(contract.introduced)


def _needed(contract: Contract) -> Iterable[str]:
    """The keywords that a step reads, as far as its contract names them, and can do more with if they are there."""
    names = _names(contract.trigger)
    peeks = frozenset[str]() if isinstance(contract.peeks, Everything) else contract.peeks
    beside: set[str] = set()
    for row in (KEYWORDS[name] for name in names if name in KEYWORDS):
        # What stands beside a trigger and is not written would be lost after the step as well.
        beside |= {name for name in row.reads if meet(contract.writes, frozenset({name}))}
        if row.role is Role.REFERENCE:
            beside |= _DEFINITIONS
    return names | ((peeks | beside) - ANNOTATIONS)


_DEFINITIONS = frozenset(row.name for row in KEYWORDS.values() if row.role is Role.DEFINITIONS)


def _blurs(loser: Contract, needer: Contract) -> bool:
    """Whether a step loses something of all that another, which loses nothing, would say in other words."""
    if loser.effect is None or loser.effect is Effect.EXACT or needer.effect is not Effect.EXACT:
        return False
    if isinstance(loser.writes, Everything) or not _translates(needer):
        return False
    names = _names(needer.trigger)
    is_rewritten = bool(names) and names <= loser.writes and not meet(loser.introduced, names)
    return is_rewritten and _covers(loser.trigger, needer.trigger)


def _covers(wide: Trigger, narrow: Trigger) -> bool:
    """Whether all that triggers one rule triggers another, as far as both can be listed."""
    if wide.lacking or not narrow.is_listed or not narrow.keywords <= wide.keywords:
        return False
    return all(name in wide.keywords or _holds_all(wide, narrow, name) for name in narrow.valued)


def _holds_all(wide: Trigger, narrow: Trigger, name: str) -> bool:
    values, kinds = wide.valued.get(name, (frozenset(), ()))
    narrow_values, narrow_kinds = narrow.valued[name]
    return narrow_values <= values and set(narrow_kinds) <= set(kinds)


def _spelt(names: Iterable[str], joined: str = "and") -> str:
    """`a`, `b` and `c`."""
    *others, last = (f"`{name}`" for name in names)
    return f"{', '.join(others)} {joined} {last}" if others else last
