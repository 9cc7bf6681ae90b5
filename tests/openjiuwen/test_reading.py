"""Cards and infos go wherever a tool goes: into adapters, lists of tools, caches of the manager, and files."""

import json
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from click.testing import CliRunner
from pydantic import BaseModel, Field

from schemaflow import InputError, NotASchemaError, Tool, adapter, providers, read_tools
from schemaflow.cli.root import root
from schemaflow.openjiuwen import (
    AgentCard,
    ExternalTool,
    McpToolCard,
    McpToolInfo,
    ToolCard,
    ToolInfo,
    WorkflowCard,
)
from schemaflow.tool import CONVERTERS, holds_tools, is_tool, read_tool


class Course(BaseModel):
    heading: int = Field(ge=0)


SCHEMA = Course.model_json_schema()
SAIL = ToolCard("t1", "sail", "Sails.", SCHEMA)


Given = dict[str, Any] | type[BaseModel]


class TheirInfo(BaseModel):
    """An info as openJiuwen's own package has it."""

    type: str = "function"
    name: str = ""
    description: str = ""
    parameters: Given = Field(default_factory=dict)


class TheirCard(BaseModel):
    """A card as openJiuwen's own package has it."""

    id: str
    name: str
    description: str = ""
    input_params: Given = Field(default_factory=dict)
    properties: dict[str, Any] = Field(default_factory=dict)
    server_name: str = "harbour"

    def tool_info(self) -> TheirInfo:
        return TheirInfo(name=self.name, description=self.description, parameters=self.input_params)


WRITTEN: Mapping[str, Any] = {
    "card": SAIL,
    "card with a model class": ToolCard("t1", "sail", "Sails.", Course),
    "workflow": WorkflowCard("w1", "sail", "Sails.", "1", SCHEMA),
    "agent": AgentCard("a1", "sail", "Sails.", Course),
    "external tool": ExternalTool(SAIL),
    "server's card": McpToolCard("t1", "sail", "Sails.", SCHEMA, server_name="harbour"),
    "info": SAIL.tool_info(),
    "server's info": McpToolInfo("function", "sail", "Sails.", Course, "harbour"),
    "their card": TheirCard(id="t1", name="sail", description="Sails.", input_params=Course),
    "their card that tells nothing": SimpleNamespace(name="sail", description="Sails.", input_params=SCHEMA),
    "their info": TheirInfo(name="sail", description="Sails.", parameters=Course),
    "card as JSON": {"id": "t1", "name": "sail", "description": "Sails.", "input_params": SCHEMA, "properties": {}},
    "info as JSON": SAIL.tool_info().to_json(),
    "server's info as JSON": McpToolInfo("function", "sail", "Sails.", SCHEMA, "harbour").to_json(),
}


@pytest.mark.parametrize("written", WRITTEN.values(), ids=WRITTEN)
def test_every_card_and_info_is_read_to_the_same_tool(written: Any) -> None:
    tool = read_tool(written)

    assert (tool.name, tool.description, tool.schema) == ("sail", "Sails.", SCHEMA)
    assert is_tool(written)
    assert holds_tools(written)


def test_every_converter_is_tested() -> None:
    matched = {one.label for one in CONVERTERS for written in WRITTEN.values() if one.matches(written)}

    assert matched == {one.label for one in CONVERTERS if one.label.startswith("openJiuwen")}


@pytest.mark.parametrize("provider", providers())
@pytest.mark.parametrize("written", WRITTEN.values(), ids=WRITTEN)
def test_every_adapter_takes_cards_and_infos(written: Any, provider: str) -> None:
    expected = adapter(provider).adapt_tool(Tool("sail", "Sails.", SCHEMA)).tool

    assert adapter(provider).adapt_tool(written).tool == expected


def test_a_list_of_cards_is_a_list_of_tools() -> None:
    cards = [SAIL, AgentCard(name="mate"), {"tools": [SAIL.tool_info()]}]

    assert holds_tools(cards)
    assert [(place, tool.name) for place, tool in read_tools(cards)] == [
        ("/0", "sail"),
        ("/1", "mate"),
        ("/2/tools/0", "sail"),
    ]


@pytest.mark.parametrize(
    ("written", "extra"),
    [
        (SAIL, {"id": "t1"}),
        (ExternalTool(SAIL), {"id": "t1"}),
        (
            McpToolCard("t1", "sail", properties={"x": 1}, server_name="harbour", server_id="s1"),
            {"id": "t1", "properties": {"x": 1}, "server_name": "harbour", "server_id": "s1"},
        ),
        (McpToolInfo(name="sail", server_name="harbour"), {"server_name": "harbour"}),
        (SAIL.tool_info(), {}),
    ],
)
def test_what_a_card_says_besides_is_kept(written: Any, extra: dict[str, Any]) -> None:
    assert read_tool(written).extra == extra


def test_a_card_without_parameters_is_a_tool_without_a_schema() -> None:
    assert read_tool(ToolCard(name="sail", input_params=None)).schema is None
    assert read_tool({"name": "sail", "input_params": None}).schema is None


def test_a_tool_is_read_already() -> None:
    tool = Tool("sail")

    assert read_tool(tool) is tool
    assert holds_tools(tool)
    assert [one for _, one in read_tools([tool])] == [tool]


@pytest.mark.parametrize(
    ("written", "pointer", "said"),
    [
        (ToolCard(name=""), "/tools/3", "a tool's name must be a string that is not empty"),
        (TheirCard.model_construct(id="1", name="sail", input_params=[]), "/tools/3", "its tool_info() failed: "),
        (
            SimpleNamespace(name="sail", description=5, input_params={}),
            "/tools/3",
            "description must be a string, not a number",
        ),
        (SimpleNamespace(name="sail", description="", input_params=5), "/tools/3/input_params", "not int"),
        (ToolCard, "/tools/3", "a tool is an object, not a Python type"),
        (object(), "/tools/3", "a tool is an object, not a Python object"),
        (Course(heading=1), "/tools/3", "a tool is an object, not a Python Course"),
    ],
)
def test_what_is_no_card_is_refused_in_words(written: Any, pointer: str, said: str) -> None:
    with pytest.raises(NotASchemaError) as raised:
        read_tool(written, "/tools/3")

    assert said in raised.value.problem
    assert raised.value.pointer == pointer


def test_a_model_class_without_a_schema_is_told_with_the_place_and_the_tool() -> None:
    class Callback(BaseModel):
        call: Callable[[], None]

    with pytest.raises(InputError, match="tool 'sail': /0: the class Callback has no JSON Schema: "):
        read_tools([ToolCard(name="sail", input_params=Callback)])


# --- the pipeline, and files


@pytest.mark.parametrize(
    "info",
    [
        ToolInfo(name="sail", description="Sails.", parameters=SCHEMA),
        ToolInfo(name="a name of far more than sixty-four characters, with spaces: kept as it is"),
        ToolInfo(name="odd", parameters={"$schema": "x", "type": ["object"], "default": None, "x-mine": {}}),
        ToolInfo(name="shared", parameters={"$ref": "#/$defs/A", "$defs": {"A": {"properties": {"a": {"$ref": "#"}}}}}),
    ],
)
def test_the_pipeline_gives_the_info_back_as_it_came(info: ToolInfo) -> None:
    result = adapter("openjiuwen").adapt_tool(info)

    assert json.dumps(result.tool) == json.dumps(info.to_json())
    assert ToolInfo.from_json(result.tool) == info
    assert [*result.report] == []


def test_the_pipeline_leaves_no_reference_dangling() -> None:
    result = adapter("openjiuwen").adapt_tool({"name": "sail", "parameters": {"properties": {"a": {"$ref": "#/no"}}}})

    assert result.schema == {"properties": {"a": {"type": "object"}}}
    assert [finding.pointer for finding in result.report] == ["/properties/a"]


def test_the_pipeline_makes_an_info_of_any_tool() -> None:
    mcp = {"name": "sail", "inputSchema": SCHEMA, "annotations": {"readOnlyHint": True}}

    assert ToolInfo.from_json(adapter("openjiuwen").adapt_tool(mcp).tool) == ToolInfo(name="sail", parameters=SCHEMA)
    assert ToolInfo.from_json(adapter("openjiuwen").adapt_tool({"name": "x"}).tool) == ToolInfo(name="x")


def test_cards_are_adapted_from_a_file(tmp_path: Path) -> None:
    path = tmp_path / "cards.json"
    bad = {"id": "2", "name": "reef", "input_params": [1]}
    path.write_text(json.dumps([WRITTEN["card as JSON"], bad, WRITTEN["server's info as JSON"]]))

    result = CliRunner().invoke(root, ["adapt", str(path), "--provider", "adk/gemini"])

    expected = adapter("adk/gemini").adapt_tool(SAIL).tool
    assert json.loads(result.stdout) == [expected, expected]
    assert result.exit_code == 1
    assert (
        f"{path}#/1: tool 'reef': /input_params: input_params must be an object or a boolean, not an array"
        in result.stderr
    )


def test_a_single_card_is_adapted_to_a_single_tool() -> None:
    card = "id: t1\nname: sail\ndescription: Sails.\ninput_params: {type: object}\nproperties: {}\n"

    result = CliRunner().invoke(root, ["adapt", "--provider", "openjiuwen"], input=card)

    assert json.loads(result.stdout)["parameters"] == {"type": "object"}
    assert result.exit_code == 0


# --- what it costs others


@pytest.mark.parametrize(
    "code",
    [
        "import schemaflow",
        "import schemaflow; schemaflow.adapter('openjiuwen').adapt_tool({'name': 'a', 'inputSchema': {}})",
    ],
)
def test_nothing_of_openjiuwen_is_imported_before_it_is_needed(code: str) -> None:
    ask = "import sys; print(sorted(name for name in sys.modules if 'openjiuwen' in name or name == 'pydantic'))"

    printed = subprocess.run([sys.executable, "-c", f"{code}; {ask}"], capture_output=True, text=True, check=True)

    assert printed.stdout == "[]\n"


def test_pydantic_is_not_needed() -> None:
    code = (
        "import sys; sys.modules['pydantic'] = None\n"
        "from schemaflow.openjiuwen import ToolCard, fill_arguments\n"
        "class Plain:\n"
        "    @classmethod\n"
        "    def model_json_schema(cls): return {'type': 'object'}\n"
        "print(ToolCard(name='a', input_params=Plain).tool_info().schema)"
    )

    printed = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert printed.stdout == "{'type': 'object'}\n"
