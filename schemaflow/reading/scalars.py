"""The scalars of YAML 1.2's core schema: `yes`, `1_000` and `2026-01-01` are strings, as in JSON they would be."""

import math
import re
from collections.abc import Callable
from typing import Final

from schemaflow.keywords import JsonValue

_WORDS: Final[dict[str, dict[str, JsonValue]]] = {
    "null": dict.fromkeys(("null", "Null", "NULL", "~", "")),
    "bool": {
        **dict.fromkeys(("true", "True", "TRUE"), True),
        **dict.fromkeys(("false", "False", "FALSE"), False),
    },
}
_INTEGER: Final = re.compile(r"[-+]?[0-9]+|0o[0-7]+|0x[0-9a-fA-F]+")
_FLOAT: Final = re.compile(r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?")
_NOT_FINITE: Final = re.compile(r"[-+]?\.(inf|Inf|INF)|\.(nan|NaN|NAN)")


class ScalarError(ValueError):
    """A scalar that has no value in JSON; the text says why."""


def kind_of(text: str) -> str:
    """What a plain scalar is: `null`, `bool`, `int`, `float` or `str`."""
    for kind, words in _WORDS.items():
        if text in words:
            return kind
    if _INTEGER.fullmatch(text):
        return "int"
    return "float" if _FLOAT.fullmatch(text) or _NOT_FINITE.fullmatch(text) else "str"


def value_of(kind: str, text: str) -> JsonValue:
    """
    The value of a scalar of a kind, which its tag may have named, whatever `kind_of` says.

    Raises ScalarError where the text is no such scalar or JSON has no such value, and
    KeyError for any other kind.
    """
    return _READERS[kind](text)


def _word(kind: str) -> Callable[[str], JsonValue]:
    def read(text: str) -> JsonValue:
        if text not in _WORDS[kind]:
            raise ScalarError(f"{text[:40]!r} cannot be read as !!{kind}")
        return _WORDS[kind][text]

    return read


def _integer(text: str) -> int:
    if not _INTEGER.fullmatch(text):
        raise ScalarError(f"{text[:40]!r} cannot be read as !!int")
    try:
        number = int(text, 0) if text[:2] in ("0o", "0x") else int(text)
        # Python reads and writes no more than some thousand decimal digits.
        str(number)
    except ValueError:
        raise ScalarError("a number too large for JSON") from None
    return number


def _float(text: str) -> float:
    if _NOT_FINITE.fullmatch(text):
        raise ScalarError(f"{text} is not a JSON number")
    if not _FLOAT.fullmatch(text):
        raise ScalarError(f"{text[:40]!r} cannot be read as !!float")
    number = float(text)
    if not math.isfinite(number):
        raise ScalarError("a number too large for JSON")
    return number


_READERS: Final[dict[str, Callable[[str], JsonValue]]] = {
    "null": _word("null"),
    "bool": _word("bool"),
    "int": _integer,
    "float": _float,
    "str": str,
}
