"""
Shapes: what the keywords of a node mean to a pass, worked out once for all nodes with the same keywords.

The nodes of real schemas have few different sets of keywords. Hence a pass asks
one table for a node's shape, instead of asking about each keyword of each node.
"""

from collections.abc import Callable, Hashable, Iterable, Mapping
from typing import Any, Final, TypeAlias

from attrs import field, frozen

from schemaflow.contract import Trigger
from schemaflow.keywords import CHILDREN, Children, Schema
from schemaflow.rule import BoundRule
from schemaflow.trace import Link

Guard: TypeAlias = Callable[[Any, Link], bool]
Place: TypeAlias = Callable[[Link], Hashable]

_REMEMBERED: Final = 4096
"""How many shapes a table keeps."""

_WIDE: Final = 64
"""A node with more keywords than this is looked at anew each time."""


@frozen(eq=False)
class WalkStep:
    """
    A step of a pass: its number in the plan, the function to call, when, and where.

    `place` is what its conditions ask about a link, whatever stands there. `only_drops`
    says that it triggers nothing: no later step has to be looked for again after it.
    """

    number: int
    name: str
    rewrite: Callable[[Any], Any]
    trigger: Trigger
    guard: Guard | None = None
    place: Place | None = None
    only_drops: bool = False

    @classmethod
    def of(cls, number: int, bound: BoundRule, guard: Guard | None = None, place: Place | None = None) -> "WalkStep":
        """The step that a bound rule makes."""
        return cls(number, bound.name, bound.rewrite, bound.contract.trigger, guard, place)


Valued: TypeAlias = tuple[str, Mapping[str, int], int, Mapping[type, int]]
"""A keyword with the steps that its value triggers, as bits: by the value where it is a string, those of any
other string, and by its Python type."""

Asked: TypeAlias = tuple[str, int, Trigger]
"""A keyword, and a step whose trigger has to be asked about its value."""

Holder: TypeAlias = tuple[str, bool, bool, bool]
"""A keyword that holds subschemas: whether it holds a map of them, a list, one."""


@frozen(eq=False)
class Shape:
    """
    What a node with certain keywords means to a pass.

    `bits` are the steps that its keywords trigger by being there, `values` and `asked` the
    keywords whose values trigger more, `holders` those with subschemas. `drops` is for a node at
    which no steps are triggered but such as only drop: for each, its number and what it
    takes away; `left` are the holders that remain.
    """

    bits: int
    values: tuple[Valued, ...]
    asked: tuple[Asked, ...]
    holders: tuple[Holder, ...]
    drops: tuple[tuple[int, tuple[str, ...]], ...]
    left: tuple[Holder, ...]


@frozen(eq=False)
class Shapes:
    """
    The steps of a pass, and the shapes seen so far.

    Each step has a bit: the lowest belongs to the first. `boolean` are the steps that
    boolean schemas trigger, `dropping` those that drop keywords and thereby trigger nothing.
    """

    steps: tuple[WalkStep, ...]
    boolean: int = field(init=False)
    dropping: int = field(init=False)
    known: dict[tuple[str, ...], Shape] = field(factory=dict, init=False)

    @boolean.default
    def _boolean(self) -> int:
        return self._bits(lambda step: step.trigger.boolean)

    @dropping.default
    def _dropping(self) -> int:
        return sum(
            1 << index
            for index, step in enumerate(self.steps)
            if step.only_drops and not any(_may_drop(step, later.trigger.lacking) for later in self.steps[index + 1 :])
        )

    def _bits(self, holds: Callable[[WalkStep], bool]) -> int:
        return sum(1 << index for index, step in enumerate(self.steps) if holds(step))

    def learn(self, node: Schema) -> Shape:
        """The shape of a node that is not in `known`, which has it from now on."""
        keywords = tuple(node)
        shape = self._shape(keywords)
        if len(keywords) <= _WIDE:
            if len(self.known) >= _REMEMBERED:
                self.known.clear()
            self.known[keywords] = shape
        return shape

    def _shape(self, keywords: tuple[str, ...]) -> Shape:
        triggers = {
            1 << index: step.trigger
            for index, step in enumerate(self.steps)
            if step.trigger.lacking.isdisjoint(keywords)
        }
        bits = sum(bit for bit, trigger in triggers.items() if _is_listed(trigger, keywords))
        valued = [_valued(keyword, triggers) for keyword in keywords]
        values = tuple(row for row in valued if row[1] or row[3])
        asked = tuple(row for keyword in keywords for row in _asked(keyword, triggers))
        holders = tuple(_holder(keyword) for keyword in keywords if keyword in CHILDREN)
        drops = tuple(self._dropped(keywords))
        gone = {keyword for _, dropped in drops for keyword in dropped}
        return Shape(bits, values, asked, holders, drops, tuple(row for row in holders if row[0] not in gone))

    def _dropped(self, keywords: tuple[str, ...]) -> Iterable[tuple[int, tuple[str, ...]]]:
        """What each step that only drops takes from a node, where it takes anything."""
        for step in self.steps:
            if not step.only_drops:
                continue
            allowed = step.trigger.outside
            dropped = tuple(
                keyword
                for keyword in keywords
                if keyword in step.trigger.keywords or (allowed is not None and keyword not in allowed)
            )
            if dropped:
                yield step.number, dropped
                keywords = tuple(keyword for keyword in keywords if keyword not in dropped)


def _may_drop(step: WalkStep, keywords: frozenset[str]) -> bool:
    """Whether a step that only drops takes any of these away: a later step may be triggered by that."""
    allowed = step.trigger.outside
    return bool(keywords & step.trigger.keywords) or (allowed is not None and not keywords <= allowed)


def _is_listed(trigger: Trigger, keywords: tuple[str, ...]) -> bool:
    """Whether keywords trigger by being there."""
    if trigger.every or not trigger.keywords.isdisjoint(keywords):
        return True
    return trigger.outside is not None and not trigger.outside.issuperset(keywords)


def _holder(keyword: str) -> Holder:
    kind = CHILDREN[keyword]
    return (
        keyword,
        kind in (Children.NAMED, Children.NAMED_OR_NAMES),
        kind in (Children.MANY, Children.ONE_OR_MANY),
        kind in (Children.ONE, Children.ONE_OR_MANY),
    )


def _valued(keyword: str, triggers: Mapping[int, Trigger]) -> Valued:
    texts: dict[str, int] = {}
    kinds: dict[type, int] = {}
    for bit, trigger in triggers.items():
        values, types = trigger.valued.get(keyword, ((), ()))
        for kind in types:
            kinds[kind] = kinds.get(kind, 0) | bit
        for value in values:
            if isinstance(value, str):
                texts[value] = texts.get(value, 0) | bit
    if list in kinds:
        # No rule sees a tuple, but the node that holds it has to be visited to say so.
        kinds[tuple] = kinds[list]
    any_text = kinds.get(str, 0)
    return keyword, {text: bits | any_text for text, bits in texts.items()}, any_text, kinds


def _asked(keyword: str, triggers: Mapping[int, Trigger]) -> Iterable[Asked]:
    """The triggers that compare a keyword's value with more than strings."""
    for bit, trigger in triggers.items():
        values, _ = trigger.valued.get(keyword, ((), ()))
        if not all(isinstance(value, str) for value in values):
            yield keyword, bit, trigger
