"""Write the type that other keywords imply."""

from collections.abc import Iterable, Iterator
from typing import Any

from attrs import frozen

from schemaflow import Effect, JsonValue, Order, Schema, json_type, node_rule, option

UNIONS = ("anyOf", "oneOf")

SAFE = 2**53
"""Above, validators may differ about what is a multiple."""


@frozen
class Options:
    whole_numbers: bool = option(False, "Also say integer of numbers that are multiples of a whole one.")
    beside_unions: bool = option(False, "Also beside a union whose members all have types: theirs.")


def _triggers(options: Options) -> set[str]:
    unions = UNIONS if options.beside_unions else ()
    return {"enum", "const", *unions, *(("multipleOf",) if options.whole_numbers else ())}


@node_rule(
    on=_triggers,
    writes={"type"},
    peeks=lambda options: {"type", "nullable"} if options.beside_unions else (),
    effect=Effect.EXACT,
    order=lambda options: Order.CHILDREN_FIRST if options.beside_unions else Order.PARENTS_FIRST,
    options=Options,
)
def infer_types(schema: Schema, options: Options) -> Schema:
    """
    Write the type that other keywords imply.

    The values of `enum` and `const` have types. Never narrows: `items` does not say that
    there is an array, since whatever is none meets it too.

    Before:
        {"enum": ["red", "green"]}
    After:
        {"enum": ["red", "green"], "type": "string"}

    Before:
        {"const": null, "title": "Nothing."}
    After:
        {"const": null, "title": "Nothing.", "type": "null"}

    Before (whole_numbers: true):
        {"type": ["number", "null"], "multipleOf": 2}
    After:
        {"type": ["integer", "null"], "multipleOf": 2}

    Before (beside_unions: true):
        {"anyOf": [{"type": "string"}, {"type": "null"}]}
    After:
        {"anyOf": [{"type": "string"}, {"type": "null"}], "type": ["string", "null"]}

    Unchanged:
        {"items": {"type": "string"}}

    Unchanged:
        {"anyOf": [{"type": "string"}, {"type": "null"}]}
    """
    if "type" not in schema:
        types = _types_of_values(schema)
        if not types and options.beside_unions:
            types = next(filter(None, (_types_of_members(schema.get(union)) for union in UNIONS)), [])
        if not types:
            return schema
        schema = {**schema, "type": types[0] if len(types) == 1 else types}
    return _with_whole_numbers(schema) if options.whole_numbers else schema


def _with_whole_numbers(schema: Schema) -> Schema:
    """Integers in the place of numbers, where all are multiples of a whole number."""
    stated = schema["type"]
    step: Any = schema.get("multipleOf")
    if step.__class__ not in (int, float) or not 0 < step <= SAFE or step != int(step):
        return schema
    if stated == "number":
        return {**schema, "type": "integer"}
    if isinstance(stated, list) and "number" in stated and all(isinstance(name, str) for name in stated):
        return {**schema, "type": _spelt("integer" if name == "number" else name for name in stated)}
    return schema


def _types_of_values(schema: Schema) -> list[str]:
    """The types of all values that `enum` and `const` name."""
    if "const" in schema:
        return [json_type(schema["const"])]
    members = schema.get("enum")
    return _spelt(map(json_type, members)) if isinstance(members, list) else []


def _types_of_members(members: JsonValue) -> list[str]:
    """The types that the members of a union state, none where one of them states none."""
    found: list[str] = []
    for member in members if isinstance(members, list) else ():
        types = list(_stated(member))
        if not types or not all(isinstance(name, str) for name in types):
            return []
        found += types
    return _spelt(found)


def _stated(member: JsonValue) -> Iterator[Any]:
    stated = member.get("type", []) if isinstance(member, dict) else []
    types = stated if isinstance(stated, list) else [stated]
    yield from types
    if types and member.get("nullable") is True:
        yield "null"


def _spelt(types: Iterable[str]) -> list[str]:
    """The types, each once, as briefly as can be."""
    listed = list(dict.fromkeys(types))
    return [name for name in listed if name != "integer"] if "number" in listed else listed
