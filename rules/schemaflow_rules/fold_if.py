"""Say `if`, `then` and `else` as a union of the two cases."""

from schemaflow import EVERYTHING, Effect, Order, Rewrite, Schema, Unsupported, node_rule, without
from schemaflow.algebra import complement, conjoined, intersect, unite

CONDITIONALS = frozenset({"if", "then", "else"})


@node_rule(
    on=CONDITIONALS,
    writes=EVERYTHING,
    peeks=EVERYTHING,
    spawns=True,
    effect=Effect.EXACT,
    order=Order.CHILDREN_FIRST,
)
def fold_if(schema: Schema) -> Rewrite:
    """
    Say `if`, `then` and `else` as a union of the two cases.

    A value either meets the condition and `then`, or fails it and meets `else`. No
    provider reads `if`, and several refuse it; unions most of them read.

    Before:
        {
          "type": "object",
          "if": {"properties": {"kind": {"const": "a"}}, "required": ["kind"]},
          "then": {"required": ["size"]},
          "else": false
        }
    After:
        {"type": "object", "properties": {"kind": {"const": "a"}}, "required": ["kind", "size"]}

    Before:
        {"type": ["string", "null"], "if": {"type": "string"}, "then": {"minLength": 1}}
    After:
        {"anyOf": [{"type": "string", "minLength": 1}, {"type": "null"}]}

    Before:
        {"type": "string", "then": {"minLength": 1}}
    After:
        {"type": "string"}

    Unchanged:
        {"properties": {"if": {"type": "string"}}}
    """
    rest = without(schema, CONDITIONALS)
    parts = [schema.get(keyword, True) for keyword in ("if", "then", "else")]
    if "if" not in schema or parts[1] is parts[2] is True:
        return conjoined(rest)
    if not all(isinstance(part, (dict, bool)) for part in parts):
        raise Unsupported("if, then or else is no schema")
    condition, met, failed = parts
    cases = [
        intersect(condition, met, distribute=True).schema,
        intersect(complement(condition).schema, failed, distribute=True).schema,
    ]
    return conjoined(rest, unite(cases).schema)
