"""
Orders: whether two steps may change places, and which step loses what a later one could have used.

Contracts say where an order may matter at all; drawn schemas show where it does.
"""

from typing import Any

from schemaflow.adapters import Adapter, to_bytes
from schemaflow.contract import meet
from schemaflow.errors import UnknownNameError
from schemaflow.keywords import JsonValue
from schemaflow.laws.failures import Failure
from schemaflow.laws.judging import judge_or_none
from schemaflow.laws.reducing import reduced
from schemaflow.laws.sampling import samples
from schemaflow.laws.stages import Subject, all_pairs, trigger_words, with_steps


def order_matters(
    adapter: Adapter, first: str, second: str, *, examples: int = 500, seed: int | None = None
) -> JsonValue | None:
    """
    The smallest schema found to which a pipeline does something else when two of its steps change places.

    None where so many drawn schemas show none. Raises UnknownNameError for a step that is not there.
    """
    exchanged = _exchanged(adapter, first, second)

    def differs(schema: Any) -> bool:
        return isinstance(schema, (dict, bool)) and _output(adapter, schema) != _output(exchanged, schema)

    words = (trigger_words(step.contract) for step in adapter.plan.steps if step.id in (first, second))
    for schema, _ in samples(examples, seed or 0, [frozenset().union(*words)]):
        if differs(schema):
            return reduced(schema, differs)
    return None


def _output(adapter: Adapter, schema: Any) -> bytes:
    """What comes out; for one that raises, how."""
    try:
        return to_bytes(adapter.adapt(schema).schema)
    except Exception as error:
        return repr(error).encode()


def _exchanged(adapter: Adapter, first: str, second: str) -> Adapter:
    steps = list(adapter.plan.steps)
    ids = [step.id for step in steps]
    for name in (first, second):
        if name not in ids:
            raise UnknownNameError("step", name, tuple(ids))
    left, right = ids.index(first), ids.index(second)
    steps[left], steps[right] = steps[right], steps[left]
    return with_steps(adapter, steps)


def lost_too_early(subject: Subject, schema: Any) -> Failure | None:
    """Where a conversion is exact once the first step that loses something is moved after one that needs it."""
    result = subject.adapter.adapt(schema)
    losing = [one for one in result.report if one.effect and not one.refused and not one.superseded]
    if not losing or judge_or_none(schema, "json-schema") is None:
        return None
    loser = losing[0].step
    lost = dict.fromkeys(word for finding in losing if finding.step == loser for word in finding.lost)
    needer = _needer(subject, schema, loser, frozenset(lost))
    if needer is None:
        return None
    what = ", ".join(f"`{word}`" for word in lost) or "something"
    looks_for = next(trigger_words(step.contract) for step in subject.adapter.plan.steps if step.id == needer)
    why = "which needs it" if lost.keys() & looks_for else "after which it would not matter"
    problem = (
        f"{loser} loses {what} before {needer}, {why}: move it after "
        f"(the report says {result.report.effect.word}, then exact)"
    )
    return Failure("order", schema, loser, problem, output=result.schema)


def _needer(subject: Subject, schema: Any, loser: str, lost: frozenset[str]) -> str | None:
    """The first step after which a step that loses these keywords would lose nothing; None where none is."""
    pairs = [pair for pair in subject.pairs if pair.loser == loser]
    # What is not dropped but changed says little about who needs it: then the nearest is asked.
    asked = [pair for pair in pairs if meet(lost, pair.needs)] if lost else pairs[:1]
    hit = next((pair for pair in asked if not pair.moved.adapt(schema).report.effect), None)
    if hit is None:
        return None
    between = (pair for pair in all_pairs(subject.adapter, loser) if not pair.moved.adapt(schema).report.effect)
    return next(between, hit).needer
