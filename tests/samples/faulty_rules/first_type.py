"""A rule that does not expect what may come."""

from schemaflow import Effect, Schema, node_rule


@node_rule(on={"items"}, writes={"type"}, effect=Effect.NARROWS)
def first_type(schema: Schema) -> Schema:
    """Keep the first of several types, where there are items."""
    types = schema["type"]
    return schema if isinstance(types, str) else {**schema, "type": types[0]}
