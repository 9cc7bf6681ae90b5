"""
Koog's model of a tool: a descriptor, its parameters, and the nine types that they may have.

The names are Koog's, in Python's spelling (`requiredParameters` is
`required_parameters`). Source: ai.koog.agents.core.tools, ToolDescriptors.kt.
"""

from collections.abc import Iterable
from typing import TYPE_CHECKING

from attrs import field, frozen
from attrs.validators import deep_iterable, instance_of, optional

from schemaflow.errors import NotASchemaError
from schemaflow.keywords import JsonValue, Schema

if TYPE_CHECKING:
    from schemaflow.tool import Tool


def _texts(given: Iterable[str]) -> tuple[str, ...]:
    # A string is an iterable of strings too, and never what is meant.
    return tuple([given] if isinstance(given, str) else given)


def _parameters(given: "Iterable[ToolParameterDescriptor]") -> "tuple[ToolParameterDescriptor, ...]":
    return tuple(given)


_TEXT = instance_of(str)
_TEXTS = deep_iterable(instance_of(str))


@frozen
class ToolParameterType:
    """What a parameter may be: one of the nine classes below. `name` is Koog's own word for it."""

    name = ""


_TYPE = instance_of(ToolParameterType)


@frozen
class String(ToolParameterType):
    """A string."""

    name = "STRING"


@frozen
class Integer(ToolParameterType):
    """A whole number."""

    name = "INT"


@frozen
class Float(ToolParameterType):
    """A number."""

    name = "FLOAT"


@frozen
class Boolean(ToolParameterType):
    """True or false."""

    name = "BOOLEAN"


@frozen
class Null(ToolParameterType):
    """Null, and nothing else."""

    name = "NULL"


@frozen
class Enum(ToolParameterType):
    """One of several strings."""

    name = "ENUM"
    entries: tuple[str, ...] = field(converter=_texts, validator=_TEXTS)


@frozen
class List(ToolParameterType):
    """A list whose items all have one type."""

    name = "ARRAY"
    items_type: ToolParameterType = field(validator=_TYPE)


@frozen
class ToolParameterDescriptor:
    """A parameter of a tool, a property of an object, or a member of a union."""

    name: str = field(validator=_TEXT)
    description: str = field(validator=_TEXT)
    type: ToolParameterType = field(validator=_TYPE)


def _distinct(parameters: Iterable[ToolParameterDescriptor], kind: str, tool: str | None = None) -> None:
    seen: set[str] = set()
    for one in parameters:
        if one.name in seen:
            raise NotASchemaError(f"two {kind} are called {one.name!r}: rename one", tool=tool)
        seen.add(one.name)


_PARAMETERS = deep_iterable(instance_of(ToolParameterDescriptor))


@frozen
class Object(ToolParameterType):
    """
    An object.

    `additional_properties` says whether it may have other properties (None: nothing is
    said), `additional_properties_type` what those are; where they are not allowed, the
    type means nothing. Raises NotASchemaError for two properties of one name.
    """

    name = "OBJECT"
    properties: tuple[ToolParameterDescriptor, ...] = field(converter=_parameters, validator=_PARAMETERS)
    required_properties: tuple[str, ...] = field(default=(), converter=_texts, validator=_TEXTS)
    additional_properties: bool | None = field(default=None, validator=optional(instance_of(bool)))
    additional_properties_type: ToolParameterType | None = field(default=None, validator=optional(_TYPE))

    def __attrs_post_init__(self) -> None:
        _distinct(self.properties, "properties of an object")


@frozen
class AnyOf(ToolParameterType):
    """Anything that one of several descriptors describes; their names may be empty."""

    name = "ANYOF"
    types: tuple[ToolParameterDescriptor, ...] = field(converter=_parameters, validator=_PARAMETERS)


TYPES = (String, Integer, Float, Boolean, Null, Enum, List, Object, AnyOf)
"""The nine types."""


@frozen
class ToolDescriptor:
    """
    A tool: its name, what it is for, and its parameters, those that a call must have and the others.

    Raises NotASchemaError for two parameters of one name.
    """

    name: str = field(validator=_TEXT)
    description: str = field(validator=_TEXT)
    required_parameters: tuple[ToolParameterDescriptor, ...] = field(
        default=(), converter=_parameters, validator=_PARAMETERS
    )
    optional_parameters: tuple[ToolParameterDescriptor, ...] = field(
        default=(), converter=_parameters, validator=_PARAMETERS
    )

    def __attrs_post_init__(self) -> None:
        _distinct(self.parameters, "parameters", self.name)

    @property
    def parameters(self) -> tuple[ToolParameterDescriptor, ...]:
        """All parameters, the required ones first."""
        return self.required_parameters + self.optional_parameters

    def to_schema(self) -> Schema:
        """
        The parameters as JSON Schema, without loss: `schemaflow.koog.descriptor_of` gives the descriptor back.

        It is what every adapter gets of a descriptor; what a provider cannot take is
        lost there, by rules, with findings.
        """
        from schemaflow.koog.schema import schema_of

        return schema_of(self)

    def to_tool(self) -> "Tool":
        """The descriptor as what every adapter takes."""
        from schemaflow.tool import Tool

        return Tool(self.name, self.description, self.to_schema())

    def to_json(self) -> JsonValue:
        """The descriptor as JSON, under Koog's own names."""
        from schemaflow.koog.reading import json_of

        return json_of(self)
