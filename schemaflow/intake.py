"""
The door: what comes in is JSON, within limits, and safe to walk.

One call of `orjson` checks nearly everything at C speed, and its bytes tell the plan
which keywords occur at all. What it refuses (integers beyond 64 bits, lone
surrogates, subclasses of dict and str, deep nesting) is read again here, slowly and
exactly, to the same result or to an error with a pointer.
"""

import math
from collections.abc import Iterator
from typing import Any, Final

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
    containers: int = field(init=False)
    """A document with at most so many objects and arrays is within all limits but that of bytes."""

    @containers.default
    def _containers(self) -> int:
        return min(self.levels, self.nesting, self.nodes)


DEFAULT: Final = Limits()

_PLAIN: Final = orjson.OPT_PASSTHROUGH_SUBCLASS | orjson.OPT_PASSTHROUGH_DATACLASS | orjson.OPT_PASSTHROUGH_DATETIME


def admit(document: JsonValue, limits: Limits = DEFAULT) -> tuple[Any, bytes | None]:
    """
    Let a schema in: the document itself (or a plain copy where it held subclasses), and its compact JSON.

    The bytes are None where only the slow path could read the document: then nothing
    is known about which keywords occur.

    Raises NotJsonError, NotASchemaError or LimitError, each with a pointer.
    """
    if not isinstance(document, (dict, bool)):
        raise NotASchemaError(f"a schema is an object or a boolean, not {_kind(document)}")
    try:
        raw = orjson.dumps(document, option=_PLAIN)
    except (TypeError, orjson.JSONEncodeError, RecursionError):
        return _Copy(limits).of(document), None
    if len(raw) > limits.bytes:
        raise LimitError(f"{len(raw)} bytes are over the limit of {limits.bytes}")
    if raw.count(b"{") + raw.count(b"[") <= limits.containers and b"null" not in raw:
        return document, raw
    if not _is_shallow(document, raw, limits) or not _is_finite(document, raw):
        # The slow reading says what is wrong, and where.
        _Copy(limits).of(document)
    return document, raw


def reread(document: JsonValue, limits: Limits = DEFAULT) -> Any:
    """A plain copy of a schema, its tuples as lists. Raises NotJsonError or LimitError, each with a pointer."""
    return _Copy(limits).of(document)


def plain_copy(value: JsonValue) -> Any:
    """A copy of a JSON value that shares nothing, with itself or with the original."""
    try:
        return orjson.loads(orjson.dumps(value))
    except (TypeError, ValueError):
        return _Copy(_UNBOUNDED).of(value)


_UNBOUNDED: Final = Limits(levels=2**60, nesting=2**60, nodes=2**60, bytes=2**60)


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
            if value.__class__ is dict or value.__class__ is list
        ]
        if not layer:
            return True
    return False


def _is_finite(document: JsonValue, raw: bytes) -> bool:
    """Whether no number is NaN or infinite: orjson writes those as null."""
    if b"null" not in raw or not (b":null" in raw or b"[null" in raw or b",null" in raw):
        return True
    return bool(orjson.loads(raw) == document)


class _Copy:
    """A plain copy of a schema, made without recursion, so that no depth can hurt."""

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self.nodes = 0
        self.bytes = 0

    def of(self, document: JsonValue) -> JsonValue:
        out: list[Any] = [None]
        waiting: list[_Waiting] = [_Waiting(document, out, 0, None, 0, 0, _SCHEMA)]
        while waiting:
            entry = waiting.pop()
            self._weigh(entry)
            if isinstance(entry.value, dict):
                waiting.extend(self._members(entry))
            elif isinstance(entry.value, (list, tuple)):
                waiting.extend(self._items(entry))
            else:
                entry.target[entry.key] = _scalar(entry.value, entry.link)
        return out[0]

    def _weigh(self, entry: "_Waiting") -> None:
        """Count the bytes of a value without its members: never more than it has as compact JSON."""
        self.bytes += 1 + (len(entry.value) if isinstance(entry.value, (str, dict, list, tuple)) else 0)
        if self.bytes > self.limits.bytes:
            raise LimitError(f"more than {self.limits.bytes} bytes", _pointer(entry.link))

    def _members(self, entry: "_Waiting") -> Iterator["_Waiting"]:
        kind = _SCHEMA if entry.kind is Children.ONE_OR_MANY else entry.kind
        levels = entry.levels + (kind is _SCHEMA)
        self._bound(entry.nesting, levels, entry.link)
        self.nodes += 1
        if self.nodes > self.limits.nodes:
            raise LimitError(f"more than {self.limits.nodes} objects", _pointer(entry.link))
        members: dict[str, Any] = {}
        entry.target[entry.key] = members
        for name, member in entry.value.items():
            if not isinstance(name, str):
                raise NotJsonError(f"the key {name!r} is not a string", _pointer(entry.link))
            plain = str(name)
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
            problem = f"more than {self.limits.nesting} containers deep (or inside itself), which JSON encoders refuse"
            raise LimitError(problem, _pointer(link))


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
        return value if type(value) is int else int(value)
    if isinstance(value, float):
        if math.isfinite(value):
            return value if type(value) is float else float(value)
        raise NotJsonError(f"{value} is not a JSON number", _pointer(link))
    raise NotJsonError(f"{_kind(value)} is not a JSON value", _pointer(link))


def _pointer(link: Any) -> str:
    tokens: list[Token] = []
    while link is not None:
        link, token = link
        tokens.append(token)
    return pointer(reversed(tokens))


def _kind(value: Any) -> str:
    return "null" if value is None else f"a Python {type(value).__name__}"
