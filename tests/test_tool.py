"""Tools: every shape in which authors write them is read to the same tool, and what is none is refused."""

from typing import Any

import pytest

from schemaflow import JsonValue, NotASchemaError, Tool, read_tools
from schemaflow.tool import SHAPES, find_tools, holds_tools, is_meant_as_tools, is_tool, read_tool

SCHEMA = {"type": "object", "properties": {"knots": {"type": "integer"}}}
NAMED = {"name": "sail", "description": "Sets sail."}
SAIL = Tool("sail", "Sets sail.", SCHEMA)
WRITTEN: dict[str, dict[str, Any]] = {
    "OpenAI chat": {"type": "function", "function": {**NAMED, "parameters": SCHEMA}},
    "OpenAI chat without a type": {"function": {**NAMED, "parameters": SCHEMA}},
    "OpenAI responses": {"type": "function", **NAMED, "parameters": SCHEMA},
    "Bedrock": {"toolSpec": {**NAMED, "inputSchema": {"json": SCHEMA}}},
    "MCP": {**NAMED, "inputSchema": SCHEMA},
    "Anthropic": {**NAMED, "input_schema": SCHEMA},
    "Gemini": {**NAMED, "parameters": SCHEMA},
    "openJiuwen card": {**NAMED, "input_params": SCHEMA},
    "Gemini JSON Schema": {**NAMED, "parametersJsonSchema": SCHEMA},
}


def core(tool: Tool) -> tuple[str, str | None, Any]:
    return tool.name, tool.description, tool.schema


# --- one tool


@pytest.mark.parametrize("written", WRITTEN.values(), ids=WRITTEN)
def test_every_shape_is_read_to_the_same_tool(written: dict[str, Any]) -> None:
    assert core(read_tool(written)) == core(SAIL)
    assert is_tool(written)
    assert holds_tools(written)


def test_every_known_shape_is_tested() -> None:
    matched = {next(shape.label for shape in SHAPES if shape.matches(written)) for written in WRITTEN.values()}

    assert matched == {shape.label for shape in SHAPES}


def test_the_schema_is_the_authors_object() -> None:
    assert read_tool(WRITTEN["MCP"]).schema is SCHEMA


def test_mcp_says_more_than_others() -> None:
    written = {
        **WRITTEN["MCP"],
        "title": "Sail",
        "annotations": {"readOnlyHint": False},
        "outputSchema": {"type": "object"},
        "_meta": {"x": 1},
    }
    expected = Tool(
        "sail", "Sets sail.", SCHEMA, "Sail", {"readOnlyHint": False}, {"type": "object"}, extra={"_meta": {"x": 1}}
    )

    assert read_tool(written) == expected


@pytest.mark.parametrize(
    ("written", "extra"),
    [
        ({**WRITTEN["Anthropic"], "cache_control": {"type": "ephemeral"}}, {"cache_control": {"type": "ephemeral"}}),
        ({"type": "function", "function": {**NAMED, "parameters": SCHEMA, "strict": True}}, {"strict": True}),
        ({**WRITTEN["OpenAI responses"], "strict": False}, {"type": "function", "strict": False}),
        ({"toolSpec": {**NAMED, "inputSchema": {"json": SCHEMA}, "strict": True}}, {"strict": True}),
    ],
)
def test_what_a_shape_has_besides_is_kept(written: dict[str, Any], extra: dict[str, Any]) -> None:
    tool = read_tool(written)

    assert core(tool) == core(SAIL)
    assert tool.extra == extra


@pytest.mark.parametrize(
    "written",
    [
        {"name": "sail"},
        {"name": "sail", "description": None},
        {"name": "sail", "inputSchema": None},
        {"name": "sail", "parameters": None},
        {"function": {"name": "sail"}},
        {"toolSpec": {"name": "sail"}},
        {"toolSpec": {"name": "sail", "inputSchema": {}}},
        {"type": "function", "name": "sail", "strict": True},
    ],
)
def test_a_tool_may_have_neither_schema_nor_description(written: dict[str, Any]) -> None:
    assert core(read_tool(written)) == ("sail", None, None)


@pytest.mark.parametrize("schema", [True, False, {}])
def test_a_boolean_or_empty_schema_is_a_schema(schema: Any) -> None:
    assert read_tool({"name": "sail", "inputSchema": schema}).schema is schema


# --- what is no tool


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ([], "a tool is an object, not an array"),
        ("sail", "a tool is an object, not a string"),
        (None, "a tool is an object, not null"),
        ({}, "not a tool: it needs a name and a schema"),
        ({"inputSchema": SCHEMA}, "not a tool"),
        ({"name": 5, "inputSchema": SCHEMA}, "not a tool"),
        ({"name": "sail", "colour": "red"}, "not a tool"),
        (SCHEMA, "not a tool"),
        ({"type": "web_search", "function": {"name": "sail"}}, "not a tool"),
        ({"function": "sail"}, "not a tool"),
        ({"function": {"parameters": SCHEMA}}, "not a tool"),
        ({"toolSpec": [SCHEMA]}, "not a tool"),
        ({"name": "", "inputSchema": SCHEMA}, "a tool's name must be a string that is not empty"),
        ({"function": {"name": None}}, "a tool's name must be a string that is not empty"),
        ({"function": {"name": ["sail"]}}, "a tool's name must be a string that is not empty"),
        ({"jsonrpc": "2.0", "id": 1, "error": {"code": -32601}}, "a JSON-RPC message without a result"),
    ],
)
def test_what_is_no_tool_is_refused_in_words(written: Any, said: str) -> None:
    with pytest.raises(NotASchemaError) as raised:
        read_tool(written, "/tools/3")

    assert said in raised.value.problem
    assert raised.value.pointer == "/tools/3"


@pytest.mark.parametrize(
    ("written", "pointer", "said"),
    [
        ({"name": "sail", "inputSchema": [SCHEMA]}, "/inputSchema", "must be an object or a boolean, not an array"),
        ({"name": "sail", "inputSchema": "string"}, "/inputSchema", "must be an object or a boolean, not a string"),
        ({"name": "sail", "inputSchema": 0}, "/inputSchema", "must be an object or a boolean, not a number"),
        ({"name": "sail", "description": 5, "parameters": {}}, "/description", "must be a string, not a number"),
        ({"name": "sail", "title": {}, "inputSchema": {}}, "/title", "must be a string, not an object"),
        ({"name": "sail", "annotations": [], "inputSchema": {}}, "/annotations", "must be an object, not an array"),
        ({"name": "sail", "outputSchema": "x", "inputSchema": {}}, "/outputSchema", "must be an object, not a string"),
        ({"function": {"name": "sail", "parameters": 5}}, "/function/parameters", "must be an object or a boolean"),
        (
            {"toolSpec": {"name": "sail", "inputSchema": {"json": 5}}},
            "/toolSpec/inputSchema/json",
            "inputSchema.json must be an object or a boolean",
        ),
    ],
)
def test_a_field_of_a_wrong_kind_is_told_at_its_place(written: Any, pointer: str, said: str) -> None:
    with pytest.raises(NotASchemaError, match=said) as raised:
        read_tool(written, "/tools/3")

    assert (raised.value.tool, raised.value.pointer) == ("sail", "/tools/3" + pointer)


def test_the_error_names_the_tool_where_it_has_a_name() -> None:
    with pytest.raises(NotASchemaError) as raised:
        read_tool({"name": "sail", "inputSchema": []})

    assert raised.value.tool == "sail"


@pytest.mark.parametrize("value", [SCHEMA, {}, True, None, "sail", {"name": "sail", "colour": "red"}])
def test_a_bare_schema_holds_no_tools(value: JsonValue) -> None:
    assert not is_tool(value)
    assert not holds_tools(value)


BROKEN: list[JsonValue] = [
    {"inputSchema": SCHEMA},
    {"name": 5, "input_schema": SCHEMA},
    {"title": "Sail", "description": "Sails.", "parametersJsonSchema": SCHEMA},
    {"type": "function", "function": {"parameters": SCHEMA}},
    {"toolSpec": {"inputSchema": {"json": SCHEMA}}},
    {"tools": None},
    {"functionDeclarations": {"sail": SCHEMA}},
    {"jsonrpc": "2.0", "id": 1, "error": {"code": -32601, "message": "Method not found"}},
]


@pytest.mark.parametrize("value", BROKEN)
def test_a_broken_tool_is_no_schema_that_allows_everything(value: JsonValue) -> None:
    assert is_meant_as_tools(value)
    assert not holds_tools(value)


@pytest.mark.parametrize(
    "value",
    [
        *(SCHEMA, {}, True, None, [], {"name": "sail", "colour": "red"}),
        {"properties": {"inputSchema": {}, "tools": {}}},
        {"inputSchema": {}, "$defs": {}},
        {"type": "object", "required": ["tools"], "tools": []},
    ],
)
def test_a_schema_is_not_meant_as_tools(value: JsonValue) -> None:
    assert not is_meant_as_tools(value)


# --- several


REEF = {"name": "reef", "parameters": {"type": "object"}}


@pytest.mark.parametrize(
    ("value", "places"),
    [
        (WRITTEN["MCP"], [""]),
        ([WRITTEN["MCP"], REEF], ["/0", "/1"]),
        ({"tools": [WRITTEN["MCP"], REEF]}, ["/tools/0", "/tools/1"]),
        (
            {"jsonrpc": "2.0", "id": 1, "result": {"tools": [WRITTEN["MCP"], REEF]}},
            ["/result/tools/0", "/result/tools/1"],
        ),
        ({"functionDeclarations": [WRITTEN["Gemini"], REEF]}, ["/functionDeclarations/0", "/functionDeclarations/1"]),
        ([{"function_declarations": [WRITTEN["Gemini"]]}, REEF], ["/0/function_declarations/0", "/1"]),
        ({"tools": [{"functionDeclarations": [WRITTEN["Gemini"]]}]}, ["/tools/0/functionDeclarations/0"]),
        ([[WRITTEN["MCP"]], [REEF]], ["/0/0", "/1/0"]),
        ([], []),
        ({"tools": []}, []),
    ],
)
def test_lists_of_tools_are_read_with_their_places(value: JsonValue, places: list[str]) -> None:
    names = ["sail", "reef"][: len(places)]

    assert [(place, tool.name) for place, tool in read_tools(value)] == list(zip(places, names, strict=True))
    assert holds_tools(value)


def test_a_tool_with_a_list_called_tools_is_one_tool() -> None:
    written = {**WRITTEN["MCP"], "tools": [REEF]}

    assert [tool.name for _, tool in read_tools(written)] == ["sail"]


@pytest.mark.parametrize(
    ("value", "place"),
    [
        ([WRITTEN["MCP"], {}], "/1"),
        ({"tools": [5]}, "/tools/0"),
        ({"tools": [{"functionDeclarations": [REEF, {"name": ""}]}]}, "/tools/0/functionDeclarations/1"),
        (SCHEMA, ""),
        (5, ""),
        ({"jsonrpc": "2.0", "result": {}}, "/result"),
        ({"jsonrpc": "2.0", "error": {"code": 1}}, ""),
    ],
)
def test_a_bad_tool_among_several_is_refused_by_pointer(value: JsonValue, place: str) -> None:
    with pytest.raises(NotASchemaError) as raised:
        read_tools(value)

    assert raised.value.pointer == place


def test_tools_can_be_found_without_being_read() -> None:
    assert find_tools({"tools": [5, REEF]}) == [("/tools/0", 5), ("/tools/1", REEF)]
