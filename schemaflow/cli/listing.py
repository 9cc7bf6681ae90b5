"""The tools of an MCP server that is started as a process, through the official client."""

import logging
import tempfile
from collections.abc import Sequence
from typing import Any, Final, TextIO, cast

from attrs import frozen

from schemaflow.errors import SchemaflowError

PATIENCE: Final = 60.0
"""Seconds until a server that does not answer is given up."""

MOST_PAGES: Final = 1000


@frozen(str=False)
class ServerError(SchemaflowError):
    """An MCP server that could not be started or asked."""

    command: str
    problem: str

    def __str__(self) -> str:
        return f"the MCP server {self.command!r} did not list its tools: {self.problem}"


def list_tools(command: Sequence[str], *, patience: float = PATIENCE) -> list[dict[str, Any]]:
    """
    The tools that a server lists over stdio, each as `tools/list` spells it.

    The server is stopped before this returns. Raises ServerError, with the last line
    that the server wrote to its stderr.
    """
    import anyio

    # What goes wrong is raised; the client's own log lines would only stand beside it.
    logging.getLogger("mcp").addHandler(logging.NullHandler())
    with tempfile.TemporaryFile("w+", encoding="utf-8", errors="replace") as file:
        log = cast(TextIO, file)
        try:
            return anyio.run(_listed, command, log, patience)
        except Exception as error:
            raise ServerError(" ".join(command), _last_line(log) or _innermost(error)) from error


async def _listed(command: Sequence[str], log: TextIO, patience: float) -> list[dict[str, Any]]:
    import anyio
    from mcp import Client, StdioServerParameters
    from mcp.client.stdio import stdio_client

    server = StdioServerParameters(command=command[0], args=list(command[1:]))
    tools: list[dict[str, Any]] = []
    with anyio.fail_after(patience):
        async with Client(stdio_client(server, errlog=log)) as client:
            cursor = None
            for _ in range(MOST_PAGES):
                page = await client.list_tools(cursor=cursor)
                tools += [tool.model_dump(mode="json", by_alias=True, exclude_unset=True) for tool in page.tools]
                cursor = page.next_cursor
                if cursor is None:
                    break
    return tools


def _last_line(log: TextIO) -> str:
    log.seek(0)
    lines = [line.strip() for line in log if line.strip()]
    return lines[-1] if lines else ""


def _innermost(error: BaseException) -> str:
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return str(error) or type(error).__name__
