"""
`AbilityManager`: what an agent can call, as one list of tools, and a call brought back to where it belongs.

Nothing is run and no server is asked here: whoever makes a manager says how a server's
tools are listed.
"""

import logging
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, Final, TypeAlias, cast, overload

from attrs import evolve

from schemaflow.errors import InputError, UnknownNameError
from schemaflow.keywords import JsonValue
from schemaflow.openjiuwen.answers import Ability, AddAbilityResult, Call, ListingFailure
from schemaflow.openjiuwen.arguments import parse_arguments
from schemaflow.openjiuwen.cards import AgentCard, ExternalTool, McpServerConfig, ToolCard, WorkflowCard
from schemaflow.openjiuwen.infos import ToolInfo
from schemaflow.tool import read_tool

ListTools: TypeAlias = Callable[[McpServerConfig], Iterable[Any]]
"""Lists a server's tools, each a `ToolInfo` or in any shape that `schemaflow.tool` reads."""

# The seed's own word for listing abilities hides the builtin.
Abilities: TypeAlias = list[Ability]
Infos: TypeAlias = list[ToolInfo]

_LOG: Final = logging.getLogger(__name__)
# A program that set up no logging is not written to.
_LOG.addHandler(logging.NullHandler())


def _no_way(server: McpServerConfig) -> Iterable[Any]:
    raise InputError("the manager was not told how to list a server's tools: AbilityManager(list_tools=...)")


class AbilityManager:
    """
    The abilities of one agent: tools, workflows, sub-agents, external tools, MCP servers.

    Each kind has names of its own. Not safe to share between threads.
    """

    def __init__(self, list_tools: ListTools = _no_way) -> None:
        self._list_tools = list_tools
        self._tools: dict[str, ToolCard] = {}
        self._workflows: dict[str, WorkflowCard] = {}
        self._agents: dict[str, AgentCard] = {}
        self._external: dict[str, ExternalTool] = {}
        self._servers: dict[str, McpServerConfig] = {}
        self._allowed: dict[str, frozenset[str]] = {}
        # By the name that a model sees: the server, and the tool's own name there.
        self._origins: dict[str, tuple[McpServerConfig, str]] = {}
        self._failures: list[ListingFailure] = []

    @property
    def failures(self) -> tuple[ListingFailure, ...]:
        """Which servers, or tools of theirs, could not be listed the last time that servers were asked."""
        return tuple(self._failures)

    @overload
    def add(self, ability: Ability) -> AddAbilityResult: ...

    @overload
    def add(self, ability: Sequence[Ability]) -> list[AddAbilityResult]: ...

    def add(self, ability: Ability | Sequence[Ability]) -> AddAbilityResult | list[AddAbilityResult]:
        """
        Register an ability, or each of a list.

        The first of a name is kept; only a tool with the same name and id takes the place
        of the one before it.
        """
        if isinstance(ability, (list, tuple)):
            return [self._add(one) for one in ability]
        return self._add(cast(Ability, ability))

    def _add(self, ability: Ability) -> AddAbilityResult:
        for kind, word, abilities in self._kinds():
            if isinstance(ability, kind):
                return self._keep(ability, word, abilities)
        _LOG.warning("no ability: %s", type(ability).__name__)
        return AddAbilityResult(str(getattr(ability, "name", type(ability).__name__)), False, "unknown_ability_type")

    def _kinds(self) -> list[tuple[type, str, dict[str, Any]]]:
        """Every kind of ability, in the order in which they are listed."""
        return [
            (ToolCard, "tool", self._tools),
            (WorkflowCard, "workflow", self._workflows),
            (AgentCard, "agent", self._agents),
            (ExternalTool, "external_tool", self._external),
            (McpServerConfig, "mcp_server", self._servers),
        ]

    def _keep(self, ability: Any, word: str, abilities: dict[str, Any]) -> AddAbilityResult:
        name = _name(ability)
        known = abilities.get(name)
        if known is None:
            abilities[name] = ability
            return AddAbilityResult(name, True, f"added_{word}")
        if isinstance(ability, ToolCard) and ability.id == known.id:
            abilities[name] = ability
            return AddAbilityResult(name, True, f"refreshed_{word}")
        _LOG.warning("a second %s called %r: the first is kept", word, name)
        return AddAbilityResult(name, False, f"duplicate_{word}")

    def get(self, name: str) -> Ability | None:
        """The ability of that name: the first kind that has it."""
        return next((abilities[name] for _, _, abilities in self._kinds() if name in abilities), None)

    def list(self) -> Abilities:
        """Every ability, kind by kind."""
        return [ability for _, _, abilities in self._kinds() for ability in abilities.values()]

    def remove(self, name: str) -> Ability | None:
        """
        Take out what is called so, in every kind, and answer with the last of it.

        With a server go the tools that were listed for it and its allow-list.
        """
        removed = None
        for _, _, abilities in self._kinds():
            removed = abilities.pop(name, removed)
        if isinstance(removed, McpServerConfig):
            self._allowed.pop(removed.server_id, None)
            for tool in [tool for tool, card in self._tools.items() if _is_listed_for(removed, card)]:
                del self._tools[tool]
                self._origins.pop(tool, None)
        return removed

    def reorder_tools(self, names: Iterable[str]) -> None:
        """Put the tools of these names first, in this order; the others follow in theirs."""
        first = {name: self._tools[name] for name in names if name in self._tools}
        self._tools = {**first, **self._tools}

    def set_mcp_tool_allowlist(self, server: McpServerConfig, names: Iterable[str] | None) -> None:
        """
        Allow only these tools of a server, by their own names there; None allows all again.

        Raises InputError for a server without an id.
        """
        if not server.server_id.strip():
            raise InputError("a server needs a server_id to have an allow-list", tool=server.server_name)
        if names is None:
            self._allowed.pop(server.server_id, None)
        else:
            self._allowed[server.server_id] = frozenset(name.strip() for name in names if name.strip())

    def list_tool_info(self, names: Iterable[str] | None = None, mcp_server_name: str | None = None) -> Infos:
        """
        What a model is told: tools, workflows, agents, external tools, then the tools of MCP servers.

        Servers are asked only where no `names` are given, and only the one called
        `mcp_server_name` where that is. The tools of a server are called
        `mcp_SERVER_TOOL`, and are registered under that name. The first of a name is
        kept, and blank names are left out. A server that fails is told in `failures`.
        """
        wanted = None if names is None else frozenset(names)
        infos = list(self._own_infos(wanted))
        if wanted is None:
            self._failures = []
            for name, server in self._servers.items():
                if mcp_server_name in (None, name):
                    infos += self._infos_of(server)
        kept: dict[str, ToolInfo] = {}
        for info in infos:
            if info.name and info.name.strip():
                kept.setdefault(info.name, info)
        return [*kept.values()]

    def _own_infos(self, wanted: frozenset[str] | None) -> Iterator[ToolInfo]:
        tools = {name: card for name, card in self._tools.items() if not self._is_of_server(card)}
        for abilities in (_paid_search_first(tools), self._workflows, self._agents, self._external):
            for name, ability in abilities.items():
                if wanted is None or name in wanted:
                    yield _listed(ability.tool_info())

    def _is_of_server(self, card: ToolCard) -> bool:
        return any(_is_listed_for(server, card) for server in self._servers.values())

    def _infos_of(self, server: McpServerConfig) -> Iterator[ToolInfo]:
        """A server's allowed tools, each registered; what cannot be listed costs itself alone."""
        try:
            tools = [*self._list_tools(server)]
        except Exception as error:
            # Whatever a server's client raises.
            self._fail(server, error)
            return
        for index, tool in enumerate(tools):
            try:
                info = self._registered(server, _info(tool, f"/{index}"))
            except InputError as error:
                self._fail(server, error)
                continue
            if info is not None:
                yield info

    def _fail(self, server: McpServerConfig, error: Exception) -> None:
        _LOG.warning("not all tools of the MCP server %r could be listed: %s", server.server_name, error)
        self._failures.append(ListingFailure(server.server_name, error))

    def _registered(self, server: McpServerConfig, raw: ToolInfo) -> ToolInfo | None:
        """One of a server's tools under the name that a model sees; None where it has no name, or may not have it."""
        if not raw.name or not raw.name.strip() or not self._allows(server, raw.name):
            return None
        name = f"mcp_{server.server_name}_{raw.name}"
        if any(name in abilities for abilities in (self._workflows, self._agents, self._external)):
            return None
        info = _listed(evolve(raw, name=name))
        card = ToolCard(_id(server, raw.name), name, info.description, info.parameters)
        if not self._add(card).added:
            return None
        self._origins[name] = (server, raw.name)
        return info

    def _allows(self, server: McpServerConfig, tool: str) -> bool:
        allowed = self._allowed.get(server.server_id)
        return allowed is None or tool in allowed

    def resolve(self, name: str) -> tuple[McpServerConfig, str] | None:
        """
        The server, and the tool's own name there, that a name from a model means; None where it means no server's.

        A registered tool tells by its id. Other names are taken apart, the longest server
        name first, for `mcp_a_b_c` may be `b_c` of `a` or `c` of `a_b`.
        """
        card = self._tools.get(name)
        if card is None:
            return None if self._own(name) else self._taken_apart(name, "{id}.{name}.", "mcp_{name}_")
        known = self._origins.get(name)
        if known is not None and card.id == _id(*known):
            return known
        return self._taken_apart(card.id, "{id}.{name}.")

    def _own(self, name: str) -> Ability | None:
        """What of the agent's own is called so: a server is nothing that can be called."""
        ability = self.get(name)
        return None if isinstance(ability, McpServerConfig) else ability

    def _taken_apart(self, text: str, *starts: str) -> tuple[McpServerConfig, str] | None:
        for server in sorted(self._servers.values(), key=lambda one: len(one.server_name), reverse=True):
            for pattern in starts:
                start = pattern.format(id=server.server_id, name=server.server_name)
                if text.startswith(start) and text != start:
                    return server, text.removeprefix(start)
        return None

    def resolve_call(self, name: str, arguments: JsonValue = "") -> Call:
        """
        What a call from a model means, its arguments read by `parse_arguments`.

        Raises UnknownNameError for a name that nothing has, InputError for a tool that
        the server's allow-list leaves out, NotJsonError for arguments that are not JSON.
        """
        ability, tool = self._meant(name)
        try:
            return Call(ability, tool, parse_arguments(arguments))
        except InputError as error:
            raise error.at(tool=name) from None

    def _meant(self, name: str) -> tuple[Ability, str]:
        found = self.resolve(name)
        if found is not None:
            server, tool = found
            if not self._allows(server, tool):
                problem = f"{tool!r} is not allowed for the server {server.server_name!r} ({server.server_id})"
                raise InputError(problem, tool=name)
            return server, tool
        own = self._own(name)
        if own is None:
            known = [_name(one) for one in self.list() if not isinstance(one, McpServerConfig)]
            raise UnknownNameError("tool", name, tuple(known))
        return own, name


def _id(server: McpServerConfig, tool: str) -> str:
    """The id of the card of a server's tool."""
    return f"{server.server_id}.{server.server_name}.{tool}"


def _name(ability: Any) -> str:
    name: str = ability.server_name if isinstance(ability, McpServerConfig) else ability.name
    return name


def _is_listed_for(server: McpServerConfig, card: ToolCard) -> bool:
    """Whether a card's id says that the tool is the server's."""
    return bool(server.server_id) and card.id.startswith(f"{server.server_id}.")


def _info(tool: Any, place: str) -> ToolInfo:
    """A server's tool as an info, from whatever the server's client made of it."""
    if isinstance(tool, ToolInfo):
        return tool
    read = read_tool(tool, place)
    # An info has no place for boolean schemas.
    schema = {"not": {}} if read.schema is False else read.schema
    return ToolInfo(name=read.name, description=read.description, parameters=schema if isinstance(schema, dict) else {})


def _listed(info: ToolInfo) -> ToolInfo:
    """The info as it is listed: no description is an empty one, no parameters are empty ones."""
    return evolve(info, description=info.description or "", parameters=info.parameters or {})


def _paid_search_first(tools: dict[str, ToolCard]) -> dict[str, ToolCard]:
    """The tools, `paid_search` moved to just before `free_search` where it comes later."""
    names = list(tools)
    if (
        "paid_search" not in tools
        or "free_search" not in tools
        or names.index("paid_search") < names.index("free_search")
    ):
        return tools
    names.remove("paid_search")
    names.insert(names.index("free_search"), "paid_search")
    return {name: tools[name] for name in names}
