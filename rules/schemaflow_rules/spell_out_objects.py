"""Write the keywords of every object, also where they say nothing."""

from attrs import frozen

from schemaflow import Effect, Schema, node_rule, option


@frozen
class Options:
    properties: bool = option(True, "Write `properties`.")
    required: bool = option(True, "Write `required`.")


@node_rule(
    on={("type", "object")},
    writes={"properties", "required"},
    effect=Effect.EXACT,
    options=Options,
)
def spell_out_objects(schema: Schema, options: Options) -> Schema:
    """
    Write the keywords of every object, also where they say nothing.

    For providers and clients that look for `properties` and `required` at every object.

    Before:
        {"type": "object"}
    After:
        {"type": "object", "properties": {}, "required": []}

    Before (required: false):
        {"type": "object", "description": "Anything."}
    After:
        {"type": "object", "description": "Anything.", "properties": {}}

    Unchanged:
        {"type": ["object", "null"]}
    """
    missing: Schema = {}
    if options.properties and "properties" not in schema:
        missing["properties"] = {}
    if options.required and "required" not in schema:
        missing["required"] = []
    return {**schema, **missing} if missing else schema
