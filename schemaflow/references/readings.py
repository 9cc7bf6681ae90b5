"""
Lenient reading: what a reference can mean which the standard does not resolve.

Tool authors write slashes and percent signs unescaped, names alone, and paths to
where definitions stood once. Such a reference is read if that can mean one thing only.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cached_property
from typing import Final
from urllib.parse import unquote

from attrs import define

from schemaflow.keywords import json_equal
from schemaflow.references.places import DEFINITIONS, NAMES, Place, beneath, unescaped
from schemaflow.references.targets import Target, fragment


@define(eq=False, slots=False)
class Readings:
    """The lenient readings of the references of one document, from the place of its root."""

    root: Place

    def read(self, ref: str, plain: Place | None) -> Target | None:
        """
        The only thing that a reference can mean which the standard does not resolve.

        `plain` is what it names where it is read as a reference of the whole document.
        """
        uri, _, name = ref.partition("#")
        readings: list[Callable[[], Iterable[Place]]] = [
            lambda: self._as_spelled(uri, name),
            lambda: self._anchored(uri, name),
            lambda: self._defined(uri, name, nested=False),
            lambda: self._defined(uri, name, nested=True),
        ]
        if plain is not None and not uri:
            readings.insert(0, lambda: [plain])
        for reading in readings:
            found = _distinct(place for place in reading() if isinstance(place.value, (dict, bool)))
            if found:
                # Two meanings are none; a later reading would only be a bolder guess.
                return Target(found[0], f"{ref!r} read as {fragment(found[0].tokens)!r}") if len(found) == 1 else None
        return None

    def _as_spelled(self, uri: str, name: str) -> Iterable[Place]:
        """The places whose keys hold the slashes or percent signs of a pointer as they are written."""
        segments = name.split("/")[1:]
        if uri or not name.startswith("/") or len(segments) > _LONGEST:
            return ()
        reached: dict[int, list[Place]] = {0: [self.root]}
        for start in range(len(segments)):
            for place in reached.get(start, ()):
                for end in range(start + 1, len(segments) + 1):
                    written = "/".join(segments[start:end])
                    for key in {unescaped(unquote(written)), unescaped(written), written}:
                        below = beneath(place, [key])
                        if below is not None:
                            reached.setdefault(end, []).append(below)
        return reached.get(len(segments), ())

    def _anchored(self, uri: str, name: str) -> Iterable[Place]:
        """The schemas that name themselves by a fragment alone, as drafts up to 7 had it."""
        return () if uri or not name or name.startswith("/") else self.named.get(f"#{name}", ())

    def _defined(self, uri: str, name: str, *, nested: bool) -> Iterator[Place]:
        """The definitions of that name, at the root or anywhere, under whatever keyword."""
        path = _definition_path(uri, name)
        for place in self._definitions.get(path[0], ()) if path else ():
            if nested or place.tokens[0] in _CONTAINERS:
                found = beneath(place, path[1:])
                if found is not None:
                    yield found

    @cached_property
    def _definitions(self) -> Mapping[str, list[Place]]:
        """All definitions of the document by name, those of OpenAPI documents too."""
        found: dict[str, list[Place]] = {}
        holders = [beneath(place, [keyword]) for place in self._places for keyword in sorted(DEFINITIONS)]
        holders += [beneath(self.root, path) for path in (["components", "schemas"], ["schemas"])]
        for holder in holders:
            if holder is not None and isinstance(holder.value, dict):
                for name in holder.value:
                    found.setdefault(name, []).append(holder[name])
        return found

    @cached_property
    def named(self) -> Mapping[str, list[Place]]:
        """The schemas by the names that they give themselves: fragments, dynamic anchors, and `$recursiveAnchor`."""
        found: dict[str, list[Place]] = {}
        for place in self._places:
            if isinstance(place.value, dict) and not NAMES.isdisjoint(place.value):
                for name in sorted(NAMES):
                    value = place.value.get(name)
                    if isinstance(value, str) and (value.startswith("#") or name == "$dynamicAnchor"):
                        found.setdefault(value, []).append(place)
                    elif value is True and name == "$recursiveAnchor":
                        found.setdefault(name, []).append(place)
        return found

    @cached_property
    def _places(self) -> list[Place]:
        """All schemas of the document."""
        found: list[Place] = []
        waiting = [self.root]
        while waiting:
            place = waiting.pop()
            found.append(place)
            waiting.extend(reversed(list(place.children())))
        return found


_CONTAINERS: Final = DEFINITIONS | {"components", "schemas"}

_LONGEST: Final = 24
"""How many segments a pointer may have for its slashes to be doubted."""


def _distinct(places: Iterable[Place]) -> list[Place]:
    """The places, those that hold equal schemas counted once; no more than two."""
    found: list[Place] = []
    for place in places:
        if not any(known.base == place.base and json_equal(known.value, place.value) for known in found):
            found.append(place)
        if len(found) > 1:
            break
    return found


def _definition_path(uri: str, name: str) -> list[str]:
    """The name of the definition that a reference seems to mean, and the path inside; empty for none."""
    if uri:
        return [] if name or "/" in uri or ":" in uri else [unquote(uri)]
    if not name.startswith("/"):
        return [unquote(name)] if name else []
    segments = [unescaped(unquote(segment)) for segment in name.split("/")[1:]]
    last = max((index for index, segment in enumerate(segments[:-1]) if segment in _CONTAINERS), default=None)
    if last is None:
        return segments if len(segments) == 1 else []
    return segments[last + 1 :]
