"""JSON in few characters, for messages and descriptions: written whole where it is short, else cut or given up."""

import json
from collections.abc import Iterator
from typing import Any

from schemaflow.keywords import JsonValue


def whole(value: JsonValue, most: int) -> str | None:
    """A value as JSON on one line, None where that takes more than `most` characters."""
    text = _written(value, most + 1)
    return text if len(text) <= most else None


def cut(value: JsonValue, most: int) -> str:
    """A value as JSON on one line, cut off with ` ...` where it takes more than `most` characters."""
    text = _written(value, most + 1)
    return text if len(text) <= most else f"{text[: most - 4]} ..."


def on_a_line(text: str) -> str:
    """The text with everything escaped that is not printed as itself, line ends too."""
    if text.isprintable():
        return text
    return "".join(one if one.isprintable() else one.encode("unicode_escape").decode() for one in text)


def _written(value: JsonValue, enough: int) -> str:
    """The beginning of a value's JSON: all of it, or at least `enough` characters."""
    written: list[str] = []
    length = 0
    for piece in _pieces(value):
        written.append(piece)
        length += len(piece)
        if length >= enough:
            break
    return "".join(written)


def _pieces(value: JsonValue) -> Iterator[str]:
    # A stack of what is still to be written: values, and text as it is.
    waiting: list[tuple[Any, bool]] = [(value, False)]
    while waiting:
        one, is_text = waiting.pop()
        if is_text:
            yield one
        elif isinstance(one, dict):
            parts: list[tuple[Any, bool]] = []
            for name, member in one.items():
                parts += [(f"{_scalar(name)}: ", True), (member, False), (", ", True)]
            waiting += reversed([("{", True), *parts[:-1], ("}", True)])
        elif isinstance(one, (list, tuple)):
            parts = [part for item in one for part in ((item, False), (", ", True))]
            waiting += reversed([("[", True), *parts[:-1], ("]", True)])
        else:
            yield _scalar(one)


def _scalar(value: Any) -> str:
    try:
        return json.dumps(value, ensure_ascii=False)
    except ValueError:
        # More digits than Python converts.
        return hex(value)
