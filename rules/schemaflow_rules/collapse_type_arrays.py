"""Put the first type that is not null in the place of a list of types."""

from schemaflow import Effect, Rewrite, Schema, Unsupported, node_rule


@node_rule(on={("type", list)}, writes={"type"}, introduces=(), effect=Effect.NARROWS)
def collapse_type_arrays(schema: Schema) -> Rewrite:
    """
    Put the first type that is not null in the place of a list of types.

    For providers whose `type` is a single word. Values of the other types are refused
    afterwards; keywords that speak of those types stay, and say nothing any more.

    Before:
        {"type": ["null", "string", "integer"], "minimum": 1}
    After:
        {"type": "string", "minimum": 1}

    Before:
        {"type": ["null"]}
    After:
        {"type": "null"}

    Unchanged:
        {"type": "string"}
    """
    types = [name for name in schema["type"] if isinstance(name, str)]
    if not types:
        raise Unsupported("the list names no type")
    chosen = next((name for name in types if name != "null"), "null")
    effect = Effect.EXACT if set(types) == {chosen} else Effect.NARROWS
    return Rewrite({**schema, "type": chosen}, effect=effect, lost={"type": schema["type"]})
