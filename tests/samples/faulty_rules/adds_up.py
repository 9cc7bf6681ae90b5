"""A rule that never has enough."""

from schemaflow import Effect, Schema, node_rule


@node_rule(on={"title"}, writes={"title"}, effect=Effect.EXACT)
def adds_up(schema: Schema) -> Schema:
    """Add an exclamation mark to a title."""
    return {**schema, "title": f"{schema['title']}!"}
