"""Drop names from `required` that `properties` does not declare."""

from schemaflow import Effect, Rewrite, Schema, node_rule


@node_rule(on={("required", list)}, writes={"required"}, introduces=(), effect=Effect.WIDENS)
def drop_unknown_required(schema: Schema) -> Schema | Rewrite:
    """
    Drop names from `required` that `properties` does not declare.

    Some providers refuse a tool that requires what it does not describe. A call without
    such a property is accepted afterwards.

    Before:
        {"properties": {"a": {"type": "string"}}, "required": ["a", "b"]}
    After:
        {"properties": {"a": {"type": "string"}}, "required": ["a"]}

    Unchanged:
        {"properties": {"a": {"type": "string"}}, "required": ["a"]}
    """
    declared = schema.get("properties")
    known = [name for name in schema["required"] if isinstance(declared, dict) and _is_declared(name, declared)]
    if len(known) == len(schema["required"]):
        return schema
    return Rewrite({**schema, "required": known}, lost={"required": schema["required"]})


def _is_declared(name: object, declared: Schema) -> bool:
    return isinstance(name, str) and name in declared
