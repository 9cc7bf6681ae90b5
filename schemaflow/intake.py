"""
The door: what comes in is JSON, within limits, and safe to walk.

One call of `marshal` and one of `orjson` check nearly everything at C speed: what
kinds of values there are, whether any stands in several places, and how large all of
it is. The bytes tell the plan which keywords occur at all. What either refuses
(integers beyond 64 bits, lone surrogates, subclasses of dict and str, deep nesting)
is read again here, slowly and exactly, to the same result or to an error with a pointer.
"""

import marshal
import math
import re
import sys
from collections.abc import Iterable, Iterator, Mapping, Set
from datetime import date, time
from enum import Enum
from typing import Any, Final
from uuid import UUID

import orjson
from attrs import field, frozen

from schemaflow.errors import LimitError, NotASchemaError, NotJsonError
from schemaflow.keywords import CHILDREN, Children, JsonValue, Token, pointer


@frozen
class Limits:
    """
    What a document may measure.

    `levels`: schemas below one another. `nesting`: containers inside one another,
    which is what JSON encoders carry. `nodes`: objects. `bytes`: as compact JSON.
    """

    levels: int = 100
    nesting: int = 250
    nodes: int = 2_000_000
    bytes: int = 64 * 2**20
    harmless: int = field(init=False, repr=False, eq=False)
    """So many bytes are too few for more levels, containers or objects than there may be."""

    @harmless.default
    def _harmless(self) -> int:
        # A container takes two bytes, a schema in a schema (`{"if":` and `}`) more than five.
        return min(5 * self.levels, 2 * self.nesting, 2 * self.nodes)

    unrepeated: int = field(init=False, repr=False, eq=False)
    """So many bytes, with repeated strings written once, are too few for more than eight times `bytes` in full."""

    @unrepeated.default
    def _unrepeated(self) -> int:
        # A string of m bytes in n more places takes m + 5n bytes, and in JSON m * n: at most that squared, by twenty.
        return math.isqrt(8 * 20 * self.bytes)


DEFAULT: Final = Limits()


def admit(document: JsonValue, limits: Limits = DEFAULT) -> tuple[Any, bytes | None]:
    """
    Let a schema in: the document itself, or a plain copy of one spelled otherwise, and its compact JSON.

    What comes in is what `json.loads` would read of what `json.dumps` writes: instances
    of subclasses of str, int, float, list and dict are the plain value (a member of a
    StrEnum or IntEnum is its value), and tuples are lists, though one that no rule looks at
    may stay what it is. All else is refused: a member of another Enum, a UUID, a date, a
    dataclass, a key that is no string.

    The bytes are None where only the slow path could read the document: then nothing
    is known about which keywords occur.

    Raises NotJsonError, NotASchemaError or LimitError, each with a pointer.
    """
    if document.__class__ is not dict and not isinstance(document, (dict, bool)):
        raise NotASchemaError(f"a schema is an object or a boolean, not {_kind(document)}")
    try:
        # The first mark is the root's: that the caller refers to it tells nothing.
        marks = marshal.dumps(document, 4)[1:]
        if len(marks) > limits.unrepeated or (
            (0xFB in marks or 0xDB in marks or 0xA9 in marks or 0xA8 in marks) and _repeats_containers(document)
        ):
            _measure(document, limits)
        raw = orjson.dumps(document)
    except (TypeError, ValueError):
        return reread(document, limits), None
    if len(raw) > limits.bytes:
        raise LimitError(f"{len(raw)} bytes are over the limit of {limits.bytes}")
    # The last byte of a number that is not finite is 7F or FF.
    if (len(raw) <= limits.harmless or _is_shallow(document, raw, limits)) and (
        (0x7F not in marks and 0xFF not in marks) or _is_finite(document, raw)
    ):
        return document, raw
    # The slow reading says what is wrong, and where.
    copy = reread(document, limits)
    return (document if copy == document else copy), raw


def reread(document: JsonValue, limits: Limits = DEFAULT) -> Any:
    """A plain copy of a schema, its tuples as lists. Raises NotJsonError or LimitError, each with a pointer."""
    _measure(document, limits)
    return _Copy(limits).of(document)


def plain_copy(value: JsonValue) -> Any:
    """A copy of a JSON value that shares nothing, with itself or with the original."""
    try:
        return orjson.loads(orjson.dumps(value))
    except (TypeError, ValueError):
        return _Copy(_UNBOUNDED).of(value)


_UNBOUNDED: Final = Limits(levels=2**60, nesting=2**60, nodes=2**60, bytes=2**60)


# --- what the bytes of `marshal` tell

# `marshal` takes the plain types, no subclasses, and a few others that orjson refuses. It writes a value as a byte for
# its type, its length and its content. What something else refers to as well has 128 added to that byte, and is no
# more than a number wherever it stands again. Text and numbers may hold the same bytes: where these are missing
# something is sure, where they are found it has to be looked at. The fourth format is the quickest; in the third all
# lengths take four bytes, so that less is taken for what it is not.


def _repeats_containers(document: JsonValue) -> bool:
    """Whether some dict, list or tuple (but for the root) stands in several places; it may be wrong if it says so."""
    marks = marshal.dumps(document, 3)
    return any(shared.search(marks, 1) is not None for shared in _SHARED)


# A dict and the type of its first key; a list or a tuple and its length, which is below 16 million. One pattern for
# all of them would be much slower.
_SHARED: Final = [re.compile(text) for text in (rb"\xfb[^\0-\x27]", rb"\xdb[\s\S]{3}\0", rb"\xa8[\s\S]{3}\0")]


def _is_shallow(document: JsonValue, raw: bytes, limits: Limits) -> bool:
    """Whether the containers alone show that the document is within its levels and nodes."""
    braces = raw.count(b"{")
    if braces > limits.nodes:
        return False
    if braces <= limits.levels and braces + raw.count(b"[") <= limits.nesting:
        return True
    layer: list[Any] = [document]
    for _ in range(min(limits.levels, limits.nesting)):
        layer = [
            value
            for container in layer
            for value in (container.values() if container.__class__ is dict else container)
            if value.__class__ is dict or value.__class__ is list or value.__class__ is tuple
        ]
        if not layer:
            return True
    return False


def _is_finite(document: JsonValue, raw: bytes) -> bool:
    """Whether no number is NaN or infinite: orjson writes those as null."""
    if b":null" in raw or b"[null" in raw or b",null" in raw:
        return bool(orjson.loads(raw) == document)
    return True


# --- the slow reading


def _measure(document: JsonValue, limits: Limits) -> None:
    """
    Refuse a document that would be too large, before anything writes it out.

    What stands in several places counts in each, but is looked at once. The bytes are
    never more than there are as compact JSON.
    """
    sizes: dict[int, tuple[int, int]] = {}
    # Each container twice: how deep it lies when it is met, None when its members are measured.
    waiting: list[tuple[Any, Any, int | None]] = [(document, None, 0)]
    while waiting:
        value, link, nesting = waiting.pop()
        if nesting is None:
            sizes[id(value)] = _size(value, link, sizes, limits)
        elif isinstance(value, _CONTAINER) and id(value) not in sizes:
            if nesting >= limits.nesting:
                raise _too_deep(limits, link)
            waiting.append((value, link, None))
            below = {
                id(member): (member, (link, token), nesting + 1)
                for token, member in _entries(value)
                if isinstance(member, _CONTAINER) and id(member) not in sizes
            }
            waiting.extend(below.values())


_CONTAINER: Final = (dict, list, tuple)


def _size(container: Any, link: Any, sizes: dict[int, tuple[int, int]], limits: Limits) -> tuple[int, int]:
    """The objects and bytes of a container. Raises LimitError where they are too many."""
    nodes, length = int(isinstance(container, dict)), 1 + len(container)
    for token, member in _entries(container):
        if isinstance(token, str):
            length += len(token) + 3
        if isinstance(member, str):
            length += len(member) + 2
        elif isinstance(member, _CONTAINER):
            below = sizes[id(member)]
            nodes, length = nodes + below[0], length + below[1]
        else:
            # A number has more than a digit for every four bits.
            length += member.bit_length() // 4 if isinstance(member, int) else 1
    if nodes > limits.nodes:
        raise LimitError(f"more than {limits.nodes} objects", _pointer(link))
    if length > limits.bytes:
        raise LimitError(f"more than {limits.bytes} bytes", _pointer(link))
    return nodes, length


def _entries(container: Any) -> Iterable[tuple[Any, Any]]:
    return container.items() if isinstance(container, dict) else enumerate(container)


def _too_deep(limits: Limits, link: Any) -> LimitError:
    problem = f"more than {limits.nesting} containers deep (or inside itself), which JSON encoders refuse: split it"
    return LimitError(problem, _pointer(link))


class _Copy:
    """A plain copy of a schema, made without recursion, so that no depth can hurt."""

    def __init__(self, limits: Limits) -> None:
        self.limits = limits

    def of(self, document: JsonValue) -> JsonValue:
        out: list[Any] = [None]
        waiting: list[_Waiting] = [_Waiting(document, out, 0, None, 0, 0, _SCHEMA)]
        while waiting:
            entry = waiting.pop()
            if isinstance(entry.value, dict):
                waiting.extend(self._members(entry))
            elif isinstance(entry.value, (list, tuple)):
                waiting.extend(self._items(entry))
            else:
                entry.target[entry.key] = _scalar(entry.value, entry.link)
        return out[0]

    def _members(self, entry: "_Waiting") -> Iterator["_Waiting"]:
        kind = _SCHEMA if entry.kind is Children.ONE_OR_MANY else entry.kind
        levels = entry.levels + (kind is _SCHEMA)
        self._bound(entry.nesting, levels, entry.link)
        members: dict[str, Any] = {}
        entry.target[entry.key] = members
        for name, member in entry.value.items():
            if not isinstance(name, str):
                raise NotJsonError(f"the key {name!r} is not a string", _pointer(entry.link))
            plain = str.__str__(name)
            # The key is set now, so that the copy keeps the order of the original.
            members[plain] = None
            yield _Waiting(member, members, plain, (entry.link, plain), entry.nesting + 1, levels, _below(kind, plain))

    def _items(self, entry: "_Waiting") -> Iterator["_Waiting"]:
        self._bound(entry.nesting, entry.levels, entry.link)
        items: list[Any] = [None] * len(entry.value)
        entry.target[entry.key] = items
        below = _SCHEMA if entry.kind in (Children.MANY, Children.ONE_OR_MANY) else None
        for index, item in enumerate(entry.value):
            yield _Waiting(item, items, index, (entry.link, index), entry.nesting + 1, entry.levels, below)

    def _bound(self, nesting: int, levels: int, link: Any) -> None:
        if levels > self.limits.levels:
            problem = f"more than {self.limits.levels} schema levels deep: split the schema or use $ref"
            raise LimitError(problem, _pointer(link))
        if nesting >= self.limits.nesting:
            raise _too_deep(self.limits, link)


@frozen
class _Waiting:
    """
    A value still to be copied: where its copy goes, the link of its place, how deep
    it lies in containers and in schemas, and whether it is, or holds, schemas.
    """

    value: Any
    target: Any
    key: Any
    link: Any
    nesting: int
    levels: int
    kind: Any


_SCHEMA: Final = object()


def _below(kind: Any, name: str) -> Any:
    """What a member of an object is: a schema, a container of schemas, or data (None)."""
    if kind is _SCHEMA:
        children = CHILDREN.get(name)
        return _SCHEMA if children is Children.ONE else children
    return _SCHEMA if kind in (Children.NAMED, Children.NAMED_OR_NAMES) else None


def _scalar(value: Any, link: Any) -> Any:
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, str):
        return value if type(value) is str else str.__str__(value)
    if isinstance(value, int):
        return _integer(value, link)
    if isinstance(value, float):
        if math.isfinite(value):
            return value if type(value) is float else float.__float__(value)
        raise NotJsonError(f"{value} is not a JSON number", _pointer(link))
    raise NotJsonError(f"{_kind(value)} is not a JSON value{_advice(value)}", _pointer(link))


def _integer(value: int, link: Any) -> int:
    plain = value if type(value) is int else int.__int__(value)
    try:
        int.__repr__(plain)
    except ValueError:
        # Python's guard against numbers that take for ever to write.
        digits = sys.get_int_max_str_digits()
        raise NotJsonError(
            f"an integer of more than {digits} digits, which Python does not write: take a float", _pointer(link)
        ) from None
    return plain


def _pointer(link: Any) -> str:
    tokens: list[Token] = []
    while link is not None:
        link, token = link
        tokens.append(token)
    return pointer(reversed(tokens))


def _kind(value: Any) -> str:
    return "null" if value is None else f"a Python {type(value).__name__}"


def _advice(value: Any) -> str:
    """What to write in the place of a value that is not JSON, where that is known."""
    return next((f": {advice}" for kind, advice in _ADVICE if isinstance(value, kind)), "")


_ADVICE: Final[tuple[tuple[Any, str], ...]] = (
    (Enum, "write the member's value"),
    (UUID, "write it as a string"),
    ((date, time), "write it as a string, as isoformat() gives it"),
    (bytes, "decode it"),
    (Mapping, "make it a dict"),
    ((Set, range), "make it a list"),
)
