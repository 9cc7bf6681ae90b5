"""Texts as JSON values: strict JSON, else YAML; every mistake at its place in the text."""

import json
import math
import sys
from pathlib import Path
from typing import Any, Final, NoReturn

from schemaflow.errors import InputError, LimitError, NotJsonError
from schemaflow.keywords import JsonValue, Token, pointer


def parse(data: bytes, source: str) -> JsonValue:
    """
    The JSON value that a file's bytes spell, as JSON or as YAML.

    Raises InputError, naming the source.
    """
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        problem = f"not UTF-8 text (byte {error.start}): save it as UTF-8"
        raise NotJsonError(problem, source=source) from None
    if not text.strip():
        raise NotJsonError("empty: expected a schema or tools, as JSON or YAML", source=source)
    try:
        return _strict_json(text)
    except json.JSONDecodeError as error:
        mistake = NotJsonError(f"not JSON: {_lower(error.msg)}", source=f"{source}:{error.lineno}:{error.colno}")
    except RecursionError:
        raise too_deep(source) from None
    except InputError as error:
        raise error.at(source=source) from None
    except ValueError:
        most = sys.get_int_max_str_digits()
        problem = f"an integer of more than {most} digits, which Python does not read: write it as a float"
        raise NotJsonError(problem, source=source) from None
    return _yaml_or(mistake, text, source)


def _yaml_or(mistake: InputError, text: str, source: str) -> JsonValue:
    """The text as YAML; where it was meant to be JSON, the mistake in that."""
    from schemaflow.reading.yaml_values import parse_yaml

    suffix = Path(source).suffix.lower()
    if suffix in (".json", ".jsonl"):
        raise mistake
    try:
        return parse_yaml(text, source)
    except InputError:
        if text.lstrip()[0] in "{[" and suffix not in (".yaml", ".yml"):
            raise mistake from None
        raise


def too_deep(source: str | None = None) -> LimitError:
    """The error for text that nests deeper than readers of JSON go."""
    return LimitError("nested too deep to be read: split the schema or use $ref", source=source)


class _NotFiniteError(ValueError):
    """A number that JSON does not have, or that no double holds."""


def _refuse(text: str) -> NoReturn:
    raise _NotFiniteError(text)


def _finite(text: str) -> float:
    number = float(text)
    if math.isinf(number):
        raise _NotFiniteError(text)
    return number


_STRICT: Final = json.JSONDecoder(parse_float=_finite, parse_constant=_refuse)


def _strict_json(text: str) -> JsonValue:
    """The value of a JSON text; the last of equal keys counts, as everywhere in Python."""
    try:
        return _STRICT.decode(text)
    except _NotFiniteError as error:
        # Rare: only now is it worth knowing where.
        place = first_not_finite(json.loads(text)) or ""
        problem = f"{error} is not a JSON number: leave it out, or write what is meant"
        raise NotJsonError(problem, place) from None


def first_not_finite(value: JsonValue) -> str | None:
    """The JSON Pointer of the first number that is NaN or infinite, None where there is none."""
    waiting: list[tuple[tuple[Token, ...], Any]] = [((), value)]
    while waiting:
        path, value = waiting.pop()
        if isinstance(value, float) and not math.isfinite(value):
            return pointer(path)
        if isinstance(value, dict):
            waiting.extend(((*path, name), member) for name, member in reversed(value.items()))
        elif isinstance(value, list):
            waiting.extend(((*path, index), value[index]) for index in reversed(range(len(value))))
    return None


def _lower(text: str) -> str:
    return text[:1].lower() + text[1:]
