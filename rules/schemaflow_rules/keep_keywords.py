"""Drop every keyword that is not listed."""

from attrs import frozen

from schemaflow import Schema, node_rule, option
from schemaflow.codecs import MARK


@frozen
class Options:
    keywords: tuple[str, ...] = option((), "The keywords to keep.")


@node_rule(keeps=lambda options: options.keywords, options=Options)
def keep_keywords(schema: Schema, options: Options) -> Schema:
    """
    Drop every keyword that is not listed.

    A provider's allow-list: what it does not know goes, known or not to JSON Schema
    and whatever drafts to come will add.

    Before (keywords: [type, description]):
        {"type": "string", "description": "A code.", "pattern": "^[A-Z]+$", "x-order": 1}
    After:
        {"type": "string", "description": "A code."}

    Unchanged (keywords: [type, properties]):
        {"type": "object", "properties": {"pattern": {"type": "string"}}}
    """
    kept = frozenset(options.keywords)
    return {keyword: value for keyword, value in schema.items() if keyword in kept or keyword is MARK}
