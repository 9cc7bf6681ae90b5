"""
Plans: a pipeline compiled to passes, and what one run of it did.

Compiling looks up rules, settles options, drops steps whose condition is off, and
fuses consecutive steps into one traversal where their contracts prove that the
result is the same. The reference for that is one pass per step, in order.
"""

import re
from collections import deque
from collections.abc import Callable, Iterable
from functools import cached_property
from typing import Any, Final

import orjson
from attrs import define, field, frozen

from schemaflow.codecs.marks import stripped
from schemaflow.contract import meet
from schemaflow.describing import described
from schemaflow.errors import (
    NotJsonError,
    OptionError,
    PipelineError,
    PluginError,
    Problem,
    UnknownNameError,
)
from schemaflow.fusion import PlannedPass, PlannedStep, fuse
from schemaflow.intake import DEFAULT, Limits, admit, reread
from schemaflow.keywords import JsonValue
from schemaflow.pipeline import Condition, OptionRef, Pipeline, Step
from schemaflow.probes import Met, Quiet, probes, quiet_plan
from schemaflow.registry import Registry
from schemaflow.rule import BoundRule, Rule
from schemaflow.securing import leads_outside, may_lead_outside, securing
from schemaflow.trace import Traced

_REMEMBERED: Final = 512
"""How many sets of occurring keywords a plan keeps its passes for."""


@define(eq=False)
class Run:
    """What one run of a plan did: for each pass, its input and its trace."""

    plan: "Plan"
    document: JsonValue
    passes: tuple[tuple[PlannedPass, JsonValue, Traced], ...]

    _schema: Any = field(default=None, init=False)

    @property
    def schema(self) -> JsonValue:
        """The resulting document."""
        if not self.plan.encodes:
            return self.marked
        if self._schema is None:
            self._schema = stripped(self.marked)
        return self._schema

    @property
    def marked(self) -> JsonValue:
        """The resulting document with the codecs of its nodes."""
        return self.passes[-1][2].schema if self.passes else self.document


@define(eq=False)
class _Going:
    """A run under way; `raw` is the document as compact JSON, where that is known."""

    current: JsonValue
    raw: bytes | None = None
    shared: bool = False
    levels: int | None = None
    done: list[tuple[PlannedPass, JsonValue, Traced]] = field(factory=list)
    _present: frozenset[bytes] | None = None

    @property
    def leads_outside(self) -> bool:
        """Whether references lead elsewhere than to definitions now."""
        return leads_outside(self.current)

    def present(self, plan: "Plan") -> frozenset[bytes]:
        """Which of a plan's needles occur in the document."""
        assert self.raw is not None, "nothing is known of the document's text"
        if self._present is None:
            self._present = plan.present_in(self.raw)
        return self._present

    def take(self, one: PlannedPass) -> None:
        """Run one more pass."""
        if one.is_idle(self.levels, None if self.raw is None else len(self.raw)):
            return
        traced = one.run(self.current, shared=self.shared)
        self.levels = traced.levels
        if not traced.log:
            return
        self.done.append((one, self.current, traced))
        self.current, self.shared = traced.schema, traced.shared
        if self.raw is not None:
            self.raw, self._present = _written_again(one, traced), None


@frozen(eq=False)
class Plan:
    """A compiled pipeline: immutable, shareable between threads, printable."""

    name: str
    steps: tuple[PlannedStep, ...]
    limits: Limits = DEFAULT
    _by_presence: dict[tuple[int, frozenset[bytes]], tuple[PlannedPass, ...]] = field(factory=dict, init=False)

    @cached_property
    def encodes(self) -> bool:
        """Whether a step may leave codecs on nodes."""
        return any(step.contract.encodes for step in self.steps)

    @cached_property
    def passes(self) -> tuple[PlannedPass, ...]:
        """The passes over a document in which every trigger may occur."""
        return fuse(self.steps)

    @cached_property
    def _needles(self) -> tuple[bytes, ...]:
        return tuple(dict.fromkeys(probe.needle for step in self.steps for probe in probes(step) or ()))

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
            return self._run(document, None, raw)
        try:
            traced = quiet.walk.run(document)
        except Met:
            return self._run(document, None, raw)
        if not quiet.serves(traced, raw):
            return self._run(document, None, raw)
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

    def _run(
        self,
        document: JsonValue,
        passes: Iterable[PlannedPass] | None,
        raw: bytes | None = None,
        *,
        leads_outside: bool = False,
    ) -> Run:
        """
        Run passes, which stand for all of the plan's steps.

        Without passes, those that may do something to a document that is `raw` as compact JSON.
        Where references may lead elsewhere than to definitions, each step secures what it endangers.
        """
        going = _Going(document, raw)
        if passes is None:
            passes = self.passes if raw is None else self._passes_at(0, going.present(self))
        waiting = deque(passes)
        while waiting:
            one = waiting.popleft()
            leads_outside = leads_outside and going.leads_outside
            if leads_outside:
                for step in one.steps:
                    going.take(securing(step))
                    going.take(PlannedPass((step,), one.reason))
                continue
            going.take(one)
            if going.raw is not None and waiting:
                # What the pass might have brought, and did not, calls for no more passes.
                waiting = deque(self._passes_at(one.steps[-1].number + 1, going.present(self)))
        return Run(self, document, tuple(going.done))

    @cached_property
    def quiet(self) -> Quiet | None:
        """The plan for documents that need no second pass, None where every document takes all passes."""
        return quiet_plan(self.steps)

    def present_in(self, raw: bytes) -> frozenset[bytes]:
        """What occurs in a document, given as compact JSON, of that which triggers steps."""
        return frozenset(self._found_in(raw))

    def _passes_at(self, start: int, present: frozenset[bytes]) -> tuple[PlannedPass, ...]:
        """The passes from the step of that number on, if only these needles occur."""
        known = self._by_presence.get((start, present))
        if known is None:
            if len(self._by_presence) >= _REMEMBERED:
                self._by_presence.clear()
            known = self._by_presence[start, present] = fuse(self._needed(start, present))
        return known

    def _needed(self, start: int, present: frozenset[bytes]) -> list[PlannedStep]:
        """The steps from a number on that may do something, if only these needles occur."""
        found = {needle for needle in self._needles if any(one.startswith(needle[1:]) for one in present)}
        needed: list[PlannedStep] = []
        for step in self.steps[start:]:
            asked = probes(step)
            keywords = frozenset(probe.keyword for probe in asked or ())
            if (
                asked is None
                or any(probe.needle in found for probe in asked)
                or any(meet(earlier.contract.introduced, keywords) for earlier in needed)
            ):
                needed.append(step)
        return needed


def _written_again(one: PlannedPass, traced: Traced) -> bytes | None:
    """
    The document after a pass, as compact JSON, None where it is not worth to write it.

    Written out, a document in which subtrees are shared may be bigger than any memory;
    a walk may leave one behind without a word.
    """
    if traced.shared or not one.is_document:
        return None
    try:
        return orjson.dumps(traced.schema)
    except (TypeError, ValueError):
        return None


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
