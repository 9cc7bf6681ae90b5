"""One schema out of what a file holds: its own, or that of one of its tools."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

import click
from attrs import frozen

from schemaflow.errors import InputError, NotASchemaError, suggestion
from schemaflow.keywords import JsonValue, Schema, json_type
from schemaflow.tool import find_tools, holds_tools, is_meant_as_tools, read_tool

MOST_NAMES: Final = 50
"""How many tools a message lists."""


@frozen
class Chosen:
    """A schema, None where a tool has none, with the file and the tool that it comes from."""

    schema: Schema | bool | None
    source: str
    tool: str | None = None

    @contextmanager
    def named(self) -> Iterator[None]:
        """Have errors in here name the file and the tool."""
        try:
            yield
        except InputError as error:
            raise error.at(tool=self.tool, source=self.source) from None


def chosen_schema(value: JsonValue, source: str, tool: str | None) -> Chosen:
    """
    The schema of the tool of that name, of the only tool, or the bare schema that the file holds.

    Raises UsageError where there are several tools and no name, or where no tool has the
    name, and InputError for a tool that cannot be read.
    """
    if holds_tools(value):
        return _tool(find_tools(value), source, tool)
    if is_meant_as_tools(value):
        # It is none: what is said of it is why.
        return _tool([("", value)], source, None)
    if tool is not None:
        raise click.UsageError(f"{source} holds no tools, so that there is none to choose with --tool")
    if not isinstance(value, (dict, bool)):
        raise NotASchemaError(f"neither a schema nor tools, but {json_type(value)}", source=source)
    return Chosen(value, source)


def _tool(found: list[tuple[str, JsonValue]], source: str, name: str | None) -> Chosen:
    if name is None and len(found) == 1:
        place, raw = found[0]
        return _read(raw, f"{source}#{place}" if place else source)
    names = [_name(raw) for _, raw in found]
    known = [one for one in names if one is not None]
    if name is None:
        if not found:
            raise NotASchemaError("an empty list: there is no tool in it", source=source)
        raise click.UsageError(f"{source} holds {len(found)} tools: choose one with --tool NAME: {_listed(known)}")
    if name not in known:
        near = suggestion(name, known) or f"; it holds {_listed(known) or 'none that can be read'}"
        raise click.UsageError(f"no tool {name!r} in {source}{near}")
    place, raw = found[names.index(name)]
    return _read(raw, f"{source}#{place}" if place else source)


def _read(raw: JsonValue, source: str) -> Chosen:
    try:
        tool = read_tool(raw)
    except InputError as error:
        raise error.at(source=source) from None
    return Chosen(tool.schema, source, tool.name)


def _name(raw: JsonValue) -> str | None:
    """What a tool is called, None where it cannot be read."""
    try:
        return read_tool(raw).name
    except InputError:
        return None


def _listed(names: list[str]) -> str:
    more = f" and {len(names) - MOST_NAMES} more" if len(names) > MOST_NAMES else ""
    return ", ".join(names[:MOST_NAMES]) + more
