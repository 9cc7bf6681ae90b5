"""
Units: the document and the targets of references, each down to where the next one begins.

They are the nodes of the graph of who refers to whom.
"""

from collections import Counter
from functools import cached_property
from typing import NamedTuple

from attrs import define, field

from schemaflow.keywords import KEYWORDS, Polarity, Schema
from schemaflow.references.extents import Extent
from schemaflow.references.targets import Target


class Use(NamedTuple):
    """One reference in a unit: the node that holds it, the unit that it leads to, and the place in between."""

    node: int
    target: int
    level: int
    polarity: Polarity


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
    inside: list[tuple[int, int, Polarity]] = field(factory=list)
    definitions: list[int] = field(factory=list)

    @cached_property
    def grouped(self) -> list[tuple[int, int, int]]:
        """`(target, how often, deepest level)` of the references."""
        counts = Counter(use.target for use in self.uses)
        levels: dict[int, int] = {}
        for use in self.uses:
            levels[use.target] = max(use.level, levels.get(use.target, 0))
        return [(target, count, levels[target]) for target, count in counts.items()]


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
