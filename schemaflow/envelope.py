"""
Envelopes: the tool shape around a schema, as a pipeline writes it.

A spec is compiled once to a closure. `to_glom` gives the same spec in glom's own
language, which is the reference for what it means.
"""

from collections.abc import Callable, Mapping
from typing import Any

from attrs import evolve

from schemaflow.keywords import JsonValue, Schema
from schemaflow.pipeline import Literal, Merged, Optional
from schemaflow.tool import Tool

Build = Callable[[Mapping[str, Any]], Any]


def fields_of(tool: Tool, schema: Schema | bool) -> dict[str, Any]:
    """The fields that an envelope may name, the adapted schema in the place of the author's; absent ones left out."""
    fields = {
        "name": tool.name,
        "description": tool.description,
        "schema": schema,
        "title": tool.title,
        "annotations": tool.annotations,
        "output_schema": tool.output_schema,
    }
    return {name: value for name, value in fields.items() if value is not None}


def compile_envelope(spec: Any) -> Build:
    """
    A function from a tool's fields to the wire's tool.

    A field that is not optional and that the tool does not have is left out too,
    but for `description`, which every wire takes as an empty string.
    """
    return _compiled(spec)


_ABSENT = object()


def _compiled(spec: Any) -> Build:
    if isinstance(spec, Literal):
        return lambda fields: spec.value
    if isinstance(spec, Optional):
        return lambda fields: fields.get(spec.field, _ABSENT)
    if isinstance(spec, str):
        return lambda fields: fields.get(spec, "" if spec == "description" else None)
    if isinstance(spec, Merged):
        builds = [_compiled(part) for part in spec.parts]
        return lambda fields: _merged([value for build in builds if (value := build(fields)) is not _ABSENT])
    if isinstance(spec, Mapping):
        members = {key: _compiled(value) for key, value in spec.items()}
        return lambda fields: {key: value for key, build in members.items() if (value := build(fields)) is not _ABSENT}
    items = [_compiled(value) for value in spec]
    return lambda fields: [value for build in items if (value := build(fields)) is not _ABSENT]


def _merged(parts: list[Any]) -> Any:
    """The parts as one object, later members counting; where the last is none, the last."""
    if not parts or not isinstance(parts[-1], Mapping):
        return parts[-1] if parts else {}
    members: dict[str, Any] = {}
    for part in parts:
        members |= part if isinstance(part, Mapping) else {}
    return members


def to_glom(spec: Any) -> Any:
    """The spec in glom's language, over a mapping of a tool's fields."""
    from glom import SKIP, Coalesce, Val, glom

    if isinstance(spec, Literal):
        return Val(spec.value)
    if isinstance(spec, Optional):
        return Coalesce(spec.field, default=SKIP)
    if isinstance(spec, str):
        return Coalesce(spec, default="" if spec == "description" else None)
    if isinstance(spec, Merged):
        return (to_glom(list(spec.parts)), _merged)
    if isinstance(spec, Mapping):
        return {key: to_glom(value) for key, value in spec.items()}
    items = [to_glom(value) for value in spec]
    return lambda fields: [value for item in items if (value := glom(fields, item)) is not SKIP]


def build_wire(build: Build, tool: Tool, schema: Schema | bool, *, name: str) -> JsonValue:
    """The wire's tool, under the name that the provider takes."""
    return build(fields_of(evolve(tool, name=name), schema))
