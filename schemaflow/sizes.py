"""Sizes: how long a document is when written out, and which of its schemas stand in several places."""

from collections.abc import Hashable, Iterator
from typing import Any

from attrs import define, field

from schemaflow.codecs.marks import MARK
from schemaflow.keywords import JsonValue, Schema, Token, json_key, subschemas


@define(eq=False)
class Sizes:
    """
    The parts of a document, each looked at once however often it stands there.

    Equal parts have the same number.
    """

    document: JsonValue
    _numbers: dict[int, int] = field(factory=dict, init=False)
    _lengths: list[int] = field(factory=list, init=False)
    _known: dict[Hashable, int] = field(factory=dict, init=False)

    def __attrs_post_init__(self) -> None:
        waiting: list[tuple[Any, bool]] = [(self.document, False)]
        while waiting:
            part, is_done = waiting.pop()
            if not isinstance(part, (dict, list)) or id(part) in self._numbers:
                continue
            if is_done:
                self._number(part)
            else:
                waiting.append((part, True))
                waiting.extend((member, False) for member in (part.values() if isinstance(part, dict) else part))

    def number(self, part: Any) -> int:
        """The number of an object or array of the document."""
        return self._numbers[id(part)]

    def knows(self, part: Any) -> bool:
        """Whether an object is one of the document's."""
        return id(part) in self._numbers

    def length(self, part: Any) -> int:
        """About how many bytes an object or array of the document has when written out, and never more."""
        return self._lengths[self.number(part)]

    def repeated(self) -> Iterator[Schema]:
        """The schemas below the root that stand in several places, of equal ones the first; in a stable order."""
        places: dict[int, set[tuple[int, str, Token | None]]] = {}
        first: dict[int, Schema] = {}
        waiting = [self.document]
        for node in waiting:
            # Grows while it is walked.
            for keyword, token, child in subschemas(node):
                if isinstance(child, dict):
                    number = self.number(child)
                    places.setdefault(number, set()).add((self.number(node), keyword, token))
                    if number not in first:
                        first[number] = child
                        waiting.append(child)
        return (node for number, node in first.items() if len(places[number]) > 1)

    def _number(self, part: Any) -> None:
        key: Hashable
        if isinstance(part, dict):
            written = [(name, member) for name, member in part.items() if name is not MARK]
            key = ("object", part.get(MARK), *((name, self._token(member)) for name, member in written))
            length = 1 + sum(len(name) + 4 + self._length(member) for name, member in written)
        else:
            key = ("array", *map(self._token, part))
            length = 1 + sum(1 + self._length(member) for member in part)
        number = self._known.setdefault(key, len(self._lengths))
        if number == len(self._lengths):
            self._lengths.append(max(length, 2))
        self._numbers[id(part)] = number

    def _token(self, member: Any) -> Hashable:
        """What two equal members have in common; the order of an object's members counts, and 1 is not 1.0."""
        if isinstance(member, (dict, list)):
            return ("part", self.number(member))
        return (type(member), json_key(member))

    def _length(self, member: Any) -> int:
        if isinstance(member, (dict, list)):
            return self.length(member)
        if isinstance(member, str):
            return len(member) + 2
        return 4 if member is None or isinstance(member, bool) else 1
