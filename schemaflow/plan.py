"""
Plans: a pipeline compiled to passes, and what one run of it did.

Compiling looks up rules, settles options, drops steps whose condition is off, and
fuses consecutive steps into one traversal where their contracts prove that the
result is the same. The reference for that is one pass per step, in order.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from typing import Any, Final

import orjson
from attrs import define, field, frozen

from schemaflow.contract import HOLDERS, Order, meet
from schemaflow.describing import described
from schemaflow.errors import (
    NotJsonError,
    OptionError,
    PipelineError,
    PluginError,
    Problem,
    UnknownNameError,
)
from schemaflow.fusion import PlannedPass, PlannedStep, cut, fold_drops, fuse
from schemaflow.intake import DEFAULT, Limits, admit, reread
from schemaflow.keywords import JsonValue
from schemaflow.pipeline import Condition, OptionRef, Pipeline, Step
from schemaflow.registry import Registry
from schemaflow.rule import BoundRule, Rule
from schemaflow.securing import leads_outside, may_lead_outside, securing
from schemaflow.shapes import WalkStep
from schemaflow.trace import Traced
from schemaflow.visitor import Walk

_LIKELY: Final = 4
"""A step with more trigger keywords than this is taken to be needed by every document."""

_REMEMBERED: Final = 512
"""How many sets of occurring keywords a plan keeps its passes for."""


@frozen(eq=False)
class Probe:
    """A byte string that occurs in a document's compact JSON whenever a step's trigger does."""

    needle: bytes
    keyword: str


def _probes(step: PlannedStep) -> list[Probe] | None:
    """What to look for before running a step, None where it must run in any case."""
    trigger = step.contract.trigger
    if not trigger.is_listed:
        return None
    if len(trigger.keywords) + len(trigger.valued) > _LIKELY:
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


class _Met(Exception):  # noqa: N818 -- a signal, not an error
    """A keyword turned up whose step the quiet walk had left out."""


def _met(node: JsonValue) -> JsonValue:
    raise _Met


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


def _quiet(steps: Sequence[PlannedStep]) -> Quiet | None:
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


@define(eq=False)
class Run:
    """What one run of a plan did: for each pass, its input and its trace."""

    plan: "Plan"
    document: JsonValue
    passes: tuple[tuple[PlannedPass, JsonValue, Traced], ...]

    @property
    def schema(self) -> JsonValue:
        """The resulting document."""
        return self.passes[-1][2].schema if self.passes else self.document


@define(eq=False)
class _Going:
    """A run under way."""

    current: JsonValue
    shared: bool = False
    levels: int | None = None
    done: list[tuple[PlannedPass, JsonValue, Traced]] = field(factory=list)

    @property
    def leads_outside(self) -> bool:
        """Whether references lead elsewhere than to definitions now."""
        return leads_outside(self.current)

    def take(self, one: PlannedPass) -> None:
        """Run one more pass."""
        if one.is_idle(self.levels):
            return
        traced = one.run(self.current, shared=self.shared)
        self.levels = traced.levels
        if traced.log:
            self.done.append((one, self.current, traced))
            self.current, self.shared = traced.schema, traced.shared


@frozen(eq=False)
class Plan:
    """A compiled pipeline: immutable, shareable between threads, printable."""

    name: str
    steps: tuple[PlannedStep, ...]
    limits: Limits = DEFAULT
    _by_presence: dict[frozenset[bytes], tuple[PlannedPass, ...]] = field(factory=dict, init=False)

    @cached_property
    def passes(self) -> tuple[PlannedPass, ...]:
        """The passes over a document in which every trigger may occur."""
        return fuse(self.steps)

    @cached_property
    def _needles(self) -> tuple[bytes, ...]:
        probes = (probe for step in self.steps for probe in _probes(step) or ())
        return tuple(dict.fromkeys(probe.needle for probe in probes))

    @cached_property
    def _found_in(self) -> Callable[[bytes], list[bytes]]:
        """What finds the needles of a document, each without its opening quote, in one search."""
        # The longest first, since a needle may begin another; looked ahead for, since they may overlap.
        spelled = sorted((re.escape(needle[1:]) for needle in self._needles), key=len, reverse=True)
        return re.compile(b'"(?=(' + b"|".join(spelled) + b"))" if spelled else b"(?!)").findall

    def run(self, document: JsonValue, raw: bytes | None = None) -> Run:
        """
        Run the plan over a document that `intake.admit` let in.

        `raw` is the document as compact JSON; with it, steps that nothing in the
        document can trigger are left out before passes are formed.
        """
        try:
            return self._quickly(document, raw)
        except NotJsonError:
            # A tuple, which orjson takes for a list: the slow reading makes it one.
            return self._quickly(reread(document, self.limits), None)

    def _quickly(self, document: JsonValue, raw: bytes | None) -> Run:
        if may_lead_outside(raw):
            # Securing may write what a later step is triggered by.
            return self._run(document, self.passes, leads_outside=True)
        quiet = self.quiet
        if quiet is None:
            return self._run(document, self._passes_for(raw))
        try:
            traced = quiet.walk.run(document)
        except _Met:
            return self._run(document, self._passes_for(raw))
        if not quiet.serves(traced, raw):
            return self._run(document, self._passes_for(raw))
        return Run(self, document, ((quiet.alive, document, traced),) if traced.log else ())

    def run_in_full(self, document: JsonValue) -> Run:
        """Run every pass, whatever the document holds: the same result, slower."""
        return self._run(document, self.passes, leads_outside=True)

    def run_apart(self, document: JsonValue) -> Run:
        """Run every step in a pass of its own: the same result, slower, with each step's own before and after."""
        passes = [PlannedPass((step,), "it runs alone") for step in self.steps]
        try:
            return self._run(document, passes, leads_outside=True)
        except NotJsonError:
            # A tuple, as in `run`.
            return self._run(reread(document, self.limits), passes, leads_outside=True)

    def _run(self, document: JsonValue, passes: Iterable[PlannedPass], *, leads_outside: bool = False) -> Run:
        """Run passes; where references may lead elsewhere than to definitions, each step secures what it endangers."""
        going = _Going(document)
        for one in passes:
            leads_outside = leads_outside and going.leads_outside
            for step in one.steps if leads_outside else ():
                going.take(securing(step))
                going.take(PlannedPass((step,), one.reason))
            if not leads_outside:
                going.take(one)
        return Run(self, document, tuple(going.done))

    @cached_property
    def quiet(self) -> Quiet | None:
        """The plan for documents that need no second pass, None where every document takes all passes."""
        return _quiet(self.steps)

    def _passes_for(self, raw: bytes | None) -> tuple[PlannedPass, ...]:
        if raw is None:
            return self.passes
        present = frozenset(self._found_in(raw))
        known = self._by_presence.get(present)
        if known is None:
            if len(self._by_presence) >= _REMEMBERED:
                self._by_presence.clear()
            known = self._by_presence[present] = fuse(self._needed(present))
        return known

    def _needed(self, present: frozenset[bytes]) -> list[PlannedStep]:
        """The steps that may do something, if only these needles occur."""
        found = {needle for needle in self._needles if any(one.startswith(needle[1:]) for one in present)}
        needed: list[PlannedStep] = []
        for step in self.steps:
            probes = _probes(step)
            keywords = frozenset(probe.keyword for probe in probes or ())
            if (
                probes is None
                or any(probe.needle in found for probe in probes)
                or any(meet(earlier.contract.introduced, keywords) for earlier in needed)
            ):
                needed.append(step)
        return needed


def compile_plan(pipeline: Pipeline, registry: Registry, *, limits: Limits = DEFAULT) -> Plan:
    """
    The plan of a pipeline.

    Raises PipelineError, with every problem, where a rule is unknown or does not
    take an option.
    """
    steps: list[PlannedStep] = []
    problems: list[Problem] = []
    for step in pipeline.steps:
        try:
            if _is_off(step, pipeline):
                continue
            bound = _bound(step, pipeline, registry)
            unless = None if _cannot_hold(step.unless, pipeline) else step.unless
        except (OptionError, UnknownNameError, PluginError) as error:
            is_about_describe = isinstance(error, OptionError) and error.option == "describe"
            place = step.describe.place if step.describe is not None and is_about_describe else step.place
            problems.append(Problem(str(error), place.source or pipeline.name, place.line, place.column))
        else:
            steps.append(PlannedStep(len(steps), step.name, bound, step.when, unless))
    if problems:
        raise PipelineError(tuple(problems))
    return Plan(pipeline.name, tuple(steps), limits)


def _is_off(step: Step, pipeline: Pipeline) -> bool:
    """Whether the pipeline's options alone switch a step off."""
    if step.when is not None and step.when.option is not None and not _value(step.when.option, pipeline):
        return True
    unless = step.unless
    if unless is None or unless.option is None or _cannot_hold(unless, pipeline):
        return False
    return not unless.asks_node


def _cannot_hold(condition: Condition | None, pipeline: Pipeline) -> bool:
    """Whether a condition asks for an option that is off."""
    return condition is not None and condition.option is not None and not _value(condition.option, pipeline)


def _bound(step: Step, pipeline: Pipeline, registry: Registry) -> BoundRule:
    bound = _rule(step, registry).bind(**_settled(step, pipeline))
    return bound if step.describe is None else described(bound, step.describe)


def _rule(step: Step, registry: Registry) -> Rule:
    return registry.rule(step.rule) if isinstance(step.rule, str) else step.rule


def _settled(step: Step, pipeline: Pipeline) -> dict[str, Any]:
    return {
        name: _value(value.name, pipeline) if isinstance(value, OptionRef) else value
        for name, value in step.options.items()
    }


def _value(option: str, pipeline: Pipeline) -> Any:
    if option not in pipeline.options:
        raise UnknownNameError("pipeline option", option, tuple(pipeline.options))
    return pipeline.options[option].default


def run_alone(bound: BoundRule, document: JsonValue) -> Any:
    """A document rewritten by one rule alone."""
    document, raw = admit(document)
    plan = Plan(bound.name, (PlannedStep(0, bound.name, bound),))
    return plan.run(document, raw).schema
