"""
Work that asks for smaller work, done without recursion.

A function of the algebra that needs results for subschemas is a generator: it yields
a `Question` and is sent the answer. `run` keeps those that wait on a stack of its
own, so that no depth of schemas is a depth of calls.
"""

from collections.abc import Callable, Generator, Sequence
from typing import Any, TypeAlias, TypeVar

from attrs import frozen

from schemaflow.algebra.outcome import Ledger
from schemaflow.effect import Effect
from schemaflow.keywords import Schema, Token

Result = TypeVar("Result")


@frozen
class Question:
    """
    What do these members say together, at this place below the node?

    `opens`: whether the `allOf` of a member that is alone is taken apart too. A
    subschema that nothing joins stays as it is. `flat`: whether several types stay
    together, where unions are distributed.
    """

    members: Sequence[Schema | bool]
    at: tuple[Token, ...] = ()
    opens: bool = False
    flat: bool = False


@frozen
class Opposite:
    """What accepts all that this schema refuses, and nothing else?"""

    schema: Schema | bool
    at: tuple[Token, ...] = ()


Asked: TypeAlias = Question | Opposite
Steps: TypeAlias = Generator[Asked, Any, Result]
"""Work with a result, which asks questions on the way. The answers are `Schema | bool`."""


@frozen
class _Waiting:
    """Work that waits for an answer, the length of the path above it and the effect before it began."""

    steps: Steps[Schema | bool]
    depth: int
    effect: Effect


def run(answer: Callable[[Asked], Steps[Schema | bool]], question: Asked, ledger: Ledger) -> Schema | bool:
    """The answer to a question, and to all that it leads to."""
    waiting = [_Waiting(answer(question), 0, ledger.effect)]
    known: Schema | bool | None = None
    while waiting:
        current = waiting[-1]
        try:
            asked = current.steps.send(known)
        except StopIteration as finished:
            known = finished.value
            waiting.pop()
            del ledger.path[current.depth :]
            if known is False:
                # Every loss on the way only accepted more: where even so nothing is accepted, that is exact.
                ledger.effect = current.effect
        else:
            known = None
            waiting.append(_Waiting(answer(asked), len(ledger.path), ledger.effect))
            ledger.path.extend(asked.at)
    assert known is not None
    return known


def together(members: Sequence[Schema | bool], *at: Token) -> Steps[Schema | bool]:
    """What the members say together: the member itself where there is but one."""
    if len(members) == 1:
        return members[0]
    answer: Schema | bool = yield Question(members, at)
    return answer
