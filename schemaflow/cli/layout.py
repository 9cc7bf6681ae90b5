"""JSON for reading: what fits on a line stands on one line. And long names, broken where they may be."""

import json
from collections.abc import Iterator

from schemaflow.cli.screen import printable
from schemaflow.keywords import JsonValue


def laid_out(value: JsonValue, width: int) -> list[str]:
    """A JSON value in lines, of at most `width` columns where strings allow it."""
    return [printable(line) for line in _lines(value, width, "", "")]


def _lines(value: JsonValue, width: int, before: str, after: str) -> Iterator[str]:
    """The lines of a value that stands after one text and before another."""
    line = before + one_line(value) + after
    if len(line) <= width or not value or not isinstance(value, (dict, list)):
        yield line
        return
    indent = " " * (len(before) - len(before.lstrip()) + 2)
    if isinstance(value, dict):
        opening, closing = "{}"
        members = [(f"{indent}{one_line(name)}: ", member) for name, member in value.items()]
    else:
        opening, closing = "[]"
        members = [(indent, item) for item in value]
    yield before + opening
    for index, (start, member) in enumerate(members, start=1):
        yield from _lines(member, width, start, "," if index < len(members) else "")
    yield indent[2:] + closing + after


def one_line(value: JsonValue) -> str:
    """A JSON value on one line, with room to breathe."""
    return json.dumps(value, ensure_ascii=False)


def broken(name: str, width: int) -> str:
    """A name in lines no wider than `width`, broken after `/`, `-` or `_` where it can be."""
    lines: list[str] = []
    while len(name) > width > 2:
        room = name[: width - 1]
        cut = 1 + max(room.rfind(mark, 2) for mark in "/-_")
        cut = cut or len(room)
        lines.append(name[:cut])
        name = " " + name[cut:]
    return "\n".join([*lines, name])
