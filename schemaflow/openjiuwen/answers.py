"""What an `AbilityManager` answers with."""

from typing import TypeAlias

from attrs import frozen

from schemaflow.keywords import JsonValue
from schemaflow.openjiuwen.cards import AgentCard, ExternalTool, McpServerConfig, ToolCard, WorkflowCard

Ability: TypeAlias = ToolCard | WorkflowCard | AgentCard | ExternalTool | McpServerConfig
"""What an agent can call, or an MCP server whose tools it can call."""


@frozen
class AddAbilityResult:
    """What became of an ability: whether it is now registered, and why or why not (`added_tool` …)."""

    name: str
    added: bool
    reason: str = ""


@frozen
class Call:
    """
    A call from a model, brought back to where it belongs.

    `ability` is what answers it: the server for a server's tool, which `tool` names as
    the server does, else the card. `arguments` are JSON, no longer text.
    """

    ability: Ability
    tool: str
    arguments: JsonValue

    @property
    def server(self) -> McpServerConfig | None:
        """The MCP server whose tool is called, None for an ability of the agent's own."""
        return self.ability if isinstance(self.ability, McpServerConfig) else None


@frozen
class ListingFailure:
    """Why the tools of a server, or one of them, could not be listed."""

    server_name: str
    error: Exception
