"""
Fusion: consecutive steps as few traversals, where their contracts prove that the result is the same.

The reference is one pass per step, in order. This module knows what lets steps
share a pass and says, for every cut, why there is one.
"""

from collections.abc import Iterable, Sequence
from functools import cached_property

from attrs import frozen

from schemaflow.codecs.marks import MARK
from schemaflow.contract import Contract, Order, Trigger, meet
from schemaflow.errors import ContractError, Unsupported
from schemaflow.keywords import JsonValue, Schema
from schemaflow.pipeline import Condition
from schemaflow.rule import BoundRule, Rewrite
from schemaflow.shapes import Guard, Place, WalkStep
from schemaflow.trace import Traced, keywords_above
from schemaflow.visitor import Walk


@frozen(eq=False)
class PlannedStep:
    """A step that is alive: its number in the plan, its id, its rule with options, its conditions."""

    number: int
    id: str
    bound: BoundRule
    when: Condition | None = None
    unless: Condition | None = None

    @property
    def contract(self) -> Contract:
        """The contract of the step's rule."""
        return self.bound.contract

    @property
    def is_document(self) -> bool:
        """Whether the step gets the whole document."""
        return self.bound.rule.is_document

    @cached_property
    def under(self) -> frozenset[str]:
        """The keywords above a node that decide whether the step runs there."""
        return frozenset().union(*(one.way for one in (self.when, self.unless) if one is not None))

    @cached_property
    def guard(self) -> Guard | None:
        """Whether the step runs at a node, None where it always does."""
        checks = [*_checks(self.when, wanted=True), *_checks(self.unless, wanted=False)]
        if not checks:
            return None
        return lambda node, link: all(check(node, link) for check in checks)

    @cached_property
    def place(self) -> Place | None:
        """What the conditions ask about a node's link alone, None where it does not matter to them."""
        asked = [one for one in (self.when, self.unless) if one is not None and one.asks_place]
        if not asked:
            return None
        return lambda link: tuple(part(None, link) for one in asked for part in _place_parts(one))


def _checks(condition: Condition | None, *, wanted: bool) -> list[Guard]:
    """One check for a condition on nodes: all its parts hold, or (for `unless`) not all do."""
    if condition is None or not condition.asks_node:
        return []
    parts = _place_parts(condition)
    if condition.has:
        parts.append(lambda node, link: isinstance(node, dict) and condition.has <= node.keys())
    return [lambda node, link: all(part(node, link) for part in parts) is wanted]


def _place_parts(condition: Condition) -> list[Guard]:
    """What a condition asks about a node's link alone."""
    parts: list[Guard] = []
    if condition.at_root:
        parts.append(lambda node, link: link is None)
    if condition.at_parameter:
        parts.append(lambda node, link: link is not None and link[0] is None and link[1] == "properties")
    if condition.held_by:
        parts.append(lambda node, link: link is not None and link[1] in condition.held_by)
    if condition.under:
        parts.append(lambda node, link: not condition.under.isdisjoint(keywords_above(link)))
    return parts


@frozen(eq=False)
class PlannedPass:
    """Steps that run in one traversal (or one document rule alone), and why the pass starts where it does."""

    steps: tuple[PlannedStep, ...]
    reason: str

    @property
    def is_document(self) -> bool:
        """Whether the pass is a document rule."""
        return self.steps[0].is_document

    @property
    def order(self) -> Order:
        """Parents first or children first."""
        return self.steps[0].contract.order

    def is_idle(self, levels: int | None, length: int | None) -> bool:
        """Whether the pass does nothing to a document that is at most so many schemas deep and bytes long."""
        contract = self.steps[0].contract
        return self.is_document and (_is_within(levels, contract.levels) or _is_within(length, contract.length))

    @cached_property
    def walk(self) -> Walk:
        """The pass compiled to tables; runs of steps that only drop keywords are one step of it."""
        return Walk(tuple(_walk_steps(self.steps)), self.order)

    def run(self, document: JsonValue, *, shared: bool) -> Traced:
        """Run the pass over a document."""
        if not self.is_document:
            traced = self.walk.run(document, shared=shared)
            # What a step builds may hold the same schema in several places.
            traced.shared = shared or any(step.contract.spawns for step in self.steps)
            return traced
        traced = self._rewritten(document)
        number = self.steps[0].number
        return Traced(traced.schema, traced.log, shared or traced.shared, traced.sources, step=number)

    def _rewritten(self, document: JsonValue) -> Traced:
        guard = self.steps[0].guard
        if guard is not None and not guard(document, None):
            return Traced(document)
        try:
            answer = self.steps[0].bound.rewrite(document)
        except Unsupported as reason:
            return Traced(document, [(None, 0, document, document, reason)])
        if isinstance(answer, Traced):
            return answer
        detail = answer if isinstance(answer, Rewrite) else None
        schema = answer.schema if detail is not None else answer
        if schema is document:
            return Traced(document)
        if not isinstance(schema, (dict, bool)):
            raise ContractError(f"returned {type(schema).__name__}, not a schema", self.steps[0].bound.name)
        return Traced(schema, [(None, 0, document, schema, detail)])


def _is_within(known: int | None, bound: int | None) -> bool:
    return known is not None and bound is not None and known <= bound


def _walk_steps(steps: Sequence[PlannedStep]) -> Iterable[WalkStep]:
    waiting: list[PlannedStep] = []
    for step in steps:
        if step.contract.only_drops and step.guard is None:
            waiting.append(step)
            continue
        yield from fold_drops(waiting)
        waiting = []
        yield WalkStep.of(step.number, step.bound, step.guard, step.place)
    yield from fold_drops(waiting)


def fold_drops(steps: Sequence[PlannedStep]) -> Iterable[WalkStep]:
    """Steps that only drop keywords, as one step that drops what any of them drops; none for no steps."""
    if not steps:
        return []
    dropped = frozenset[str]().union(*(step.contract.drops or frozenset() for step in steps))
    kept = [step.contract.keeps for step in steps if step.contract.keeps is not None]
    allowed = frozenset.intersection(*kept) - dropped if kept else None

    def drop(node: Schema) -> Schema:
        if allowed is not None:
            return {name: value for name, value in node.items() if name in allowed or name is MARK}
        return {name: value for name, value in node.items() if name not in dropped}

    trigger = Trigger(keywords=dropped) if allowed is None else Trigger(outside=allowed)
    return [WalkStep(steps[0].number, " + ".join(step.id for step in steps), drop, trigger, only_drops=True)]


def fuse(steps: Iterable[PlannedStep]) -> tuple[PlannedPass, ...]:
    """Consecutive steps as few passes, each cut explained."""
    passes: list[PlannedPass] = []
    for step in steps:
        reason = cut(passes[-1].steps, step) if passes else "the pipeline starts"
        if reason:
            passes.append(PlannedPass((step,), reason))
        else:
            passes[-1] = PlannedPass((*passes[-1].steps, step), passes[-1].reason)
    return tuple(passes)


def cut(earlier: Sequence[PlannedStep], step: PlannedStep) -> str:
    """Why a step cannot join the pass of earlier steps; empty where it can."""
    last = earlier[-1]
    if step.is_document:
        return f"{step.id} gets the whole document"
    if last.is_document:
        return f"{last.id} got the whole document"
    if step.contract.order is not last.contract.order:
        return f"{step.id} takes nodes {step.contract.order.value.replace('_', ' ')}"
    top_down = step.contract.order is Order.PARENTS_FIRST
    return next(filter(None, (_conflict(one, step, top_down=top_down) for one in earlier)), "")


def _conflict(earlier: PlannedStep, step: PlannedStep, *, top_down: bool) -> str:
    if top_down and step.contract.spawns_for(earlier.contract.trigger):
        # What it builds would meet the earlier step, which never saw it.
        return f"{step.id} builds new subschemas, which {earlier.id} must not see"
    if top_down and meet(step.contract.peeks, earlier.contract.writes):
        return f"{step.id} looks into children that {earlier.id} must have finished"
    if top_down and meet(earlier.under, step.contract.writes):
        return f"{step.id} changes keywords above nodes where {earlier.id} asks for them"
    if not top_down and earlier.contract.spawns_for(step.contract.trigger):
        return f"{earlier.id} builds new subschemas, which {step.id} must see"
    if not top_down and meet(earlier.contract.peeks, step.contract.writes):
        return f"{earlier.id} looks into children that {step.id} must not have changed"
    if not top_down and meet(step.under, earlier.contract.writes):
        return f"{earlier.id} changes keywords above nodes where {step.id} asks for them"
    return ""
