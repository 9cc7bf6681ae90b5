"""
References: what a `$ref` leads to, which targets lie on a cycle, and how big inlining would make a document.

`References` resolves by the standard, through the `referencing` library, and only
within one document: nothing is ever fetched. What it walks there are *places*,
values that know where they stand. Where the standard finds nothing, it reads what
tool authors really write, if that can mean one thing only, and says so.

`Uses` is the graph of who refers to whom. Its nodes are *units*: the document and
each target of a reference, down to where the next unit begins.
"""

import re
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from enum import Enum
from functools import cached_property
from typing import Any, Final, Generic, NamedTuple, Optional, TypeAlias, TypeVar
from urllib.parse import quote, unquote, urljoin

import orjson
from attrs import define, evolve, field, frozen
from referencing import Anchor, Registry, Specification
from referencing.exceptions import NoSuchResource, Unresolvable
from referencing.jsonschema import DRAFT3, DRAFT4, DRAFT6, DRAFT7, DRAFT201909, DRAFT202012, specification_with

from schemaflow.keywords import (
    CHILDREN,
    KEYWORDS,
    Children,
    JsonValue,
    Polarity,
    Role,
    Schema,
    Token,
    json_equal,
    pointer,
    subschemas,
)

EXPANSION_NODES: Final = 100_000
"""How many schemas a document may have once references are inlined, unless ten times its own are more."""

EXPANSION_BYTES: Final = 4 * 2**20
"""How many bytes, roughly, it may have then, unless ten times its own are more."""

LEVELS: Final = 100
"""How many schemas may then lie inside one another, unless more did before."""

STEPS: Final = 2 * LEVELS
"""How many levels a traversal may go through, each inlined reference counted as one more."""

_LOOKS: Final = 30_000
"""How many uses may be looked at, beyond a few each, before an expansion is taken to be over budget."""

KEYS: Final = tuple(row.name for row in KEYWORDS.values() if row.role is Role.REFERENCE)
"""The keywords that refer: `$ref`, `$dynamicRef`, `$recursiveRef`."""

DEFINITIONS: Final = frozenset(row.name for row in KEYWORDS.values() if row.role is Role.DEFINITIONS)
"""The keywords that hold definitions."""

_KEYS: Final = frozenset(KEYS)
_NAMES: Final = frozenset({"$id", "id", "$anchor", "$dynamicAnchor", "$recursiveAnchor"})
_HOLDERS: Final = frozenset(CHILDREN)
_IDLE: Final = _KEYS | _NAMES | DEFINITIONS | {"$comment"}
_CONTAINERS: Final = DEFINITIONS | {"components", "schemas"}
_OLD: Final = frozenset({DRAFT3.name, DRAFT4.name, DRAFT6.name, DRAFT7.name})

Draft: TypeAlias = "Specification[Any]"


class _Schema(Enum):
    """The kind of a place that is a schema, beside those that hold schemas (`Children`)."""

    SCHEMA = "schema"


_Kind: TypeAlias = "_Schema | Children | None"
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
    kind: _Kind = _Schema.SCHEMA
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
            return _Schema.SCHEMA if self.kind is not None and isinstance(value, (dict, bool)) else None
        children = CHILDREN.get(str(token))
        if children in (Children.ONE, Children.ONE_OR_MANY) and isinstance(value, (dict, bool)):
            return _Schema.SCHEMA
        if isinstance(value, list):
            return Children.MANY if children in (Children.MANY, Children.ONE_OR_MANY) else None
        return children if children in _NAMED else None

    def _placed(self, token: Token, value: JsonValue, kind: _Kind) -> "Place":
        base, draft = self.base, self.draft
        if kind is _Schema.SCHEMA:
            base, draft = scope(value, base, draft)
        return Place(value, base, draft, kind, self, token)

    def children(self) -> "Iterator[Place]":
        """The places of the direct subschemas."""
        if not isinstance(self.value, dict):
            return
        for keyword, token, child in subschemas(self.value):
            holder = self if token is None else self._placed(keyword, self.value[keyword], Children.NAMED)
            yield holder._placed(keyword if token is None else token, child, _Schema.SCHEMA)

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
    identifier = _identifier(schema, draft)
    if identifier is None:
        return base, draft
    return _joined(base, identifier) or base, _declared(schema, draft)


def _declared(schema: JsonValue, default: Draft) -> Draft:
    dialect = schema.get("$schema") if isinstance(schema, dict) else None
    return specification_with(dialect, default=default) if isinstance(dialect, str) else default


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
    identifier = _identifier(place.value, place.above.draft)
    return None if identifier is None or _joined(place.above.base, identifier) is None else identifier


def _anchors(specification: "Specification[Place]", place: Place) -> "Iterable[Anchor[Place]]":
    if not isinstance(place.value, dict) or _NAMES.isdisjoint(place.value):
        return
    named = {name: place.value[name] for name in _NAMES if isinstance(place.value.get(name), str)}
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


class Nowhere(Enum):
    """Why a reference has no target."""

    DANGLING = "leads nowhere"
    LOOP = "leads only to itself"


@frozen(eq=False)
class Target:
    """
    What a reference leads to: a schema in the document.

    `note` says how the reference was read where the standard finds nothing. With
    `is_guess` there may be another target, depending on how validation got there.
    """

    place: Place
    note: str = ""
    is_guess: bool = False
    key: Hashable = field(init=False)
    """Equal for all references to one schema, however they are spelled."""

    def __attrs_post_init__(self) -> None:
        object.__setattr__(self, "key", unit_key(self.schema, self.base))

    @property
    def schema(self) -> Schema | bool:
        """The schema itself."""
        found: Schema | bool = self.place.value
        return found

    @property
    def base(self) -> str:
        """The base URI for references inside."""
        return self.place.base

    @property
    def tokens(self) -> tuple[Token, ...]:
        """The JSON Pointer tokens of the target in the document."""
        return self.place.tokens

    @property
    def is_visited(self) -> bool:
        """Whether a traversal of the document comes here."""
        return self.place.kind is _Schema.SCHEMA

    def above(self) -> Iterator[tuple[Schema, str]]:
        """The schema objects above, each with the keyword that leads down from it, the nearest first."""
        keyword: Token = self.place.token
        for place in self.place.upward():
            if place is not self.place and place.kind is _Schema.SCHEMA:
                yield place.value, str(keyword)
            keyword = place.token


def unit_key(schema: Schema | bool, base: str) -> Hashable:
    """What tells schemas apart: the object, and the base of the references inside."""
    return (id(schema), base) if isinstance(schema, dict) else schema


def fragment(tokens: Iterable[Token]) -> str:
    """A reference to a place of the document, as a JSON Pointer in a URI fragment."""
    text = pointer(tokens)
    try:
        return "#" + quote(text, safe="/~!$&'()*+,;=:@?")
    except UnicodeEncodeError:
        return "#" + text


@define(eq=False, slots=False)
class References:
    """
    The references of one document, looked up lazily and each once.

    No lookup raises, whatever a reference holds, and none fetches anything.
    """

    document: JsonValue
    root: Place = field(init=False)
    _registry: "Registry[Place]" = field(init=False)
    _drafts: dict[str, Draft] = field(init=False)
    _known: dict[tuple[str, str], Target | None] = field(factory=dict, init=False)
    _followed: dict[tuple[str, str, str], Target | Nowhere] = field(factory=dict, init=False)
    _ends: dict[Hashable, Target | Nowhere] = field(factory=dict, init=False)

    def __attrs_post_init__(self) -> None:
        draft = _declared(self.document, DRAFT202012)
        base, _ = scope(self.document, "", draft)
        self.root = Place(self.document, base, draft)
        self._drafts = {base: draft}
        self._registry = Registry().with_resource(base, PLACES.create_resource(self.root))

    @property
    def base(self) -> str:
        """The base URI of the document."""
        return self.root.base

    def enter(self, schema: Schema, base: str) -> str:
        """The base URI inside a schema object that stands where the base is `base`."""
        if ("$id" not in schema and "id" not in schema) or schema is self.document:
            return base
        draft = self._drafts.get(base, self.root.draft)
        inside, own = scope(schema, base, draft)
        self._drafts.setdefault(inside, own)
        return inside

    def names(self, schema: Schema, base: str) -> frozenset[str]:
        """
        The keywords by which a schema object can be referred to.

        `$id` is one even in drafts that do not know it: once `$schema` is dropped,
        nobody can tell that it was written for such a draft.
        """
        if _NAMES.isdisjoint(schema):
            return frozenset()
        known = (name for name in _NAMES & schema.keys() if name != "id" or not self.has_booleans(base))
        return frozenset(name for name in known if isinstance(schema[name], (str, bool)))

    def ignores_siblings(self, base: str) -> bool:
        """Whether the dialect there says that what stands beside `$ref` does nothing."""
        return self._drafts.get(base, self.root.draft).name in _OLD

    def has_booleans(self, base: str) -> bool:
        """Whether the dialect there has boolean schemas."""
        return self._drafts.get(base, self.root.draft).name not in (DRAFT3.name, DRAFT4.name)

    def knows(self, keyword: str, base: str) -> bool:
        """Whether the dialect there has a referring keyword: `$recursiveRef` and `$dynamicRef` have one each."""
        own = {"$recursiveRef": DRAFT201909, "$dynamicRef": DRAFT202012}.get(keyword)
        return own is None or self._drafts.get(base, self.root.draft).name == own.name

    def lookup(self, base: str, ref: JsonValue) -> Target | None:
        """
        The target of a `$ref` at a place with that base URI, None where it has none.

        An empty reference, which by the standard means the whole document, has none:
        authors write it where they left something out.
        """
        if not isinstance(ref, str) or not ref:
            return None
        key = (base, ref)
        if key not in self._known:
            place = self._resolved(base, ref)
            self._known[key] = self._leniently(base, ref) if place is None else Target(place)
        return self._known[key]

    def follow(self, keyword: str, ref: JsonValue, base: str) -> Target | Nowhere:
        """The target of a referring keyword: the first schema on the way that is more than a reference."""
        if not isinstance(ref, str):
            return Nowhere.DANGLING
        key = (keyword, base, ref)
        known = self._followed.get(key)
        if known is None:
            target = self.refer(keyword, ref, base)
            known = self._followed[key] = Nowhere.DANGLING if target is None else self._end(target)
        return known

    def refer(self, keyword: str, ref: JsonValue, base: str) -> Target | None:
        """The direct target of a referring keyword."""
        target = self.lookup(base, ref)
        if target is None or keyword == "$ref":
            return target
        return self._recursive(target) if keyword == "$recursiveRef" else self._dynamic(target, ref)

    def _dynamic(self, target: Target, ref: str) -> Target:
        name = ref.rpartition("#")[2]
        if not isinstance(target.schema, dict) or target.schema.get("$dynamicAnchor") != name:
            return target
        return self._outermost(target, self._named.get(name, ()))

    def _recursive(self, target: Target) -> Target:
        if not isinstance(target.schema, dict) or target.schema.get("$recursiveAnchor") is not True:
            return target
        return self._outermost(target, self._named.get("$recursiveAnchor", ()))

    def _outermost(self, target: Target, places: Sequence[Place]) -> Target:
        """The dynamic target: that of the document's own resource, where validation starts, or a guess."""
        outer = next((place for place in places if place.base == self.base), None)
        if outer is not None:
            return Target(outer, target.note)
        return target if len(places) < 2 else evolve(target, is_guess=True)

    def _end(self, target: Target) -> Target | Nowhere:
        """Where a chain of nothing but references ends."""
        if not _is_alias(target.schema):
            return target
        chain: dict[Hashable, Target] = {}
        further: Target | None = target
        while further is not None and further.key not in self._ends and further.key not in chain:
            chain[further.key] = further
            further = self._alias_of(further)
        self._close_chain(list(chain.values()), further)
        return _reached(target, self._ends[target.key])

    def _close_chain(self, chain: list[Target], further: Target | None) -> None:
        """Note where each schema of a chain leads; `further` follows on the last one."""
        end: Target | Nowhere
        if further is None:
            last = chain.pop()
            self._ends[last.key] = Target(last.place)
            end = _reached(last, self._ends[last.key])
        elif further.key in self._ends:
            end = _reached(further, self._ends[further.key])
        else:
            end = Nowhere.LOOP
        for target in reversed(chain):
            self._ends[target.key] = end
            end = _reached(target, end)

    def _alias_of(self, target: Target) -> Target | None:
        """The next target, where a schema is nothing but a reference that leads somewhere."""
        if not _is_alias(target.schema):
            return None
        keyword, ref = next((name, value) for name, value in target.place.value.items() if name in _KEYS)
        return self.refer(keyword, ref, target.base)

    def _resolved(self, base: str, ref: str) -> Place | None:
        """The place that a reference names by the standard, if a schema can stand there."""
        place: Place | None
        if base == self.base and ref.startswith("#/") and "%" not in ref:
            # Nearly all references are such; this is what the library would do, at a fifth of the cost.
            place = _beneath(self.root, map(_unescaped, ref[2:].split("/")))
        else:
            place = self._looked_up(base, ref)
        return place if place is not None and isinstance(place.value, (dict, bool)) else None

    def _looked_up(self, base: str, ref: str) -> Place | None:
        if base != self.base or not (ref == "#" or ref.startswith("#/")):
            # Only a pointer into the document itself needs no search for names.
            self._registry = self._registry.crawl()
        try:
            return self._registry.resolver(base).lookup(ref).contents
        except (Unresolvable, NoSuchResource, ValueError):
            return None

    def _leniently(self, base: str, ref: str) -> Target | None:
        """The only thing that a reference can mean which the standard does not resolve."""
        uri, _, name = ref.partition("#")
        readings: list[Callable[[], Iterable[Place]]] = [
            lambda: self._as_spelled(uri, name),
            lambda: self._anchored(uri, name),
            lambda: self._defined(uri, name, nested=False),
            lambda: self._defined(uri, name, nested=True),
        ]
        if base != self.base and not uri:
            readings.insert(0, lambda: filter(None, [self._resolved(self.base, ref)]))
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
                    for key in {_unescaped(unquote(written)), _unescaped(written), written}:
                        below = _beneath(place, [key])
                        if below is not None:
                            reached.setdefault(end, []).append(below)
        return reached.get(len(segments), ())

    def _anchored(self, uri: str, name: str) -> Iterable[Place]:
        """The schemas that name themselves by a fragment alone, as drafts up to 7 had it."""
        return () if uri or not name or name.startswith("/") else self._named.get(f"#{name}", ())

    def _defined(self, uri: str, name: str, *, nested: bool) -> Iterator[Place]:
        """The definitions of that name, at the root or anywhere, under whatever keyword."""
        path = _definition_path(uri, name)
        for place in self._definitions.get(path[0], ()) if path else ():
            if nested or place.tokens[0] in _CONTAINERS:
                found = _beneath(place, path[1:])
                if found is not None:
                    yield found

    @cached_property
    def _definitions(self) -> Mapping[str, list[Place]]:
        """All definitions of the document by name, those of OpenAPI documents too."""
        found: dict[str, list[Place]] = {}
        holders = [_beneath(place, [keyword]) for place in self._places for keyword in sorted(DEFINITIONS)]
        holders += [_beneath(self.root, path) for path in (["components", "schemas"], ["schemas"])]
        for holder in holders:
            if holder is not None and isinstance(holder.value, dict):
                for name in holder.value:
                    found.setdefault(name, []).append(holder[name])
        return found

    @cached_property
    def _named(self) -> Mapping[str, list[Place]]:
        """The schemas by the names that they give themselves: fragments, dynamic anchors, and `$recursiveAnchor`."""
        found: dict[str, list[Place]] = {}
        for place in self._places:
            if isinstance(place.value, dict) and not _NAMES.isdisjoint(place.value):
                for name in sorted(_NAMES):
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


def _reached(step: Target, end: Target | Nowhere) -> Target | Nowhere:
    """The end of a chain, as seen before one more step towards it."""
    if isinstance(end, Nowhere) or not (step.note or step.is_guess):
        return end
    return evolve(end, note="; ".join(filter(None, [step.note, end.note])), is_guess=step.is_guess or end.is_guess)


def _is_alias(schema: JsonValue) -> bool:
    """Whether a schema is nothing but one reference."""
    if not isinstance(schema, dict) or _KEYS.isdisjoint(schema):
        return False
    if len(schema) == 1:
        return True
    return len(_KEYS & schema.keys()) == 1 and _IDLE.issuperset(schema)


_LONGEST: Final = 24
"""How many segments a pointer may have for its slashes to be doubted."""


def _unescaped(segment: str) -> str:
    return segment if "~" not in segment else segment.replace("~1", "/").replace("~0", "~")


def _beneath(place: Place, path: Iterable[str]) -> Place | None:
    found = place
    try:
        for key in path:
            found = found[key]
    except LookupError:
        return None
    return found


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
    segments = [_unescaped(unquote(segment)) for segment in name.split("/")[1:]]
    last = max((index for index, segment in enumerate(segments[:-1]) if segment in _CONTAINERS), default=None)
    if last is None:
        return segments if len(segments) == 1 else []
    return segments[last + 1 :]


class Extent(NamedTuple):
    """
    How far something reaches when written out: schemas, bytes, and levels of schemas.

    `steps` are the levels with each inlined reference counted as one more: what a
    traversal goes through.
    """

    nodes: int = 0
    weight: int = 0
    levels: int = 0
    steps: int = 0


def exceeds(extent: Extent, limit: Extent) -> bool:
    """Whether an extent is over a limit."""
    return (
        extent.nodes > limit.nodes
        or extent.weight > limit.weight
        or extent.levels > limit.levels
        or extent.steps > limit.steps
    )


def weigh(schema: JsonValue) -> int:
    """The bytes that a schema object takes, roughly, without its subschemas."""
    if not isinstance(schema, dict):
        return 5
    total = 2
    for keyword, value in schema.items():
        total += len(keyword) + 4
        if isinstance(value, str):
            total += len(value) + 2
        elif keyword in CHILDREN:
            total += sum(len(name) + 4 for name in value) if isinstance(value, dict) else 2
        elif isinstance(value, (dict, list)):
            total += _written(value)
        else:
            total += 5
    return total


def _written(value: JsonValue) -> int:
    try:
        return len(orjson.dumps(value))
    except TypeError:
        # Integers beyond 64 bits, lone surrogates.
        return len(str(value))


class Use(NamedTuple):
    """One reference in a unit: the node that holds it, the unit that it leads to, and the place in between."""

    node: int
    target: int
    level: int
    polarity: Polarity


@define(eq=False)
class Unit:
    """
    The document, or the target of references, down to where other units begin.

    `uses` are its references, `inside` the units that stand in it; `definitions` are
    those that stand under its own `$defs`: an inlined copy goes without them.
    """

    schema: Schema
    base: str
    target: Target | None = None
    extent: Extent = field(factory=Extent)
    uses: list[Use] = field(factory=list)
    inside: list[tuple[int, int, Polarity]] = field(factory=list)
    definitions: list[int] = field(factory=list)

    @cached_property
    def grouped(self) -> list[tuple[int, int, int]]:
        """`(target, how often, deepest level)` of the references."""
        counts = Counter(use.target for use in self.uses)
        levels: dict[int, int] = {}
        for use in self.uses:
            levels[use.target] = max(use.level, levels.get(use.target, 0))
        return [(target, count, levels[target]) for target, count in counts.items()]


Route = TypeVar("Route", bound=Hashable)


@frozen(eq=False)
class Steps(Generic[Route]):
    """
    How routes go on when units are entered: by a reference (None: it is not inlined), and where they stand.

    A route is what a traversal remembers of its way; it decides what is inlined.
    """

    by_reference: Callable[[int, Route], Route | None]
    in_place: Callable[[int, Route], Route]


class _Node(NamedTuple):
    """
    What is known of a schema object: where it refers to, its children with their bases, how many are booleans.

    It `is_busy` where it refers or can be referred to by a name.
    """

    targets: list[Target]
    children: list[tuple[str, Schema, str]]
    booleans: int
    is_busy: bool


@define(eq=False, slots=False)
class Uses:
    """
    Who refers to whom in a document.

    `definitions` says whether the root's own definitions count even where nothing
    refers to them. Unit 0 is the document.
    """

    references: References
    definitions: bool = True
    units: list[Unit] = field(factory=list, init=False)
    index: dict[Hashable, int] = field(factory=dict, init=False)
    levels: int = field(default=0, init=False)
    has_references: bool = field(default=False, init=False)
    has_unevaluated: bool = field(default=False, init=False)
    idle: set[tuple[int, str]] = field(factory=set, init=False)
    """The schema objects, with their bases, that hold neither references nor names for them, at any depth."""
    _seen: "dict[tuple[int, str], _Node]" = field(factory=dict, init=False)

    def __attrs_post_init__(self) -> None:
        self._add(self.references.document, self.references.base)
        for target in self._found_targets():
            self._add(target.place.value, target.base, target)
        # Scanning a unit may add its definitions as further units.
        for unit in self.units:
            self._scan(unit)
        self.idle = self._found_idle()
        self._seen.clear()

    def _add(self, schema: Schema, base: str, target: Target | None = None) -> int:
        key = unit_key(schema, base)
        if key not in self.index:
            self.index[key] = len(self.units)
            self.units.append(Unit(schema, base, target))
        return self.index[key]

    def find(self, schema: Schema, base: str) -> int | None:
        """The number of the unit that begins at a schema object."""
        return self.index.get((id(schema), base))

    def _found_targets(self) -> Iterator[Target]:
        """The schema objects that references lead to, in the order in which they are met."""
        waiting = [(self.references.document, self.references.base, 1)]
        while waiting:
            schema, base, level = waiting.pop()
            if (id(schema), base) in self._seen:
                continue
            node = self._seen[id(schema), base] = self._look(schema, base)
            self.levels = max(self.levels, level)
            waiting.extend((child, inside, level + 1) for _, child, inside in reversed(node.children))
            for target in node.targets:
                yield target
                waiting.append((target.place.value, target.base, 1))

    def _look(self, schema: Schema, base: str) -> "_Node":
        targets: list[Target] = []
        is_busy = False
        if not _KEYS.isdisjoint(schema):
            is_busy = self.has_references = True
            found = (self.references.follow(key, schema[key], base) for key in KEYS if key in schema)
            targets = [one for one in found if isinstance(one, Target) and one.place.value.__class__ is dict]
        elif not _NAMES.isdisjoint(schema):
            is_busy = bool(self.references.names(schema, base))
        if _HOLDERS.isdisjoint(schema):
            return _Node(targets, [], 0, is_busy)
        if "unevaluatedProperties" in schema or "unevaluatedItems" in schema:
            self.has_unevaluated = True
        below = [(keyword, child) for keyword, _, child in subschemas(schema)]
        if not self.definitions and schema is self.references.document:
            below = [(keyword, child) for keyword, child in below if keyword not in DEFINITIONS]
        enter = self.references.enter
        children = [(keyword, child, enter(child, base)) for keyword, child in below if child.__class__ is dict]
        return _Node(targets, children, len(below) - len(children), is_busy)

    def _found_idle(self) -> set[tuple[int, str]]:
        above: dict[tuple[int, str], list[tuple[int, str]]] = {}
        for key, node in self._seen.items():
            for _, child, inside in node.children:
                above.setdefault((id(child), inside), []).append(key)
        idle = set(self._seen)
        waiting = [key for key, node in self._seen.items() if node.is_busy]
        while waiting:
            key = waiting.pop()
            if key in idle:
                idle.remove(key)
                waiting.extend(above.get(key, ()))
        return idle

    def _scan(self, unit: Unit) -> None:
        nodes = weight = deepest = 0
        waiting: list[tuple[Any, str, int, Polarity]] = [(unit.schema, unit.base, 1, Polarity.SAME)]
        while waiting:
            schema, base, level, polarity = waiting.pop()
            node = self._seen[id(schema), base]
            nodes += 1 + node.booleans
            weight += weigh(schema)
            deepest = max(deepest, level)
            for target in node.targets:
                unit.uses.append(Use(id(schema), self.index[target.key], level - 1, polarity))
            for keyword, child, inside in node.children:
                if keyword in DEFINITIONS and schema is unit.schema:
                    unit.definitions.append(self._add(child, inside))
                    continue
                own = polarity_below(schema, keyword)
                below = polarity if own is Polarity.SAME else composed(polarity, own)
                known = self.index.get((id(child), inside))
                if known is None:
                    waiting.append((child, inside, level + 1, below))
                else:
                    unit.inside.append((known, level, below))
        unit.extent = Extent(nodes, weight, deepest, deepest)

    @cached_property
    def limit(self) -> Extent:
        """What the document may grow to when references are inlined."""
        nodes = max(EXPANSION_NODES, 10 * sum(unit.extent.nodes for unit in self.units))
        weight = max(EXPANSION_BYTES, 10 * sum(unit.extent.weight for unit in self.units))
        return Extent(nodes, weight, max(LEVELS, self.levels), STEPS)

    @cached_property
    def components(self) -> list[int]:
        """For each unit the number of its strongly connected component."""
        return _components(
            [[*(use.target for use in unit.uses), *(one[0] for one in unit.inside)] for unit in self.units]
        )

    @cached_property
    def sizes(self) -> Mapping[int, int]:
        """How many units each component has."""
        return Counter(self.components)

    @cached_property
    def cyclic(self) -> frozenset[int]:
        """The units that lie on a cycle: following references from there, one may come there again."""
        return frozenset(
            index
            for index, unit in enumerate(self.units)
            if self.sizes[self.components[index]] > 1 or any(use.target == index for use in unit.uses)
        )

    def extent(self, route: Route, steps: Steps[Route], *, in_place: bool = True) -> Extent | None:
        """
        How far the document reaches once references are inlined, None if beyond its limit.

        Nothing is built: each unit is counted once for each route that leads to it.
        With `in_place` the root's own definitions count too.
        """
        start = (0, route, in_place)
        known: dict[Hashable, Extent] = {}
        below: dict[Hashable, list[tuple[Any, int, int, int]]] = {}
        waiting = [(start, 1)]
        looks = _LOOKS + 10 * sum(len(unit.grouped) + len(unit.inside) + 1 for unit in self.units)
        visits = max(EXPANSION_NODES, self.limit.nodes // 5)
        while waiting:
            at, depth = waiting[-1]
            if at in known:
                waiting.pop()
            elif at in below:
                waiting.pop()
                extent = known[at] = _summed(self.units[at[0]].extent, below.pop(at), known)
                if exceeds(extent, self.limit):
                    return None
            else:
                below[at] = self._entered(at, steps)
                waiting.extend((entry, depth + 1) for entry, _, _, _ in below[at] if entry not in known)
                looks -= len(self.units[at[0]].grouped) + 1
                visits -= self.units[at[0]].extent.nodes
                # Each unit on the way is a step or more.
                if looks < 0 or visits < 0 or depth > self.limit.steps:
                    return None
        return known[start]

    def _entered(self, at: tuple[int, Route, bool], steps: Steps[Route]) -> list[tuple[Any, int, int, int]]:
        """The units entered from a unit: `(entry, how often, level, whether by a reference)`."""
        index, route, in_place = at
        unit = self.units[index]
        found: list[tuple[Any, int, int, int]] = []
        for target, count, level in unit.grouped:
            further = steps.by_reference(target, route)
            if further is not None:
                found.append(((target, further, False), count, level, 1))
        for inner, level, _ in unit.inside:
            found.append(((inner, steps.in_place(inner, route), True), 1, level, 0))
        for inner in unit.definitions if in_place else ():
            found.append(((inner, steps.in_place(inner, route), True), 1, 1, 0))
        return found


def _summed(own: Extent, below: list[tuple[Any, int, int, int]], known: dict[Hashable, Extent]) -> Extent:
    nodes, weight, levels, steps = own.nodes, own.weight, own.levels, own.steps
    for entry, count, level, hop in below:
        one = known[entry]
        nodes += count * one.nodes
        weight += count * one.weight
        levels = max(levels, level + one.levels)
        steps = max(steps, level + hop + one.steps)
    return Extent(nodes, weight, levels, steps)


def polarity_below(schema: Schema, keyword: str) -> Polarity:
    """What widening a subschema under a keyword does to the schema object."""
    if keyword == "contains" and "maxContains" in schema:
        return Polarity.MIXED
    return KEYWORDS[keyword].polarity


def composed(outer: Polarity, inner: Polarity) -> Polarity:
    """The polarity of a place from that of the place above, and its own there."""
    for absorbing in (Polarity.NONE, Polarity.MIXED):
        if absorbing in (outer, inner):
            return absorbing
    return Polarity.SAME if outer is inner else Polarity.FLIPPED


def _components(edges: Sequence[Sequence[int]]) -> list[int]:
    """The strongly connected components of a graph (Tarjan's algorithm, without recursion)."""
    order: dict[int, int] = {}
    lowest: dict[int, int] = {}
    component = [-1] * len(edges)
    open_nodes: list[int] = []
    for root in range(len(edges)):
        if root in order:
            continue
        waiting = [(root, iter(edges[root]))]
        order[root] = lowest[root] = len(order)
        open_nodes.append(root)
        while waiting:
            node, further = waiting[-1]
            for other in further:
                if other not in order:
                    order[other] = lowest[other] = len(order)
                    open_nodes.append(other)
                    waiting.append((other, iter(edges[other])))
                    break
                if component[other] < 0:
                    lowest[node] = min(lowest[node], order[other])
            else:
                waiting.pop()
                if waiting:
                    lowest[waiting[-1][0]] = min(lowest[waiting[-1][0]], lowest[node])
                if lowest[node] == order[node]:
                    _close(node, open_nodes, component)
    return component


def _close(node: int, open_nodes: list[int], component: list[int]) -> None:
    while True:
        member = open_nodes.pop()
        component[member] = node
        if member == node:
            return
