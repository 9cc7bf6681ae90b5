"""Refuse undeclared properties in every object."""

from attrs import frozen

from schemaflow import Effect, Rewrite, Schema, node_rule, option


@frozen
class Options:
    replace: bool = option(False, "Also close objects that say something else in additionalProperties.")


@node_rule(
    on={"properties", ("type", "object"), ("type", list)},
    writes={"additionalProperties"},
    effect=Effect.NARROWS,
    options=Options,
)
def close_objects(schema: Schema, options: Options) -> Schema | Rewrite:
    """
    Refuse undeclared properties in every object.

    Strict function calling wants `additionalProperties: false` wherever a value may be
    an object: where the type says so, and beside `properties`. Undeclared properties
    are refused afterwards, and with `replace` a map becomes an object without members.
    Where several schemas speak of one object, run `share_property_names` before.

    Before:
        {"type": "object", "properties": {"a": {"type": "string"}}}
    After:
        {"type": "object", "properties": {"a": {"type": "string"}}, "additionalProperties": false}

    Before (replace: true):
        {"type": "object", "additionalProperties": {"type": "integer"}}
    After:
        {"type": "object", "additionalProperties": false}

    Unchanged:
        {"type": "object", "additionalProperties": {"type": "integer"}}

    Unchanged:
        {"type": ["string", "null"]}
    """
    if not _speaks_of_objects(schema) or schema.get("additionalProperties") is False:
        return schema
    if "additionalProperties" not in schema:
        return {**schema, "additionalProperties": False}
    if not options.replace:
        return schema
    lost = {"additionalProperties": schema["additionalProperties"]}
    return Rewrite({**schema, "additionalProperties": False}, lost=lost)


def _speaks_of_objects(schema: Schema) -> bool:
    stated = schema.get("type")
    return "properties" in schema or "object" in (stated if isinstance(stated, list) else [stated])
