"""Extents: how far a document reaches when references are written out, and how far it may."""

from typing import Final, NamedTuple

import orjson

from schemaflow.keywords import CHILDREN, JsonValue

EXPANSION_NODES: Final = 100_000
"""How many schemas a document may have once references are inlined, unless ten times its own are more."""

EXPANSION_BYTES: Final = 4 * 2**20
"""How many bytes, roughly, it may have then, unless ten times its own are more."""

LEVELS: Final = 100
"""How many schemas may then lie inside one another, unless more did before."""

STEPS: Final = 2 * LEVELS
"""How many levels a traversal may go through, each inlined reference counted as one more."""


class Extent(NamedTuple):
    """
    How far something reaches when written out: schemas, bytes, and levels of schemas.

    `steps` are the levels with each inlined reference counted as one more: what a
    traversal goes through.
    """

    nodes: int = 0
    weight: int = 0
    levels: int = 0
    steps: int = 0


def exceeds(extent: Extent, limit: Extent) -> bool:
    """Whether an extent is over a limit."""
    return (
        extent.nodes > limit.nodes
        or extent.weight > limit.weight
        or extent.levels > limit.levels
        or extent.steps > limit.steps
    )


def weigh(schema: JsonValue) -> int:
    """The bytes that a schema object takes, roughly, without its subschemas."""
    if not isinstance(schema, dict):
        return 5
    total = 2
    for keyword, value in schema.items():
        total += len(keyword) + 4
        if isinstance(value, str):
            total += len(value) + 2
        elif keyword in CHILDREN:
            total += sum(len(name) + 4 for name in value) if isinstance(value, dict) else 2
        elif isinstance(value, (dict, list)):
            total += _written(value)
        else:
            total += 5
    return total


def _written(value: JsonValue) -> int:
    try:
        return len(orjson.dumps(value))
    except TypeError:
        # Integers beyond 64 bits, lone surrogates.
        return len(str(value))
