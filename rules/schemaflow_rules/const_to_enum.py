"""Spell `const` as a one-member `enum`."""

from attrs import frozen

from schemaflow import Effect, Schema, Unsupported, json_equal, json_type, node_rule, option, without


@frozen
class Options:
    add_type: bool = option(False, "Also state the JSON type of the value.")


def _writes(options: Options) -> set[str]:
    return {"const", "enum", "type"} if options.add_type else {"const", "enum"}


@node_rule(
    on={"const"},
    writes=_writes,
    introduces=lambda options: _writes(options) - {"const"},
    effect=Effect.EXACT,
    options=Options,
)
def const_to_enum(schema: Schema, options: Options) -> Schema:
    """
    Spell `const` as a one-member `enum`.

    Both keywords accept the same single value, and every provider that refuses
    `const` understands `enum`. Beside an `enum` that holds the value, the value alone
    remains; beside one that does not, nothing can match and the node is left alone.

    Before:
        {"const": "red", "title": "Colour"}
    After:
        {"title": "Colour", "enum": ["red"]}

    Before:
        {"const": "red", "enum": ["red", "green"]}
    After:
        {"enum": ["red"]}

    Before (add_type: true):
        {"const": "red"}
    After:
        {"enum": ["red"], "type": "string"}

    Unchanged:
        {"enum": ["red", "green"]}
    """
    value = schema["const"]
    members = schema.get("enum")
    if isinstance(members, list) and not any(json_equal(value, member) for member in members):
        raise Unsupported("const and enum have no value in common")
    rest = without(schema, {"const"}) | {"enum": [value]}
    if options.add_type:
        rest.setdefault("type", json_type(value))
    return rest
