"""A call from a model, brought back to the server and the tool that it means."""

from typing import Any

import pytest

from schemaflow import InputError, NotJsonError, UnknownNameError
from schemaflow.openjiuwen import (
    AbilityManager,
    AgentCard,
    Call,
    ExternalTool,
    McpServerConfig,
    ToolCard,
    ToolInfo,
    WorkflowCard,
)

A = McpServerConfig("a", "s1")
A_B = McpServerConfig("a_b", "s2")
DOTTED = McpServerConfig("my.server", "s3")


def manager_of(*servers: McpServerConfig, tools: tuple[str, ...] = ()) -> AbilityManager:
    manager = AbilityManager(lambda server: [ToolInfo(name=name) for name in tools])
    manager.add([*servers])
    return manager


@pytest.mark.parametrize("servers", [(A, A_B), (A_B, A)])
def test_the_longest_server_name_goes_first(servers: tuple[McpServerConfig, ...]) -> None:
    manager = manager_of(*servers)

    assert manager.resolve("mcp_a_b_c") == (A_B, "c")
    assert manager.resolve("mcp_a_c") == (A, "c")


def test_a_listed_tool_means_the_server_that_listed_it() -> None:
    manager = manager_of(A, tools=("b_c",))
    manager.list_tool_info()
    manager.add(A_B)

    assert manager.resolve("mcp_a_b_c") == (A, "b_c")


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("s2.a_b.c", (A_B, "c")),
        ("s1.a.b_c", (A, "b_c")),
        ("s3.my.server.doc.open", (DOTTED, "doc.open")),
        ("mcp_my.server_doc.open", (DOTTED, "doc.open")),
        ("s1.a_b.c", None),
        ("s2.a.c", None),
        ("mcp_a_", None),
        ("mcp_a", None),
        ("s1.a.", None),
        ("a_c", None),
        ("c", None),
    ],
)
def test_names_that_were_never_listed_are_taken_apart(name: str, meant: Any) -> None:
    assert manager_of(A, A_B, DOTTED).resolve(name) == meant


def test_a_registered_card_tells_by_its_id() -> None:
    manager = manager_of(A, A_B)
    manager.add([ToolCard("s2.a_b.c", "dock"), ToolCard("t1", "mcp_a_sail")])

    assert manager.resolve("dock") == (A_B, "c")
    assert manager.resolve("mcp_a_sail") is None


def test_ids_that_read_two_ways_still_mean_the_server_that_listed_the_tool() -> None:
    long, short = McpServerConfig("t.u", "s"), McpServerConfig("u", "s.t")
    manager = manager_of(long, short, tools=("v",))
    manager.list_tool_info()

    assert manager.resolve("mcp_t.u_v") == (long, "v")
    assert manager.resolve("mcp_u_v") == (short, "v")


@pytest.mark.parametrize("own", [WorkflowCard(name="mcp_a_c"), AgentCard(name="mcp_a_c")])
def test_a_name_of_the_agents_own_is_no_servers(own: Any) -> None:
    manager = manager_of(A)
    manager.add(own)

    assert manager.resolve("mcp_a_c") is None
    assert manager.resolve_call("mcp_a_c").ability is own


def test_a_call_of_a_servers_tool_names_the_server_the_tool_and_the_arguments() -> None:
    call = manager_of(A).resolve_call("mcp_a_dock", '{"pier": 5')

    assert call == Call(A, "dock", {"pier": 5})
    assert call.server is A


@pytest.mark.parametrize(
    "own",
    [ToolCard(name="x"), WorkflowCard(name="x"), AgentCard(name="x"), ExternalTool(ToolCard(name="x"))],
)
def test_a_call_of_the_agents_own_names_the_card(own: Any) -> None:
    manager = manager_of(A)
    manager.add(own)

    call = manager.resolve_call("x", {"knots": 5})

    assert call == Call(own, "x", {"knots": 5})
    assert call.server is None


@pytest.mark.parametrize("name", ["mcp_a_leave", "s1.a.leave"])
def test_a_tool_that_is_not_allowed_cannot_be_called(name: str) -> None:
    manager = manager_of(A, A_B, tools=("leave",))
    manager.list_tool_info()
    manager.set_mcp_tool_allowlist(A, ["dock"])

    with pytest.raises(InputError) as raised:
        manager.resolve_call(name)
    assert str(raised.value) == f"tool {name!r}: 'leave' is not allowed for the server 'a' (s1)"
    assert manager.resolve_call("mcp_a_dock").tool == "dock"
    assert manager.resolve_call("mcp_a_b_leave").tool == "leave"


@pytest.mark.parametrize("name", ["a", "sale", "", "mcp_nobody_dock"])
def test_a_name_that_nothing_has_is_told(name: str) -> None:
    manager = manager_of(A)
    manager.add(ToolCard(name="sail"))

    with pytest.raises(UnknownNameError) as raised:
        manager.resolve_call(name)

    assert raised.value.known == ("sail",)


def test_arguments_that_are_not_json_are_told_with_the_tool() -> None:
    with pytest.raises(NotJsonError) as raised:
        manager_of(A).resolve_call("mcp_a_dock", '{"pier": five}')

    assert raised.value.tool == "mcp_a_dock"
    assert "'{\"pier\": five}'" in raised.value.problem
