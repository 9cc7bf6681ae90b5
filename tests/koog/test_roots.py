"""Koog's generators write `type`, `properties` and `required` of every tool, whatever its schema leaves out."""

from typing import Any

import pytest

import schemaflow
from schemaflow import Tool
from schemaflow.koog import DefaultMcpToolDescriptorParser, Integer, ToolDescriptor, ToolParameterDescriptor

EMPTY = {"type": "object", "properties": {}, "required": []}
NOTHING: list[Any] = [
    None,
    {},
    True,
    {"description": "nothing more"},
    {"type": ["object", "null"]},
    {"$ref": "#/$defs/any", "$defs": {"any": {}}},
]
OPTIONAL = {"type": ["null", "object"], "properties": {"n": {"type": "integer"}}, "required": ["n"]}


@pytest.mark.parametrize("schema", NOTHING)
def test_a_schema_that_says_nothing_has_no_parameters_for_openai(schema: Any) -> None:
    result = schemaflow.adapter("koog/openai").adapt_tool(Tool("moor", "d", schema))

    assert result.tool["function"]["parameters"] == EMPTY


@pytest.mark.parametrize("schema", NOTHING)
def test_a_schema_that_says_nothing_has_no_parameters_for_ollama(schema: Any) -> None:
    result = schemaflow.adapter("koog/ollama").adapt_tool(Tool("moor", "d", schema))

    assert result.tool["function"]["parameters"] == {"title": "moor", "description": "d", **EMPTY}


@pytest.mark.parametrize("pipeline", ["koog/openai", "koog/ollama"])
def test_parameters_that_may_be_null_as_a_whole_are_parameters(pipeline: str) -> None:
    result = schemaflow.adapter(pipeline).adapt(OPTIONAL)

    assert result.schema == {"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]}


def test_parameters_that_may_be_null_as_a_whole_are_read() -> None:
    descriptor = DefaultMcpToolDescriptorParser().parse({"name": "moor", "inputSchema": OPTIONAL})

    assert descriptor == ToolDescriptor("moor", "", [ToolParameterDescriptor("n", "", Integer())])
