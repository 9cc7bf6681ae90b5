"""Cards: what openJiuwen registers as an ability, and the servers whose tools it lists."""

from collections.abc import Mapping
from typing import Any, Literal
from uuid import uuid4

from attrs import Attribute, field, frozen

from schemaflow.errors import NotASchemaError
from schemaflow.keywords import JsonValue, Schema
from schemaflow.openjiuwen.infos import (
    McpToolInfo,
    Parameters,
    ToolInfo,
    check_parameters,
    equal_by,
    is_model_class,
    json_schema,
)


def _new_id() -> str:
    return uuid4().hex


@frozen
class Card:
    """What all cards have; one without an id gets one that is unique."""

    id: str = field(factory=_new_id)
    name: str = ""
    description: str | None = ""


@frozen
class ToolCard(Card):
    """
    A tool that can be called.

    `input_params` is a JSON Schema or a model class. `properties` and the flags are
    about running it, and no model is told of them.
    """

    input_params: Parameters | None = field(factory=dict, eq=equal_by, hash=False, validator=check_parameters)
    properties: Mapping[str, JsonValue] = field(factory=dict, hash=False)
    stateless: bool = field(default=False, kw_only=True)
    parallel_safe: bool = field(default=True, kw_only=True)
    exposure: Literal["direct", "deferred"] = field(default="direct", kw_only=True)

    def tool_info(self) -> ToolInfo:
        """What a model is told of the tool."""
        return ToolInfo(name=self.name, description=self.description, parameters=self.input_params)


@frozen
class McpToolCard(ToolCard):
    """A tool of an MCP server, under its own name there."""

    server_name: str = field(kw_only=True)
    server_id: str = field(default="", kw_only=True)

    def tool_info(self) -> McpToolInfo:
        """What a model is told of the tool, with its server."""
        return McpToolInfo(
            name=self.name,
            description=self.description,
            parameters=self.input_params,
            server_name=self.server_name,
        )


@frozen
class WorkflowCard(Card):
    """A workflow that can be called like a tool."""

    version: str = ""
    input_params: Parameters | None = field(default=None, eq=equal_by, hash=False, validator=check_parameters)

    def tool_info(self) -> ToolInfo:
        """What a model is told of the workflow."""
        return ToolInfo(name=self.name, description=self.description, parameters=self.input_params)


@frozen
class AgentCard(Card):
    """
    A sub-agent that can be called like a tool.

    `input_params` that are neither a dict nor a model class say nothing: such an agent
    takes an object without members.
    """

    input_params: Any = field(default=None, eq=equal_by, hash=False)

    def tool_info(self) -> ToolInfo:
        """What a model is told of the agent; a model class is spelled out as JSON Schema."""
        return ToolInfo(name=self.name, description=self.description, parameters=self._schema())

    def _schema(self) -> Schema | None:
        if isinstance(self.input_params, dict) or is_model_class(self.input_params):
            try:
                return json_schema(self.input_params)
            except NotASchemaError as error:
                raise error.at(tool=self.name) from error
        return {"type": "object", "properties": {}, "required": []}


def _check_card(owner: Any, attribute: "Attribute[Any]", value: object) -> None:
    if not isinstance(value, ToolCard):
        raise NotASchemaError(f"an external tool needs a card, not {type(value).__name__}")
    if not value.name.strip():
        raise NotASchemaError("the card of an external tool needs a name")


@frozen
class ExternalTool:
    """A tool that runs outside, in a browser say: only its card is known. Raises NotASchemaError without a name."""

    card: ToolCard = field(validator=_check_card)

    @property
    def name(self) -> str:
        """The card's name."""
        return self.card.name

    def tool_info(self) -> ToolInfo:
        """What a model is told of the tool: what its card says."""
        return self.card.tool_info()


@frozen
class McpServerConfig:
    """An MCP server by name; one without an id gets one that is unique. Nothing here connects to it."""

    server_name: str
    server_id: str = field(factory=_new_id)
    server_path: str = ""
    client_type: str = "sse"
    params: Mapping[str, JsonValue] = field(factory=dict, hash=False)
