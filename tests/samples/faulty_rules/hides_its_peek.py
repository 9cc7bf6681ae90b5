"""A rule that reads what its contract does not name."""

from schemaflow import Effect, Schema, node_rule


@node_rule(on={"items"}, writes={"description"}, effect=Effect.EXACT)
def hides_its_peek(schema: Schema) -> Schema:
    """Say whether the items have a title, read before a later step drops it, or after."""
    items = schema["items"]
    if not isinstance(items, dict):
        return schema
    says = "titled" if "title" in items else "untitled"
    return schema if schema.get("description") == says else {**schema, "description": says}
