"""
Standing: what a change at a place of a document does to the whole of it.

A place counts for the location that it stands at, and, where references lead to it or
to a node above it, for theirs too: below `not` the two facts of an effect change
places, below `oneOf` or `if` nothing can be told, and a definition counts where it is
referred to and nowhere else.
"""

from collections.abc import Callable, Iterable, Iterator
from functools import cached_property
from typing import Any, Final, NamedTuple

from attrs import field, frozen

from schemaflow.effect import Effect
from schemaflow.keywords import KEYWORDS, READERS, JsonValue, Polarity, Schema, Token, subschemas
from schemaflow.origins import Path, along, nodes, value_at
from schemaflow.references import DEFINITIONS, KEYS, References, composed
from schemaflow.trace import Link

UNEVALUATED: Final = frozenset({"unevaluatedItems", "unevaluatedProperties"})
_DYNAMIC: Final = frozenset({"$dynamicRef", "$recursiveRef"})
_ANCHORS: Final = frozenset({"$dynamicAnchor", "$recursiveAnchor"})
_IN_PLACE: Final = frozenset("allOf anyOf oneOf not if then else dependentSchemas dependencies contains".split())
_EVALUATING: Final = frozenset(name for name, readers in READERS.items() if not UNEVALUATED.isdisjoint(readers))


class View(NamedTuple):
    """
    One way in which a place counts for the whole document.

    Where it is `governed`, an `unevaluated…` keyword at the same location minds what is evaluated there.
    """

    polarity: Polarity
    governed: bool = False


def seen(effect: Effect, views: Iterable[View], *, evaluates_alike: bool) -> Effect:
    """
    The effect on the whole document of a change at a place with these views.

    `evaluates_alike`: before and after, the same members and elements count as evaluated.
    """
    found = Effect.EXACT
    for polarity, governed in views:
        if polarity is Polarity.NONE:
            continue
        mixed = governed and (effect or not evaluates_alike)
        found |= Effect.UNKNOWN if mixed else effect.seen_through(polarity)
    # What narrows in one place and widens in the other has no direction.
    return Effect.UNKNOWN if effect and found is Effect.BOTH and effect is not Effect.BOTH else found


def evaluates_alike(before: JsonValue, after: JsonValue) -> bool:
    """Whether two states of a node say alike which members and elements they evaluate, as far as keywords tell."""
    if not isinstance(before, dict) or not isinstance(after, dict):
        return False
    return all(_reach(before, keyword) == _reach(after, keyword) for keyword in _EVALUATING)


def _reach(schema: Schema, keyword: str) -> Any:
    """The names or the number of elements that a keyword speaks of, or whether it is there at all."""
    value = schema.get(keyword)
    if isinstance(value, dict) and keyword in ("properties", "patternProperties"):
        return value.keys()
    return len(value) if isinstance(value, list) else keyword in schema


def _counts(views: Iterable[View]) -> bool:
    return any(view.polarity is not Polarity.NONE for view in views)


@frozen(eq=False, slots=False)
class Standings:
    """
    How the places of one document count for the whole.

    `is_exclusive` says of a schema object whether no value can match two members of its `oneOf`.
    """

    document: JsonValue
    is_exclusive: Callable[[Schema], bool] = field(default=lambda schema: False)

    def views(self, link: Link) -> frozenset[View]:
        """Every way in which a place counts: by where it stands, and by references to it or to nodes above it."""
        found: set[View] = set()
        arrivals = self._arrivals
        polarity, is_in_place, governed = Polarity.SAME, True, False
        way = self._way(link)
        while True:
            for arrived in arrivals.get(id(way.pop()), ()):
                found.add(View(composed(arrived.polarity, polarity), governed or (is_in_place and arrived.governed)))
            if link is None:
                found.add(View(polarity, governed))
                return frozenset(found)
            link, keyword, _ = link
            holder = way[-1] or {}
            is_in_place = is_in_place and keyword in _IN_PLACE
            governed = governed or (is_in_place and not UNEVALUATED.isdisjoint(holder))
            polarity = composed(self._below(holder, keyword), polarity)

    def is_reached(self, path: Path) -> bool:
        """Whether references that count for the whole lead to a place or to a node above it."""
        reached = self._arrivals
        return any(_counts(reached.get(id(node), ())) for _, node in along(self.document, path)) if reached else False

    def _way(self, link: Link) -> list[Any]:
        """What stands at the places on the way to a link, from the root down."""
        links: list[tuple[Any, str, Token | None]] = []
        while link is not None:
            links.append(link)
            link = link[0]
        way: list[Any] = [self.document]
        for _, keyword, token in reversed(links):
            way.append(value_at(way[-1], (keyword,) if token is None else (keyword, token)))
        return way

    def _below(self, holder: Any, keyword: str) -> Polarity:
        if keyword in DEFINITIONS:
            # Nothing but references leads into a definition.
            return Polarity.NONE
        if keyword == "contains" and "maxContains" in holder:
            return Polarity.MIXED
        if keyword == "oneOf" and self.is_exclusive(holder):
            return Polarity.SAME
        return KEYWORDS[keyword].polarity

    @cached_property
    def _arrivals(self) -> dict[int, set[View]]:
        """The schema objects that references lead to, by id, with the views of those references."""
        arrivals: dict[int, set[View]] = {}
        if not self._has_references:
            return arrivals
        references = References(self.document)
        waiting: list[tuple[Any, str, View]] = [(self.document, references.base, View(Polarity.SAME))]
        known: set[tuple[int, str, View]] = set()
        while waiting:
            node, base, view = waiting.pop()
            if not isinstance(node, dict) or (id(node), base, view) in known:
                continue
            known.add((id(node), base, view))
            inside = references.enter(node, base)
            governed = view.governed or not UNEVALUATED.isdisjoint(node)
            for target, there in self._targets(references, node, inside):
                arrived = View(view.polarity, governed)
                arrivals.setdefault(id(target), set()).add(arrived)
                waiting.append((target, there, arrived))
            for keyword, _, child in subschemas(node):
                if keyword not in DEFINITIONS:
                    below = composed(view.polarity, self._below(node, keyword))
                    waiting.append((child, inside, View(below, governed and keyword in _IN_PLACE)))
        return arrivals

    def _targets(self, references: References, node: Schema, base: str) -> Iterator[tuple[Schema, str]]:
        """The schema objects that the references of a node may lead to, each with the base where it stands."""
        for keyword in KEYS:
            if keyword in node:
                target = references.refer(keyword, node[keyword], base)
                if target is not None and isinstance(target.schema, dict):
                    yield target.schema, target.base
                if keyword in _DYNAMIC:
                    # Which of them it is depends on the way by which validation came here.
                    yield from ((one, base) for one in self._anchored)

    @cached_property
    def _anchored(self) -> list[Schema]:
        found = (node for _, node in nodes(self.document) if isinstance(node, dict))
        return [node for node in found if not _ANCHORS.isdisjoint(node)]

    @cached_property
    def _has_references(self) -> bool:
        return any(isinstance(node, dict) and not _KEY_SET.isdisjoint(node) for _, node in nodes(self.document))


_KEY_SET: Final = frozenset(KEYS)
