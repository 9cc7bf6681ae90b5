"""Drop `if`, `then` and `else`."""

from schemaflow import Schema, node_rule, without

CONDITIONALS = frozenset({"if", "then", "else"})


@node_rule(drops=CONDITIONALS)
def strip_conditional_keywords(schema: Schema) -> Schema:
    """
    Drop `if`, `then` and `else`.

    No provider's function calling obeys them, and several refuse them. What they
    forbade is allowed afterwards.

    Before:
        {"type": "object", "if": {"required": ["a"]}, "then": {"required": ["b"]}, "else": false}
    After:
        {"type": "object"}

    Unchanged:
        {"properties": {"if": {"type": "string"}}}
    """
    return without(schema, CONDITIONALS)
