"""The conjunction of the keywords about the items of arrays."""

from collections.abc import Iterator, Sequence
from typing import Any, Final

from attrs import frozen

from schemaflow.algebra.merged import CROSSINGS, Merged, same_list
from schemaflow.algebra.pools import distinct
from schemaflow.algebra.sides import is_schema
from schemaflow.algebra.steps import Steps, together
from schemaflow.keywords import JsonValue, Schema


@frozen
class Tuple:
    """The items at the front, one by one, and what is said of all that follow, if anything is."""

    front: list[Any]
    rest: Schema | bool | None

    @classmethod
    def of(cls, share: Schema) -> "Tuple":
        """What a share says, in the words of 2020-12 or of the drafts before it."""
        items = share.get("items")
        if isinstance(items, list):
            return cls(items, share.get("additionalItems"))
        return cls(share.get("prefixItems", []), items)


def is_tuple(share: Schema) -> bool:
    """Whether the keywords about items have their right form."""
    if isinstance(share.get("items"), list) and "prefixItems" in share:
        return False
    parsed = Tuple.of(share)
    return _is_schemas(parsed.front) and (parsed.rest is None or is_schema(parsed.rest))


def _is_schemas(value: JsonValue) -> bool:
    return isinstance(value, list) and all(map(is_schema, value))


def merge_items(shares: Sequence[Schema]) -> Steps[Merged]:
    """
    Position by position; a position that is not at the front of a share is among its rest.

    Where all fronts are spelled as older drafts do, so is the result: those know no other spelling.
    """
    tuples = [Tuple.of(share) for share in shares]
    if len(tuples) * max(len(each.front) for each in tuples) > CROSSINGS:
        return Merged(shares[0], tuple(shares[1:]))
    words = _OLD if all("prefixItems" not in share for share in shares) else _NEW
    front: list[Schema | bool] = []
    for members in _columns(tuples):
        front.append((yield from together(members, words[0], len(front))))
    rests = [each.rest for each in tuples if each.rest is not None]
    rest = (yield from together(rests, words[1] if front else "items")) if rests else None
    if rest is False and False in front:
        # No array reaches a position that nothing can fill.
        del front[front.index(False) :]
    return Merged(_spelled(shares[0], words, front, rest))


def _columns(tuples: Sequence[Tuple]) -> Iterator[list[Schema | bool]]:
    """For each position at the front, what the shares say there, up to where a share allows no more."""
    waiting = list(tuples)
    ended: list[Schema | bool] = []
    position = 0
    while True:
        rests = [each.rest for each in waiting if len(each.front) == position and each.rest is not None]
        waiting = [each for each in waiting if len(each.front) > position]
        ended = distinct([*ended, *rests]) if rests else ended
        if not waiting or False in ended:
            return
        yield [each.front[position] for each in waiting] + ended
        position += 1


_NEW: Final = ("prefixItems", "items")
_OLD: Final = ("items", "additionalItems")


def _spelled(first: Schema, words: tuple[str, str], front: list[Schema | bool], rest: Schema | bool | None) -> Schema:
    keywords: Schema = {}
    if front:
        keywords[words[0]] = same_list(first.get(words[0]), front)
    if rest is not None:
        keywords[words[1] if front else "items"] = rest
    return keywords
