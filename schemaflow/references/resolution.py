"""
Resolution: what the references of a document lead to.

`References` resolves by the standard, through the `referencing` library, and only
within one document: nothing is ever fetched. Where the standard finds nothing, it
asks the lenient readings.
"""

from collections.abc import Hashable, Sequence
from typing import Final

from attrs import define, evolve, field
from referencing import Registry
from referencing.exceptions import NoSuchResource, Unresolvable
from referencing.jsonschema import DRAFT3, DRAFT4, DRAFT6, DRAFT7, DRAFT201909, DRAFT202012

from schemaflow.keywords import JsonValue, Schema
from schemaflow.references.places import (
    DEFINITIONS,
    KEY_SET,
    NAMES,
    PLACES,
    Draft,
    Place,
    beneath,
    declared,
    scope,
    unescaped,
)
from schemaflow.references.readings import Readings
from schemaflow.references.targets import Nowhere, Target

_IDLE: Final = KEY_SET | NAMES | DEFINITIONS | {"$comment"}
_OLD: Final = frozenset({DRAFT3.name, DRAFT4.name, DRAFT6.name, DRAFT7.name})


@define(eq=False, slots=False)
class References:
    """
    The references of one document, looked up lazily and each once.

    No lookup raises, whatever a reference holds, and none fetches anything.
    """

    document: JsonValue
    root: Place = field(init=False)
    _readings: Readings = field(init=False)
    _registry: "Registry[Place] | None" = field(default=None, init=False)
    _drafts: dict[str, Draft] = field(init=False)
    _known: dict[tuple[str, str], Target | None] = field(factory=dict, init=False)
    _followed: dict[tuple[str, str, str], Target | Nowhere] = field(factory=dict, init=False)
    _ends: dict[Hashable, Target | Nowhere] = field(factory=dict, init=False)

    def __attrs_post_init__(self) -> None:
        draft = declared(self.document, DRAFT202012)
        base, _ = scope(self.document, "", draft)
        self.root = Place(self.document, base, draft)
        self._drafts = {base: draft}
        self._readings = Readings(self.root)

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
        if NAMES.isdisjoint(schema):
            return frozenset()
        known = (name for name in NAMES & schema.keys() if name != "id" or not self.has_booleans(base))
        return frozenset(name for name in known if isinstance(schema[name], (str, bool)))

    def is_read_alike(self, schema: JsonValue, base: str, there: str) -> bool:
        """Whether a schema that stands where the base is `base` is read in the same draft where it is `there`."""
        here, other = (self._drafts.get(one, self.root.draft) for one in (base, there))
        return declared(schema, here).name == here.name == other.name

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
            self._known[key] = self._read(base, ref) if place is None else Target(place)
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
        return self._outermost(target, self._readings.named.get(name, ()))

    def _recursive(self, target: Target) -> Target:
        if not isinstance(target.schema, dict) or target.schema.get("$recursiveAnchor") is not True:
            return target
        return self._outermost(target, self._readings.named.get("$recursiveAnchor", ()))

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
        keyword, ref = next((name, value) for name, value in target.place.value.items() if name in KEY_SET)
        return self.refer(keyword, ref, target.base)

    def _resolved(self, base: str, ref: str) -> Place | None:
        """The place that a reference names by the standard, if a schema can stand there."""
        place: Place | None
        if base == self.base and ref.startswith("#/") and "%" not in ref:
            # Nearly all references are such; this is what the library would do, at a fifth of the cost.
            place = beneath(self.root, map(unescaped, ref[2:].split("/")))
        else:
            place = self._looked_up(base, ref)
        return place if place is not None and isinstance(place.value, (dict, bool)) else None

    def _looked_up(self, base: str, ref: str) -> Place | None:
        if self._registry is None:
            # Most documents hold none but plain pointers, and need none.
            self._registry = Registry().with_resource(self.base, PLACES.create_resource(self.root))
        if base != self.base or not (ref == "#" or ref.startswith("#/")):
            # Only a pointer into the document itself needs no search for names.
            self._registry = self._registry.crawl()
        try:
            return self._registry.resolver(base).lookup(ref).contents
        except (Unresolvable, NoSuchResource, ValueError):
            return None

    def _read(self, base: str, ref: str) -> Target | None:
        return self._readings.read(ref, None if base == self.base else self._resolved(self.base, ref))


def _reached(step: Target, end: Target | Nowhere) -> Target | Nowhere:
    """The end of a chain, as seen before one more step towards it."""
    if isinstance(end, Nowhere) or not (step.note or step.is_guess):
        return end
    return evolve(end, note="; ".join(filter(None, [step.note, end.note])), is_guess=step.is_guess or end.is_guess)


def _is_alias(schema: JsonValue) -> bool:
    """Whether a schema is nothing but one reference."""
    if not isinstance(schema, dict) or KEY_SET.isdisjoint(schema):
        return False
    if len(schema) == 1:
        return True
    return len(KEY_SET & schema.keys()) == 1 and _IDLE.issuperset(schema)
