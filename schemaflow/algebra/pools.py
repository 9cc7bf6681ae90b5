"""
Sets of JSON values, which are not hashable.

`json_key` would do, but it recurses, as hashing and comparing its results does; a
document may be deep, and so may the caller's stack.
"""

from collections.abc import Hashable, Iterable, Sequence
from typing import Any, TypeVar

from schemaflow.keywords import JsonValue, json_equal

Value = TypeVar("Value")


class Pool:
    """A set of JSON values, equal as `json_equal` says."""

    def __init__(self, values: Iterable[JsonValue] = ()) -> None:
        self._alike: dict[Hashable, list[Any]] = {}
        for value in values:
            self.first(value)

    def __contains__(self, value: JsonValue) -> bool:
        alike = self._alike.get(_digest(value), ())
        return _find(value, alike) is not None

    def first(self, value: Value) -> Value:
        """The first value in the set that is equal: the value itself, added, if it is new."""
        alike: list[Value] = self._alike.setdefault(_digest(value), [])
        found = _find(value, alike)
        if found is None:
            alike.append(value)
        return value if found is None else alike[found]


def distinct(values: Iterable[Value]) -> list[Value]:
    """The values without repetitions, the first of each."""
    pool = Pool()
    return list({id(first): first for first in map(pool.first, values)}.values())


def _find(value: JsonValue, alike: Sequence[JsonValue]) -> int | None:
    """Where the equal one is, if any, among values of the same digest."""
    if not isinstance(value, (dict, list)):
        # The digest of a scalar is the scalar.
        return 0 if alike else None
    return next((index for index, known in enumerate(alike) if json_equal(value, known)), None)


def _digest(value: JsonValue) -> Hashable:
    """The same for equal values, and hardly ever for others: a sum over all places, so that order does not count."""
    if not isinstance(value, (dict, list)):
        return isinstance(value, bool), value
    total = 0
    waiting: list[tuple[int, Any]] = [(0, value)]
    while waiting:
        place, part = waiting.pop()
        if isinstance(part, (dict, list)):
            total += hash((place, isinstance(part, dict), len(part)))
            members = part.items() if isinstance(part, dict) else enumerate(part)
            waiting.extend((hash((place, token)), member) for token, member in members)
        else:
            total += hash((place, isinstance(part, bool), part))
    return total
