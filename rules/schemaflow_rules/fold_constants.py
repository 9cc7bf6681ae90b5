"""Fold what subschemas that are true or false, values and limits decide at once."""

from attrs import frozen

from schemaflow import EVERYTHING, Effect, Order, Rewrite, Schema, node_rule, option
from schemaflow.algebra.constants import COMBINERS, TELLING, fold_node


@frozen
class Options:
    everywhere: bool = option(True, "Also at schemas without combiners, and without a condition.")


@node_rule(
    on=lambda options: TELLING if options.everywhere else COMBINERS,
    writes=EVERYTHING,
    peeks=EVERYTHING,
    effect=Effect.EXACT,
    order=Order.CHILDREN_FIRST,
    introduces={"allOf"},
    keeps_evaluation=True,
    options=Options,
)
def fold_constants(schema: Schema, options: Options) -> Schema | Rewrite:
    """
    Fold what subschemas that are true or false, values and limits decide at once.

    Members of combiners that say nothing or accept nothing go, a condition that is
    always met or never is its branch, and values that their own schema refuses leave
    its `enum`. A schema that nothing can match becomes false, and so may what holds it.
    Nothing is merged: for pipelines of any kind, before steps that read combiners.

    Before:
        {"type": "string", "allOf": [{}, {"minLength": 1}], "not": false}
    After:
        {"type": "string", "allOf": [{"minLength": 1}]}

    Before:
        {"anyOf": [{"type": "string"}, {"type": "string", "minLength": 5, "maxLength": 2}]}
    After:
        {"anyOf": [{"type": "string"}]}

    Before:
        {"if": true, "then": {"minLength": 1}, "else": {"minLength": 2}}
    After:
        {"allOf": [{"minLength": 1}]}

    Before:
        {"type": "string", "enum": ["red", 1, null]}
    After:
        {"type": "string", "enum": ["red"]}

    Before:
        {"items": {"type": "object", "properties": {"a": {"enum": []}}, "required": ["a"]}}
    After:
        {"items": false}

    Unchanged (everywhere: false):
        {"type": "string", "enum": ["red", 1, null]}

    Unchanged:
        {"type": "string", "enum": ["red"], "allOf": [{"minLength": 1}], "minLength": 0}
    """
    outcome = fold_node(schema)
    if outcome.schema is schema:
        return schema
    return Rewrite(outcome.schema, effect=outcome.effect, note="; ".join(outcome.notes))
