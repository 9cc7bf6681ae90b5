"""
Which members of a conjunction can be merged, and which stay whole.

Members with `allOf` are taken apart. A member stays whole where another node than its
own would change what it says: with `unevaluated*`, which see the keywords beside
them; with `$id` or an anchor, by which references find it; or with definitions whose
names mean something else in another member.
"""

from collections.abc import Iterable, Sequence
from typing import Any, Final

from attrs import define, field

from schemaflow.algebra.outcome import Ledger
from schemaflow.keywords import KEYWORDS, JsonValue, Role, Schema, json_equal

UNEVALUATED: Final = frozenset({"unevaluatedProperties", "unevaluatedItems"})

EVALUATING: Final = UNEVALUATED.union(*(KEYWORDS[word].reads for word in UNEVALUATED))
"""The keywords that decide what `unevaluated*` see."""

_FINDABLE: Final = frozenset(
    row.name for row in KEYWORDS.values() if row.role is Role.IDENTIFIER and row.name not in ("id", "$schema")
)
"""The keywords by which a schema is found. `id` is none in 2020-12."""

_DEFINITIONS: Final = frozenset(row.name for row in KEYWORDS.values() if row.role is Role.DEFINITIONS)

_PECULIAR: Final = frozenset({"allOf"}) | UNEVALUATED | _FINDABLE | _DEFINITIONS
"""The keywords that the sorting of members has to look at."""


def is_schema(value: JsonValue) -> bool:
    """Whether a value can be a schema."""
    return isinstance(value, (dict, bool))


def is_trivial(member: Schema | bool) -> bool:
    """Whether a member says nothing at all."""
    return member is True or member == {}


@define
class Sides:
    """The members of a conjunction: those to merge, without `allOf`, and those to keep whole."""

    ledger: Ledger
    open: list[Schema] = field(factory=list)
    whole: list[Schema] = field(factory=list)
    empty: bool = False
    _definitions: dict[tuple[str, str], Any] = field(factory=dict)

    @classmethod
    def of(cls, members: Sequence[Schema], ledger: Ledger) -> "Sides":
        """The members sorted, each before those of its `allOf`."""
        sides = cls(ledger)
        members = _unsaid(members)
        sides._take(members, _owner(members))
        return sides

    def _take(self, members: Sequence[Schema], owner: Schema | None) -> None:
        seen: set[int] = set()
        waiting: list[Schema | bool] = list(reversed(members))
        while waiting:
            member = waiting.pop()
            if isinstance(member, bool):
                self.empty = self.empty or not member
            elif id(member) not in seen:
                seen.add(id(member))
                waiting.extend(self._sort(member, member is owner))

    def _sort(self, member: Schema, owner: bool) -> Iterable[Schema | bool]:
        """Put one member in its place; returns the members of its `allOf`, still to be sorted."""
        if _PECULIAR.isdisjoint(member):
            self.open.extend([member] if member else [])
            return ()
        if not owner and not self.ledger.residual:
            member = self._without_unevaluated(member)
        if not _is_readable(member) or not (owner or self._may_open(member)):
            self.whole.append(member)
            return ()
        self._define(member)
        own = {word: value for word, value in member.items() if word != "allOf"} if "allOf" in member else member
        if own:
            self.open.append(own)
        return reversed(member.get("allOf", ()))

    def _may_open(self, member: Schema) -> bool:
        return not (_FINDABLE | UNEVALUATED) & member.keys() and not any(
            key in self._definitions and not json_equal(self._definitions[key], schema)
            for key, schema in _definitions(member)
        )

    def _define(self, member: Schema) -> None:
        for key, schema in _definitions(member):
            self._definitions.setdefault(key, schema)

    def _without_unevaluated(self, member: Schema) -> Schema:
        """The member without the keywords that only an `allOf` could keep apart."""
        lost = {word: member[word] for word in UNEVALUATED & member.keys()}
        if not lost:
            return member
        self.ledger.leave_out(dict(sorted(lost.items())))
        return {word: value for word, value in member.items() if word not in lost}


def _owner(members: Sequence[Schema]) -> Schema | None:
    """
    The member whose node the result can be, so that nothing of it has to stay whole.

    That is the only member; or the only one that evaluates anything, unless it can be
    found by name: then what refers to it must not get the others' conditions.
    """
    if len(members) == 1:
        return members[0]
    evaluating = [member for member in members if EVALUATING & member.keys()]
    if len(evaluating) == 1 and not (_FINDABLE | _DEFINITIONS) & evaluating[0].keys():
        return evaluating[0]
    return None


def _unsaid(members: Sequence[Schema]) -> Sequence[Schema]:
    """
    The members without those that say what the first with `unevaluated*` says beside more assertions.

    Only one that is merged already is such a first; so what was merged once stays as it is.
    """
    first = next((member for member in members if UNEVALUATED & member.keys()), None)
    if first is None:
        return members
    return [member for member in members if member is first or not _is_part(member, first)]


def _is_part(member: Schema, whole: Schema) -> bool:
    return (
        bool(UNEVALUATED & member.keys())
        and member.keys() <= whole.keys()
        and not EVALUATING & (whole.keys() - member.keys())
        and all(json_equal(value, whole[word]) for word, value in member.items())
    )


def _is_readable(member: Schema) -> bool:
    """Whether `allOf` and the definitions, where there are any, have their right form."""
    members = member.get("allOf", [])
    return (
        isinstance(members, list)
        and all(map(is_schema, members))
        and all(isinstance(member.get(word, {}), dict) for word in _DEFINITIONS)
    )


def _definitions(member: Schema) -> Iterable[tuple[tuple[str, str], Any]]:
    for word in _DEFINITIONS & member.keys():
        for name, schema in member[word].items():
            yield (word, name), schema
