"""
Descriptors of MCP tools, and of tools in any other shape.

The pipeline `koog/descriptor` turns the tool's schema into what a descriptor can say.
Koog's own parser refuses a tool whose schema it cannot read, and loses without a word
what a descriptor cannot say; here the one is converted, and the other is in the report.
"""

from collections.abc import Iterator, Mapping
from functools import lru_cache

from attrs import evolve, field, frozen
from attrs.validators import instance_of

from schemaflow.adapters import Adapter, adapter
from schemaflow.errors import InputError
from schemaflow.keywords import JsonValue, Token, pointer
from schemaflow.koog.model import ToolDescriptor
from schemaflow.koog.schema import descriptor_of
from schemaflow.origins import PassOrigins, Path, along
from schemaflow.plan import Run
from schemaflow.report import Report
from schemaflow.tool import Tool, read_tool


@frozen
class ParsedTool:
    """A descriptor, and what it cost to make it."""

    descriptor: ToolDescriptor
    report: Report


@frozen
class DefaultMcpToolDescriptorParser:
    """
    Koog's parser of MCP tools.

    Where a type is stated, Koog's own loses the `enum` beside it; with `faithful` that
    stays.
    """

    faithful: bool = field(default=False, kw_only=True, validator=instance_of(bool))

    def parse(self, tool: Tool | Mapping[str, JsonValue]) -> ToolDescriptor:
        """
        The descriptor of a tool in any shape.

        Raises InputError, with the tool's name and the pointer, where there is none.
        """
        return self.parse_with_report(tool).descriptor

    def parse_with_report(self, tool: Tool | Mapping[str, JsonValue]) -> ParsedTool:
        """The descriptor of a tool, and the report of what it cost. Raises InputError as `parse` does."""
        author = tool if isinstance(tool, Tool) else read_tool(tool)
        try:
            result = _adapter(self.faithful).adapt(author.schema)
        except InputError as error:
            raise error.at(tool=author.name) from None
        try:
            descriptor = descriptor_of(author.name, author.description or "", result.schema)
        except InputError as error:
            raise evolve(error, pointer=_authors(result.run, error.pointer)) from None
        return ParsedTool(descriptor, result.report)


@lru_cache(maxsize=2)
def _adapter(faithful: bool) -> Adapter:
    return adapter("koog/descriptor", fallback=False, faithful=faithful)


def _authors(run: Run | None, place: str) -> str:
    """The pointer in the author's schema of a place in the result."""
    if run is None:
        return place
    path = tuple(_tokens(run.schema, place))
    schema: Path = ()
    for below, _ in along(run.schema, path):
        schema = (*schema, *below)
    # Schemas can be traced back; what stands in one, such as a wrong type, stays in it.
    inside = path[len(schema) :]
    for _, document, traced in reversed(run.passes):
        schema = PassOrigins(document, traced).back(schema)
    return pointer((*schema, *inside))


def _tokens(document: JsonValue, place: str) -> Iterator[Token]:
    """The tokens of a pointer into a document: indices where there are lists."""
    for text in place.split("/")[1:]:
        token: Token = text.replace("~1", "/").replace("~0", "~")
        if isinstance(document, list):
            token = int(token)
            document = document[token]
        else:
            document = document.get(token) if isinstance(document, dict) else None
        yield token
