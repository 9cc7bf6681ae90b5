"""Spell a list of types as a union of schemas with one type each."""

from schemaflow import Effect, JsonValue, Schema, Unsupported, json_type, node_rule
from schemaflow.keywords import KEYWORDS, Role

TYPED = frozenset(
    row.name
    for row in KEYWORDS.values()
    if row.types and row.role in (Role.ASSERTION, Role.APPLICATOR) and not row.name.startswith("unevaluated")
)
"""The keywords that speak of values of some types only; `unevaluated…` must see all the others from above."""


@node_rule(
    on={("type", list)},
    writes={"type", "anyOf", "enum", *TYPED},
    introduces={"anyOf"},
    spawns=True,
    effect=Effect.EXACT,
    keeps_evaluation=True,
)
def type_to_any_of(schema: Schema) -> Schema:
    """
    Spell a list of types as a union of schemas with one type each.

    For providers that take one type at a place. Keywords that speak of one type go into
    that type's schema, and an `enum` is divided among them; texts and the rest stay
    where they are. Beside an `anyOf` there is no place for a second one.

    Before:
        {"type": ["string", "null"], "minLength": 1, "description": "A name."}
    After:
        {"anyOf": [{"type": "string", "minLength": 1}, {"type": "null"}], "description": "A name."}

    Before:
        {"type": ["string", "integer"], "enum": ["auto", 1, 2]}
    After:
        {"anyOf": [{"type": "string", "enum": ["auto"]}, {"type": "integer", "enum": [1, 2]}]}

    Before:
        {"type": ["string"], "minLength": 1}
    After:
        {"type": "string", "minLength": 1}

    Unchanged:
        {"type": ["string", "null"], "anyOf": [{"minLength": 1}, {"type": "null"}]}
    """
    types = schema["type"]
    if not types or not all(isinstance(one, str) for one in types):
        return schema
    types = list(dict.fromkeys(types))
    if len(types) == 1:
        return {**schema, "type": types[0]}
    if "anyOf" in schema or "nullable" in schema:
        raise Unsupported(f"{'anyOf' if 'anyOf' in schema else 'nullable'} stands beside the list of types")
    branches = [branch for kind in types if (branch := _branch(schema, kind)) is not None]
    if not branches:
        raise Unsupported("no value of the enum has one of the types")
    gone = TYPED | ({"enum"} if isinstance(schema.get("enum"), list) else set())
    union: Schema = {}
    for keyword, value in schema.items():
        if keyword == "type":
            union["anyOf"] = branches
        elif keyword not in gone:
            union[keyword] = value
    return union


def _branch(schema: Schema, kind: str) -> Schema | None:
    """What a node says of one type, None where its enum has no value of it."""
    branch: Schema = {"type": kind}
    members = schema.get("enum")
    if isinstance(members, list):
        own = [member for member in members if _is(member, kind)]
        if not own:
            return None
        if kind != "null":
            branch["enum"] = own
    return branch | {name: schema[name] for name in schema if name in TYPED and _speaks_of(name, kind)}


def _is(value: JsonValue, kind: str) -> bool:
    return json_type(value) == kind or (kind == "number" and json_type(value) == "integer")


def _speaks_of(keyword: str, kind: str) -> bool:
    return ("number" if kind == "integer" else kind) in KEYWORDS[keyword].types
