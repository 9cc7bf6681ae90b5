"""What the demo shows of openJiuwen: the tools of several servers as one agent's abilities, and a call brought back."""

from collections.abc import Mapping, Sequence
from typing import Final

from rich import box
from rich.table import Table
from rich.text import Text

from schemaflow.adapters import adapter
from schemaflow.cli.findings import summary
from schemaflow.cli.layout import laid_out
from schemaflow.cli.screen import console, printable
from schemaflow.keywords import JsonValue
from schemaflow.openjiuwen import AbilityManager, McpServerConfig, ToolCard

PROVIDER: Final = "adk/gemini"
DOWN: Final = "server-that-is-down"


def show_abilities(servers: Mapping[str, Sequence[JsonValue]]) -> None:
    """Show a card of the agent's own, the tools of these servers, and that one server more, which fails, hides none."""
    screen = console()
    manager = AbilityManager(lambda server: _tools_of(server, servers))
    manager.add([McpServerConfig(name) for name in (DOWN, *servers)])
    manager.add(ToolCard(name="remember", description="Keeps a note.", input_params=_NOTE))
    infos = manager.list_tool_info()
    screen.print()
    screen.print(Text("The same tools as openJiuwen's abilities, beside a card of the agent's own", style="bold"))
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for heading in ("what a model calls", "server", "tool there"):
        table.add_column(heading, overflow="fold")
    for info in infos:
        call = manager.resolve_call(info.name or "")
        server = call.server.server_name if call.server else "-"
        table.add_row(*(Text(printable(cell)) for cell in (info.name or "", server, call.tool)))
    screen.print(table)
    for failure in manager.failures:
        screen.print(f"Not listed: {failure.server_name} ({failure.error}); the other servers are.")
    result = adapter(PROVIDER).adapt_tool(infos[0])
    screen.print(Text.assemble(f"The card {infos[0].name} for {PROVIDER} (", summary(result.report), "):"))
    for line in laid_out(result.tool, min(screen.width, 100) - 4):
        screen.print(Text(f"  {line}"), no_wrap=True, overflow="ellipsis")


def _tools_of(server: McpServerConfig, servers: Mapping[str, Sequence[JsonValue]]) -> Sequence[JsonValue]:
    if server.server_name == DOWN:
        raise ConnectionError("it does not answer")
    return servers[server.server_name]


_NOTE: Final = {
    "type": "object",
    "properties": {"text": {"type": "string"}, "colour": {"const": "yellow", "default": "yellow"}},
    "required": ["text"],
}
