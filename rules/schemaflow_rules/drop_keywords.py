"""Drop the listed keywords."""

from attrs import frozen

from schemaflow import Schema, node_rule, option, without


@frozen
class Options:
    keywords: tuple[str, ...] = option((), "The keywords to drop.")


@node_rule(drops=lambda options: options.keywords, options=Options)
def drop_keywords(schema: Schema, options: Options) -> Schema:
    """
    Drop the listed keywords.

    What a dropped assertion refused is accepted afterwards. Dropping what a remaining
    sibling reads (`properties` beside `additionalProperties`) may do anything: list
    whole families.

    Before (keywords: [pattern, title]):
        {"type": "string", "title": "Code", "pattern": "^[A-Z]+$"}
    After:
        {"type": "string"}

    Unchanged (keywords: [pattern]):
        {"properties": {"pattern": {"type": "string"}}}
    """
    return without(schema, options.keywords)
