"""Put what stands beside a union, and several types, into branches of one type each."""

from schemaflow import EVERYTHING, Effect, Order, Rewrite, Schema, json_equal, node_rule
from schemaflow.algebra import intersect_all


@node_rule(
    on={"anyOf", ("type", list)},
    writes=EVERYTHING,
    peeks=EVERYTHING,
    spawns=True,
    effect=Effect.EXACT,
    order=Order.CHILDREN_FIRST,
)
def push_siblings_into_branches(schema: Schema) -> Schema | Rewrite:
    """
    Put what stands beside a union, and several types, into branches of one type each.

    Afterwards each branch says all that it asks, and only what its type can meet. Texts
    stay outside. Branches that nothing can match go, and so do those that another one
    holds. Where there would be too many branches, a union stays in an `allOf`.

    Before:
        {"type": ["string", "null"], "minLength": 1, "description": "A name."}
    After:
        {"description": "A name.", "anyOf": [{"type": "string", "minLength": 1}, {"type": "null"}]}

    Before:
        {"type": "object", "properties": {"a": {"type": "string"}}, "anyOf": [{"required": ["a"]}, {"required": ["b"]}]}
    After:
        {
          "anyOf": [
            {"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a"]},
            {"type": "object", "properties": {"a": {"type": "string"}}, "required": ["b"]}
          ]
        }

    Before:
        {"anyOf": [{"anyOf": [{"type": "string"}, {"type": "null"}]}, {"type": "null"}]}
    After:
        {"anyOf": [{"type": "string"}, {"type": "null"}]}

    Unchanged:
        {"description": "A name.", "anyOf": [{"type": "string"}, {"type": "null"}]}
    """
    outcome = intersect_all([schema], distribute=True)
    if outcome.schema is schema or json_equal(outcome.schema, schema):
        return schema
    return Rewrite(outcome.schema, effect=outcome.effect, note="; ".join(outcome.notes))
