"""
Orders: whether two steps may change places, and which step loses what a later one could have used.

Contracts say where an order may matter at all; drawn schemas show where it does.
"""

import json
from typing import Any

from schemaflow.adapters import Adapter, Result, to_bytes
from schemaflow.errors import UnknownNameError
from schemaflow.keywords import JsonValue
from schemaflow.laws.failures import Failure
from schemaflow.laws.reducing import reduced
from schemaflow.laws.sampling import samples
from schemaflow.laws.stages import Pair, Subject, with_steps


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

    for schema, _ in samples(examples, seed or 0):
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
    """Where a conversion is exact once a step that loses something is moved after one that needs it."""
    result = subject.adapter.adapt(schema)
    losers = {finding.step for finding in result.report if finding.effect and not finding.refused}
    if not losers or not result.report.effect:
        return None
    for pair in subject.pairs:
        if pair.loser in losers and not pair.moved.adapt(schema).report.effect:
            return _told(pair, schema, result)
    return None


def _told(pair: Pair, schema: Any, result: Result) -> Failure:
    lost = dict.fromkeys(word for one in result.report if one.step == pair.loser for word in one.lost)
    what = ", ".join(f"`{word}`" for word in lost) or "something"
    problem = (
        f"{pair.loser} loses {what} before {pair.needer}, which needs it: move it after "
        f"(then nothing is lost here, which now {result.report.effect.word})"
    )
    return Failure("order", json.loads(to_bytes(schema)), pair.loser, problem, output=result.schema)
