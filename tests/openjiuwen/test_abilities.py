"""What an agent can call: registering, and the one list of tools that a model is told."""

import logging
from collections.abc import Iterable, Mapping
from typing import Any

import pytest
from pydantic import BaseModel

from schemaflow import InputError, Tool
from schemaflow.openjiuwen import (
    AbilityManager,
    AddAbilityResult,
    AgentCard,
    ExternalTool,
    McpServerConfig,
    McpToolInfo,
    ToolCard,
    ToolInfo,
    WorkflowCard,
)

HARBOUR = McpServerConfig("harbour", "s1")
FLEET = McpServerConfig("fleet", "s2")
SCHEMA = {"type": "object", "properties": {"knots": {"type": "integer"}}}


class Course(BaseModel):
    heading: int


def tool(name: str, id: str | None = None) -> ToolCard:
    return ToolCard(id or f"id-{name}", name, f"{name}.")


def manager_of(servers: Mapping[McpServerConfig, Iterable[Any]]) -> AbilityManager:
    """A manager with these servers, each of which lists these tools, or raises this."""

    def list_tools(server: McpServerConfig) -> Iterable[Any]:
        tools = servers[server]
        if isinstance(tools, Exception):
            raise tools
        return tools

    manager = AbilityManager(list_tools)
    for server in servers:
        manager.add(server)
    return manager


def infos(*names: str) -> list[ToolInfo]:
    return [ToolInfo(name=name, description=f"{name}.") for name in names]


def names_of(manager: AbilityManager, *arguments: Any) -> list[str | None]:
    return [info.name for info in manager.list_tool_info(*arguments)]


# --- registering


@pytest.mark.parametrize(
    ("first", "second", "word"),
    [
        (tool("sail", "t1"), tool("sail", "t2"), "tool"),
        (WorkflowCard("w1", "voyage"), WorkflowCard("w2", "voyage"), "workflow"),
        (WorkflowCard("w1", "voyage"), WorkflowCard("w1", "voyage"), "workflow"),
        (AgentCard("a1", "mate"), AgentCard("a2", "mate"), "agent"),
        (ExternalTool(tool("horn", "e1")), ExternalTool(tool("horn", "e2")), "external_tool"),
        (McpServerConfig("harbour", "s1"), McpServerConfig("harbour", "s2"), "mcp_server"),
    ],
)
def test_the_first_of_a_name_is_kept(first: Any, second: Any, word: str, caplog: pytest.LogCaptureFixture) -> None:
    manager = AbilityManager()
    name = first.server_name if word == "mcp_server" else first.name

    assert manager.add(first) == AddAbilityResult(name, True, f"added_{word}")
    with caplog.at_level(logging.WARNING):
        assert manager.add(second) == AddAbilityResult(name, False, f"duplicate_{word}")
    assert manager.get(name) is first
    assert name in caplog.text


def test_a_tool_with_the_same_id_takes_the_place_of_the_first() -> None:
    manager = AbilityManager()
    manager.add([tool("sail", "t1"), tool("reef")])
    renewed = ToolCard("t1", "sail", "Sails faster.")

    assert manager.add(renewed) == AddAbilityResult("sail", True, "refreshed_tool")
    assert manager.get("sail") is renewed
    assert names_of(manager) == ["sail", "reef"]


def test_a_list_is_answered_one_by_one() -> None:
    results = AbilityManager().add([tool("sail"), tool("reef"), tool("sail", "other")])

    assert [result.reason for result in results] == ["added_tool", "added_tool", "duplicate_tool"]


def test_what_is_no_ability_is_told() -> None:
    manager = AbilityManager()
    ability: Any = "sail"

    result: Any = manager.add(ability)

    assert result == AddAbilityResult("str", False, "unknown_ability_type")
    assert manager.list() == []


def test_kinds_have_names_of_their_own() -> None:
    manager = AbilityManager()
    abilities: list[Any] = [
        McpServerConfig("x"),
        ExternalTool(tool("x")),
        AgentCard(name="x"),
        WorkflowCard(name="x"),
        tool("x"),
    ]

    assert all(result.added for result in manager.add(abilities))
    assert manager.list() == abilities[::-1]
    assert manager.get("x") is abilities[-1]
    assert manager.get("y") is None


def test_what_is_removed_is_gone() -> None:
    manager = AbilityManager()
    manager.add([tool("sail"), WorkflowCard(name="voyage")])

    assert manager.remove("sail") == tool("sail")
    assert manager.remove("sail") is None
    assert names_of(manager) == ["voyage"]


def test_with_a_server_go_its_tools_and_its_allow_list() -> None:
    manager = manager_of({HARBOUR: infos("dock", "leave")})
    manager.add(tool("sail"))
    manager.set_mcp_tool_allowlist(HARBOUR, ["dock"])
    manager.list_tool_info()

    assert manager.remove("harbour") is HARBOUR
    assert manager.list() == [tool("sail")]
    assert manager.resolve("mcp_harbour_dock") is None
    manager.add(HARBOUR)
    assert names_of(manager) == ["sail", "mcp_harbour_dock", "mcp_harbour_leave"]


def test_a_server_takes_along_cards_that_were_registered_for_it() -> None:
    manager = manager_of({HARBOUR: []})
    manager.add([tool("dock", "s1.dock"), tool("leave", "s10.leave")])

    manager.remove("harbour")

    assert names_of(manager) == ["leave"]


def test_tools_can_be_put_in_another_order() -> None:
    manager = AbilityManager()
    manager.add([tool("a"), tool("b"), tool("c"), WorkflowCard(name="w")])

    manager.reorder_tools(["c", "missing", "a"])

    assert names_of(manager) == ["c", "a", "b", "w"]


# --- the list


def test_kinds_are_listed_in_the_documented_order() -> None:
    manager = manager_of({HARBOUR: infos("dock"), FLEET: infos("hail")})
    manager.add([ExternalTool(tool("horn")), AgentCard(name="mate"), WorkflowCard(name="voyage"), tool("sail")])

    assert names_of(manager) == ["sail", "voyage", "mate", "horn", "mcp_harbour_dock", "mcp_fleet_hail"]


@pytest.mark.parametrize(
    ("added", "listed"),
    [
        (["free_search", "a", "paid_search", "b"], ["paid_search", "free_search", "a", "b"]),
        (["a", "free_search", "paid_search"], ["a", "paid_search", "free_search"]),
        (["paid_search", "a", "free_search"], ["paid_search", "a", "free_search"]),
        (["a", "paid_search"], ["a", "paid_search"]),
        (["free_search", "a"], ["free_search", "a"]),
    ],
)
def test_paid_search_comes_before_free_search(added: list[str], listed: list[str]) -> None:
    manager = AbilityManager()
    manager.add([tool(name) for name in added])

    assert names_of(manager) == listed
    assert [card.name for card in manager.list() if isinstance(card, ToolCard)] == added


@pytest.mark.parametrize(
    ("card", "told"),
    [
        (ToolCard(name="x", description=None, input_params=None), ToolInfo(name="x")),
        (ToolCard(name="x", input_params=Course), ToolInfo(name="x", parameters=Course)),
        (WorkflowCard(name="x", description=None), ToolInfo(name="x")),
        (WorkflowCard(name="x", input_params=SCHEMA), ToolInfo(name="x", parameters=SCHEMA)),
        (
            AgentCard(name="x", description=None),
            ToolInfo(name="x", parameters={"type": "object", "properties": {}, "required": []}),
        ),
        (AgentCard(name="x", input_params=Course), ToolInfo(name="x", parameters=Course.model_json_schema())),
        (ExternalTool(ToolCard(name="x", input_params=SCHEMA)), ToolInfo(name="x", parameters=SCHEMA)),
    ],
)
def test_every_card_is_listed_as_an_info(card: Any, told: ToolInfo) -> None:
    manager = AbilityManager()
    manager.add(card)

    assert manager.list_tool_info() == [told]


def test_parameters_leave_as_they_came() -> None:
    odd = {"$ref": "#/nowhere", "type": ["object"], "x-mine": None}
    manager = manager_of({HARBOUR: [ToolInfo(name="dock", parameters=odd)]})
    manager.add(ToolCard(name="sail", input_params=odd))

    assert [info.parameters for info in manager.list_tool_info()] == [odd, odd]


def test_names_choose_among_the_agents_own_and_leave_servers_out() -> None:
    manager = manager_of({HARBOUR: infos("dock")})
    manager.add([tool("sail"), tool("reef"), WorkflowCard(name="voyage"), AgentCard(name="mate")])

    assert names_of(manager, ["voyage", "sail", "harbour", "mcp_harbour_dock"]) == ["sail", "voyage"]
    assert names_of(manager, []) == []


def test_a_server_can_be_chosen_by_name() -> None:
    manager = manager_of({HARBOUR: infos("dock"), FLEET: infos("hail")})
    manager.add(tool("sail"))

    assert names_of(manager, None, "fleet") == ["sail", "mcp_fleet_hail"]
    assert names_of(manager, None, "nobody") == ["sail"]


def test_a_blank_name_is_left_out() -> None:
    manager = AbilityManager()
    manager.add([tool("", "1"), tool("  ", "2"), tool("sail")])

    assert names_of(manager) == ["sail"]


def test_the_first_of_a_name_is_listed() -> None:
    manager = AbilityManager()
    manager.add([AgentCard(name="x", description="An agent."), WorkflowCard(name="x", description="A workflow.")])
    manager.add(ToolCard(name="x", description="A tool."))

    assert [info.description for info in manager.list_tool_info()] == ["A tool."]


def test_a_card_whose_id_says_that_it_is_a_servers_is_not_listed_as_the_agents_own() -> None:
    manager = manager_of({HARBOUR: []})
    manager.add([tool("dock", "s1.harbour.dock"), tool("leave", "s10.harbour.leave")])

    assert names_of(manager) == ["leave"]


# --- servers' tools


def test_a_servers_tool_is_registered_under_the_name_that_it_is_listed_by() -> None:
    given = ToolInfo(name="dock", description="Docks.", parameters=SCHEMA)
    manager = manager_of({HARBOUR: [given]})

    assert manager.list_tool_info() == [ToolInfo(name="mcp_harbour_dock", description="Docks.", parameters=SCHEMA)]
    assert manager.get("mcp_harbour_dock") == ToolCard("s1.harbour.dock", "mcp_harbour_dock", "Docks.", SCHEMA)


def test_listing_again_gives_the_same_and_changes_no_info() -> None:
    given = McpToolInfo(name="dock", server_name="harbour")
    manager = manager_of({HARBOUR: [given]})

    assert manager.list_tool_info() == manager.list_tool_info()
    assert given == McpToolInfo(name="dock", server_name="harbour")


def test_a_servers_info_still_knows_its_server() -> None:
    manager = manager_of({HARBOUR: [McpToolInfo(name="dock", server_name="harbour")]})

    assert manager.list_tool_info() == [McpToolInfo(name="mcp_harbour_dock", server_name="harbour")]


@pytest.mark.parametrize(
    ("given", "parameters"),
    [
        ({"name": "dock", "inputSchema": SCHEMA}, SCHEMA),
        (Tool("dock", schema=SCHEMA), SCHEMA),
        ({"name": "dock"}, {}),
        ({"name": "dock", "inputSchema": True}, {}),
        ({"name": "dock", "inputSchema": False}, {"not": {}}),
    ],
)
def test_a_server_may_list_its_tools_in_any_shape(given: Any, parameters: Any) -> None:
    manager = manager_of({HARBOUR: [given]})

    assert manager.list_tool_info() == [ToolInfo(name="mcp_harbour_dock", parameters=parameters)]


@pytest.mark.parametrize("name", ["", "  ", None])
def test_a_servers_tool_without_a_name_is_left_out(name: Any) -> None:
    manager = manager_of({HARBOUR: [ToolInfo(name=name), *infos("dock")]})

    assert names_of(manager) == ["mcp_harbour_dock"]


@pytest.mark.parametrize(
    "own", [tool("mcp_harbour_dock"), WorkflowCard(name="mcp_harbour_dock"), AgentCard(name="mcp_harbour_dock")]
)
def test_a_servers_tool_does_not_hide_an_ability_of_that_name(own: Any) -> None:
    manager = manager_of({HARBOUR: infos("dock")})
    manager.add(own)

    assert names_of(manager) == ["mcp_harbour_dock"]
    assert manager.get("mcp_harbour_dock") is own


def test_of_two_servers_tools_of_one_name_the_first_is_kept() -> None:
    first, second = McpServerConfig("a", "s1"), McpServerConfig("a_b", "s2")
    manager = manager_of({first: [ToolInfo(name="b_c", description="first")], second: [ToolInfo(name="c")]})

    (info,) = manager.list_tool_info()

    assert (info.name, info.description) == ("mcp_a_b_c", "first")
    assert manager.resolve("mcp_a_b_c") == (first, "b_c")


# --- allow-lists


@pytest.mark.parametrize(
    ("allowed", "listed"),
    [
        (["dock"], ["dock"]),
        ([" leave ", "", "missing"], ["leave"]),
        (["mcp_harbour_dock"], []),
        ([], []),
        (None, ["dock", "leave"]),
    ],
)
def test_only_allowed_tools_are_listed_and_registered(allowed: list[str] | None, listed: list[str]) -> None:
    manager = manager_of({HARBOUR: infos("dock", "leave"), FLEET: infos("leave")})
    manager.set_mcp_tool_allowlist(HARBOUR, allowed)

    assert names_of(manager) == [*(f"mcp_harbour_{name}" for name in listed), "mcp_fleet_leave"]
    registered = {card.name for card in manager.list() if isinstance(card, ToolCard)}
    assert registered == {*(f"mcp_harbour_{name}" for name in listed), "mcp_fleet_leave"}


def test_an_allow_list_can_be_lifted() -> None:
    manager = manager_of({HARBOUR: infos("dock", "leave")})
    manager.set_mcp_tool_allowlist(HARBOUR, ["dock"])
    manager.set_mcp_tool_allowlist(HARBOUR, None)

    assert names_of(manager) == ["mcp_harbour_dock", "mcp_harbour_leave"]


def test_two_agents_may_allow_different_tools_of_one_server() -> None:
    first, second = manager_of({HARBOUR: infos("dock", "leave")}), manager_of({HARBOUR: infos("dock", "leave")})
    first.set_mcp_tool_allowlist(HARBOUR, ["dock"])
    second.set_mcp_tool_allowlist(HARBOUR, ["leave"])

    assert names_of(first) == ["mcp_harbour_dock"]
    assert names_of(second) == ["mcp_harbour_leave"]


def test_an_allow_list_needs_a_server_id() -> None:
    with pytest.raises(InputError, match="needs a server_id"):
        AbilityManager().set_mcp_tool_allowlist(McpServerConfig("harbour", " "), [])


# --- failures


def test_a_server_that_fails_hides_no_other(caplog: pytest.LogCaptureFixture) -> None:
    error = ConnectionError("no answer")
    manager = manager_of({HARBOUR: error, FLEET: infos("hail")})  # type: ignore[dict-item]
    manager.add(tool("sail"))

    with caplog.at_level(logging.WARNING):
        assert names_of(manager) == ["sail", "mcp_fleet_hail"]

    assert [(one.server_name, one.error) for one in manager.failures] == [("harbour", error)]
    assert "'harbour'" in caplog.text
    assert "no answer" in caplog.text


def test_a_server_that_fails_half_way_is_left_out_whole() -> None:
    def half() -> Iterable[ToolInfo]:
        yield ToolInfo(name="dock")
        raise ConnectionError("gone")

    manager = manager_of({HARBOUR: half()})

    assert names_of(manager) == []
    assert [one.server_name for one in manager.failures] == ["harbour"]


def test_a_tool_that_cannot_be_read_hides_no_other() -> None:
    manager = manager_of({HARBOUR: [{"name": "dock", "inputSchema": []}, 5, *infos("leave")]})

    assert names_of(manager) == ["mcp_harbour_leave"]
    first, second = [one.error for one in manager.failures]
    assert str(first) == "tool 'dock': /0/inputSchema: inputSchema must be an object or a boolean, not an array"
    assert str(second) == "/1: a tool is an object, not a number"


def test_failures_are_those_of_the_last_time() -> None:
    manager = manager_of({HARBOUR: ConnectionError("no answer")})  # type: ignore[dict-item]
    manager.list_tool_info()
    manager.list_tool_info([])
    before = manager.failures
    manager.remove("harbour")
    manager.list_tool_info()

    assert (len(before), len(manager.failures)) == (1, 0)


def test_a_manager_that_cannot_list_a_servers_tools_says_so() -> None:
    manager = AbilityManager()
    manager.add(HARBOUR)

    assert names_of(manager) == []
    assert "AbilityManager(list_tools=...)" in str(manager.failures[0].error)
