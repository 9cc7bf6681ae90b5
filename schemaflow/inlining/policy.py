"""
The policy: which references of a document are inlined, and how far.

What a traversal remembers of its way decides; how far all of it reaches is counted
before anything is built.
"""

from bisect import bisect_left
from enum import Enum
from functools import cached_property
from typing import Literal, NamedTuple

from attrs import define, field, frozen

from schemaflow.effect import Effect
from schemaflow.references import DEFINITIONS, STEPS, Inside, Steps, Target, Use, Uses, exceeds


@frozen
class Terms:
    """
    What is asked of inlining.

    `keep` says which references stay, and `inline_under` names keywords: references to
    what lies below those never stay. With `inline_joint`, those are inlined that speak
    of an object together with other schemas, unless they lead to themselves. `unroll` is how
    many times a definition on a cycle is entered again, and `depth` how many objects may
    lie inside one another before recursion ends anyway. `siblings` says what becomes of
    what stands beside a reference, `last` what stands for one that leads nowhere or goes
    on for ever. `home` says whether the targets of references that stay are left where
    they are, or all stand in the root's definitions. With `spares`, references that the
    standard does not resolve, and those that their draft does not know, are left alone.
    Without `passes_over`, references inside definitions are inlined that a later step will drop.
    """

    keep: Literal["none", "cyclic", "resolvable"] = "none"
    inline_under: tuple[str, ...] = ()
    inline_joint: bool = False
    unroll: int = 1
    depth: int | None = None
    siblings: Literal["intersect", "standard", "drop"] = "intersect"
    last: Literal["object", "any"] = "object"
    home: Literal["place", "definitions"] = "place"
    spares: bool = False
    passes_over: bool = True

    @property
    def passed_over(self) -> frozenset[str]:
        """The keywords of the root under which everything is left as it is, for a later step to drop."""
        if not self.passes_over:
            return frozenset()
        return DEFINITIONS if self.keep == "none" else DEFINITIONS.intersection(self.inline_under)

    @property
    def inlines_some(self) -> bool:
        """Whether references are inlined that `keep` alone would let stay."""
        return bool(self.inline_under) or self.inline_joint


class Stop(Enum):
    """Why a reference is not inlined."""

    KEPT = "kept"
    CYCLE = "cut"
    BUDGET = "over budget"


class Route(NamedTuple):
    """
    What a traversal remembers of its way.

    `entered` are the units that were entered of one cycle of units, `component`: a
    cycle that was left is never met again. `followed` counts references, and `depth`
    the objects that lie inside one another, where that decides anything.
    """

    component: int = -1
    entered: tuple[int, ...] = ()
    followed: int = 0
    depth: int = 0


class State(NamedTuple):
    """What a node inherits: the base URI there, and the route on which it is reached."""

    base: str
    route: Route


@define(eq=False, slots=False)
class Policy:
    """
    Which references are inlined.

    `bound` is how many are followed on one path, None for any number. With a bound,
    the units of a cycle share one count: there are too many ways through them.
    """

    terms: Terms
    uses: Uses
    bound: int | None
    _ways: dict[tuple[int, Route, bool], Route | Stop] = field(factory=dict, init=False)
    _deeper: dict[tuple[Route, int], Route] = field(factory=dict, init=False)

    def go(self, index: int, route: Route, *, is_joint: bool = False) -> Route | Stop:
        """The route into a unit by a reference, or why it is not taken."""
        key = (index, route, is_joint)
        way = self._ways.get(key)
        if way is None:
            way = self._ways[key] = self._way(index, route, is_joint=is_joint)
        return way

    def _way(self, index: int, route: Route, *, is_joint: bool) -> Route | Stop:
        if self.terms.keep == "none" or index in self._under:
            return self._inlined(index, route)
        if is_joint and index not in self.uses.endless:
            inlined = self._inlined(index, route)
            return Stop.KEPT if isinstance(inlined, Stop) else inlined
        # Over budget, all that may stay does: that loses nothing.
        if index in self.uses.cyclic or self.terms.keep == "resolvable" or self.bound is not None:
            return Stop.KEPT
        return self._inlined(index, route)

    def _inlined(self, index: int, route: Route) -> Route | Stop:
        if self.bound is not None and route.followed >= self.bound:
            return Stop.BUDGET
        followed = route.followed if self.bound is None else route.followed + 1
        if index not in self.uses.cyclic:
            return self._aside(index, followed, route.depth)
        if self._is_deep(index, route.depth):
            return Stop.CYCLE
        component = self.uses.component_of[index]
        entered = route.entered if route.component == component else ()
        often = len(entered) if self.bound is not None else entered.count(index)
        if often > self._most(component):
            return Stop.CYCLE
        return self._into(index, entered, followed, route.depth)

    def _aside(self, index: int, followed: int, depth: int) -> Route:
        """The route into a unit that lies on no cycle."""
        return Route(followed=followed, depth=depth if index in self.uses.leading_to_cycles else 0)

    def _is_deep(self, index: int, depth: int) -> bool:
        """Whether a later step that cuts objects would leave no more of a unit than a cut of the recursion does."""
        most = self.terms.depth
        if most is None or depth < most:
            return False
        return depth > most or (self.terms.last == "object" and self.uses.units[index].schema.get("type") == "object")

    def deeper(self, route: Route, objects: int) -> Route:
        """The route below a number of further objects."""
        if not objects or self.terms.depth is None or route.depth > self.terms.depth:
            return route
        deeper = self._deeper.get((route, objects))
        if deeper is None:
            depth = min(route.depth + objects, self.terms.depth + 1)
            deeper = self._deeper[route, objects] = route._replace(depth=depth)
        return deeper

    def _most(self, component: int) -> int:
        if self.bound is None:
            return self.terms.unroll
        return (self.terms.unroll + 1) * self.uses.sizes[component] - 1

    def _into(self, index: int, entered: tuple[int, ...], followed: int, depth: int) -> Route:
        component = self.uses.component_of[index]
        if self.terms.depth is not None and self.terms.unroll > self.terms.depth and component in self.uses.descending:
            # The depth ends every recursion here, before the units entered are too many: no need to know them.
            return Route(followed=followed, depth=depth)
        if self.bound is not None:
            return Route(component, (*entered, component), followed, depth)
        return Route(component, tuple(sorted([*entered, index])), followed, depth)

    def in_place(self, index: int, route: Route) -> Route:
        """The route into a unit that stands inside another."""
        if index not in self.uses.cyclic:
            return self._aside(index, route.followed, route.depth)
        entered = route.entered if route.component == self.uses.component_of[index] else ()
        return self._into(index, entered, route.followed, route.depth)

    @cached_property
    def _under(self) -> frozenset[int]:
        return frozenset(index for index, unit in enumerate(self.uses.units) if self.is_under(unit.target))

    def is_under(self, target: Target | None) -> bool:
        """Whether a target lies below a keyword that a later step drops."""
        under = self.terms.inline_under
        return bool(under) and target is not None and any(keyword in under for _, keyword in target.above())

    def losing(self, effect: Effect) -> Effect:
        """The effect of a last resort, which evaluates nothing that `unevaluated*` could see."""
        return Effect.BOTH if self.uses.has_unevaluated else effect

    @property
    def steps(self) -> Steps[Route]:
        """The policy as what `Uses.extent` asks for."""

        def by_reference(use: Use, route: Route) -> Route | None:
            further = self.go(use.target, self.deeper(route, use.objects), is_joint=use.is_joint)
            return None if isinstance(further, Stop) else further

        def in_place(inner: Inside, route: Route) -> Route:
            return self.in_place(inner.unit, self.deeper(route, inner.objects))

        return Steps(by_reference, in_place)


def largest_bound(terms: Terms, uses: Uses) -> int | None:
    """The largest number of references on one path with which the document is within its limit, None for any."""

    def fits(bound: int | None) -> bool:
        steps = Policy(terms, uses, bound).steps
        return uses.extent(Route(), steps) is not None

    if terms.keep == "none" and uses.is_flat and not exceeds(uses.once(), uses.limit):
        # The usual case, at a fraction of the cost.
        return None
    if (terms.keep == "resolvable" and not terms.inlines_some) or fits(None):
        return None
    if terms.keep != "none" and not terms.inlines_some:
        return 0
    most = 1
    while most < STEPS and fits(most):
        most *= 2
    return bisect_left(range(1, most + 1), True, key=lambda bound: not fits(bound))
