"""A rule that leaves references dangling."""

from schemaflow import Effect, Schema, node_rule, without


@node_rule(on={"$defs"}, writes={"$defs"}, effect=Effect.UNKNOWN)
def loses_anchors(schema: Schema) -> Schema:
    """Drop definitions, whoever refers to them."""
    return without(schema, {"$defs"})
