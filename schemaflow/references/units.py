"""
Units: the document and the targets of references, each down to where the next one begins.

They are the nodes of the graph of who refers to whom.
"""

from collections.abc import Hashable
from functools import cached_property
from typing import Final, NamedTuple

from attrs import define, field

from schemaflow.keywords import CHILDREN, KEYWORDS, Polarity, Schema
from schemaflow.references.extents import Extent
from schemaflow.references.places import DEFINITIONS, KEY_SET
from schemaflow.references.targets import Target


class Use(NamedTuple):
    """
    One reference in a unit: the node that holds it, the unit that it leads to, and the place in between.

    `objects` is how many of the nodes above it there are objects, see `is_object_level`.
    It `is_joint` where it speaks of an object together with other schemas.
    """

    node: int
    target: int
    level: int
    polarity: Polarity
    objects: int
    is_joint: bool


class Inside(NamedTuple):
    """A unit that stands in another, and the place in between."""

    unit: int
    level: int
    polarity: Polarity
    objects: int


@define(eq=False)
class Unit:
    """
    The document, or the target of references, down to where other units begin.

    `uses` are its references, `inside` the units that stand in it; `definitions` are
    those that stand under its own `$defs`: an inlined copy goes without them.
    """

    schema: Schema
    base: str
    target: Target | None = None
    extent: Extent = field(factory=Extent)
    uses: list[Use] = field(factory=list)
    inside: list[Inside] = field(factory=list)
    definitions: list[int] = field(factory=list)

    @cached_property
    def grouped(self) -> list[tuple[Use, int]]:
        """The references, the deepest one of those that are alike for the rest, and how often such occur."""
        alike: dict[Hashable, tuple[Use, int]] = {}
        for use in self.uses:
            key = (use.target, use.objects, use.is_joint)
            deepest, count = alike.get(key, (use, 0))
            alike[key] = (use if use.level > deepest.level else deepest, count + 1)
        return list(alike.values())


_MEMBERS: Final = frozenset({"properties", "patternProperties", "additionalProperties", "propertyNames"})
_ELSE: Final = frozenset(CHILDREN) - _MEMBERS - DEFINITIONS | KEY_SET


def is_object_level(schema: Schema) -> bool:
    """
    Whether all that stands below a schema object stands one object deeper in every instance.

    So it is with an object that has members, and nothing else: what stands in a
    combiner speaks of the object itself.
    """
    return ("properties" in schema or schema.get("type") == "object") and _ELSE.isdisjoint(schema)


def polarity_below(schema: Schema, keyword: str) -> Polarity:
    """What widening a subschema under a keyword does to the schema object."""
    if keyword == "contains" and "maxContains" in schema:
        return Polarity.MIXED
    return KEYWORDS[keyword].polarity


def composed(outer: Polarity, inner: Polarity) -> Polarity:
    """The polarity of a place from that of the place above, and its own there."""
    for absorbing in (Polarity.NONE, Polarity.MIXED):
        if absorbing in (outer, inner):
            return absorbing
    return Polarity.SAME if outer is inner else Polarity.FLIPPED
