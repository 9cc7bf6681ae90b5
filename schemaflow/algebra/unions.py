"""The union of schemas: nested ones flat, none twice, none that another one holds."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final

from schemaflow.algebra.pools import alike, distinct
from schemaflow.algebra.sides import is_trivial
from schemaflow.families import dropping
from schemaflow.keywords import ANNOTATIONS, KEYWORDS, Role, Schema

_OUTSIDE: Final = ANNOTATIONS | {
    row.name for row in KEYWORDS.values() if row.role in (Role.IDENTIFIER, Role.DEFINITIONS)
}


def outside(schema: Schema) -> tuple[Schema, Schema]:
    """What stays outside of a union, since it says nothing of values or holds definitions; and the rest."""
    outer = {word: value for word, value in schema.items() if word in _OUTSIDE}
    return outer, {word: value for word, value in schema.items() if word not in _OUTSIDE}


def united(members: Sequence[Schema | bool]) -> Schema | bool:
    """
    The schema of the values that any of the members accepts: exact.

    False where there is none, and a member alone where it holds all others.
    """
    flat = {id(member): member for member in flattened(members) if member is not False}
    if any(map(is_trivial, flat.values())):
        return True
    kept = _largest([member for member in flat.values() if isinstance(member, dict)])
    if not kept:
        return False
    return kept[0] if len(kept) == 1 else {"anyOf": kept}


def flattened(members: Iterable[Schema | bool]) -> Iterator[Schema | bool]:
    """The members, those of unions that say nothing else in the place of these; the texts of a union go with each."""
    waiting = list(members)[::-1]
    while waiting:
        member = waiting.pop()
        if isinstance(member, dict) and isinstance(member.get("anyOf"), list):
            outer, core = outside(member)
            if core.keys() == {"anyOf"} and ANNOTATIONS.issuperset(outer):
                waiting.extend(_noted(inner, outer) for inner in reversed(member["anyOf"]))
                continue
        yield member


def _noted(member: Any, texts: Schema) -> Any:
    return {**texts, **member} if texts and isinstance(member, dict) else member


_MOST: Final = 30
"""How many members are compared with one another."""


def _largest(members: list[Schema]) -> list[Schema]:
    """The members without those that say what another one says, and more."""
    if len(members) > _MOST:
        return distinct(members)
    kept: list[Schema] = []
    for member in members:
        if any(holds(other, member) for other in kept):
            continue
        kept = [other for other in kept if not holds(member, other)]
        kept.append(member)
    return kept


def holds(larger: Schema, smaller: Schema) -> bool:
    """Whether a schema says nothing but what another one says too, so that it accepts all that this accepts."""
    # What differs mostly differs in its type, or in what it says at all; to call for each word would be dear.
    if not _is_within(smaller.get("type"), larger.get("type")):
        return False
    for word in larger:
        if word not in smaller and word not in ANNOTATIONS:
            return False
    for word, value in larger.items():
        if word not in ANNOTATIONS and word != "type" and not alike(value, smaller[word]):
            return False
    more = [word for word in smaller if word not in larger]
    return not dropping(smaller, more).may_narrow


def _is_within(smaller: Any, larger: Any) -> bool:
    return smaller == larger or larger is None or (smaller, larger) == ("integer", "number")


def typed_first(schema: Schema | bool) -> Schema | bool:
    """The schema with its type before all else, as authors write it."""
    if isinstance(schema, bool) or "type" not in schema or next(iter(schema)) == "type":
        return schema
    return {"type": schema["type"], **schema}
