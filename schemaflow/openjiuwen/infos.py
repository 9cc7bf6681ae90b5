"""`ToolInfo` and `McpToolInfo`: what a model is told of a tool."""

from collections.abc import Mapping
from typing import Any, Protocol, TypeAlias, TypeGuard, runtime_checkable

from attrs import Attribute, field, fields, frozen

from schemaflow.errors import NotASchemaError
from schemaflow.keywords import JsonValue, Schema, json_key


@runtime_checkable
class ModelClass(Protocol):
    """A class that knows its own JSON Schema, as pydantic's models do."""

    def model_json_schema(self) -> dict[str, Any]:
        """The JSON Schema of the class."""


Parameters: TypeAlias = Schema | ModelClass
"""A tool's parameters: a JSON Schema, or a model class that has one."""


def is_model_class(parameters: object) -> TypeGuard[ModelClass]:
    """Whether parameters are a class with a `model_json_schema`; pydantic itself is not needed to know."""
    return isinstance(parameters, type) and isinstance(parameters, ModelClass)


def json_schema(parameters: Parameters | None) -> Schema | None:
    """
    Parameters as JSON Schema: what a model class says of itself; the very dict, or None, that was given.

    Raises NotASchemaError for a model class that has none.
    """
    if not is_model_class(parameters):
        return parameters  # type: ignore[return-value]
    try:
        return parameters.model_json_schema()
    except Exception as error:
        # The class is somebody else's: whatever it raises, it gives no schema.
        problem = f"the class {getattr(parameters, '__name__', parameters)} has no JSON Schema: {first_line(error)}"
        raise NotASchemaError(problem) from error


def first_line(error: Exception) -> str:
    """What an error says, without the explanations that some libraries add below."""
    return str(error).partition("\n")[0]


def check_parameters(owner: Any, attribute: "Attribute[Any]", value: object) -> None:
    """A validator for fields that hold parameters. Raises NotASchemaError, naming the tool."""
    if value is None or isinstance(value, dict) or is_model_class(value):
        return
    kind = f"the class {value.__name__}" if isinstance(value, type) else type(value).__name__
    problem = f"must be a JSON Schema (a dict) or a class with model_json_schema, not {kind}"
    raise NotASchemaError(f"{attribute.name} {problem}", tool=owner.name or None)


def equal_by(parameters: object) -> object:
    """What parameters are compared by: JSON values as JSON, a model class by what it is."""
    return json_key(parameters) if isinstance(parameters, dict) else parameters


@frozen
class ToolInfo:
    """
    A tool as a model is told of it.

    Two are equal where class and all fields are, `parameters` compared as JSON.
    """

    type: str | None = "function"
    name: str | None = ""
    description: str | None = ""
    parameters: Parameters | None = field(factory=dict, eq=equal_by, hash=False, validator=check_parameters)

    @property
    def schema(self) -> Schema | None:
        """The parameters as JSON Schema."""
        return json_schema(self.parameters)

    def to_json(self) -> dict[str, JsonValue]:
        """The info as JSON, its own fields in order, those that are None left out; `parameters` are shared with it."""
        values = {row.name: getattr(self, row.name) for row in fields(type(self))}
        values["parameters"] = self.schema
        return {name: value for name, value in values.items() if value is not None}

    @classmethod
    def from_json(cls, value: Mapping[str, JsonValue]) -> "ToolInfo":
        """
        The info that JSON says, a `McpToolInfo` where it names a server; unknown members are ignored.

        Raises NotASchemaError where a member has a wrong type.
        """
        kind = McpToolInfo if "server_name" in value else cls
        given = {row.name: value[row.name] for row in fields(kind) if row.name in value}
        for name, member in given.items():
            if name != "parameters" and not isinstance(member, str | None):
                raise NotASchemaError(f"{name} must be a string, not {type(member).__name__}", f"/{name}")
        return kind(**given)


@frozen
class McpToolInfo(ToolInfo):
    """A tool of an MCP server, as a model is told of it."""

    server_name: str | None = None
