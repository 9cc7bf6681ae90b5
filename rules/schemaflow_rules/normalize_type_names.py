"""Spell types as JSON Schema does."""

from schemaflow import Effect, JsonValue, Schema, node_rule, without

TYPES = frozenset({"string", "number", "integer", "boolean", "object", "array", "null"})


@node_rule(on={"type"}, writes={"type"}, introduces=(), effect=Effect.EXACT)
def normalize_type_names(schema: Schema) -> Schema:
    """
    Spell types as JSON Schema does.

    Some frameworks and OpenAPI importers write types in capitals, and `enum` as if it
    were one. By the standard such a schema is broken, so that nothing is lost by taking
    it for what its author means.

    Before:
        {"type": "ARRAY", "items": {"type": ["String", "null"]}}
    After:
        {"type": "array", "items": {"type": ["string", "null"]}}

    Before:
        {"type": "enum", "enum": ["red", "green"]}
    After:
        {"enum": ["red", "green"]}

    Unchanged:
        {"type": "Date"}
    """
    stated = schema["type"]
    if isinstance(stated, str) and stated.lower() == "enum" and isinstance(schema.get("enum"), list):
        return without(schema, {"type"})
    spelt = [_spelt(one) for one in stated] if isinstance(stated, list) else _spelt(stated)
    return schema if spelt == stated else {**schema, "type": spelt}


def _spelt(name: JsonValue) -> JsonValue:
    return name.lower() if isinstance(name, str) and name.lower() in TYPES else name
