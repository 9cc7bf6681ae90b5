"""A small MCP server on stdio, written with the official SDK: two pages of tools. `python tiny_server.py [--fail]`."""

import sys
from typing import Any

import anyio
from mcp import types
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server

FORECAST: dict[str, Any] = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "type": "object",
    "properties": {
        "city": {"type": "string", "pattern": "^[A-Z]", "description": "Where to look. " * 10},
        "unit": {"const": "celsius"},
        "days": {"anyOf": [{"type": "integer", "minimum": 1}, {"type": "null"}]},
    },
    "required": ["city"],
}


def _tool(name: str, schema: dict[str, Any]) -> types.Tool:
    return types.Tool(name=name, description=f"The tool {name}.", input_schema=schema)


async def _list_tools(context: object, params: types.PaginatedRequestParams | None) -> types.ListToolsResult:
    if params is None or params.cursor is None:
        return types.ListToolsResult(tools=[_tool("forecast", FORECAST)], next_cursor="second")
    return types.ListToolsResult(tools=[_tool("ping", {"type": "object"})])


async def _serve() -> None:
    server = Server("tiny", on_list_tools=_list_tools)
    async with stdio_server() as (read, write):
        await server.run(read, write, server.create_initialization_options())


if __name__ == "__main__":
    print("a line for the log, which nobody should see", file=sys.stderr)
    if "--fail" in sys.argv:
        sys.exit("the database is locked")
    anyio.run(_serve)
