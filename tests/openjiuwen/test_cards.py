"""Cards: their defaults, and what each tells a model."""

from collections.abc import Callable
from typing import Any

import pytest
from pydantic import BaseModel

from schemaflow import InputError, NotASchemaError
from schemaflow.openjiuwen import (
    AgentCard,
    ExternalTool,
    McpServerConfig,
    McpToolCard,
    McpToolInfo,
    ToolCard,
    ToolInfo,
    WorkflowCard,
)

KNOTS = {"type": "object", "properties": {"knots": {"type": "integer"}}}
NO_MEMBERS = {"type": "object", "properties": {}, "required": []}


class Course(BaseModel):
    heading: int


@pytest.mark.parametrize("make", [ToolCard, WorkflowCard, AgentCard, lambda: McpToolCard(server_name="harbour")])
def test_every_card_gets_an_id_of_its_own(make: Any) -> None:
    first, second = make(), make()

    assert first.id
    assert first.id != second.id
    assert (first.name, first.description) == ("", "")


def test_a_tools_card_has_the_documented_defaults() -> None:
    card = ToolCard()

    assert (card.input_params, card.properties) == ({}, {})
    assert (card.stateless, card.parallel_safe, card.exposure) == (False, True, "direct")


def test_a_card_tells_of_its_tool() -> None:
    card = ToolCard("t1", "sail", "Sails.", KNOTS)

    assert card.tool_info() == ToolInfo("function", "sail", "Sails.", KNOTS)


def test_how_a_tool_is_run_is_told_to_no_model() -> None:
    card = ToolCard(name="sail", properties={"timeout": 5}, stateless=True, parallel_safe=False, exposure="deferred")

    assert card.tool_info().to_json().keys() == {"type", "name", "description", "parameters"}


def test_a_servers_card_tells_of_its_server_too() -> None:
    card = McpToolCard("t1", "sail", "Sails.", KNOTS, server_name="harbour", server_id="s1")

    assert card.tool_info() == McpToolInfo("function", "sail", "Sails.", KNOTS, "harbour")


def test_a_servers_card_has_no_server_id_unless_told() -> None:
    assert McpToolCard(server_name="harbour").server_id == ""


def test_a_servers_card_needs_a_server() -> None:
    with pytest.raises(TypeError, match="server_name"):
        McpToolCard(name="sail")  # type: ignore[call-arg]


@pytest.mark.parametrize(
    "card",
    [
        ToolCard(name="steer", input_params=Course),
        McpToolCard(name="steer", input_params=Course, server_name="harbour"),
        WorkflowCard(name="steer", input_params=Course),
    ],
)
def test_a_model_class_goes_on_as_it_is(card: Any) -> None:
    assert card.tool_info().parameters is Course


@pytest.mark.parametrize("kind", [ToolCard, WorkflowCard])
def test_a_card_refuses_parameters_that_are_none(kind: Any) -> None:
    with pytest.raises(NotASchemaError, match="tool 'steer': input_params must be a JSON Schema"):
        kind(name="steer", input_params=[KNOTS])


def test_a_workflow_tells_of_itself() -> None:
    card = WorkflowCard("w1", "voyage", "Plans a voyage.", "2", KNOTS)

    assert card.tool_info() == ToolInfo("function", "voyage", "Plans a voyage.", KNOTS)


@pytest.mark.parametrize(
    ("given", "told"),
    [
        (None, NO_MEMBERS),
        ({}, {}),
        (KNOTS, KNOTS),
        (Course, Course.model_json_schema()),
        ("knots", NO_MEMBERS),
        ([KNOTS], NO_MEMBERS),
        (int, NO_MEMBERS),
    ],
)
def test_an_agents_parameters_are_always_told_as_json_schema(given: Any, told: dict[str, Any]) -> None:
    info = AgentCard(name="mate", description="Helps.", input_params=given).tool_info()

    assert info == ToolInfo("function", "mate", "Helps.", told)
    assert list(info.to_json()["parameters"]) == list(told)


def test_an_agent_with_a_model_class_that_has_no_schema_is_told_by_name() -> None:
    class Callback(BaseModel):
        call: Callable[[], None]

    with pytest.raises(InputError, match="tool 'mate': the class Callback has no JSON Schema: "):
        AgentCard(name="mate", input_params=Callback).tool_info()


def test_an_external_tool_tells_what_its_card_tells() -> None:
    card = ToolCard("external.horn", "horn", "Sounds the horn.", KNOTS)
    tool = ExternalTool(card)

    assert tool.card is card
    assert tool.name == "horn"
    assert tool.tool_info() == card.tool_info()


@pytest.mark.parametrize(("card", "said"), [(None, "needs a card"), (ToolCard(name=" "), "needs a name")])
def test_an_external_tool_needs_a_card_with_a_name(card: Any, said: str) -> None:
    with pytest.raises(NotASchemaError, match=said):
        ExternalTool(card)


def test_a_server_has_the_documented_defaults() -> None:
    first, second = McpServerConfig("harbour"), McpServerConfig("harbour")

    assert first.server_id != second.server_id
    assert (first.client_type, first.params) == ("sse", {})


def test_cards_with_the_same_fields_are_equal() -> None:
    assert ToolCard("t1", "sail", input_params=KNOTS) == ToolCard("t1", "sail", input_params={**KNOTS})
    assert ToolCard("t1", "sail") != McpToolCard("t1", "sail", server_name="harbour")
