"""Give every array one schema for all its items."""

from schemaflow import Effect, Rewrite, Schema, dropping, node_rule, without

LISTS = frozenset({"items", "prefixItems", "additionalItems"})


@node_rule(
    on={"items", "prefixItems", ("type", "array"), ("type", list)},
    writes=LISTS,
    introduces={"items", "type"},
    spawns=[{"type": "string"}],
    effect=Effect.BOTH,
)
def single_items(schema: Schema) -> Schema | Rewrite:
    """
    Give every array one schema for all its items.

    For providers whose arrays have `items`, a single schema, and must have it. A tuple
    becomes an array of its first member's kind; an array that says nothing of its
    items holds strings. Where the type is no array, `items` says nothing and goes;
    where there is no type, it goes too, and more is accepted afterwards.

    Before:
        {"type": "array", "prefixItems": [{"type": "number"}, {"type": "string"}]}
    After:
        {"type": "array", "items": {"type": "number"}}

    Before:
        {"type": "array", "items": [{"type": "number"}, {"type": "string"}], "additionalItems": false}
    After:
        {"type": "array", "items": {"type": "number"}}

    Before:
        {"type": "array"}
    After:
        {"type": "array", "items": {"type": "string"}}

    Before:
        {"type": "string", "items": {"type": "string"}}
    After:
        {"type": "string"}

    Unchanged:
        {"type": ["array", "null"], "items": {"type": "string"}}
    """
    stated = schema.get("type")
    if stated == "array" and isinstance(schema.get("items"), (dict, bool)) and "prefixItems" not in schema:
        # The usual case, told apart at once.
        return schema
    if "array" not in (stated if isinstance(stated, list) else [stated]):
        gone = LISTS & schema.keys()
        return Rewrite(without(schema, gone), effect=dropping(schema, gone)) if gone else schema
    listed = next((schema[name] for name in ("items", "prefixItems") if isinstance(schema.get(name), list)), None)
    if listed is None and "items" in schema:
        return schema
    effect = Effect.BOTH if listed or "unevaluatedItems" in schema else Effect.NARROWS
    lost = {name: schema[name] for name in LISTS if name in schema}
    items = next((one for one in listed or () if isinstance(one, (dict, bool))), {"type": "string"})
    return Rewrite({**without(schema, LISTS), "items": items}, effect=effect, lost=lost)
