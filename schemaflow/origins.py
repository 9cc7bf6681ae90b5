"""
Origins: where each node of an output came from, traced by identity.

Rules move children by reference and the visitor shares what it does not change, so
the objects themselves tell. Nothing of this is worked out until a report is read.
"""

from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import Any, Final, TypeAlias

from attrs import field, frozen

from schemaflow.keywords import CHILDREN, Children, JsonValue, Token, subschemas
from schemaflow.trace import Event, Traced

Path: TypeAlias = tuple[Token, ...]

_MISSING: Final[tuple[()]] = ()


def nodes(document: JsonValue) -> Iterator[tuple[Path, Any]]:
    """Every distinct schema object of a document and every boolean schema, each at its first path, parents first."""
    waiting: list[tuple[Path, Any]] = [((), document)]
    seen: set[int] = set()
    while waiting:
        path, node = waiting.pop()
        if isinstance(node, dict):
            if id(node) in seen:
                continue
            seen.add(id(node))
        yield path, node
        if isinstance(node, dict):
            below = [
                ((*path, keyword) if token is None else (*path, keyword, token), child)
                for keyword, token, child in subschemas(node)
            ]
            waiting.extend(reversed(below))


def value_at(document: JsonValue, path: Path) -> Any:
    """The value at a path, or an empty tuple, which is no JSON value."""
    for token in path:
        try:
            document = document[token]
        except (KeyError, IndexError, TypeError):
            return _MISSING
    return document


def along(document: JsonValue, path: Path) -> Iterator[tuple[Path, Any]]:
    """
    The schemas on the way to a schema, each with the part of the path that leads to it from the one above.

    The way ends early where the path leads to no schema.
    """
    yield (), document
    node = document
    while path:
        below = path[: 1 if _stands_alone(node, path[0]) else 2]
        node = value_at(node, below)
        if path[0] not in CHILDREN or not isinstance(node, (dict, bool)):
            return
        path = path[len(below) :]
        yield below, node


def _stands_alone(node: Any, keyword: Token) -> bool:
    """Whether a keyword's value is itself a subschema."""
    is_single = CHILDREN.get(str(keyword)) in (Children.ONE, Children.ONE_OR_MANY)
    return is_single and isinstance(value_at(node, (keyword,)), (dict, bool))


@frozen
class Origin:
    """A path in the input, and whether what stood there was moved: it is not below what its parent comes from."""

    path: Path
    moved: bool = False


@frozen(eq=False)
class PassOrigins:
    """One pass, seen backwards (output path to input path) and forwards."""

    document: JsonValue
    traced: Traced
    # What is known of places on the way to others: the schema there, and where it comes from or what became of it.
    _known: dict[Path, tuple[Any, Origin]] = field(factory=dict, init=False)
    _followed: dict[Path, tuple[Any, Path | None]] = field(factory=dict, init=False)
    _held: dict[int, frozenset[int]] = field(factory=dict, init=False)

    def back(self, path: Path) -> Path:
        """The path in the input of what stands at a path in the output: its own, or for a new node its parent's."""
        return self._origin(path).path

    def back_from(self, node: Any, above: Path, below: Path) -> Path:
        """The path in the input of a node that stood, while the pass ran, below what the output has at a path."""
        return self._own_origin(node, self.back(above), below).path

    def _origin(self, path: Path) -> Origin:
        above = nearest(self._known, path)
        node, origin = self._known.get(above, (self.traced.schema, Origin(())))
        for below, found in along(node, path[len(above) :]):
            above = (*above, *below)
            if above not in self._known:
                self._known[above] = (found, self._own_origin(found, origin.path, below))
            origin = self._known[above][1]
        return origin

    def forth(self, path: Path) -> Path | None:
        """The path in the output of what stands at a path in the input; None where it is gone."""
        above = nearest(self._followed, path)
        node, place = self._followed.get(above, (self.document, ()))
        for below, found in along(node, path[len(above) :]):
            above = (*above, *below)
            if above not in self._followed:
                self._followed[above] = (found, self._follow(found, None if place is None else (*place, *below)))
            place = self._followed[above][1]
        return place

    def _follow(self, node: Any, place: Path | None) -> Path | None:
        """A place where a node of the input stands in the output, preferably the given one."""
        if place is not None and self._is_now(node, value_at(self.traced.schema, place)):
            return place
        return self._moved.get(id(node)) if isinstance(node, dict) else None

    def _is_now(self, node: Any, later: Any) -> bool:
        if isinstance(later, bool) and isinstance(node, dict):
            return any(event.after is later for event in self._changes.get(id(node), ()))
        return self.source(later) is node

    def forth_to(self, node: Any, above: Path, below: Path) -> Path | None:
        """The path in the output of a node that was put below what the input has at a path; None where it is gone."""
        place = self.forth(above)
        if place is not None and self._became(node, value_at(self.traced.schema, (*place, *below))):
            return (*place, *below)
        return self.forth((*above, *below))

    def taken_by(self, path: Path) -> Event | None:
        """The change that took away what stood at a path in the input, None where none can be told."""
        way = [node for _, node in along(self.document, path)]
        for node, below in zip(way, [*way[1:], _MISSING], strict=True):
            for event in self._changes.get(id(node), ()):
                if not self._holds(event.after, node if below is _MISSING else below):
                    return event
        return None

    def _holds(self, schema: Any, node: Any) -> bool:
        """Whether a schema is, or holds, what a node of the input has become."""
        known = self._held.get(id(schema))
        if known is None:
            held = [child for _, _, child in subschemas(schema)] if isinstance(schema, dict) else []
            # Of many members each is asked about: to go through them all each time would be dear.
            sources = (one if isinstance(one, bool) else self.source(one) for one in (schema, *held))
            known = self._held[id(schema)] = frozenset(map(id, sources))
        if id(node) in known or not isinstance(node, dict):
            return id(node) in known
        return any(
            isinstance(event.after, bool) and id(event.after) in known for event in self._changes.get(id(node), ())
        )

    @cached_property
    def _places(self) -> Mapping[int, Path]:
        places: dict[int, Path] = {}
        for path, node in nodes(self.document):
            if isinstance(node, dict):
                places.setdefault(id(node), path)
        return places

    @cached_property
    def _sources(self) -> Mapping[int, Any]:
        sources = {id(new): old for new, old in self.traced.sources}
        # A returned node comes from the node that it replaces, unless it stood elsewhere already.
        for node, event in self._replaced:
            is_new = event.after is not event.before and id(event.after) not in self._places
            if is_new and isinstance(event.after, dict):
                sources.setdefault(id(event.after), node)
        return sources

    @cached_property
    def _replaced(self) -> list[tuple[Any, Event]]:
        """The changes, each with the node changed; where that was made a boolean just before, what it was then."""
        replaced: list[tuple[Any, Event]] = []
        for event in self.traced.distinct:
            node = event.before
            if isinstance(node, bool) and replaced:
                known, last = replaced[-1]
                node = known if last.link is event.link and last.after is node else node
            replaced.append((node, event))
        return replaced

    @cached_property
    def _changes(self) -> Mapping[int, list[Event]]:
        """For the nodes of the input that were changed, how."""
        changes: dict[int, list[Event]] = {}
        for node, event in self._replaced:
            source = self.source(node)
            if isinstance(source, dict):
                changes.setdefault(id(source), []).append(event)
        return changes

    @cached_property
    def _moved(self) -> Mapping[int, Path]:
        """For the nodes of the input that stand elsewhere in the output, one path there."""
        moved: dict[int, Path] = {}
        for path, node in nodes(self.traced.schema):
            if self._origin(path).moved:
                moved.setdefault(id(self.source(node)), path)
        return moved

    def _made_from(self, node: Any) -> Iterator[Any]:
        """The node, and what it is made from, as far back as the pass goes."""
        yield node
        for _ in range(len(self._sources)):
            if id(node) not in self._sources:
                return
            node = self._sources[id(node)]
            yield node

    def source(self, node: Any) -> Any:
        """The node of the input that a node of the output, or of a state between, was made from; itself if none."""
        *_, source = self._made_from(node)
        return source

    def _became(self, node: Any, later: Any) -> bool:
        return any(one is node for one in self._made_from(later))

    def _own_origin(self, node: Any, above: Path, below: Path) -> "Origin":
        """Where a node comes from, `below` the one that comes from `above`."""
        likely = (*above, *below)
        if not isinstance(node, dict):
            return Origin(above if value_at(self.document, likely) is _MISSING else likely)
        source = self.source(node)
        # The same object may stand in several places of the input: the place that it should have wins.
        if value_at(self.document, likely) is source:
            return Origin(likely)
        place = self._places.get(id(source))
        return Origin(above) if place is None else Origin(place, moved=True)


def nearest(known: Mapping[Path, Any], path: Path) -> Path:
    """The longest beginning of a path that is known; the root, if none is."""
    for length in range(len(path), 0, -1):
        if path[:length] in known:
            return path[:length]
    return ()
