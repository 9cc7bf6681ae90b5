"""
What the families of keywords return, and what they share.

A *family* is a set of keywords that mean something only together, such as `minimum`
and `exclusiveMinimum`. A *share* is what one side says in the words of one family.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Final, TypeVar

from attrs import frozen

from schemaflow.keywords import JsonValue, Schema

Value = TypeVar("Value")

CROSSINGS: Final = 100_000
"""So many pairs of a place and a condition that holds for many places are worked out, no more."""


@frozen
class Merged:
    """
    What several shares say together.

    `keywords` go into the node; they are the first share itself where the others add
    nothing. Each member of `rest` is a further condition, which the node cannot hold
    beside them. `empty` says why nothing can match.
    """

    keywords: Schema
    rest: tuple[Schema, ...] = ()
    empty: str | None = None


def same_map(original: JsonValue, rebuilt: dict[str, Value]) -> dict[str, Value]:
    """The original map where the rebuilt one has the same members in the same order."""
    if not isinstance(original, dict) or len(original) != len(rebuilt):
        return rebuilt
    for (name, member), (other, value) in zip(original.items(), rebuilt.items(), strict=True):
        if name != other or member is not value:
            return rebuilt
    return original


def same_list(original: JsonValue, rebuilt: Any) -> Any:
    """The original list where the rebuilt one has the same items. What is no list, in a malformed schema, stays."""
    if not isinstance(original, list) or not isinstance(rebuilt, list) or len(original) != len(rebuilt):
        return rebuilt
    return original if all(one is other for one, other in zip(original, rebuilt, strict=True)) else rebuilt


def gathered(shares: Sequence[Mapping[str, dict[str, Value]]], word: str) -> dict[str, list[Value]]:
    """For every name in the maps that the shares have under a keyword, what each says of it."""
    found: dict[str, list[Value]] = {}
    for share in shares:
        for name, value in share.get(word, {}).items():
            found.setdefault(name, []).append(value)
    return found
