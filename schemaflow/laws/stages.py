"""A pipeline taken apart: its steps one at a time, each over the whole document, to find the one to blame."""

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Any

import attrs
from attrs import field, frozen

from schemaflow.adapters import Adapter
from schemaflow.contract import EVERYTHING, Contract, Keywords, meet
from schemaflow.effect import Effect
from schemaflow.fusion import PlannedStep
from schemaflow.intake import plain_copy
from schemaflow.keywords import JsonValue
from schemaflow.plan import Plan


@frozen
class Stage:
    """What one step alone made of what the steps before it had made; how it raised, where it did."""

    step: str
    before: Any
    after: Any
    effect: Effect = Effect.EXACT
    error: Exception | None = field(default=None, eq=False)


def with_steps(adapter: Adapter, steps: Sequence[PlannedStep]) -> Adapter:
    """The same adapter with other planned steps, in that order."""
    numbered = tuple(attrs.evolve(step, number=number) for number, step in enumerate(steps))
    return Adapter(adapter.pipeline, Plan(adapter.name, numbered, adapter.plan.limits))


@frozen(eq=False)
class Pair:
    """A step that loses something, one after it, and the pipeline with the first moved after it."""

    loser: str
    needer: str
    needs: Keywords
    moved: Adapter


def all_pairs(adapter: Adapter, loser: str) -> Iterator[Pair]:
    """A step with each step after it, the nearest first."""
    steps = list(adapter.plan.steps)
    index = [step.id for step in steps].index(loser)
    for end in range(index + 1, len(steps)):
        order = [*steps[:index], *steps[index + 1 : end + 1], steps[index], *steps[end + 1 :]]
        yield Pair(loser, steps[end].id, looked_for(steps[end]), with_steps(adapter, order))


def suspicious_pairs(adapter: Adapter) -> Iterator[Pair]:
    """The pairs of steps of which contracts say that the earlier may lose what the later looks for."""
    for step in adapter.plan.steps:
        if step.contract.effect is not Effect.EXACT:
            yield from (one for one in all_pairs(adapter, step.id) if meet(step.contract.writes, one.needs))


def looked_for(step: PlannedStep) -> Keywords:
    """The keywords that a step looks for, where they may make a difference to it."""
    contract, trigger = step.contract, step.contract.trigger
    if contract.only_drops or contract.peeks is EVERYTHING or trigger.every or trigger.outside is not None:
        return frozenset() if contract.only_drops else EVERYTHING
    return trigger_words(contract) | contract.peeks


def trigger_words(contract: Contract) -> frozenset[str]:
    """The keywords that a rule is called for, as far as they can be listed."""
    return contract.trigger.keywords.union(contract.trigger.valued)


@frozen(eq=False, slots=False)
class Subject:
    """A pipeline that laws are tried on."""

    adapter: Adapter

    @property
    def dialect(self) -> str:
        """How outputs are read."""
        return self.adapter.pipeline.dialect

    @cached_property
    def singles(self) -> list[tuple[str, Adapter]]:
        """Each step alone, with its id."""
        return [(step.id, with_steps(self.adapter, [step])) for step in self.adapter.plan.steps]

    @cached_property
    def prefixes(self) -> list[tuple[str, Adapter]]:
        """The pipeline up to each step, with that step's id."""
        steps = self.adapter.plan.steps
        return [(step.id, with_steps(self.adapter, steps[: end + 1])) for end, step in enumerate(steps)]

    def stages(self, schema: JsonValue) -> Iterator[Stage]:
        """The steps one after the other; nothing comes after one that raises."""
        document: Any = schema
        for step, single in self.singles:
            # A step that writes into what it gets would hide that.
            before = plain_copy(document)
            try:
                result = single.adapt(document)
            except Exception as error:
                yield Stage(step, before, None, error=error)
                return
            yield Stage(step, before, result.schema, result.report.effect)
            document = result.schema

    @cached_property
    def pairs(self) -> list[Pair]:
        """The pairs of steps that may stand in the wrong order."""
        return list(suspicious_pairs(self.adapter))

    @cached_property
    def focuses(self) -> list[frozenset[str]]:
        """For each step, the keywords that it and the next one are called for: faults show where these come up."""
        words = [trigger_words(step.contract) for step in self.adapter.plan.steps]
        pairs = (first | second for first, second in zip(words, [*words[1:], frozenset[str]()], strict=True))
        return list(dict.fromkeys(pair for pair in pairs if pair))
