"""
The visitor: the one traversal of a document. Nobody else recurses over schemas.

`walk` runs the fused steps of one pass, top-down or children first. `inherit`
serves document rules: a top-down rewrite that carries a value from a node to its
children. `measure` counts. All enter subschemas by the keyword table alone, so
names and data are never taken for schemas, and all share what did not change.
"""

from collections.abc import Callable, Hashable, Iterable, Sequence
from functools import cached_property
from typing import Any, Generic, TypeAlias, TypeVar

from attrs import frozen

from schemaflow.contract import Order
from schemaflow.errors import ContractError, LimitError, NotJsonError, Unsupported
from schemaflow.keywords import JsonValue, Token, pointer, subschemas
from schemaflow.rule import Rewrite
from schemaflow.shapes import Holder, Shape, Shapes, WalkStep
from schemaflow.trace import Known, Link, Traced, tokens

Visit: TypeAlias = Callable[[Any, Traced], Any]


@frozen(eq=False, slots=False)
class Walk:
    """The fused steps of one pass, compiled to functions when first needed."""

    steps: tuple[WalkStep, ...]
    order: Order = Order.PARENTS_FIRST

    @cached_property
    def _visit(self) -> Visit:
        return _compile(self, shared=False)

    @cached_property
    def _visit_shared(self) -> Visit:
        return _compile(self, shared=True)

    def run(self, document: JsonValue, *, shared: bool = False) -> Traced:
        """
        Run the pass over a document; with `shared`, a node that stands in several places is visited once.

        What a rule raises, but for `Unsupported`, goes through.
        """
        log = Traced(document, [], shared, [], 1, {} if shared else _UNUSED)
        visit = self._visit_shared if shared else self._visit
        log.schema = visit(document, log)
        if shared or self.order is Order.CHILDREN_FIRST:
            # A shared node is visited at one of its levels, and a finished child is not where it was.
            log.levels = None
        return log


def _compile(walk: Walk, *, shared: bool) -> Visit:
    # The tables become local variables of functions made once: a run only calls them.
    shapes = Shapes(walk.steps)
    known, learn = shapes.known.get, shapes.learn
    boolean, working = shapes.boolean, ~shapes.dropping
    steps = {1 << index: step for index, step in enumerate(walk.steps)}
    places = [step.place for step in walk.steps if step.place is not None]

    def fired(node: Any, shape: Shape) -> int:
        """The bits of the steps that a schema object triggers."""
        bits = shape.bits
        for keyword, texts, any_text, kinds in shape.values:
            value = node[keyword]
            if value.__class__ is str:
                bits |= texts.get(value, any_text)
            else:
                bits |= kinds.get(value.__class__, 0)
        for keyword, bit, trigger in shape.asked:
            if trigger.holds(keyword, node[keyword]):
                bits |= bit
        return bits

    def rewrite(node: Any, bits: int, link: Link, log: Traced) -> Any:
        """Run the steps of these bits at a node, in order."""
        if bits and node.__class__ is dict and tuple in map(type, node.values()):
            raise _refusal(link, next(keyword for keyword in node if node[keyword].__class__ is tuple))
        while bits:
            lowest = bits & -bits
            bits ^= lowest
            step = steps[lowest]
            if step.guard is not None and not step.guard(node, link):
                continue
            try:
                answer = step.rewrite(node)
            except Unsupported as reason:
                log.log.append((link, step.number, node, node, reason))
                continue
            detail = None
            if answer.__class__ is Rewrite:
                detail, answer = answer, answer.schema
            if answer is node:
                continue
            if answer.__class__ is not dict and answer.__class__ is not bool:
                raise ContractError(f"returned {type(answer).__name__}, not a schema", step.name)
            log.log.append((link, step.number, node, answer, detail))
            node = answer
            if bits or lowest & working:
                # Later steps see the new node: what triggers them may have come or gone.
                if node.__class__ is not dict:
                    bits = boolean & -(lowest << 1)
                    continue
                shape = known(tuple(node)) or learn(node)
                bits = fired(node, shape) & -(lowest << 1)
                if bits and not bits & working and shape.drops[0][0] > step.number:
                    return rid(node, shape, link, log)
        return node

    def parents_first(node: Any, shape: Shape, bits: int, link: Link, level: int, log: Traced) -> Any:
        if bits & working:
            new = rewrite(node, bits, link, log)
            if new.__class__ is not dict:
                return new
            if new is not node:
                node = new
                shape = known(tuple(node)) or learn(node)
        elif bits:
            return descend(rid(node, shape, link, log), shape.left, link, level, log)
        return descend(node, shape.holders, link, level, log)

    def children_first(node: Any, shape: Shape, bits: int, link: Link, level: int, log: Traced) -> Any:
        if shape.holders:
            node = descend(node, shape.holders, link, level, log)
            bits = fired(node, shape)
        return rewrite(node, bits, link, log) if bits else node

    enter = children_first if walk.order is Order.CHILDREN_FIRST else parents_first

    def remember(node: Any, shape: Shape, bits: int, link: Link, level: int, log: Traced) -> Any:
        key = (id(node), *(place(link) for place in places))
        before = log.memo.get(key)
        if before is not None:
            return before.repeat(link, log.log)
        start = len(log.log)
        result = enter(node, shape, bits, link, level, log)
        log.memo[key] = Known(node, result, link, start, len(log.log))
        return result

    visit = remember if shared else enter

    def root(document: Any, log: Traced) -> Any:
        if document.__class__ is not dict:
            return truth(document, None, 1, log)
        shape = known(tuple(document)) or learn(document)
        return visit(document, shape, fired(document, shape), None, 1, log)

    def truth(node: bool, link: Link, level: int, log: Traced) -> Any:
        """A boolean schema, visited."""
        new = rewrite(node, boolean, link, log)
        if new.__class__ is not dict or enter is children_first:
            return new
        shape = known(tuple(new)) or learn(new)
        return descend(new, shape.holders, link, level, log)

    def child(node: Any, above: Link, keyword: str, level: int, log: Traced) -> Any:
        """The one schema object that a keyword holds, visited."""
        shape = known(tuple(node)) or learn(node)
        bits = fired(node, shape)
        return visit(node, shape, bits, (above, keyword, None), level, log) if bits or shape.holders else node

    def several(value: Any, members: Iterable[Any], keyword: str, above: Link, level: int, log: Traced) -> Any:
        """A map or a list of subschemas, with these visited."""
        fresh = None
        for token, member in members:
            if member.__class__ is dict:
                shape = known(tuple(member)) or learn(member)
                # As in `fired`, since a call for each node would be felt.
                bits = shape.bits
                for name, texts, any_text, kinds in shape.values:
                    tested = member[name]
                    if tested.__class__ is str:
                        bits |= texts.get(tested, any_text)
                    else:
                        bits |= kinds.get(tested.__class__, 0)
                if shape.asked:
                    bits = fired(member, shape)
                if shape.holders or bits & working:
                    new = visit(member, shape, bits, (above, keyword, token), level, log)
                elif bits:
                    new = rid(member, shape, (above, keyword, token), log)
                else:
                    continue
            elif boolean and member.__class__ is bool:
                new = truth(member, (above, keyword, token), level, log)
            else:
                continue
            if new is not member:
                if fresh is None:
                    fresh = value.copy()
                fresh[token] = new
        return value if fresh is None else fresh

    def rid(node: dict[str, Any], shape: Shape, link: Link, log: Traced) -> dict[str, Any]:
        """A node at which only such steps are triggered as drop, without what they drop."""
        for number, dropped in shape.drops:
            new = node.copy()
            for keyword in dropped:
                del new[keyword]
            log.log.append((link, number, node, new, None))
            node = new
        return node

    def descend(node: Any, holders: tuple[Holder, ...], link: Link, level: int, log: Traced) -> Any:
        """A schema object with its children visited."""
        fresh = None
        below = level + 1
        for keyword, is_map, is_list, is_one in holders:
            value = node[keyword]
            kind = value.__class__
            if kind is dict or kind is list:
                if level >= log.levels:  # type: ignore[operator]
                    log.levels = below
                if kind is dict and is_map:
                    new = several(value, value.items(), keyword, link, below, log)
                elif kind is dict and is_one:
                    new = child(value, link, keyword, below, log)
                elif kind is list and is_list:
                    new = several(value, enumerate(value), keyword, link, below, log)
                else:
                    continue
            elif boolean and is_one and kind is bool:
                # What becomes of it may be an object, a level further down.
                log.levels = max(log.levels, below)  # type: ignore[type-var]
                new = truth(value, (link, keyword, None), below, log)
            elif kind is tuple:
                raise _refusal(link, keyword)
            else:
                continue
            if new is not value:
                if fresh is None:
                    fresh = node.copy()
                fresh[keyword] = new
        if fresh is None:
            return node
        log.sources.append((fresh, node))
        return fresh

    return root


_UNUSED: dict[Hashable, Known] = {}


def _refusal(link: Link, keyword: str) -> NotJsonError:
    return NotJsonError("a tuple is not JSON: use a list", pointer([*tokens(link), keyword]))


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
