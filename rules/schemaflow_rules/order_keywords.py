"""Put keywords into an order."""

from attrs import frozen

from schemaflow import Effect, Schema, node_rule, option


@frozen
class Options:
    keywords: tuple[str, ...] = option((), "The keywords that come first, in this order.")


@node_rule(
    on=lambda options: options.keywords,
    writes=lambda options: options.keywords,
    introduces=(),
    effect=Effect.EXACT,
    options=Options,
)
def order_keywords(schema: Schema, options: Options) -> Schema:
    """
    Put keywords into an order.

    JSON does not mind the order of members, but a model reads them one after the other,
    and recorded requests are compared as text. The listed keywords come first, all
    others keep their order after them.

    Before (keywords: [type, description]):
        {"description": "A code.", "pattern": "^[A-Z]+$", "type": "string"}
    After:
        {"type": "string", "description": "A code.", "pattern": "^[A-Z]+$"}

    Unchanged (keywords: [type, description]):
        {"description": "A code.", "pattern": "^[A-Z]+$"}
    """
    ordered = {keyword: schema[keyword] for keyword in options.keywords if keyword in schema}
    ordered |= schema
    return schema if list(ordered) == list(schema) else ordered
