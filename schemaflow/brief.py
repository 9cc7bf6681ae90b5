"""JSON in few characters, for messages and descriptions: written whole where it is short, else cut or given up."""

import json
from collections.abc import Iterator, Sequence
from typing import Any, Final, TypeAlias

from schemaflow.keywords import JsonValue

ROOT: Final = "(root)"
"""How texts for people spell the empty JSON Pointer."""


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


_Piece: TypeAlias = tuple[Any, bool]
"""A value still to be written, or text as it is."""


def _pieces(value: JsonValue) -> Iterator[str]:
    waiting: list[Iterator[_Piece]] = [iter([(value, False)])]
    while waiting:
        piece = next(waiting[-1], None)
        if piece is None:
            waiting.pop()
            continue
        one, is_text = piece
        if is_text:
            yield one
        elif isinstance(one, dict):
            waiting.append(_object(one))
        elif isinstance(one, (list, tuple)):
            waiting.append(_array(one))
        else:
            yield _scalar(one)


def _object(value: dict[str, JsonValue]) -> Iterator[_Piece]:
    yield "{", True
    for index, (name, member) in enumerate(value.items()):
        yield f"{', ' if index else ''}{_scalar(name)}: ", True
        yield member, False
    yield "}", True


def _array(value: Sequence[JsonValue]) -> Iterator[_Piece]:
    yield "[", True
    for index, item in enumerate(value):
        if index:
            yield ", ", True
        yield item, False
    yield "]", True


def _scalar(value: Any) -> str:
    try:
        return json.dumps(value, ensure_ascii=False)
    except ValueError:
        # More digits than Python converts.
        return hex(value)
