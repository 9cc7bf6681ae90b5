"""Drop null from every `enum`."""

from schemaflow import Effect, JsonValue, Rewrite, Schema, node_rule, without

ENUM = frozenset({"enum"})


@node_rule(on={("enum", list)}, writes=ENUM, introduces=(), effect=Effect.BOTH)
def strip_null_from_enum(schema: Schema) -> Schema | Rewrite:
    """
    Drop null from every `enum`; an `enum` of nothing but null goes.

    For providers whose enums hold strings only. Null is refused afterwards where it
    was accepted before; where it was the only member, the node accepts whatever its
    other keywords do.

    Before:
        {"enum": ["red", null]}
    After:
        {"enum": ["red"]}

    Before:
        {"description": "Nothing.", "enum": [null]}
    After:
        {"description": "Nothing."}

    Unchanged:
        {"enum": ["red", "null", 0, false]}
    """
    members = [member for member in schema["enum"] if member is not None]
    if len(members) == len(schema["enum"]):
        return schema
    lost = {"enum": schema["enum"]}
    if not members:
        return Rewrite(without(schema, ENUM), effect=Effect.WIDENS, lost=lost)
    effect = Effect.NARROWS if _accepts_null(schema) else Effect.EXACT
    return Rewrite({**schema, "enum": members}, effect=effect, lost=lost)


def _accepts_null(schema: Schema) -> bool:
    """Whether the node's type lets null through."""
    stated: JsonValue = schema.get("type", "null")
    return "null" in (stated if isinstance(stated, list) else [stated]) or schema.get("nullable") is True
