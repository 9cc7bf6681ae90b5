"""Drop every `enum` with a value that is not of the listed types."""

from attrs import frozen

from schemaflow import Effect, JsonValue, Schema, json_type, node_rule, option, without


@frozen
class Options:
    types: tuple[str, ...] = option(("string",), "The types that values of an enum may have.")


@node_rule(on={("enum", list)}, writes={"enum"}, introduces=(), effect=Effect.WIDENS, options=Options)
def limit_enums(schema: Schema, options: Options) -> Schema:
    """
    Drop every `enum` with a value that is not of the listed types.

    For providers whose enums hold strings only. Spelling the values as strings would
    have the model answer with strings; so the type alone stays, and other values of it
    are accepted afterwards.

    Before:
        {"type": "integer", "enum": [1, 2, 3]}
    After:
        {"type": "integer"}

    Before (types: [string, integer]):
        {"enum": ["auto", 1.5]}
    After:
        {}

    Unchanged:
        {"type": "string", "enum": ["red", "1"]}
    """
    if all(_is(member, options.types) for member in schema["enum"]):
        return schema
    return without(schema, {"enum"})


def _is(member: JsonValue, types: tuple[str, ...]) -> bool:
    kind = json_type(member)
    return kind in types or (kind == "integer" and "number" in types)
