"""State the types of every value where no type is stated."""

from collections.abc import Iterable

from attrs import frozen

from schemaflow import BOOLEAN, EVERY, Effect, Rewrite, Schema, json_type, node_rule, option

ANY = ("string", "number", "boolean", "object", "array", "null")
SPEAKING = frozenset({"type", "anyOf", "oneOf", "allOf", "const", "$ref", "$dynamicRef", "$recursiveRef"})
"""The keywords that say, or may say, what types there are."""


@frozen
class Options:
    types: tuple[str, ...] = option(ANY, "The types to state where nothing tells which.")


@node_rule(
    on={EVERY, BOOLEAN},
    writes={"type"},
    effect=lambda options: _effect(options.types),
    options=Options,
)
def require_types(schema: Schema | bool, options: Options) -> Schema | bool | Rewrite:
    """
    State the types of every value where no type is stated.

    For providers that want a type at every place. An `enum` tells which types its
    values have; where nothing tells, all are stated, and nothing changes but the words.

    Before:
        {"description": "Anything."}
    After:
        {"description": "Anything.", "type": ["string", "number", "boolean", "object", "array", "null"]}

    Before:
        {"enum": ["auto", 1, null]}
    After:
        {"enum": ["auto", 1, null], "type": ["string", "integer", "null"]}

    Before (types: [string, number]):
        true
    After:
        {"type": ["string", "number"]}

    Unchanged:
        {"anyOf": [{"type": "string"}, {"type": "null"}]}

    Unchanged:
        false
    """
    if isinstance(schema, bool):
        return {"type": _spelt(options.types)} if schema and options.types else schema
    members = schema.get("enum")
    if "type" not in schema and isinstance(members, list) and members:
        return Rewrite({**schema, "type": _spelt(map(json_type, members))}, effect=Effect.EXACT)
    if not options.types or not SPEAKING.isdisjoint(schema):
        return schema
    return {**schema, "type": _spelt(options.types)}


def _spelt(types: Iterable[str]) -> str | list[str]:
    """The types, each once, as briefly as can be."""
    listed = list(dict.fromkeys(types))
    if "number" in listed and "integer" in listed:
        listed.remove("integer")
    return listed[0] if len(listed) == 1 else listed


def _effect(types: Iterable[str]) -> Effect:
    return Effect.EXACT if set(ANY) <= set(types) else Effect.NARROWS
