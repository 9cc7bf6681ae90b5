"""Sets of JSON values, which are not hashable."""

from collections.abc import Hashable, Iterable
from typing import Any, TypeVar

from schemaflow.keywords import JsonValue, json_key

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
    """The values without repetitions, the first of each."""
    firsts: dict[Hashable, Value] = {}
    for value in values:
        firsts.setdefault(json_key(value), value)
    return list(firsts.values())
