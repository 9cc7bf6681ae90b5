"""Wherever a tool is taken a descriptor is taken too: as a model, as JSON, in lists, from files."""

from typing import Any

import pytest

import schemaflow
from schemaflow import NotASchemaError, SchemaCache, Tool, read_tools
from schemaflow.koog import DefaultMcpToolDescriptorParser, Integer, List, Object, String, ToolDescriptor
from schemaflow.koog import ToolParameterDescriptor as Parameter
from schemaflow.tool import holds_tools, is_tool, read_tool

SAIL = ToolDescriptor(
    "sail",
    "Sets sail.",
    [Parameter("knots", "How fast.", Integer())],
    [Parameter("ports", "Where to.", List(Object([Parameter("name", "", String())], ["name"])))],
)
WRITTEN: list[Any] = [SAIL, SAIL.to_json()]


@pytest.mark.parametrize("written", WRITTEN)
def test_a_descriptor_is_a_tool(written: Any) -> None:
    expected = Tool("sail", "Sets sail.", SAIL.to_schema())

    assert read_tool(written) == expected
    assert is_tool(written)
    assert holds_tools(written)


@pytest.mark.parametrize("written", WRITTEN)
@pytest.mark.parametrize("provider", schemaflow.providers())
def test_every_adapter_takes_it(provider: str, written: Any) -> None:
    adapter = schemaflow.adapter(provider)
    result = adapter.adapt_tool(written)

    assert result.schema == adapter.normalize_schema(SAIL.to_schema())
    assert result.name == "sail"


def test_it_stands_among_other_tools() -> None:
    listed = {"tools": [SAIL.to_json(), {"name": "reef", "inputSchema": {}}, SAIL]}

    assert [(place, tool.name) for place, tool in read_tools(listed)] == [
        ("/tools/0", "sail"),
        ("/tools/1", "reef"),
        ("/tools/2", "sail"),
    ]


def test_a_mistake_in_one_is_told_by_its_pointer_in_the_whole() -> None:
    with pytest.raises(NotASchemaError) as raised:
        read_tools({"tools": [SAIL, {"name": "reef", "requiredParameters": [{"name": "a", "type": "Strin"}]}]})

    assert (raised.value.tool, raised.value.pointer) == ("reef", "/tools/1/requiredParameters/0/type")


@pytest.mark.parametrize("written", [{"requiredParameters": []}, {"optionalParameters": [], "name": 5}])
def test_a_descriptor_without_a_name_is_no_schema(written: Any) -> None:
    assert is_tool(written)
    with pytest.raises(NotASchemaError, match="name"):
        read_tool(written)


def test_a_schema_may_have_properties_of_those_names() -> None:
    assert not is_tool({"type": "object", "properties": {"requiredParameters": {}}})


def test_the_parser_gives_back_what_is_a_descriptor_already() -> None:
    assert DefaultMcpToolDescriptorParser(faithful=True).parse(SAIL.to_json()) == SAIL


def test_the_cache_takes_its_schema() -> None:
    adapter = schemaflow.adapter("koog/openai")

    assert SchemaCache(adapter).normalize(SAIL.to_schema()) == adapter.normalize_schema(SAIL.to_schema())
