"""Effects: what replacing references did, added up over the units that are inlined elsewhere."""

from attrs import define, field

from schemaflow.effect import Effect
from schemaflow.inlining.policy import Policy, Route
from schemaflow.keywords import Polarity, Schema
from schemaflow.references import Uses, composed


@define
class Ledger:
    """The effect and the notes of what is done at one node, added up."""

    effect: Effect
    notes: list[str]

    def add(self, effect: Effect, *notes: str) -> None:
        """Add an effect and notes to it."""
        if effect:
            self.effect |= effect
        self.notes.extend(note for note in notes if note)


@define(eq=False)
class Effects:
    """
    What replacing references did at each node, by the route on which the node was reached.

    `originals` are the nodes of the document by the copies made of them.
    """

    uses: Uses
    policy: Policy
    originals: dict[int, int]
    _at: dict[tuple[int, Route], Effect] = field(factory=dict, init=False)
    _below: dict[tuple[int, Route], Effect] = field(factory=dict, init=False)

    def record(self, node: Schema, route: Route, effect: Effect) -> None:
        """Remember what replacing the references of a node did."""
        if effect:
            self._at[self.originals.get(id(node), id(node)), route] = effect

    def below(self, unit: int, route: Route) -> Effect:
        """The effect on a unit, once rewritten, of all that was done inside it."""
        if not self._at:
            return Effect.EXACT
        known = self._below.get((unit, route))
        if known is None:
            known = self._below[unit, route] = self._summed(unit, route)
        return known

    def _summed(self, unit: int, route: Route) -> Effect:
        effect = Effect.EXACT
        waiting = [(unit, route, Polarity.SAME)]
        while waiting:
            index, way, polarity = waiting.pop()
            for use in self.uses.units[index].uses:
                found = self._at.get((use.node, self.policy.deeper(way, use.objects)))
                if found is not None:
                    effect |= found.seen_through(composed(polarity, use.polarity))
            for inner in self.uses.units[index].inside:
                there = self.policy.in_place(inner.unit, self.policy.deeper(way, inner.objects))
                waiting.append((inner.unit, there, composed(polarity, inner.polarity)))
        return effect
