"""
Origins: where each node of an output came from, traced by identity.

Rules move children by reference and the visitor shares what it does not change, so
the objects themselves tell. Nothing of this is worked out until a report is read.
"""

from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import Any, Final, TypeAlias

from attrs import frozen

from schemaflow.keywords import JsonValue, Token, subschemas
from schemaflow.trace import Traced

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


@frozen(eq=False)
class PassOrigins:
    """One pass, seen backwards (output path to input path) and forwards."""

    document: JsonValue
    traced: Traced

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
        for event in self.traced.events:
            if id(event.after) not in self._places:
                sources.setdefault(id(event.after), event.before)
        return sources

    @cached_property
    def back(self) -> Mapping[Path, Path]:
        """For each node of the output the path in the input: its own, or for a new node its parent's."""
        return {path: origin for path, (origin, _) in self._traced_back.items()}

    @cached_property
    def forth(self) -> Mapping[Path, Path]:
        """For each node of the input that is still there, its first path in the output."""
        forth: dict[Path, Path] = {}
        for path, (origin, own) in self._traced_back.items():
            if own:
                forth.setdefault(origin, path)
        return forth

    @cached_property
    def _traced_back(self) -> Mapping[Path, tuple[Path, bool]]:
        found: dict[Path, tuple[Path, bool]] = {}
        for path, node in nodes(self.traced.schema):
            parent = nearest(found, path[:-1]) if path else ()
            below = path[len(parent) :]
            origin = (*found[parent][0], *below) if parent in found else below
            own = self._own_origin(node, origin)
            found[path] = (own, True) if own is not None else (found[parent][0] if path else (), not path)
        return found

    def _own_origin(self, node: Any, likely: Path) -> Path | None:
        """The input path of the node that this one is, or is made from; None where it is new."""
        if not isinstance(node, dict):
            return likely if value_at(self.document, likely) is not _MISSING else None
        source = node
        for _ in range(len(self._sources) + 1):
            if id(source) not in self._sources:
                break
            source = self._sources[id(source)]
        # The same object may stand in several places of the input: the place that it should have wins.
        if value_at(self.document, likely) is source:
            return likely
        return self._places.get(id(source))


def nearest(known: Mapping[Path, Any], path: Path) -> Path:
    """The longest beginning of a path that is known; the root, if none is."""
    for length in range(len(path), -1, -1):
        if path[:length] in known:
            return path[:length]
    return ()
