"""Say a schema more simply: without dead keywords, and with short unions."""

from schemaflow import EVERYTHING, Effect, Order, Rewrite, Schema, node_rule
from schemaflow.algebra.simplification import SPEAKING, simplify_node


@node_rule(
    on=SPEAKING,
    writes=EVERYTHING,
    peeks=EVERYTHING,
    spawns=True,
    effect=Effect.EXACT,
    order=Order.CHILDREN_FIRST,
    keeps_evaluation=True,
)
def simplify(schema: Schema) -> Schema | Rewrite:
    """
    Say a schema more simply: without dead keywords, and with short unions.

    Keywords that speak of other types than the node's go. Unions are flat, without
    members that another one holds, and one of a single member is that member. What
    `fold_constants` folds is folded too, so that a branch goes that nothing can match.
    What cannot be decided at a glance stays.

    Before:
        {"type": "object", "minLength": 1, "items": {"type": "string"}}
    After:
        {"type": "object"}

    Before:
        {"title": "A", "anyOf": [{"anyOf": [{"type": "string"}, {"type": "null"}]}, {"type": "string"}]}
    After:
        {"title": "A", "anyOf": [{"type": "string"}, {"type": "null"}]}

    Before:
        {"anyOf": [{"enum": ["a", "b"]}, {"enum": ["b"]}, {"type": "number"}, {"type": "integer", "minimum": 5}]}
    After:
        {"anyOf": [{"enum": ["a", "b"]}, {"type": "number"}]}

    Before:
        {
          "anyOf": [
            {"type": "object", "properties": {"a": false}, "required": ["a"]},
            {"type": "string", "maxLength": 9}
          ]
        }
    After:
        {"type": "string", "maxLength": 9}

    Unchanged:
        {"anyOf": [{"type": "string", "maxLength": 2}, {"type": "string", "minLength": 9}], "title": "A"}
    """
    outcome = simplify_node(schema)
    if outcome.schema is schema:
        return schema
    return Rewrite(outcome.schema, effect=outcome.effect, note="; ".join(outcome.notes))
