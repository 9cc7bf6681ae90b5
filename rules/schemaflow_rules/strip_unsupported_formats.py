"""Drop every `format` that is not allowed."""

from attrs import frozen

from schemaflow import Effect, Rewrite, Schema, node_rule, option, without

FORMAT = frozenset({"format"})


@frozen
class Options:
    allowed: tuple[str, ...] = option((), "The formats to keep.")


@node_rule(on={("format", str)}, writes=FORMAT, introduces=(), effect=Effect.EXACT, options=Options)
def strip_unsupported_formats(schema: Schema, options: Options) -> Schema | Rewrite:
    """
    Drop every `format` that is not allowed.

    Providers refuse formats that they do not know. A format is an annotation: it
    tells the model what to write, and validators do not assert it unless asked.

    Before (allowed: [date-time]):
        {"type": "string", "format": "hostname"}
    After:
        {"type": "string"}

    Unchanged (allowed: [date-time]):
        {"type": "string", "format": "date-time"}
    """
    if schema["format"] in options.allowed:
        return schema
    return Rewrite(without(schema, FORMAT), lost={"format": schema["format"]})
