"""
Work that asks for smaller work, done without recursion.

A function of the algebra that needs results for subschemas is a generator: it yields
a `Question` and is sent the answer. `run` keeps those that wait on a stack of its
own, so that no depth of schemas is a depth of calls.
"""

from collections.abc import Callable, Generator, Hashable, Sequence
from typing import Any, TypeAlias, TypeVar

from attrs import frozen

from schemaflow.algebra.outcome import NOTED, Ledger, Note
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
class _Answer:
    """An answer, what was lost on the way to it, and the notes that were made, with their places below the question."""

    schema: Schema | bool
    effect: Effect
    losses: int
    notes: tuple[Note, ...]


@frozen
class _Waiting:
    """Work that waits for an answer, and how the ledger stood before it began."""

    asked: Asked
    steps: Steps[Schema | bool]
    depth: int
    effect: Effect
    losses: int
    notes: int


def run(answer: Callable[[Asked], Steps[Schema | bool]], question: Asked, ledger: Ledger) -> Schema | bool:
    """
    The answer to a question, and to all that it leads to.

    What is asked again of the same objects is answered without work: schemas share
    their parts, and there are far more ways to a part than there are parts.
    """
    # With the questions, since an id is unique only among the living.
    known: dict[Hashable, tuple[Asked, _Answer]] = {}
    waiting = [_begun(answer, question, ledger)]
    told: Schema | bool | None = None
    while waiting:
        current = waiting[-1]
        try:
            asked = current.steps.send(told)
        except StopIteration as finished:
            told = finished.value
            waiting.pop()
            found = _finished(current, finished.value, ledger)
            known[_key(current.asked)] = (current.asked, found)
            continue
        before = known.get(_key(asked))
        if before is None:
            told = None
            waiting.append(_begun(answer, asked, ledger))
            ledger.path.extend(asked.at)
        else:
            told = _repeated(before[1], asked.at, ledger)
    assert told is not None
    return told


def _key(asked: Asked) -> Hashable:
    if isinstance(asked, Opposite):
        return id(asked.schema)
    return (*map(id, asked.members), asked.opens, asked.flat)


def _begun(answer: Callable[[Asked], Steps[Schema | bool]], asked: Asked, ledger: Ledger) -> _Waiting:
    begun = _Waiting(asked, answer(asked), len(ledger.path), ledger.effect, ledger.losses, len(ledger.notes))
    ledger.effect = Effect.EXACT
    return begun


def _finished(work: _Waiting, schema: Schema | bool, ledger: Ledger) -> _Answer:
    """What came of some work, added to what there was before."""
    # Every loss on the way only accepted more: where even so nothing is accepted, that is exact.
    effect = Effect.EXACT if schema is False else ledger.effect
    place = work.depth + len(work.asked.at)
    notes = tuple(Note(note.path[place:], note.text) for note in ledger.notes[work.notes :])
    ledger.effect = work.effect | effect
    del ledger.path[work.depth :]
    return _Answer(schema, effect, ledger.losses - work.losses, notes)


def _repeated(answer: _Answer, at: Sequence[Token], ledger: Ledger) -> Schema | bool:
    """The same answer at another place."""
    ledger.effect |= answer.effect
    ledger.losses += answer.losses
    if len(ledger.notes) < NOTED:
        ledger.notes.extend(Note((*ledger.path, *at, *note.path), note.text) for note in answer.notes)
    return answer.schema


def together(members: Sequence[Schema | bool], *at: Token) -> Steps[Schema | bool]:
    """What the members say together: the member itself where there is but one."""
    if len(members) == 1:
        return members[0]
    answer: Schema | bool = yield Question(members, at)
    return answer
