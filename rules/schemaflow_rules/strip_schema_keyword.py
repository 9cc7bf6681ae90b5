"""Drop `$schema` everywhere."""

from schemaflow import Schema, node_rule, without

SCHEMA = frozenset({"$schema"})


@node_rule(drops=SCHEMA)
def strip_schema_keyword(schema: Schema) -> Schema:
    """
    Drop `$schema` everywhere.

    It names the draft that the author wrote in and accepts or refuses no value;
    providers take it for an unknown field, at the root and in definitions alike.
    Steps that read drafts must come before.

    Before:
        {"$schema": "https://json-schema.org/draft/2020-12/schema", "type": "object"}
    After:
        {"type": "object"}

    Unchanged:
        {"properties": {"$schema": {"type": "string"}}}
    """
    return without(schema, SCHEMA)
