"""A rule that writes into what it is given."""

from schemaflow import Effect, Schema, node_rule


@node_rule(on={"const"}, writes={"const", "enum"}, effect=Effect.EXACT)
def writes_into(schema: Schema) -> Schema:
    """Spell `const` as `enum`, in place."""
    constant = schema["const"]
    members = [member for member in schema.get("enum", [constant]) if member == constant]
    rest = {**schema, "enum": members}
    del rest["const"], schema["const"]
    return rest
