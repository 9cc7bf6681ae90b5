"""Options of rules: declared as fields of a frozen attrs class, checked in one place."""

from collections.abc import Mapping
from types import UnionType
from typing import Any, Literal, TypeVar, Union, get_args, get_origin

import attrs

from schemaflow.errors import OptionError, suggestion

T = TypeVar("T")


def option(default: T, doc: str, *, minimum: int | None = None) -> T:
    """
    Declare a field of an options class.

    `doc` is the option's line in the catalogue; `minimum` bounds an integer.
    The field's annotation is its type: bool, int, str, Literal[...],
    tuple[str, ...], each also `| None`.
    """
    metadata = {"doc": doc, "minimum": minimum}
    field: T = attrs.field(default=default, kw_only=True, metadata=metadata)
    return field


def read_options(options: type | None, given: Mapping[str, Any], owner: str) -> Any:
    """
    An instance of an options class from plain values, lists standing for tuples.

    Raises OptionError, whose text names `owner`, for an unknown name or a wrong value.
    """
    fields = _fields(options)
    for name in given:
        if name not in fields:
            known = suggestion(name, fields) or (f" (it has: {', '.join(fields)})" if fields else " (it has none)")
            raise OptionError(f"{owner} has no option {name!r}{known}", name)
    if options is None:
        return None
    return options(**{name: _read(fields[name], value, owner) for name, value in given.items()})


def describe_options(options: type | None) -> list[tuple[str, str, Any, str]]:
    """`(name, type in words, default, doc)` of each option, in order."""
    rows = _fields(options).values()
    return [(row.name, _words(row.type), row.default, row.metadata.get("doc", "")) for row in rows]


def enumerated(options: type | None) -> list[dict[str, Any]]:
    """
    The settings that are worth testing: the defaults, then each other value of each option with few values.

    Booleans and Literal fields have few values; others stay at their defaults.
    """
    settings: list[dict[str, Any]] = [{}]
    for row in _fields(options).values():
        values = (True, False) if row.type is bool else get_args(row.type) if get_origin(row.type) is Literal else ()
        settings.extend({row.name: value} for value in values if value != row.default)
    return settings


def _fields(options: type | None) -> dict[str, "attrs.Attribute[Any]"]:
    if options is None:
        return {}
    return {row.name: row for row in attrs.fields(attrs.resolve_types(options))}


def _read(field: "attrs.Attribute[Any]", value: Any, owner: str) -> Any:
    read = _as(field.type, value)
    if read is _WRONG:
        problem = f"option {field.name!r} of {owner} must be {_words(field.type)}, not {value!r}"
        raise OptionError(problem, field.name)
    minimum = field.metadata.get("minimum")
    if minimum is not None and isinstance(read, int) and read < minimum:
        raise OptionError(f"option {field.name!r} of {owner} must be at least {minimum}, not {value!r}", field.name)
    return read


_WRONG = object()


def _as(kind: Any, value: Any) -> Any:
    """The value as the annotated kind, or _WRONG."""
    if get_origin(kind) is Literal:
        return value if any(value == one and type(value) is type(one) for one in get_args(kind)) else _WRONG
    if get_origin(kind) in (Union, UnionType):
        return next((read for one in get_args(kind) if (read := _as(one, value)) is not _WRONG), _WRONG)
    if get_origin(kind) is tuple:
        listed = isinstance(value, (list, tuple, set, frozenset)) and all(isinstance(one, str) for one in value)
        return tuple(value) if listed else _WRONG
    if kind is type(None):
        return None if value is None else _WRONG
    if kind is int and isinstance(value, bool):
        return _WRONG
    return value if isinstance(value, kind) else _WRONG


def _words(kind: Any) -> str:
    if get_origin(kind) is Literal:
        return "one of " + ", ".join(map(repr, get_args(kind)))
    if get_origin(kind) in (Union, UnionType):
        return " or ".join(_words(one) for one in get_args(kind))
    if get_origin(kind) is tuple:
        return "a list of strings"
    names = {bool: "a boolean", int: "an integer", str: "a string", type(None): "null"}
    return names.get(kind, getattr(kind, "__name__", str(kind)))
