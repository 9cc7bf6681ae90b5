"""The survey: every schema object of a document looked at once, in its draft, and who refers to what."""

from collections.abc import Hashable, Iterable, Iterator
from functools import cached_property
from typing import Any, Final, NamedTuple, TypeAlias

from attrs import define, field
from referencing.jsonschema import DRAFT3, DRAFT4, DRAFT202012

from schemaflow.drafts import Age, age_of
from schemaflow.keywords import KEYWORDS, Children, JsonValue, Polarity, Schema, Token, subschemas
from schemaflow.references import DEFINITIONS, KEYS, References, Target, composed
from schemaflow.references.places import NAMES, Draft, Place, Standing, declared, scope
from schemaflow.upgrading.respelling import Facts, fresh_name

# Where `id` says anything, a `$schema` says so.
OLD: Final = frozenset(
    "$schema $id definitions additionalItems dependencies nullable $ref $dynamicRef $recursiveRef "
    "$recursiveAnchor".split()
)
FLAGS: Final = ("exclusiveMinimum", "exclusiveMaximum")
_UNEVALUATED: Final = frozenset({"unevaluatedItems", "unevaluatedProperties"})
_IN_PLACE: Final = frozenset("allOf anyOf oneOf not if then else dependentSchemas dependencies contains".split())

Key: TypeAlias = Hashable
"""What tells schema objects apart: the object, and how it is read."""


class State(NamedTuple):
    """
    How a schema object is read: the base of its references, the dialect of its names, and the draft of its words.

    It `is_doubtful` where a schema declares a draft of its own and has no name to do so.
    """

    base: str
    draft: Draft
    age: Age
    is_declared: bool = False
    is_doubtful: bool = False

    def inside(self, schema: JsonValue) -> "State":
        """How what stands in a schema object is read, from how things are read around it."""
        base, draft = scope(schema, self.base, self.draft)
        age = age_of(schema)
        own = self.age if age is None else age
        # The standard has `$schema` at the root of a resource alone.
        states = isinstance(schema, dict) and isinstance(schema.get("$schema"), str)
        is_doubtful = base == self.base and (self.is_doubtful or (states and age is not self.age))
        return State(base, draft, own, self.is_declared or age is not None, is_doubtful)

    @property
    def names_by(self) -> str:
        """The keyword that gives URIs."""
        return "id" if self.draft.name in (DRAFT3.name, DRAFT4.name) else "$id"


def reading(document: Schema) -> State:
    """How what stands in a document is read; it needs no name to declare a draft."""
    draft = declared(document, DRAFT202012)
    age = age_of(document)
    return State(scope(document, "", draft)[0], draft, Age.DRAFT_2020 if age is None else age, age is not None)


class Node(NamedTuple):
    """A schema object: its children by the keywords that hold them, and what it refers to."""

    place: Place
    state: State
    children: list[tuple[str, Key]]
    targets: list[Target]


def needs_a_look(document: JsonValue) -> bool:
    """Whether a document may hold anything that 2020-12 says otherwise."""
    waiting = [document]
    seen: set[int] = set()
    while waiting:
        node = waiting.pop()
        if not isinstance(node, dict) or id(node) in seen:
            continue
        seen.add(id(node))
        if not OLD.isdisjoint(node) or isinstance(node.get("items"), list):
            return True
        if any(isinstance(node.get(flag), bool) for flag in FLAGS):
            return True
        waiting.extend(child for _, _, child in subschemas(node))
    return False


def key_of(schema: Schema, state: State) -> Key:
    """The key of a schema object in which things are read like that."""
    return (id(schema), state.base, state.age, state.is_declared, state.is_doubtful)


@define(eq=False, slots=False)
class Survey:
    """
    Every schema object of a document, those included that only a reference leads to.

    `needed` are the parts, by the id of what holds them, that references lead to or through.
    """

    references: References
    root: State = field(init=False)
    nodes: dict[Key, Node] = field(factory=dict, init=False)
    needed: dict[int, set[Token]] = field(factory=dict, init=False)
    unvisited: list[Target] = field(factory=list, init=False)
    leads_outside: bool = field(default=False, init=False)

    def __attrs_post_init__(self) -> None:
        self.root = reading(self.references.document)
        waiting = [(self.references.root, self.root)]
        while waiting:
            place, state = waiting.pop()
            key = key_of(place.value, state)
            if key in self.nodes:
                continue
            below = [(one, state.inside(one.value)) for one in place.children() if isinstance(one.value, dict)]
            targets = list(self._targets(place.value, state.base))
            children = [(_keyword(child), key_of(child.value, inner)) for child, inner in below]
            self.nodes[key] = Node(place, state, children, targets)
            waiting.extend(below)
            waiting.extend((one.place, self.state_of(one.place)) for one in targets if isinstance(one.schema, dict))

    def state_of(self, place: Place) -> State:
        """How what stands in a place is read."""
        state = self.root
        for one in list(reversed(list(place.upward())))[1:]:
            if one is place or one.kind is Standing.SCHEMA:
                state = state.inside(one.value)
        return state

    def _targets(self, schema: Schema, base: str) -> Iterator[Target]:
        for keyword in KEYS:
            if not isinstance(schema.get(keyword), str):
                continue
            target = self.references.lookup(base, schema[keyword])
            if target is None or target.note:
                self.leads_outside |= target is None
                continue
            for place in target.place.upward():
                if place.above is not None:
                    self.needed.setdefault(id(place.above.value), set()).add(place.token)
            if not target.is_visited:
                self.unvisited.append(target)
            yield target

    @cached_property
    def facts(self) -> Facts:
        """What is known of the whole document."""
        schemas = [node.place.value for node in self.nodes.values()]
        held = frozenset(keyword for schema in schemas for keyword in schema)
        names = {str(schema[name]).lstrip("#") for schema in schemas for name in NAMES & schema.keys()}
        is_old = any(isinstance(schema.get("items"), list) for schema in schemas)
        return Facts(
            has_contains="contains" in held,
            has_unevaluated=not _UNEVALUATED.isdisjoint(held),
            has_old_drafts=any(node.state.age < Age.DRAFT_2020 for node in self.nodes.values()),
            is_read_as_2019=is_old or not held.isdisjoint({"$recursiveRef", "$recursiveAnchor"}),
            leads_outside=self.leads_outside,
            recursive=fresh_name("recursive", names),
        )

    @cached_property
    def reached(self) -> dict[Key, set[Polarity]]:
        """With which polarities validation comes to each schema object, by references too; none where it never does."""
        return self._walked(follows=True)

    @cached_property
    def standing(self) -> dict[Key, set[Polarity]]:
        """With which polarities each schema object stands in the document."""
        return self._walked(follows=False)

    def _walked(self, *, follows: bool) -> dict[Key, set[Polarity]]:
        found: dict[Key, set[Polarity]] = {}
        root = self.references.root
        waiting = [(key_of(root.value, self.root), Polarity.SAME)]
        while waiting:
            key, polarity = waiting.pop()
            if polarity is Polarity.NONE or polarity in found.setdefault(key, set()):
                continue
            found[key].add(polarity)
            node = self.nodes[key]
            waiting.extend((child, composed(polarity, step)) for child, step in self._steps(node, follows=follows))
        return found

    def _steps(self, node: Node, *, follows: bool) -> Iterable[tuple[Key, Polarity]]:
        schema = node.place.value
        is_governed = not _UNEVALUATED.isdisjoint(schema)
        for keyword, child in node.children:
            if follows and keyword in DEFINITIONS:
                continue
            is_mixed = (keyword == "contains" and "maxContains" in schema) or (is_governed and keyword in _IN_PLACE)
            yield child, Polarity.MIXED if is_mixed else KEYWORDS[keyword].polarity
        for target in node.targets if follows else ():
            if isinstance(target.schema, dict):
                yield self.key_at(target.place), Polarity.MIXED if is_governed else Polarity.SAME

    def key_at(self, place: Place) -> Key:
        """The key of the schema object at a place."""
        return key_of(place.value, self.state_of(place))


def _keyword(place: Place) -> Any:
    """The keyword that holds a direct subschema."""
    above = place.above
    assert above is not None, "a subschema stands below something"
    return above.token if isinstance(above.kind, Children) else place.token
