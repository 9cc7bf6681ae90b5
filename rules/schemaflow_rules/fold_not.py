"""Say `not` as what is left."""

from schemaflow import EVERYTHING, Effect, Order, Rewrite, Schema, json_equal, node_rule, without
from schemaflow.algebra import complement, conjoined


@node_rule(
    on={"not"},
    writes=EVERYTHING,
    peeks=EVERYTHING,
    spawns=True,
    effect=Effect.EXACT,
    order=Order.CHILDREN_FIRST,
)
def fold_not(schema: Schema) -> Schema | Rewrite:
    """
    Say `not` as what is left.

    Of what a schema refuses most can be said outright: the other types, the other side
    of a bound, a property that must not be there. What has no opposite in JSON Schema
    (a pattern, values of an `enum`) keeps a small `not` of its own.

    Before:
        {"type": ["string", "null"], "not": {"type": "null"}}
    After:
        {"type": "string"}

    Before:
        {"type": "object", "not": {"required": ["a"]}}
    After:
        {"type": "object", "properties": {"a": false}}

    Before:
        {"type": "number", "not": {"minimum": 5}}
    After:
        {"type": "number", "exclusiveMaximum": 5}

    Before:
        {"not": {"not": {"type": "string"}}}
    After:
        {"type": "string"}

    Unchanged:
        {"type": "string", "not": {"enum": ["a"]}}
    """
    if not isinstance(schema["not"], (dict, bool)):
        return schema
    folded = conjoined(without(schema, {"not"}), complement(schema["not"]).schema)
    return schema if json_equal(folded.schema, schema) else folded
