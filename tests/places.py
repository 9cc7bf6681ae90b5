"""Where subschemas stand, written down a second time: the enumerator that tests of the engine trust."""

from collections.abc import Iterator
from typing import Any

from schemaflow import JsonValue, Schema

ALONE = """
    additionalItems additionalProperties contains contentSchema else if items not propertyNames then
    unevaluatedItems unevaluatedProperties
""".split()
LISTED = "allOf anyOf items oneOf prefixItems".split()
NAMED = "$defs definitions dependencies dependentSchemas patternProperties properties".split()


def places(schema: JsonValue, path: tuple[Any, ...] = ()) -> Iterator[tuple[tuple[Any, ...], JsonValue]]:
    """Every schema of a document, by its path."""
    yield path, schema
    for keyword, value in schema.items() if isinstance(schema, dict) else ():
        if keyword in ALONE and isinstance(value, (dict, bool)):
            yield from places(value, (*path, keyword))
        if keyword in LISTED and isinstance(value, list):
            for index, child in enumerate(value):
                if isinstance(child, (dict, bool)):
                    yield from places(child, (*path, keyword, index))
        if keyword in NAMED and isinstance(value, dict):
            for name, child in value.items():
                if isinstance(child, (dict, bool)):
                    yield from places(child, (*path, keyword, name))


def levels(schema: JsonValue) -> int:
    """How many schema objects lie below one another."""
    if not isinstance(schema, dict):
        return 0
    below = [child for path, child in places(schema) if 0 < len(path) <= 3 and _is_direct(schema, path)]
    return 1 + max(map(levels, below), default=0)


def _is_direct(schema: Schema, path: tuple[Any, ...]) -> bool:
    value = schema[path[0]]
    return len(path) == (1 if path[0] in ALONE and not isinstance(value, list) else 2)
