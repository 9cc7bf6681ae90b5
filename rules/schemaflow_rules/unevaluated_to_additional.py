"""Spell `unevaluatedProperties` as `additionalProperties` where they say the same."""

from schemaflow import Effect, Schema, Unsupported, node_rule, without

BOTH = frozenset({"unevaluatedProperties", "additionalProperties"})
IN_PLACE = ("allOf anyOf oneOf not if then else dependentSchemas dependencies $ref $dynamicRef $recursiveRef").split()


@node_rule(on={"unevaluatedProperties"}, writes=BOTH, introduces={"additionalProperties"}, effect=Effect.EXACT)
def unevaluated_to_additional(schema: Schema) -> Schema:
    """
    Spell `unevaluatedProperties` as `additionalProperties` where they say the same.

    Few providers know the former. The two differ only where other schemas of the same
    object declare properties; beside `additionalProperties`, which leaves no property
    unevaluated, the former says nothing.

    Before:
        {"properties": {"a": {"type": "string"}}, "unevaluatedProperties": false}
    After:
        {"properties": {"a": {"type": "string"}}, "additionalProperties": false}

    Before:
        {"additionalProperties": true, "unevaluatedProperties": false}
    After:
        {"additionalProperties": true}

    Unchanged:
        {"allOf": [{"properties": {"a": {"type": "string"}}}], "unevaluatedProperties": false}
    """
    if "additionalProperties" in schema:
        return without(schema, {"unevaluatedProperties"})
    beside = next((keyword for keyword in IN_PLACE if keyword in schema), None)
    if beside is not None:
        raise Unsupported(f"{beside} stands beside unevaluatedProperties")
    return {
        ("additionalProperties" if keyword == "unevaluatedProperties" else keyword): value
        for keyword, value in schema.items()
    }
