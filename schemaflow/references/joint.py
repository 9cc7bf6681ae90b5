"""Joint references: those that speak of an object together with other schemas."""

from collections.abc import Iterator, Mapping
from typing import Any, Final

from schemaflow.keywords import Schema
from schemaflow.references.places import KEY_SET
from schemaflow.references.survey import Key, Node

_UNIONS: Final = ("anyOf", "oneOf")
_BRANCHES: Final = ("allOf", *_UNIONS)


def joint_references(nodes: Mapping[Key, Node]) -> frozenset[int]:
    """
    The ids of the schema objects whose references speak of an object together with other schemas.

    So do references in an `allOf`, beside `properties`, or in a union beside them, where
    another schema speaks of objects there too; and those that stand so in their targets.
    """
    by_id = {id(node.schema): node for node in nodes.values()}
    waiting: list[Any] = [node.schema for node in nodes.values() if _voices(node.schema) > 1]
    seen: set[int] = set()
    while waiting:
        schema = waiting.pop()
        if id(schema) not in seen:
            seen.add(id(schema))
            waiting.extend(member for keyword in _BRANCHES for member in _members(schema, keyword))
            if id(schema) in by_id:
                waiting.extend(target.place.value for target in by_id[id(schema)].targets)
    return frozenset(one for one in seen if one in by_id and by_id[one].targets)


def _voices(schema: Schema) -> int:
    """How many schemas at a node speak of the same object, all of which hold; a union is one."""
    own = _speaks(schema) + len(KEY_SET & schema.keys())
    unions = sum(any(map(_may_speak, _members(schema, keyword))) for keyword in _UNIONS)
    return own + unions + sum(map(_may_speak, _members(schema, "allOf")))


def _members(schema: Schema, keyword: str) -> Iterator[Schema]:
    members = schema.get(keyword)
    if isinstance(members, list):
        yield from (member for member in members if isinstance(member, dict))


def _speaks(schema: Schema) -> bool:
    stated = schema.get("type")
    return "properties" in schema or "object" in (stated if isinstance(stated, list) else [stated])


def _may_speak(schema: Schema) -> bool:
    return _speaks(schema) or not KEY_SET.isdisjoint(schema) or any(keyword in schema for keyword in _BRANCHES)
