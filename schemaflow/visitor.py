"""
The visitor: the one traversal of a document. Nobody else recurses over schemas.

`walk` runs the fused steps of one pass, top-down or children first. `inherit`
serves document rules: a top-down rewrite that carries a value from a node to its
children. `measure` counts. All enter subschemas by the keyword table alone, so
names and data are never taken for schemas, and all share what did not change.
"""

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from functools import cached_property
from typing import Any, Generic, TypeAlias, TypeVar

from attrs import field, frozen

from schemaflow.errors import ContractError, LimitError, NotJsonError, Unsupported
from schemaflow.keywords import CHILDREN, Children, JsonValue, Token, pointer, subschemas
from schemaflow.rule import BoundRule, Order, Rewrite, Trigger
from schemaflow.trace import Known, Link, Traced, tokens

Guard: TypeAlias = Callable[[Any, Link], bool]
Place: TypeAlias = Callable[[Link], Hashable]


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


@frozen(eq=False)
class Values:
    """
    The steps that a keyword triggers by its value, as bits.

    `texts` by the value, where it is a string; `kinds` by its Python type; `others`
    are the triggers that have to be asked.
    """

    texts: Mapping[str, int]
    kinds: Mapping[type, int]
    others: tuple[tuple[int, str, Trigger], ...]

    @classmethod
    def of(cls, keyword: str, triggers: Mapping[int, Trigger]) -> "Values":
        """The table for a keyword and the triggers that look at its value, by their bits."""
        texts: dict[str, int] = {}
        kinds: dict[type, int] = {}
        others: list[tuple[int, str, Trigger]] = []
        for bit, trigger in triggers.items():
            values, types = trigger.valued[keyword]
            for kind in types:
                kinds[kind] = kinds.get(kind, 0) | bit
            for value in values:
                if isinstance(value, str):
                    texts[value] = texts.get(value, 0) | bit
            if not all(isinstance(value, str) for value in values):
                others.append((bit, keyword, trigger))
        if list in kinds:
            # No rule sees a tuple, but the node that holds it has to be visited to say so.
            kinds[tuple] = kinds[list]
        return cls(texts, kinds, tuple(others))


Row: TypeAlias = tuple[int, Values | None, Children | None]


@frozen(eq=False)
class Walk:
    """
    The fused steps of one pass, compiled to tables.

    Each step has a bit. A keyword's row holds the bits of the steps that it
    triggers, the triggers that also look at its value, and how it holds children.
    `hard` are the keywords that need a visit; `watched` those that need one if their
    value is of a certain type. A node with neither is at most rid of keywords by
    `drops`, the steps that only drop: nearly all nodes of most tools are such.
    """

    steps: tuple[WalkStep, ...]
    order: Order = Order.PARENTS_FIRST
    rows: Mapping[str, Row] = field(init=False)
    unlisted: Row | None = field(init=False)
    every: int = field(init=False)
    boolean: int = field(init=False)
    hard: frozenset[str] = field(init=False)
    watched: tuple[tuple[str, Values], ...] = field(init=False)
    drops: tuple[WalkStep, ...] = field(init=False)
    picky: bool = field(init=False)

    def __attrs_post_init__(self) -> None:
        set_ = object.__setattr__
        set_(self, "every", self._bits(lambda trigger: trigger.every))
        set_(self, "boolean", self._bits(lambda trigger: trigger.boolean))
        outside = self._bits(lambda trigger: trigger.outside is not None)
        set_(self, "unlisted", (outside, None, None) if outside else None)
        rows = {keyword: self._row(keyword) for keyword in self._keywords()}
        busy = {keyword: row for keyword, row in rows.items() if row != (0, None, None)}
        dropping = sum(1 << index for index, step in enumerate(self.steps) if step.only_drops)
        watched = {
            keyword: values
            for keyword, (bits, values, children) in busy.items()
            if values is not None and not values.others and not bits and children is None
        }
        # What is dropped and triggers nothing else needs no visit, whatever it holds.
        easy = watched.keys() | {
            keyword for keyword, (bits, values, _) in busy.items() if bits and not bits & ~dropping and values is None
        }
        set_(self, "rows", rows if outside else busy)
        set_(self, "hard", frozenset(busy.keys() - easy))
        set_(self, "watched", tuple(watched.items()))
        set_(self, "drops", tuple(step for step in self.steps if step.only_drops))
        # Steps that any unlisted keyword triggers, or that every node does, must see all nodes.
        set_(self, "picky", bool(self.every or outside & ~dropping))

    def _bits(self, holds: Callable[[Trigger], bool]) -> int:
        return sum(1 << index for index, step in enumerate(self.steps) if holds(step.trigger))

    def _keywords(self) -> set[str]:
        named: set[str] = set(CHILDREN)
        for step in self.steps:
            named |= step.trigger.keywords | step.trigger.valued.keys() | (step.trigger.outside or frozenset())
        return named

    def _row(self, keyword: str) -> Row:
        bits = self._bits(
            lambda trigger: (
                keyword in trigger.keywords or (trigger.outside is not None and keyword not in trigger.outside)
            )
        )
        triggers = {1 << index: step.trigger for index, step in enumerate(self.steps)}
        valued = {bit: trigger for bit, trigger in triggers.items() if keyword in trigger.valued}
        return bits, Values.of(keyword, valued) if valued else None, CHILDREN.get(keyword)

    @cached_property
    def _visit(self) -> "Visit":
        return _compile(self, shared=False)

    @cached_property
    def _visit_shared(self) -> "Visit":
        return _compile(self, shared=True)

    def run(self, document: JsonValue, *, shared: bool = False) -> Traced:
        """
        Run the pass over a document; with `shared`, a node that stands in several places is visited once.

        What a rule raises, but for `Unsupported`, goes through.
        """
        log = Traced(document, [], shared, [], 1)
        visit = self._visit_shared if shared else self._visit
        log.schema = visit(document, None, 1, log)
        if shared or self.order is Order.CHILDREN_FIRST:
            # A shared node is visited at one of its levels, and a finished child is not where it was.
            log.levels = None
        return log


Visit: TypeAlias = Callable[[Any, Link, int, Traced], Any]


def _compile(walk: Walk, *, shared: bool) -> Visit:
    # The tables become local variables of functions made once: a run only calls them.
    row_of = walk.rows.get
    unlisted, every, boolean = walk.unlisted, walk.every, walk.boolean
    steps = {1 << index: step for index, step in enumerate(walk.steps)}
    places = [step.place for step in walk.steps if step.place is not None]
    needs_no_visit = walk.hard.isdisjoint
    watched = [(keyword, values.texts, values.kinds) for keyword, values in walk.watched]
    drops, picky = walk.drops, walk.picky
    has_none_to_drop = _has_none_to_drop(drops)

    def refusal(link: Link, keyword: str) -> NotJsonError:
        return NotJsonError("a tuple is not JSON: use a list", pointer([*tokens(link), keyword]))

    def fired(node: Any) -> int:
        """The bits of the steps that a node triggers."""
        if node.__class__ is not dict:
            return boolean
        bits = every
        for keyword in node:
            row = row_of(keyword, unlisted)
            if row is not None:
                bits |= row[0]
                if row[1] is not None:
                    bits |= fired_by(row[1], node[keyword])
        return bits

    def fired_by(values: Values, value: Any) -> int:
        bits = values.kinds.get(value.__class__, 0)
        if value.__class__ is str:
            bits |= values.texts.get(value, 0)
        for bit, keyword, trigger in values.others:
            if trigger.holds(keyword, value):
                bits |= bit
        return bits

    def is_easy(node: dict[str, Any]) -> bool:
        """Whether nothing at a node triggers a step or holds a child, dropping aside."""
        if picky or not needs_no_visit(node):
            return False
        for keyword, texts, kinds in watched:
            value = node.get(keyword)
            if value.__class__ in kinds or (value.__class__ is str and value in texts):
                return False
        return True

    def rid(node: dict[str, Any], link: Link, keyword: str, token: Token | None, log: Traced) -> dict[str, Any]:
        """An easy node without what the pass drops."""
        if has_none_to_drop(node):
            return node
        for drop in drops:
            if drop.trigger.fires(node):
                new: dict[str, Any] = drop.rewrite(node)
                log.log.append(((link, keyword, token), drop.number, node, new, None))
                node = new
        return node

    def parents_first(node: Any, link: Link, level: int, log: Traced) -> Any:
        bits = fired(node)
        if bits:
            node = rewrite(node, bits, link, log)
        result = descend(node, link, level, log)
        if result is not node:
            log.sources.append((result, node))
        return result

    def children_first(node: Any, link: Link, level: int, log: Traced) -> Any:
        result = descend(node, link, level, log)
        if result is not node:
            log.sources.append((result, node))
        return rewrite(result, fired(result), link, log)

    enter = children_first if walk.order is Order.CHILDREN_FIRST else parents_first

    def remember(node: Any, link: Link, level: int, log: Traced) -> Any:
        key = (id(node), *(place(link) for place in places))
        known = log.memo.get(key)
        if known is not None:
            return known.repeat(link, log.log)
        start = len(log.log)
        result = enter(node, link, level, log)
        log.memo[key] = Known(node, result, link, start, len(log.log))
        return result

    visit = remember if shared else enter

    def rewrite(node: Any, bits: int, link: Link, log: Traced) -> Any:
        """Run the steps of these bits at a node, in order."""
        if bits and node.__class__ is dict and tuple in map(type, node.values()):
            raise refusal(link, next(keyword for keyword in node if node[keyword].__class__ is tuple))
        record = log.log.append
        while bits:
            lowest = bits & -bits
            bits ^= lowest
            step = steps[lowest]
            if step.guard is not None and not step.guard(node, link):
                continue
            try:
                answer = step.rewrite(node)
            except Unsupported as reason:
                record((link, step.number, node, node, reason))
                continue
            detail = None
            if answer.__class__ is Rewrite:
                detail, answer = answer, answer.schema
            if answer is node:
                continue
            if answer.__class__ is not dict and answer.__class__ is not bool:
                raise ContractError(f"returned {type(answer).__name__}, not a schema", step.name)
            record((link, step.number, node, answer, detail))
            node = answer
            if bits or not step.only_drops:
                # Later steps see the new node: what triggers them may have come or gone.
                bits = fired(node) & -(lowest << 1)
        return node

    def descend(node: Any, link: Link, level: int, log: Traced) -> Any:
        """A node with its children visited."""
        if node.__class__ is not dict:
            return node
        fresh = None
        for keyword in node:
            row = row_of(keyword)
            if row is None or row[2] is None:
                continue
            value = node[keyword]
            if value.__class__ is dict or value.__class__ is list or value.__class__ is tuple:
                new = held(value, keyword, row[2], link, level + 1, log)
            elif boolean and value.__class__ is bool and row[2] in _SINGLE:
                # What becomes of it may be an object, a level further down.
                log.levels = max(log.levels, level + 1)  # type: ignore[type-var]
                new = visit(value, (link, keyword, None), level + 1, log)
            else:
                continue
            if new is not value:
                if fresh is None:
                    fresh = node.copy()
                fresh[keyword] = new
        return node if fresh is None else fresh

    def held(value: Any, keyword: str, kind: Children, link: Link, level: int, log: Traced) -> Any:
        """The value of a keyword that holds children, with these visited."""
        if level > log.levels:  # type: ignore[operator]  # noqa: PLR1730 -- a call costs more
            log.levels = level
        if value.__class__ is dict:
            if kind in _NAMED:
                return several(value, value.items(), keyword, link, level, log)
            if kind not in _SINGLE:
                return value
            if is_easy(value):
                return rid(value, link, keyword, None, log)
            return visit(value, (link, keyword, None), level, log)
        if value.__class__ is list:
            return several(value, enumerate(value), keyword, link, level, log) if kind in _LISTED else value
        raise refusal(link, keyword)

    def several(value: Any, members: Iterable[Any], keyword: str, link: Link, level: int, log: Traced) -> Any:
        fresh = None
        for token, child in members:
            if child.__class__ is dict and is_easy(child):
                new = rid(child, link, keyword, token, log)
            elif child.__class__ is dict or (boolean and child.__class__ is bool):
                new = visit(child, (link, keyword, token), level, log)
            else:
                continue
            if new is not child:
                if fresh is None:
                    fresh = value.copy()
                fresh[token] = new
        return value if fresh is None else fresh

    return visit


def _has_none_to_drop(drops: Sequence[WalkStep]) -> Callable[[Iterable[str]], bool]:
    """A quick test for nodes that no step which only drops would change."""
    dropped = frozenset[str]().union(*(step.trigger.keywords for step in drops))
    kept = [step.trigger.outside for step in drops if step.trigger.outside is not None]
    return (frozenset.intersection(*kept) - dropped).issuperset if kept else dropped.isdisjoint


_NAMED = frozenset({Children.NAMED, Children.NAMED_OR_NAMES})
_LISTED = frozenset({Children.MANY, Children.ONE_OR_MANY})
_SINGLE = frozenset({Children.ONE, Children.ONE_OR_MANY})

State = TypeVar("State", bound=Hashable)


@frozen(eq=False)
class Below(Generic[State]):
    """
    A document rule's answer at a node: what stands there, and the value its children inherit.

    With `inherited` None the children are left as they are.
    """

    schema: Any
    inherited: State | None
    detail: Rewrite | None = None


@frozen(eq=False)
class Parts(Generic[State]):
    """
    A document rule's answer at a node that several schemas together replace.

    Each `(schema, value)` is visited as if it stood there; `join` makes one schema
    of the finished ones, and is not visited again.
    """

    parts: Sequence[tuple[Any, State]]
    join: Callable[[list[Any]], Any]
    detail: Rewrite | None = None


def inherit(
    document: JsonValue,
    visit: Callable[[Any, State], "Below[State] | Parts[State]"],
    inherited: State,
    *,
    levels: int,
    booleans: bool = False,
) -> Traced:
    """
    Rewrite a document top-down, carrying a hashable value from each node to its children.

    `visit(node, value)` answers for one node. A node that is met again with an
    equal value is not visited again: the result is shared. Raises LimitError where
    the way to a visit is more than `levels` steps long.
    """
    log: list[Any] = []
    sources: list[tuple[Any, Any]] = []
    memo: dict[Hashable, Known] = {}

    def enter(node: Any, value: State, link: Link, level: int) -> Any:
        key = (id(node), value)
        known = memo.get(key)
        if known is not None:
            return known.repeat(link, log)
        if level > levels:
            raise LimitError(f"more than {levels} schema levels deep")
        start = len(log)
        answer = visit(node, value)
        if isinstance(answer, Parts):
            finished = [enter(part, below, link, level + 1) for part, below in answer.parts]
            result = answer.join(finished)
            source = node
            detail = answer.detail
            if isinstance(result, Rewrite):
                detail, result = result, result.schema
            log.append((link, 0, node, result, detail))
        else:
            if answer.schema is not node:
                log.append((link, 0, node, answer.schema, answer.detail))
            result = source = answer.schema
            if answer.inherited is not None:
                result = descend(result, answer.inherited, link, level + 1)
        if result is not source:
            sources.append((result, source))
        memo[key] = Known(node, result, link, start, len(log))
        return result

    def descend(node: Any, value: State, link: Link, level: int) -> Any:
        if not isinstance(node, dict):
            return node
        fresh: dict[str, Any] | None = None
        for keyword, token, child in subschemas(node):
            if not booleans and isinstance(child, bool):
                continue
            new = enter(child, value, (link, keyword, token), level)
            if new is not child:
                if fresh is None:
                    fresh = node.copy()
                replace_child(node, fresh, keyword, token, new)
        return node if fresh is None else fresh

    result = enter(document, inherited, None, 0)
    return Traced(result, log, True, sources)


def replace_child(node: dict[str, Any], fresh: dict[str, Any], keyword: str, token: Token | None, child: Any) -> None:
    """Put a child into `fresh`, a copy of `node`, copying the container below the keyword once."""
    if token is None:
        fresh[keyword] = child
        return
    if fresh[keyword] is node[keyword]:
        fresh[keyword] = node[keyword].copy()
    fresh[keyword][token] = child


@frozen
class Size:
    """How big a document is when written out: schema objects, levels, and bytes (roughly)."""

    nodes: int
    levels: int
    weight: int


def measure(document: JsonValue, weigh: Callable[[Any], int] = lambda node: 0) -> Size:
    """
    The size of a document as a tree, in time linear in its distinct nodes.

    Shared subtrees count as often as they stand. `weigh` gives a node's own bytes.
    """
    memo: dict[int, Size] = {}

    def enter(node: Any) -> Size:
        known = memo.get(id(node))
        if known is None:
            below = [enter(child) for _, _, child in subschemas(node)] if isinstance(node, dict) else []
            known = memo[id(node)] = Size(
                1 + sum(size.nodes for size in below),
                1 + max((size.levels for size in below), default=0),
                weigh(node) + sum(size.weight for size in below),
            )
        return known

    return enter(document)
