"""JSON line by line, as lazily as it is read: what fits on a line stands on one, and long texts are cut."""

import json
from collections.abc import Iterator
from typing import Final

from schemaflow.cli.screen import printable
from schemaflow.keywords import JsonValue, Token, pointer

LONGEST: Final = 400
"""How many characters of a single string or number are shown."""


def compact(value: JsonValue, room: int) -> str | None:
    """A value on one line, None where that takes more characters than there is room; it reads no further."""
    waiting, left = [value], room
    while waiting and left >= 0:
        one = waiting.pop()
        if isinstance(one, dict):
            left -= sum(len(name) + 6 for name in one) or 2
            waiting.extend(one.values())
        elif isinstance(one, (list, tuple)):
            left -= 2 * len(one) or 2
            waiting.extend(one)
        else:
            left -= len(one) + 2 if isinstance(one, str) else 1
    if left < 0:
        return None
    text = printable(json.dumps(value, ensure_ascii=False))
    return text if len(text) <= room else None


def shortened(value: JsonValue, room: int) -> str:
    """A value on one line of so many characters, what is inside it left out where there is no room."""
    text = compact(value, room)
    if text is not None:
        return text
    if isinstance(value, dict):
        return "{…}"
    if isinstance(value, (list, tuple)):
        return "[…]"
    return scalar(value, room)


def scalar(value: JsonValue, longest: int = LONGEST) -> str:
    """A value that holds no others, cut where it is long."""
    if isinstance(value, str) and len(value) > longest:
        opening = json.dumps(value[: max(longest - 3, 1)], ensure_ascii=False)[:-1]
        return printable(f'{opening}…"')
    text = printable(json.dumps(value, ensure_ascii=False))
    return text if len(text) <= max(longest, LONGEST) else f"{text[:longest]}…"


def outline(
    value: JsonValue, start: str, width: int, *, place: str = "", known: dict[int, str] | None = None
) -> Iterator[tuple[int, str]]:
    """
    The lines of a value that stands after `start` at a place, each with its depth, two columns a level.

    What is long and `known`, by its id, is not written again but named with the place where it was;
    what is written becomes known.
    """
    known = {} if known is None else known
    waiting: list[tuple[int, str, JsonValue, str, str]] = [(0, start, value, "", place)]
    while waiting:
        depth, before, one, after, at = waiting.pop()
        if one is _CLOSED:
            yield depth, before
            continue
        text = compact(one, width - 2 * depth - len(before) - len(after))
        members = None if text is not None or not one else _members(one)
        if members is None:
            yield depth, before + (text or scalar(one)) + after
        elif id(one) in known:
            yield depth, f"{before}{shortened(one, 0)}{after}  as at {known[id(one)]}"
        else:
            known[id(one)] = at
            opening, closing = "{}" if isinstance(one, dict) else "[]"
            yield depth, before + opening
            waiting.append((depth, closing + after, _CLOSED, "", ""))
            for number, (name, token, member) in enumerate(reversed(members)):
                waiting.append((depth + 1, name, member, "," if number else "", at + pointer([token])))


def _members(value: JsonValue) -> list[tuple[str, Token, JsonValue]] | None:
    """What stands before each member, its token and the member; None for a value that holds none."""
    if isinstance(value, dict):
        return [(f"{scalar(name)}: ", name, member) for name, member in value.items()]
    return [("", index, member) for index, member in enumerate(value)] if isinstance(value, (list, tuple)) else None


_CLOSED: Final = object()
"""Stands where a bracket closes."""
