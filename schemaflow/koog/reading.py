"""
Descriptors as JSON or YAML, under Koog's own names.

    name: book_table
    description: Book a table.
    requiredParameters:
      - {name: guests, description: How many come., type: Integer}
    optionalParameters:
      - name: wishes
        type: {type: List, itemsType: {type: Enum, entries: [quiet, window]}}

A type is the name of its class, or Koog's own word for it (`INT`, `ARRAY` …), or an
object with that name under `type` beside what the type needs. A description that is
left out is empty.
"""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final, NoReturn

import attrs
from attrs import frozen

from schemaflow.errors import InputError, NotASchemaError, suggestion
from schemaflow.keywords import JsonValue, Token, json_type, pointer
from schemaflow.koog.folding import Split, fold
from schemaflow.koog.model import TYPES, ToolDescriptor, ToolParameterDescriptor, ToolParameterType
from schemaflow.reading import parse

PARAMETERS: Final = ("requiredParameters", "optionalParameters")

_BY_WORD: Final = {word.lower(): kind for kind in TYPES for word in (kind.__name__, kind.name)}
_HOLDS_TYPE: Final = {"type", "itemsType", "additionalPropertiesType"}
_HOLDS_PARAMETERS: Final = {*PARAMETERS, "properties", "types"}
_KINDS: Final[Mapping[str, tuple[type, ...]]] = {
    "name": (str,),
    "description": (str,),
    "entries": (list,),
    "requiredProperties": (list,),
    "additionalProperties": (bool, type(None)),
}
_MAY_BE_NULL: Final = {"additionalPropertiesType"}


def read_descriptor(value: JsonValue, place: str = "") -> ToolDescriptor:
    """
    The descriptor that a JSON value spells; `place` is its own JSON Pointer.

    Raises NotASchemaError, with the tool's name and the pointer, where it spells none.
    """
    name = value.get("name") if isinstance(value, dict) else None
    reading = _Reading(name if isinstance(name, str) else None, place)
    try:
        descriptor: ToolDescriptor = fold(_Place(value, ToolDescriptor, ()), reading.split)
    except InputError as error:
        raise error.at(tool=reading.tool) from None
    return descriptor


def read_fields(value: JsonValue) -> dict[str, JsonValue]:
    """
    The fields of the `Tool` that a descriptor, spelled as JSON, stands for.

    Raises NotASchemaError, as `read_descriptor` does.
    """
    tool = read_descriptor(value).to_tool()
    return {"name": tool.name, "description": tool.description, "schema": tool.schema}


def load_descriptors(path: str | Path) -> list[ToolDescriptor]:
    """
    The descriptors in a JSON or YAML file: one, or a list of them.

    Raises InputError, naming file, tool and pointer, and OSError.
    """
    return parse_descriptors(Path(path).read_bytes(), str(path))


def parse_descriptors(text: str | bytes, source: str = "<text>") -> list[ToolDescriptor]:
    """The descriptors that a JSON or YAML text spells: one, or a list of them. Raises InputError."""
    value = parse(text.encode() if isinstance(text, str) else text, source)
    listed = list(enumerate(value)) if isinstance(value, list) else [(None, value)]
    try:
        return [read_descriptor(one, "" if index is None else pointer([index])) for index, one in listed]
    except InputError as error:
        raise error.at(source=source) from None


# --- from JSON


@frozen
class _Place:
    """A JSON value, the class that it is to become, and its path."""

    value: JsonValue
    kind: type
    path: tuple[Token, ...]


@frozen
class _Reading:
    """A descriptor being read: whose it is, and where."""

    tool: str | None
    place: str

    def split(self, at: _Place) -> Split:
        kind, fields = self._kind(at)
        known = {_camel(one.name): one for one in attrs.fields(kind)}
        allowed = {*known, *(["type"] if issubclass(kind, ToolParameterType) else [])}
        for name in fields:
            if name not in allowed:
                cure = suggestion(name, allowed) or f" (there are: {', '.join(sorted(allowed))})"
                self._refuse((*at.path, name), f"{kind.__name__} has no {name!r}{cure}")
        settled: dict[str, Any] = {}
        parts: list[tuple[str, _Place]] = []
        seen: set[JsonValue] = set()
        for name, attribute in known.items():
            if name not in fields:
                self._default(at, kind, name, attribute, settled)
            elif name in _HOLDS_PARAMETERS:
                places = self._parameters(at, name, fields[name])
                if name != "types":
                    self._require_distinct(places, seen)
                parts.extend((attribute.name, one) for one in places)
                settled[attribute.name] = []
            elif name in _HOLDS_TYPE and not (name in _MAY_BE_NULL and fields[name] is None):
                parts.append((attribute.name, _Place(fields[name], ToolParameterType, (*at.path, name))))
            else:
                settled[attribute.name] = self._plain(at, name, fields[name])
        return Split([one for _, one in parts], _joining(kind, settled, [name for name, _ in parts]))

    def _kind(self, at: _Place) -> tuple[Any, dict[str, JsonValue]]:
        """The class of what stands there, and its fields."""
        value = at.value
        if at.kind is not ToolParameterType:
            if not isinstance(value, dict):
                self._refuse(at.path, f"a {at.kind.__name__} is an object, not {json_type(value)}")
            return at.kind, value
        word = value.get("type") if isinstance(value, dict) else value
        kind = _BY_WORD.get(word.lower()) if isinstance(word, str) else None
        if kind is None:
            names = [one.__name__ for one in TYPES]
            near = suggestion(word, names) if isinstance(word, str) else ""
            cure = near or f": there are {', '.join(names)}"
            path = (*at.path, "type") if isinstance(value, dict) and "type" in value else at.path
            self._refuse(path, f"{word!r} is no type of Koog's{cure}")
        return kind, value if isinstance(value, dict) else {}

    def _default(
        self, at: _Place, kind: type, name: str, attribute: "attrs.Attribute[Any]", settled: dict[str, Any]
    ) -> None:
        if name == "description":
            settled[name] = ""
        elif attribute.default is attrs.NOTHING:
            self._refuse(at.path, f"{kind.__name__} needs {name!r}")

    def _parameters(self, at: _Place, name: str, value: JsonValue) -> list[_Place]:
        if not isinstance(value, list):
            self._refuse((*at.path, name), f"{name} is a list of parameters, not {json_type(value)}")
        return [_Place(one, ToolParameterDescriptor, (*at.path, name, index)) for index, one in enumerate(value)]

    def _require_distinct(self, places: list[_Place], seen: set[JsonValue]) -> None:
        for one in places:
            name = one.value.get("name") if isinstance(one.value, dict) else None
            if isinstance(name, str) and name in seen:
                self._refuse((*one.path, "name"), f"a second parameter called {name!r}: rename one")
            seen.add(name if isinstance(name, str) else None)

    def _plain(self, at: _Place, name: str, value: JsonValue) -> Any:
        if name in _KINDS and not isinstance(value, _KINDS[name]):
            self._refuse((*at.path, name), f"{name} must not be {json_type(value)}")
        if isinstance(value, list):
            for index, one in enumerate(value):
                if not isinstance(one, str):
                    self._refuse((*at.path, name, index), f"{name} are strings, not {json_type(one)}")
        if name == "name" and at.kind is ToolDescriptor and not value:
            self._refuse((*at.path, name), "a tool's name must be a string that is not empty")
        return value

    def _refuse(self, path: tuple[Token, ...], problem: str) -> NoReturn:
        raise NotASchemaError(problem, self.place + pointer(path), self.tool)


def _joining(kind: Any, settled: Mapping[str, Any], names: list[str]) -> Callable[[list[Any]], Any]:
    def join(done: list[Any]) -> Any:
        fields = {name: list(value) if isinstance(value, list) else value for name, value in settled.items()}
        for name, value in zip(names, done, strict=True):
            if isinstance(fields.get(name), list):
                fields[name].append(value)
            else:
                fields[name] = value
        return kind(**fields)

    return join


def _camel(name: str) -> str:
    first, *rest = name.split("_")
    return first + "".join(word.capitalize() for word in rest)


# --- to JSON


def json_of(descriptor: ToolDescriptor) -> JsonValue:
    """A descriptor as JSON; fields at their defaults are left out, but for lists of parameters."""
    return fold(descriptor, _json_split)


def _json_split(node: Any) -> Split:
    named = isinstance(node, ToolParameterType)
    shape: dict[str, Any] = {"type": type(node).__name__} if named else {}
    parts: list[tuple[str, Any]] = []
    for one in attrs.fields(type(node)):
        name, value = _camel(one.name), getattr(node, one.name)
        if name in _HOLDS_PARAMETERS:
            shape[name] = []
            parts.extend((name, part) for part in value)
        elif isinstance(value, ToolParameterType):
            shape[name] = None
            parts.append((name, value))
        elif value != one.default:
            shape[name] = list(value) if isinstance(value, tuple) else value

    def join(done: list[Any]) -> Any:
        for (name, _), result in zip(parts, done, strict=True):
            if isinstance(shape[name], list):
                shape[name].append(result)
            else:
                shape[name] = result
        return type(node).__name__ if named and len(shape) == 1 else shape

    return Split([part for _, part in parts], join)
