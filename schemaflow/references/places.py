"""
Places: values of a document that know where they stand.

A place knows its base URI and its dialect, hence what names it. `PLACES` tells the
`referencing` library how to take places for resources.
"""

import re
from collections.abc import Iterable, Iterator
from enum import Enum
from typing import Any, Final, Optional, TypeAlias
from urllib.parse import urljoin

from attrs import define
from referencing import Anchor, Specification
from referencing.jsonschema import DRAFT3, DRAFT4, DRAFT6, DRAFT7, DRAFT201909, DRAFT202012

from schemaflow.drafts import Age, age_of
from schemaflow.keywords import CHILDREN, KEYWORDS, Children, JsonValue, Role, Token, subschemas

KEYS: Final = tuple(row.name for row in KEYWORDS.values() if row.role is Role.REFERENCE)
"""The keywords that refer: `$ref`, `$dynamicRef`, `$recursiveRef`."""

KEY_SET: Final = frozenset(KEYS)
"""The same, for tests of membership."""

DEFINITIONS: Final = frozenset(row.name for row in KEYWORDS.values() if row.role is Role.DEFINITIONS)
"""The keywords that hold definitions."""

NAMES: Final = frozenset({"$id", "id", "$anchor", "$dynamicAnchor", "$recursiveAnchor"})
"""The keywords by which a schema names itself."""

Draft: TypeAlias = "Specification[Any]"


_DRAFTS: Final[dict[Age, Draft]] = dict(
    zip(Age, (DRAFT3, DRAFT4, DRAFT6, DRAFT7, DRAFT201909, DRAFT202012), strict=True)
)


class Standing(Enum):
    """The kind of a place that is a schema, beside those that hold schemas (`Children`)."""

    SCHEMA = "schema"


_Kind: TypeAlias = "Standing | Children | None"
_NAMED: Final = frozenset({Children.NAMED, Children.NAMED_OR_NAMES})


@define(eq=False)
class Place:
    """
    A value in the document, and where it stands. Never changed: there are many, and frozen ones cost more.

    `base` is the base URI for references inside, `draft` the dialect that decides
    what names a place. `kind` says whether the value is a schema or holds schemas;
    None where no traversal goes.
    """

    value: JsonValue
    base: str
    draft: Draft
    kind: _Kind = Standing.SCHEMA
    above: Optional["Place"] = None
    token: Token = ""

    def __getitem__(self, segment: str) -> "Place":
        """The place one segment of a JSON Pointer further down. Raises LookupError where there is none."""
        token: Any = segment
        if isinstance(self.value, list):
            if not re.fullmatch("0|[1-9][0-9]{0,9}", segment, re.ASCII):
                raise LookupError(segment)
            token = int(segment)
        elif not isinstance(self.value, dict):
            raise LookupError(segment)
        value = self.value[token]
        return self._placed(token, value, self._kind_of(token, value))

    def _kind_of(self, token: Token, value: JsonValue) -> _Kind:
        if self.kind is None or isinstance(self.kind, Children):
            return Standing.SCHEMA if self.kind is not None and isinstance(value, (dict, bool)) else None
        children = CHILDREN.get(str(token))
        if children in (Children.ONE, Children.ONE_OR_MANY) and isinstance(value, (dict, bool)):
            return Standing.SCHEMA
        if isinstance(value, list):
            return Children.MANY if children in (Children.MANY, Children.ONE_OR_MANY) else None
        return children if children in _NAMED else None

    def _placed(self, token: Token, value: JsonValue, kind: _Kind) -> "Place":
        base, draft = self.base, self.draft
        if kind is Standing.SCHEMA:
            base, draft = scope(value, base, draft)
        return Place(value, base, draft, kind, self, token)

    def children(self) -> "Iterator[Place]":
        """The places of the direct subschemas."""
        if not isinstance(self.value, dict):
            return
        for keyword, token, child in subschemas(self.value):
            holder = self if token is None else self._placed(keyword, self.value[keyword], Children.NAMED)
            yield holder._placed(keyword if token is None else token, child, Standing.SCHEMA)

    @property
    def tokens(self) -> tuple[Token, ...]:
        """The JSON Pointer tokens from the document's root."""
        return tuple(place.token for place in reversed(list(self.upward())) if place.above is not None)

    def upward(self) -> "Iterator[Place]":
        """This place and those above it, the nearest first."""
        place: Place | None = self
        while place is not None:
            yield place
            place = place.above


def scope(schema: JsonValue, base: str, draft: Draft) -> tuple[str, Draft]:
    """The base URI and the dialect inside a schema, from those around it."""
    own = declared(schema, draft)
    identifier = _identifier(schema, own)
    if identifier is None:
        return base, draft
    return _joined(base, identifier) or base, own


def declared(schema: JsonValue, default: Draft) -> Draft:
    """The dialect that a schema declares."""
    age = age_of(schema)
    return default if age is None else _DRAFTS[age]


def _identifier(schema: JsonValue, draft: Draft) -> str | None:
    """The URI that a schema object gives itself, in its dialect."""
    if not isinstance(schema, dict) or ("$id" not in schema and "id" not in schema):
        return None
    # The library trusts these to be strings.
    named = {name: schema[name] for name in ("$id", "id", "$ref") if isinstance(schema.get(name), str)}
    identifier: str | None = draft.id_of(named)
    return None if identifier is None or identifier.startswith("#") else identifier.rstrip("#")


def _joined(base: str, reference: str) -> str | None:
    try:
        return urljoin(base, reference)
    except ValueError:
        return None


def _own_uri(place: Place) -> str | None:
    # The document itself is registered under its base.
    if place.above is None:
        return None
    identifier = _identifier(place.value, declared(place.value, place.above.draft))
    return None if identifier is None or _joined(place.above.base, identifier) is None else identifier


def _anchors(specification: "Specification[Place]", place: Place) -> "Iterable[Anchor[Place]]":
    if not isinstance(place.value, dict) or NAMES.isdisjoint(place.value):
        return
    named = {name: place.value[name] for name in NAMES if isinstance(place.value.get(name), str)}
    resource = specification.create_resource(place)
    # Dynamic anchors too become plain ones: `References` does the dynamic part itself.
    for anchor in place.draft.anchors_in(named):
        yield Anchor(anchor.name, resource)  # type: ignore[call-arg]


# The library makes its constructors in a way that type checkers cannot read.
PLACES: Final[Specification[Place]] = Specification(  # type: ignore[call-arg]
    name="places",
    id_of=_own_uri,
    subresources_of=lambda place: place.children(),
    anchors_in=_anchors,
    # Places know their base themselves.
    maybe_in_subresource=lambda segments, resolver, subresource: resolver,
)
"""How `referencing` is to take places: each dialect's own words decide what names them."""


def unescaped(segment: str) -> str:
    """One segment of a JSON Pointer, unescaped."""
    return segment if "~" not in segment else segment.replace("~1", "/").replace("~0", "~")


def beneath(place: Place, path: Iterable[str]) -> Place | None:
    """The place at the end of a path of segments, None where there is none."""
    found = place
    try:
        for key in path:
            found = found[key]
    except LookupError:
        return None
    return found
