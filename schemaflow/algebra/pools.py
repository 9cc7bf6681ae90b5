"""Sets of JSON values, which are not hashable."""

from collections.abc import Hashable, Iterable, Sequence
from typing import Any, Final, TypeVar

from schemaflow.keywords import JsonValue, json_equal, json_key

Value = TypeVar("Value")


class Pool:
    """A set of JSON values, equal as `json_equal` says."""

    def __init__(self, values: Iterable[JsonValue] = ()) -> None:
        self._first: dict[Hashable, Any] = {}
        for value in values:
            self.first(value)

    def __contains__(self, value: JsonValue) -> bool:
        return json_key(value) in self._first

    def first(self, value: Value) -> Value:
        """The first value in the set that is equal: the value itself, added, if it is new."""
        found: Value = self._first.setdefault(json_key(value), value)
        return found


def distinct(values: Iterable[Value]) -> list[Value]:
    """
    The values without repetitions, the first of each.

    Big ones are told apart by their objects alone: schemas share their parts, and
    written out some are bigger than any memory.
    """
    several = list({id(value): value for value in values}.values())
    if len(several) < 2:
        return several
    # Most differ at a glance.
    surfaces: dict[Hashable, list[Value]] = {}
    for value in several:
        surfaces.setdefault(_surface(value), []).append(value)
    if len(surfaces) == len(several):
        return several
    chosen = {id(value) for group in surfaces.values() for value in _different(group)}
    return [value for value in several if id(value) in chosen]


def _different(values: Sequence[Value]) -> Sequence[Value]:
    """The values of one surface without repetitions."""
    if len(values) <= _PAIRS:
        found: list[Value] = []
        for value in values:
            if not any(alike(value, known) for known in found):
                found.append(value)
        return found
    small: dict[Hashable, Value] = {}
    big: list[Value] = []
    for value in values:
        if _is_small(value):
            small.setdefault(json_key(value), value)
        elif not any(alike(value, known) for known in big[:_FEW]):
            big.append(value)
    return [*small.values(), *big]


_SMALL: Final = 30
"""How many parts a value has that is read to its end at once."""

_PAIRS: Final = 3
"""So few values are sooner compared with one another than read to their ends."""

_FEW: Final = 12
"""With how many others of the same surface a value is compared."""

_BIG: Final = 200
"""How many parts of two values are compared."""


def _is_small(value: JsonValue) -> bool:
    waiting = [value]
    count = 0
    while waiting and count <= _SMALL:
        part = waiting.pop()
        if isinstance(part, (dict, list)):
            count += len(part)
            waiting.extend(part.values() if isinstance(part, dict) else part)
    return count <= _SMALL


def _surface(value: JsonValue) -> Hashable:
    """What equal values have in common, and can be seen at a glance."""
    if isinstance(value, dict):
        said = value.get("type")
        return frozenset(value), said if isinstance(said, str) else None
    return (len(value),) if isinstance(value, (list, tuple)) else json_key(value)


def alike(one: JsonValue, other: JsonValue) -> bool:
    """Whether two values are equal, as far as that can be seen without reading them for long."""
    waiting = [(one, other)]
    for _ in range(_BIG):
        if not waiting:
            return True
        left, right = waiting.pop()
        if left is right:
            continue
        if isinstance(left, dict) and isinstance(right, dict):
            if left.keys() != right.keys():
                return False
            waiting.extend((left[name], right[name]) for name in left)
        elif isinstance(left, list) and isinstance(right, list):
            if len(left) != len(right):
                return False
            waiting.extend(zip(left, right, strict=True))
        elif not json_equal(left, right):
            return False
    return not waiting
