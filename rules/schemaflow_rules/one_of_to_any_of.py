"""Spell `oneOf` as `anyOf`."""

from schemaflow import Effect, Rewrite, Schema, Unsupported, node_rule
from schemaflow.algebra import exclusive

UNEVALUATED = ("unevaluatedProperties", "unevaluatedItems")


@node_rule(
    on={"oneOf"},
    writes={"oneOf", "anyOf"},
    introduces={"anyOf"},
    effect=Effect.UNKNOWN,
    keeps_evaluation=True,
)
def one_of_to_any_of(schema: Schema) -> Rewrite:
    """
    Spell `oneOf` as `anyOf`.

    For providers that know one union. What matches several members is accepted
    afterwards. Where no value can (members of different types, or with different
    constants in a required property) the two say the same. Beside an `anyOf` there is no place for a second one.

    Before:
        {"oneOf": [{"type": "string"}, {"type": "integer"}], "description": "A key."}
    After:
        {"anyOf": [{"type": "string"}, {"type": "integer"}], "description": "A key."}

    Unchanged:
        {"oneOf": [{"minimum": 1}, {"maximum": 9}], "anyOf": [{"type": "integer"}]}
    """
    if "anyOf" in schema:
        raise Unsupported("anyOf stands beside oneOf already")
    renamed = {("anyOf" if keyword == "oneOf" else keyword): value for keyword, value in schema.items()}
    return Rewrite(renamed, effect=lambda: _effect(schema))


def _effect(schema: Schema) -> Effect:
    if exclusive(schema["oneOf"]):
        return Effect.EXACT
    # Where more members match, more counts as evaluated.
    return Effect.UNKNOWN if any(keyword in schema for keyword in UNEVALUATED) else Effect.WIDENS
