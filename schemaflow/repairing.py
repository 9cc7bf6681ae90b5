"""
Repair of arguments: usual slips of models, mended where the author's schema refuses a value.

What the errors of the validator point at is mended, never anything else, so that a value
that is valid already stays. A slip is mended where the error goes away by it and no
property becomes missing. Branches of unions are tried one after the other.
"""

import json
from collections.abc import Iterator
from typing import Any, Final

from schemaflow.decoding import Repair, json_value
from schemaflow.keywords import JsonValue, Token, json_type, pointer
from schemaflow.validation import Critic

_TRIES: Final = 500
"""How often one call's arguments are validated anew; what is still wrong then is told as it is."""

_Path = tuple[Token, ...]
_MISSING: Final = object()


def repaired(value: JsonValue, critic: Critic) -> tuple[JsonValue, tuple[Repair, ...]]:
    """The value with its slips mended, and what was mended. The value itself is not changed."""
    repairs: list[Repair] = []
    tries = iter(range(_TRIES))
    while (found := _step(value, critic, tries)) is not None:
        value, repair = found
        repairs.append(repair)
    return value, tuple(repairs)


def _step(value: JsonValue, critic: Critic, tries: Iterator[int]) -> tuple[JsonValue, Repair] | None:
    """The first slip that can be mended."""
    errors = list(critic(value))
    before = {_key(error) for error in errors}
    for error in errors:
        for path, new, done in _all_candidates(error):
            if next(tries, None) is None:
                return None
            mended = _put(value, path, new)
            after = {_key(one) for one in critic(mended)}
            # What was inside a text is new: its own errors are told where it is.
            outside = {key for key in after - before if not _is_within(key[0], path)}
            if _key(error) not in after and not outside:
                return mended, Repair(pointer(path), done)
    return None


def _key(error: Any) -> tuple[_Path, _Path, Any]:
    missing = error.kind.property if error.kind.name == "required" else None
    return tuple(error.instance_path), tuple(error.schema_path), missing


def _is_within(path: _Path, place: _Path) -> bool:
    return path[: len(place)] == place


def _all_candidates(error: Any) -> Iterator[tuple[_Path, Any, str]]:
    """What may mend an error; for a union, what may mend those of its branches."""
    waiting = [error]
    while waiting:
        one = waiting.pop(0)
        yield from _candidates(one)
        if one.kind.name in ("anyOf", "oneOfNotValid", "oneOf") and hasattr(one.kind, "context"):
            waiting.extend(inner for branch in one.kind.context for inner in branch)


def _candidates(error: Any) -> Iterator[tuple[_Path, Any, str]]:
    path, value, kind = tuple(error.instance_path), error.instance, error.kind
    if kind.name in ("additionalProperties", "unevaluatedProperties"):
        dropped = set(kind.unexpected)
        kept = {name: member for name, member in value.items() if name not in dropped}
        yield path, kept, f"undeclared {', '.join(sorted(map(json.dumps, dropped)))} dropped"
    if kind.name not in ("type", "enum", "const"):
        return
    if value is None and path and isinstance(path[-1], str):
        yield path, _MISSING, "null dropped"
    if isinstance(value, str):
        parsed = _read(value)
        if parsed is not _MISSING and (kind.name != "type" or _is_of(parsed, kind.types)):
            yield path, parsed, f"JSON text read as {json_type(parsed)}"
    if kind.name == "type" and "array" in kind.types and not isinstance(value, (list, type(None))):
        yield path, [value], "a single value put into a list"


def _read(text: str) -> Any:
    """What a text spells as JSON, through texts within texts."""
    value: Any = text
    for _ in range(3):
        try:
            value = json_value(value)
        except (ValueError, RecursionError):
            return _MISSING
        if not isinstance(value, str):
            return value
    return _MISSING


def _is_of(value: Any, types: list[str]) -> bool:
    kind = json_type(value)
    if kind == "number" and "integer" in types and float(value).is_integer():
        return True
    return kind in types or (kind == "integer" and "number" in types)


def _put(value: Any, path: _Path, new: Any) -> Any:
    """A copy of the value with another part at a path, or without it."""
    if not path:
        return new
    copied = value.copy()
    inner = copied
    for token in path[:-1]:
        inner[token] = inner[token].copy()
        inner = inner[token]
    if new is _MISSING:
        del inner[path[-1]]
    else:
        inner[path[-1]] = new
    return copied
