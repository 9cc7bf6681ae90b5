"""Say `oneOf` as a union of members that exclude one another."""

from schemaflow import EVERYTHING, Effect, Order, Rewrite, Schema, Unsupported, node_rule, without
from schemaflow.algebra import conjoined, excluding, exclusive


@node_rule(
    on={"oneOf"},
    writes=EVERYTHING,
    peeks=EVERYTHING,
    spawns=True,
    effect=Effect.EXACT,
    order=Order.CHILDREN_FIRST,
)
def exclusive_one_of(schema: Schema) -> Rewrite:
    """
    Say `oneOf` as a union of members that exclude one another.

    Where no value matches two members, `anyOf` says the same. Elsewhere each member
    also refuses what the others accept, so that nothing is gained or lost. More than 24
    that may overlap stay as they are.

    Before:
        {"oneOf": [{"type": "string"}, {"type": "null"}], "title": "A"}
    After:
        {"title": "A", "anyOf": [{"type": "string"}, {"type": "null"}]}

    Before:
        {"type": "object", "oneOf": [{"required": ["a"]}, {"required": ["b"]}]}
    After:
        {
          "anyOf": [
            {"type": "object", "required": ["a"], "properties": {"b": false}},
            {"type": "object", "required": ["b"], "properties": {"a": false}}
          ]
        }

    Before:
        {"oneOf": [{"type": "integer"}, {"type": "number", "minimum": 5}]}
    After:
        {
          "anyOf": [
            {"type": "integer", "maximum": 4},
            {"type": "number", "minimum": 5, "not": {"type": "integer"}}
          ]
        }

    Unchanged:
        {"properties": {"oneOf": {"type": "string"}}}
    """
    members = schema["oneOf"]
    if not isinstance(members, list) or not all(isinstance(member, (dict, bool)) for member in members):
        raise Unsupported("oneOf is no list of schemas")
    union: Schema | bool = {"anyOf": members} if exclusive(members) else excluding(members)
    return conjoined(without(schema, {"oneOf"}), union)
