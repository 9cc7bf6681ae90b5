"""The operations of the algebra, each from schemas to a schema and how that compares with the true result."""

from collections.abc import Sequence
from contextlib import suppress
from itertools import combinations
from typing import Final

from schemaflow.algebra.complement import oppose, refusal
from schemaflow.algebra.distribution import is_distributed
from schemaflow.algebra.intersection import conjoin
from schemaflow.algebra.outcome import Ledger, Outcome, TooMuch
from schemaflow.algebra.sides import UNEVALUATED
from schemaflow.algebra.steps import Asked, Opposite, Question, Steps, run
from schemaflow.algebra.unions import typed_first, united
from schemaflow.errors import Unsupported
from schemaflow.families import without
from schemaflow.keywords import KEYWORDS, JsonValue, Role, Schema
from schemaflow.rule import Rewrite


def intersect(left: Schema | bool, right: Schema | bool, *, residual: bool = True, distribute: bool = False) -> Outcome:
    """
    The schema of the values that both schemas accept. See `intersect_all`.

    It is `left` itself where `right` adds nothing.
    """
    return intersect_all((left, right), residual=residual, distribute=distribute)


def intersect_all(members: Sequence[Schema | bool], *, residual: bool = True, distribute: bool = False) -> Outcome:
    """
    The schema of the values that all members accept, as one node of draft 2020-12.

    What one node cannot hold (a second `pattern`, a second `anyOf`) is left in its
    `allOf`, in members as small as can be, and the result is exact. With
    `residual=False` it is left out: a note says so, and the result widens. With
    `distribute` what stands beside an `anyOf` goes into each of its members, and
    several of them are multiplied, as far as the budget allows.

    The `allOf` of a member is taken apart; with a single member that is all there is
    to do. Where the others add nothing the result is the first member itself, and its
    parts are, wherever they did not change, the members' own objects.

    References are taken as they stand, so all members must be of one document, and a
    pointer into an `allOf` that is taken apart leads nowhere afterwards.
    """
    if len(members) == 1 and isinstance(members[0], dict) and is_distributed(members[0]):
        return Outcome(members[0])
    question = Question(members, opens=True)
    if distribute:
        with suppress(TooMuch):
            return _worked_out(question, Ledger(residual, distributes=True))
    return _worked_out(question, Ledger(residual))


def unite(members: Sequence[Schema | bool]) -> Outcome:
    """
    The schema of the values that any member accepts: one `anyOf`, nested ones flat, without repetitions.

    Always exact.
    """
    return Outcome(united(members))


def complement(schema: Schema | bool) -> Outcome:
    """
    The schema of the values that a schema refuses, as a union of branches.

    Always exact: what has no opposite in 2020-12 stays below a `not` of its own.
    """
    with suppress(TooMuch):
        return _worked_out(Opposite(schema), Ledger(residual=True, distributes=True))
    return Outcome(refusal([schema]))


OVERLAPPING: Final = 24
"""So many members that may overlap are told apart, no more: each has to refuse all others."""


def excluding(members: Sequence[Schema | bool]) -> Schema | bool:
    """
    The schema of the values that exactly one of the members accepts.

    Each member that is not exclusive by itself refuses what the others accept. Raises
    Unsupported where there are more than `OVERLAPPING` members.
    """
    if len(members) > OVERLAPPING:
        raise Unsupported(f"{len(members)} members that may overlap are too many to tell apart")
    overlapping: dict[int, list[int]] = {index: [] for index in range(len(members))}
    for (one, left), (other, right) in combinations(enumerate(members), 2):
        if not disjoint(left, right):
            overlapping[one].append(other)
            overlapping[other].append(one)
    opposites = {index: complement(members[index]).schema for index, others in overlapping.items() if others}
    exclusive = [
        _without(members[index], [members[other] for other in others], [opposites[other] for other in others])
        for index, others in overlapping.items()
    ]
    return united([typed_first(member) for member in exclusive])


def _without(
    member: Schema | bool, others: Sequence[Schema | bool], opposites: Sequence[Schema | bool]
) -> Schema | bool:
    """A member that refuses what the others accept; as they are written, where working that out is too much."""
    with suppress(TooMuch):
        return _worked_out(Question([member, *opposites], opens=True), Ledger(residual=True, distributes=True)).schema
    return intersect(member, refusal(others)).schema


def conjoined(schema: Schema, *conditions: Schema | bool) -> Rewrite:
    """
    The change of a node, some of whose keywords are gone, to one that also says these conditions.

    Raises Unsupported where the node minds which subschemas evaluate what.
    """
    if not UNEVALUATED.isdisjoint(schema):
        raise Unsupported("an unevaluated keyword minds what is evaluated here: fold_unevaluated comes first")
    # What names the node, and what it holds for others, stays where it is.
    outer = {word: value for word, value in schema.items() if word in _STAYING}
    outcome = intersect_all([without(schema, outer), *conditions], distribute=True)
    folded = outcome.schema
    if outer and folded is not False:
        folded = _put_back(outer, folded if isinstance(folded, dict) else {})
    return Rewrite(folded, effect=outcome.effect, note="; ".join(outcome.notes))


def _put_back(outer: Schema, schema: Schema) -> Schema:
    """A schema with what names the node that it stands for; of two definitions of one name the node's own is meant."""
    both = {word: {**schema[word], **outer[word]} for word in _DEFINING if _are_maps(outer.get(word), schema.get(word))}
    return {**outer, **schema, **outer, **both}


def _are_maps(*values: JsonValue) -> bool:
    return all(isinstance(value, dict) for value in values)


_DEFINING: Final = frozenset(row.name for row in KEYWORDS.values() if row.role is Role.DEFINITIONS)
_STAYING: Final = frozenset(row.name for row in KEYWORDS.values() if row.role in (Role.IDENTIFIER, Role.DEFINITIONS))


def is_empty(schema: Schema | bool) -> bool:
    """Whether a schema accepts nothing, as far as that can be seen: False says only that it cannot."""
    return _accepts_nothing([schema])


def disjoint(left: Schema | bool, right: Schema | bool) -> bool:
    """Whether two schemas have no value in common, as far as that can be seen."""
    return _accepts_nothing([left, right])


def _accepts_nothing(members: Sequence[Schema | bool]) -> bool:
    question = Question(members, opens=True)
    with suppress(TooMuch):
        return _worked_out(question, Ledger(residual=True, distributes=True, only_whether=True)).schema is False
    return _worked_out(question, Ledger(residual=True)).schema is False


def _worked_out(question: Asked, ledger: Ledger) -> Outcome:
    def answer(asked: Asked) -> Steps[Schema | bool]:
        return oppose(asked, ledger) if isinstance(asked, Opposite) else conjoin(asked, ledger)

    schema = run(answer, question, ledger)
    return Outcome(schema, ledger.effect, tuple(map(str, ledger.notes)))
