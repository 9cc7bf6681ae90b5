"""A rule that answers by turns."""

from itertools import count

from schemaflow import Effect, Schema, node_rule

CALLS = count()


@node_rule(on={"title"}, writes={"title"}, effect=Effect.EXACT)
def turns_over(schema: Schema) -> Schema:
    """Number the titles."""
    return {**schema, "title": str(next(CALLS))}
