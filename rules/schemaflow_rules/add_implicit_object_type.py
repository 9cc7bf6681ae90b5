"""Say `type: object` where there are `properties` and no `type`."""

from schemaflow import Effect, Schema, node_rule


@node_rule(on={"properties"}, lacking={"type"}, writes={"type"}, effect=Effect.NARROWS)
def add_implicit_object_type(schema: Schema) -> Schema:
    """
    Say `type: object` where there are `properties` and no `type`.

    Providers want every node to say its type, and who writes `properties` means an
    object. Without the type, JSON Schema also accepts everything that is no object:
    that is refused afterwards.

    Before:
        {"properties": {"a": {"type": "string"}}}
    After:
        {"properties": {"a": {"type": "string"}}, "type": "object"}

    Unchanged:
        {"type": ["object", "null"], "properties": {"a": {"type": "string"}}}

    Unchanged:
        {"required": ["a"]}
    """
    return {**schema, "type": "object"}
