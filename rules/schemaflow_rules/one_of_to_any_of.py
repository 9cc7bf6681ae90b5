"""Spell `oneOf` as `anyOf`."""

from schemaflow import Effect, JsonValue, Rewrite, Schema, Unsupported, node_rule

UNEVALUATED = ("unevaluatedProperties", "unevaluatedItems")


@node_rule(on={"oneOf"}, writes={"oneOf", "anyOf"}, introduces={"anyOf"}, peeks={"type"}, effect=Effect.UNKNOWN)
def one_of_to_any_of(schema: Schema) -> Rewrite:
    """
    Spell `oneOf` as `anyOf`.

    For providers that know one union. What matches several members is accepted
    afterwards; members of different types have no value in common, and there the two
    say the same. Beside an `anyOf` there is no place for a second one.

    Before:
        {"oneOf": [{"type": "string"}, {"type": "integer"}], "description": "A key."}
    After:
        {"anyOf": [{"type": "string"}, {"type": "integer"}], "description": "A key."}

    Unchanged:
        {"oneOf": [{"minimum": 1}, {"maximum": 9}], "anyOf": [{"type": "integer"}]}
    """
    if "anyOf" in schema:
        raise Unsupported("anyOf stands beside oneOf already")
    effect = Effect.EXACT if _exclusive(schema["oneOf"]) else Effect.WIDENS
    if any(keyword in schema for keyword in UNEVALUATED):
        # More members match, so that more counts as evaluated.
        effect = Effect.UNKNOWN if effect else effect
    renamed = {("anyOf" if keyword == "oneOf" else keyword): value for keyword, value in schema.items()}
    return Rewrite(renamed, effect=effect)


def _exclusive(members: JsonValue) -> bool:
    """Whether no value can match two members, because of their types."""
    if not isinstance(members, list):
        return False
    types = [member.get("type") if isinstance(member, dict) else None for member in members]
    # Every integer is a number.
    kinds = {"number" if kind == "integer" else kind for kind in types if isinstance(kind, str)}
    return len(kinds) == len(members)
