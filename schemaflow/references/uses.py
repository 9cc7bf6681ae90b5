"""Uses: who refers to whom in a document, what lies on a cycle, and how far inlining would reach."""

from collections import Counter
from collections.abc import Callable, Hashable, Iterator, Mapping
from functools import cached_property
from typing import Any, Final, Generic, TypeVar

from attrs import define, field, frozen

from schemaflow.keywords import Polarity, Schema
from schemaflow.references.components import components
from schemaflow.references.extents import EXPANSION_BYTES, EXPANSION_NODES, LEVELS, STEPS, Extent, exceeds, weigh
from schemaflow.references.joint import joint_references
from schemaflow.references.places import DEFINITIONS
from schemaflow.references.resolution import References
from schemaflow.references.survey import Survey
from schemaflow.references.targets import Target, unit_key
from schemaflow.references.units import Inside, Unit, Use, composed, is_object_level, polarity_below

_LOOKS: Final = 30_000
"""How many uses may be looked at, beyond a few each, before an expansion is taken to be over budget."""


Route = TypeVar("Route", bound=Hashable)


@frozen(eq=False)
class Steps(Generic[Route]):
    """
    How routes go on when units are entered: by a reference (None: it is not inlined), and where they stand.

    A route is what a traversal remembers of its way; it decides what is inlined.
    """

    by_reference: Callable[[Use, Route], Route | None]
    in_place: Callable[[Inside, Route], Route]


@define(eq=False, slots=False)
class Uses:
    """
    Who refers to whom in a document.

    Under the keywords `hidden` of the root, only what something refers to counts;
    `minds_joint` says whether joint references are looked for. Unit 0 is the document.
    """

    references: References
    hidden: frozenset[str] = frozenset()
    minds_joint: bool = False
    units: list[Unit] = field(factory=list, init=False)
    index: dict[Hashable, int] = field(factory=dict, init=False)
    survey: Survey = field(init=False)
    joint: frozenset[int] = field(init=False)
    """The ids of the schema objects that hold joint references."""

    def __attrs_post_init__(self) -> None:
        self.survey = Survey(self.references, self.hidden)
        self._add(self.references.document, self.references.base)
        for target in self.survey.targets:
            self._add(target.place.value, target.base, target)
        self.joint = joint_references(self.survey.nodes) if self.minds_joint else frozenset()
        # Scanning a unit may add its definitions as further units.
        for unit in self.units:
            self._scan(unit)

    def _add(self, schema: Schema, base: str, target: Target | None = None) -> int:
        key = unit_key(schema, base)
        if key not in self.index:
            self.index[key] = len(self.units)
            self.units.append(Unit(schema, base, target))
        return self.index[key]

    def find(self, schema: Schema, base: str) -> int | None:
        """The number of the unit that begins at a schema object."""
        return self.index.get((id(schema), base))

    @property
    def has_unevaluated(self) -> bool:
        """Whether anything says what becomes of members or elements that nothing else evaluates."""
        return self.survey.has_unevaluated

    def _scan(self, unit: Unit) -> None:
        nodes = weight = deepest = 0
        waiting: list[tuple[Any, str, int, Polarity, int]] = [(unit.schema, unit.base, 1, Polarity.SAME, 0)]
        while waiting:
            schema, base, level, polarity, objects = waiting.pop()
            node = self.survey.nodes[id(schema), base]
            nodes += 1 + node.booleans + len(node.leaves)
            weight += weigh(schema) + sum(map(weigh, node.leaves))
            deepest = max(deepest, level + 1 if node.leaves else level)
            for target in node.targets:
                unit.uses.append(
                    Use(id(schema), self.index[target.key], level - 1, polarity, objects, id(schema) in self.joint)
                )
            if node.children and is_object_level(schema):
                objects += 1
            for keyword, child, inside in node.children:
                if keyword in DEFINITIONS and schema is unit.schema:
                    unit.definitions.append(self._add(child, inside))
                    continue
                own = polarity_below(schema, keyword)
                below = polarity if own is Polarity.SAME else composed(polarity, own)
                known = self.index.get((id(child), inside))
                if known is None:
                    waiting.append((child, inside, level + 1, below, objects))
                else:
                    unit.inside.append(Inside(known, level, below, objects))
        unit.extent = Extent(nodes, weight, deepest, deepest)

    @cached_property
    def limit(self) -> Extent:
        """What the document may grow to when references are inlined."""
        nodes = max(EXPANSION_NODES, 10 * sum(unit.extent.nodes for unit in self.units))
        weight = max(EXPANSION_BYTES, 10 * sum(unit.extent.weight for unit in self.units))
        return Extent(nodes, weight, max(LEVELS, self.survey.levels), STEPS)

    @cached_property
    def is_flat(self) -> bool:
        """Whether the document alone leads to other units, and not to itself: then nothing is cyclic."""
        if any(unit.uses or unit.inside or unit.definitions for unit in self.units[1:]):
            return False
        return all(use.target != 0 for use in self.units[0].uses)

    def once(self) -> Extent:
        """How far a flat document reaches once references are inlined, its definitions aside."""
        document = self.units[0]
        entered = [(use.target, 1, use.level, 1) for use in document.uses]
        entered += [(inner.unit, 1, inner.level, 0) for inner in document.inside]
        return _summed(document.extent, entered, {index: unit.extent for index, unit in enumerate(self.units)})

    @cached_property
    def component_of(self) -> list[int]:
        """For each unit the number of its strongly connected component."""
        return components([[target for target, _ in self._below(unit)] for unit in self.units])

    @staticmethod
    def _below(unit: Unit) -> "Iterator[tuple[int, int]]":
        """The units to which one leads, each with the objects in between."""
        yield from ((use.target, use.objects) for use in unit.uses)
        yield from ((inner.unit, inner.objects) for inner in unit.inside)

    @cached_property
    def sizes(self) -> Mapping[int, int]:
        """How many units each component has."""
        return Counter(self.component_of)

    @cached_property
    def cyclic(self) -> frozenset[int]:
        """The units that lie on a cycle: following references from there, one may come there again."""
        if self.is_flat:
            return frozenset()
        return frozenset(
            index
            for index, unit in enumerate(self.units)
            if self.sizes[self.component_of[index]] > 1 or any(use.target == index for use in unit.uses)
        )

    @cached_property
    def leading_to_cycles(self) -> frozenset[int]:
        """The cyclic units, and those from which one comes to such."""
        above: dict[int, list[int]] = {}
        for index, unit in enumerate(self.units):
            for target, _ in self._below(unit):
                above.setdefault(target, []).append(index)
        found: set[int] = set()
        waiting = list(self.cyclic)
        while waiting:
            index = waiting.pop()
            if index not in found:
                found.add(index)
                waiting.extend(above.get(index, ()))
        return frozenset(found)

    @cached_property
    def descending(self) -> frozenset[int]:
        """The components whose every cycle leads deeper into objects."""
        level = [[target for target, objects in self._below(unit) if not objects] for unit in self.units]
        inner = components(level)
        sizes = Counter(inner)
        flat = {
            self.component_of[index]
            for index, targets in enumerate(level)
            if sizes[inner[index]] > 1 or index in targets
        }
        return frozenset(self.component_of) - flat

    @cached_property
    def endless(self) -> frozenset[int]:
        """The units from which joint references alone lead back: inlining those would have no end."""
        edges = [
            [*(use.target for use in unit.uses if use.is_joint), *(inner.unit for inner in unit.inside)]
            for unit in self.units
        ]
        component_of = components(edges)
        sizes = Counter(component_of)
        return frozenset(
            index for index, targets in enumerate(edges) if sizes[component_of[index]] > 1 or index in targets
        )

    def extent(self, route: Route, steps: Steps[Route]) -> Extent | None:
        """
        How far the document reaches once references are inlined, None if beyond its limit.

        Nothing is built: each unit is counted once for each route that leads to it.
        """
        start = (0, route, True)
        known: dict[Hashable, Extent] = {}
        below: dict[Hashable, list[tuple[Any, int, int, int]]] = {}
        waiting = [(start, 1)]
        looks = _LOOKS + 10 * sum(len(unit.grouped) + len(unit.inside) + 1 for unit in self.units)
        visits = max(EXPANSION_NODES, self.limit.nodes // 5)
        while waiting:
            at, depth = waiting[-1]
            if at in known:
                waiting.pop()
            elif at in below:
                waiting.pop()
                extent = known[at] = _summed(self.units[at[0]].extent, below.pop(at), known)
                if exceeds(extent, self.limit):
                    return None
            else:
                below[at] = self._entered(at, steps)
                waiting.extend((entry, depth + 1) for entry, _, _, _ in below[at] if entry not in known)
                looks -= len(self.units[at[0]].grouped) + 1
                visits -= self.units[at[0]].extent.nodes
                # Each unit on the way is a step or more.
                if looks < 0 or visits < 0 or depth > self.limit.steps:
                    return None
        return known[start]

    def _entered(self, at: tuple[int, Route, bool], steps: Steps[Route]) -> list[tuple[Any, int, int, int]]:
        """The units entered from a unit: `(entry, how often, level, whether by a reference)`."""
        index, route, in_place = at
        unit = self.units[index]
        found: list[tuple[Any, int, int, int]] = []
        for use, count in unit.grouped:
            further = steps.by_reference(use, route)
            if further is not None:
                found.append(((use.target, further, False), count, use.level, 1))
        for inner in unit.inside:
            found.append(((inner.unit, steps.in_place(inner, route), True), 1, inner.level, 0))
        for definition in unit.definitions if in_place else ():
            place = Inside(definition, 1, Polarity.MIXED, 0)
            found.append(((definition, steps.in_place(place, route), True), 1, 1, 0))
        return found


def _summed(own: Extent, below: list[tuple[Any, int, int, int]], known: dict[Hashable, Extent]) -> Extent:
    nodes, weight, levels, steps = own.nodes, own.weight, own.levels, own.steps
    for entry, count, level, hop in below:
        one = known[entry]
        nodes += count * one.nodes
        weight += count * one.weight
        levels = max(levels, level + one.levels)
        steps = max(steps, level + hop + one.steps)
    return Extent(nodes, weight, levels, steps)
