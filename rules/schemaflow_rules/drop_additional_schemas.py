"""Say of undeclared properties that they are allowed, not how they must be."""

from schemaflow import EVERYTHING, Effect, Rewrite, Schema, node_rule


@node_rule(
    on={("additionalProperties", dict)},
    writes={"additionalProperties"},
    introduces=(),
    # A boolean is a schema too: whether there is one can only be seen in the child.
    peeks=EVERYTHING,
    effect=Effect.WIDENS,
)
def drop_additional_schemas(schema: Schema) -> Rewrite:
    """
    Say of undeclared properties that they are allowed, not how they must be.

    For providers whose `additionalProperties` is a boolean. A map stays a map, of values
    of any kind.

    Before:
        {"type": "object", "additionalProperties": {"type": "integer"}}
    After:
        {"type": "object", "additionalProperties": true}

    Unchanged:
        {"type": "object", "additionalProperties": false}
    """
    lost = schema["additionalProperties"]
    effect = Effect.WIDENS if lost else Effect.EXACT
    return Rewrite({**schema, "additionalProperties": True}, effect=effect, lost={"additionalProperties": lost})
