"""A rule whose claim is false."""

from schemaflow import Effect, Schema, node_rule, without


@node_rule(on={"pattern"}, writes={"pattern"}, effect=Effect.EXACT)
def forgets_pattern(schema: Schema) -> Schema:
    """Drop `pattern`, and say that nothing is lost."""
    return without(schema, {"pattern"})
