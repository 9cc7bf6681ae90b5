"""
Descriptors as JSON Schema and back, both without loss.

What a descriptor says is said in this form of JSON Schema, which `koog/…` pipelines and
all others take further:

- the parameters are the root's `properties`, the required ones first;
- a name is the name of the property, or, where it names a member of a union, its `title`;
- a type that other properties have although nothing says that there may be some
  (`additional_properties` is None) is `unevaluatedProperties`, else `additionalProperties`.
"""

from collections.abc import Sequence
from typing import Any, Final, NoReturn

from attrs import frozen

from schemaflow.errors import NotASchemaError
from schemaflow.keywords import JsonValue, Schema, Token, json_type, pointer
from schemaflow.koog.folding import Split, fold
from schemaflow.koog.model import (
    AnyOf,
    Boolean,
    Enum,
    Float,
    Integer,
    List,
    Null,
    Object,
    String,
    ToolDescriptor,
    ToolParameterDescriptor,
    ToolParameterType,
)

SIMPLE: Final[dict[type[ToolParameterType], str]] = {
    String: "string",
    Integer: "integer",
    Float: "number",
    Boolean: "boolean",
    Null: "null",
}
"""The types that say nothing but a type of JSON Schema."""

_CLASSES: Final = {name: kind for kind, name in SIMPLE.items()}


# --- to JSON Schema


def schema_of(descriptor: ToolDescriptor) -> Schema:
    """The parameters of a descriptor as JSON Schema."""
    schema: Schema = fold(descriptor, _schema_split)
    return schema


def _schema_split(node: ToolDescriptor | ToolParameterDescriptor | ToolParameterType) -> Split:
    if isinstance(node, ToolDescriptor):
        required = [one.name for one in node.required_parameters]
        return Split(node.parameters, lambda done: {**_object(node.parameters, done), "required": required})
    if isinstance(node, ToolParameterDescriptor):
        return Split([node.type], lambda done: {**done[0], "description": node.description})
    if isinstance(node, List):
        return Split([node.items_type], lambda done: {"type": "array", "items": done[0]})
    if isinstance(node, AnyOf):
        return Split(node.types, lambda done: {"anyOf": list(map(_named, node.types, done))})
    if isinstance(node, Object):
        return _object_split(node)
    if isinstance(node, Enum):
        return Split((), lambda done: {"type": "string", "enum": list(node.entries)})
    return Split((), lambda done: {"type": SIMPLE[type(node)]})


def _object(properties: Sequence[ToolParameterDescriptor], done: Sequence[Schema]) -> Schema:
    return {"type": "object", "properties": {one.name: schema for one, schema in zip(properties, done, strict=True)}}


def _named(member: ToolParameterDescriptor, schema: Schema) -> Schema:
    return {"title": member.name, **schema} if member.name else schema


def _object_split(node: Object) -> Split:
    others = None if node.additional_properties is False else node.additional_properties_type
    parts: list[Any] = [*node.properties, *([] if others is None else [others])]

    def join(done: list[Schema]) -> Schema:
        schema: Schema = {"type": "object"}
        if node.additional_properties is not None:
            schema["additionalProperties"] = node.additional_properties
        if others is not None:
            said = "unevaluatedProperties" if node.additional_properties is None else "additionalProperties"
            schema[said] = done.pop()
        schema |= _object(node.properties, done)
        return {**schema, "required": list(node.required_properties)} if node.required_properties else schema

    return Split(parts, join)


# --- and back


@frozen
class _Place:
    """A schema, what it is to be (`tool`, `parameter`, `type`), its name, and its path."""

    schema: JsonValue
    kind: str
    name: str
    path: tuple[Token, ...]


def descriptor_of(name: str, description: str, schema: JsonValue) -> ToolDescriptor:
    """
    The descriptor of a schema in the form that `to_schema` gives, the order of keywords aside.

    Keywords that this form does not know are passed over: the pipeline
    `koog/descriptor` brings any schema into it and reports what that costs. Raises
    NotASchemaError, with the pointer, where a descriptor cannot say what is there.
    """
    split = _Reading(name, description).split
    descriptor: ToolDescriptor = fold(_Place(schema, "tool", name, ()), split)
    return descriptor


@frozen
class _Reading:
    """A schema being read: whose it is."""

    tool: str
    description: str

    def split(self, at: _Place) -> Split:
        # Nothing is said of a tool's parameters: there are none to describe.
        schema = {} if at.kind == "tool" and at.schema is True else at.schema
        if not isinstance(schema, dict):
            shown = str(schema).lower() if isinstance(schema, bool) else json_type(schema)
            self._refuse(at.path, f"the schema is {shown}, which is no type of Koog's: write a type")
        if at.kind == "tool":
            return self._tool(at, schema)
        if at.kind == "parameter":
            return self._parameter(at, schema)
        return self._type(at, schema)

    def _tool(self, at: _Place, schema: Schema) -> Split:
        if schema.get("type", "object") != "object":
            self._refuse((), f"the parameters of a tool are an object, not {schema['type']!r}")
        required = self._names(at, schema)
        places = self._properties(at, schema)

        def join(done: list[ToolParameterDescriptor]) -> ToolDescriptor:
            first, rest = ([one for one in done if (one.name in required) is wanted] for wanted in (True, False))
            return ToolDescriptor(self.tool, self.description, first, rest)

        return Split(places, join)

    def _parameter(self, at: _Place, schema: Schema) -> Split:
        description = schema.get("description", "")
        if not isinstance(description, str):
            self._refuse((*at.path, "description"), f"a description is a string, not {json_type(description)}")
        type_ = _Place(schema, "type", "", at.path)
        return Split([type_], lambda done: ToolParameterDescriptor(at.name, description, done[0]))

    def _type(self, at: _Place, schema: Schema) -> Split:
        if "type" not in schema:
            return self._union(at, schema)
        stated = schema["type"]
        if stated == "object":
            return self._object(at, schema)
        if stated == "array":
            items = _Place(schema.get("items"), "type", "", (*at.path, "items"))
            if items.schema is None:
                self._refuse(at.path, "an array must say what its items are: write items")
            return Split([items], lambda done: List(done[0]))
        if stated == "string" and "enum" in schema:
            entries = schema["enum"]
            if not isinstance(entries, list) or not all(isinstance(one, str) for one in entries):
                self._refuse((*at.path, "enum"), "an enum of Koog's is a list of strings")
            return Split((), lambda done: Enum(entries))
        kind = _CLASSES.get(stated) if isinstance(stated, str) else None
        if kind is None:
            self._refuse((*at.path, "type"), f"{stated!r} is no type of Koog's: write one type, or anyOf")
        return Split((), lambda done: kind())

    def _union(self, at: _Place, schema: Schema) -> Split:
        members = schema.get("anyOf")
        if not isinstance(members, list):
            self._refuse(at.path, "neither a type nor a union (anyOf): write one")
        places = [
            _Place(member, "parameter", _title(member), (*at.path, "anyOf", index))
            for index, member in enumerate(members)
        ]
        return Split(places, AnyOf)

    def _object(self, at: _Place, schema: Schema) -> Split:
        required = self._names(at, schema)
        places = self._properties(at, schema)
        allowed, others = schema.get("additionalProperties"), None
        if isinstance(allowed, dict):
            others = _Place(allowed, "type", "", (*at.path, "additionalProperties")) if allowed else None
            allowed = True
        elif "additionalProperties" not in schema:
            unevaluated = schema.get("unevaluatedProperties")
            if isinstance(unevaluated, dict):
                others = _Place(unevaluated, "type", "", (*at.path, "unevaluatedProperties"))
            else:
                allowed = unevaluated
        if not isinstance(allowed, bool) and allowed is not None:
            self._refuse((*at.path, "additionalProperties"), "it must be a boolean or a schema")

        def join(done: list[Any]) -> Object:
            other = done.pop() if others is not None else None
            return Object(done, required, allowed, other)

        return Split([*places, *([] if others is None else [others])], join)

    def _properties(self, at: _Place, schema: Schema) -> list[_Place]:
        properties = schema.get("properties", {})
        if not isinstance(properties, dict):
            self._refuse((*at.path, "properties"), f"properties are an object, not {json_type(properties)}")
        return [_Place(one, "parameter", name, (*at.path, "properties", name)) for name, one in properties.items()]

    def _names(self, at: _Place, schema: Schema) -> list[str]:
        required = schema.get("required", [])
        if not isinstance(required, list) or not all(isinstance(name, str) for name in required):
            self._refuse((*at.path, "required"), "required is a list of names")
        return required

    def _refuse(self, path: tuple[Token, ...], problem: str) -> NoReturn:
        raise NotASchemaError(problem, pointer(path), self.tool)


def _title(member: JsonValue) -> str:
    title = member.get("title") if isinstance(member, dict) else None
    return title if isinstance(title, str) else ""
