"""Where subschemas stand, written down a second time: the enumerator that tests of the engine trust."""

from collections.abc import Iterator
from typing import Any, TypeAlias

from schemaflow import JsonValue

ALONE = """
    additionalItems additionalProperties contains contentSchema else if items not propertyNames then
    unevaluatedItems unevaluatedProperties
""".split()
LISTED = "allOf anyOf items oneOf prefixItems".split()
NAMED = "$defs definitions dependencies dependentSchemas patternProperties properties".split()

Path: TypeAlias = tuple[Any, ...]


def children(schema: JsonValue) -> Iterator[tuple[Path, JsonValue]]:
    """The subschemas right below a schema, by their paths from it."""
    for keyword, value in schema.items() if isinstance(schema, dict) else ():
        held: list[tuple[Path, JsonValue]] = []
        if keyword in ALONE and not isinstance(value, list):
            held = [((keyword,), value)]
        elif keyword in LISTED and isinstance(value, list):
            held = [((keyword, index), child) for index, child in enumerate(value)]
        elif keyword in NAMED and isinstance(value, dict):
            held = [((keyword, name), child) for name, child in value.items()]
        yield from ((path, child) for path, child in held if isinstance(child, (dict, bool)))


def places(schema: JsonValue, path: Path = ()) -> Iterator[tuple[Path, JsonValue]]:
    """Every schema of a document, by its path."""
    yield path, schema
    for below, child in children(schema):
        yield from places(child, (*path, *below))


def levels(schema: JsonValue) -> int:
    """How many schema objects lie below one another."""
    if not isinstance(schema, dict):
        return 0
    return 1 + max((levels(child) for _, child in children(schema)), default=0)
