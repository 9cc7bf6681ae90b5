"""The run: one rewriting of a document in 2020-12, references led to where things stand then."""

from collections.abc import Hashable, Iterable, Iterator
from typing import Any

from attrs import define, field

from schemaflow.drafts import Age, age_of
from schemaflow.effect import Effect
from schemaflow.errors import Unsupported
from schemaflow.intake import Limits
from schemaflow.keywords import JsonValue, Polarity, Schema, Token
from schemaflow.references import References, Target, fragment
from schemaflow.references.places import Place, Standing
from schemaflow.rule import Rewrite
from schemaflow.trace import Traced
from schemaflow.upgrading.respelling import Respelling, Segment, Terms, Where, fresh_name
from schemaflow.upgrading.survey import Key, Node, State, Survey, key_of
from schemaflow.upgrading.words import is_anchor, respelt
from schemaflow.visitor import Below, inherit

_REFERS = ("$ref", "$dynamicRef")
_INTEGERS = "1.0 is an integer from now on, which it is not in draft 4"


@define(eq=False)
class Run:
    """
    One rewriting of a document.

    `moved` tells where in its resource a schema stands now to which no traversal came,
    `homes` how it is read, which is as it was.
    """

    document: Schema
    terms: Terms
    references: References = field(init=False)
    survey: Survey = field(init=False)
    respellings: dict[Key, Respelling] = field(init=False)
    moved: dict[Hashable, Segment] = field(factory=dict, init=False)
    homes: dict[int, State] = field(factory=dict, init=False)

    def __attrs_post_init__(self) -> None:
        if age_of(self.document) is Age.DRAFT_3:
            raise Unsupported("draft 3 is too old: write it in draft 4 or later")
        self.references = References(self.document)
        self.survey = Survey(self.references)
        self.respellings = {key: self._respelt(node) for key, node in self.survey.nodes.items()}
        self._take_in()

    def traced(self) -> Traced:
        """The document in 2020-12, and what was done."""
        traced = inherit(self.document, self.visit, self.survey.root, levels=Limits().nesting)
        if traced.schema is self.document:
            return Traced(self.document)
        effect = self._of_integers()
        if effect and not self.respellings[self.survey.key_at(self.references.root)].is_changed:
            said = Rewrite(traced.schema, effect=effect, note=_INTEGERS, lost={})
            traced.log.append((None, 0, self.document, traced.schema, said))
        return traced

    def visit(self, node: Any, state: State) -> Below[State]:
        """What stands at a node."""
        if not isinstance(node, dict):
            return Below(node, None)
        inside = self.survey.root if node is self.document else self.homes.get(id(node)) or state.inside(node)
        key = key_of(node, inside)
        one = self.respellings.get(key)
        if one is None:
            # It was built here, and holds schemas of the document.
            return Below(node, inside)
        schema, notes = one.schema, list(one.notes)
        for keyword in _REFERS:
            if isinstance(schema.get(keyword), str):
                ref = self._led(schema[keyword], inside.base)
                if ref != schema[keyword]:
                    schema = {**schema, keyword: ref}
        if schema is node:
            if not one.effect:
                return Below(node, inside)
            # Nothing is said otherwise, and yet it holds from now on.
            schema = node.copy()
        effect = self._seen(key, one.effect)
        if node is self.document and self._of_integers():
            effect |= self._of_integers()
            notes.append(_INTEGERS)
        return Below(schema, inside, Rewrite(schema, effect=effect, note="; ".join(notes), lost=one.lost))

    # --- schema objects

    def _respelt(self, node: Node) -> Respelling:
        schema, state = node.place.value, node.state
        if state.age is Age.DRAFT_3:
            return Respelling(schema)
        root = self.references.lookup(state.base, "#")
        named = schema.get("$id")
        where = Where(
            state.age,
            state.is_declared and state.age < Age.DRAFT_2020,
            state.is_doubtful,
            state.names_by,
            resource=None if root is None else root.schema,
            is_resource=schema is self.document or (isinstance(named, str) and not named.startswith("#")),
            needed=frozenset(self.survey.needed.get(id(schema), ())),
            facts=self.survey.facts,
            terms=self.terms,
        )
        return respelt(schema, where)

    # --- what no traversal comes to

    def _take_in(self) -> None:
        """Schemas that only references come to, and that are said otherwise now, become definitions."""
        targets = {self.survey.key_at(one.place): one for one in self.survey.unvisited if isinstance(one.schema, dict)}
        above: dict[Key, list[Key]] = {}
        waiting: list[Key] = []
        for key in self._below(targets):
            node = self.survey.nodes[key]
            for further in [child for _, child in node.children] + [self._target_key(one) for one in node.targets]:
                above.setdefault(further, []).append(key)
            if self._differs(node):
                waiting.append(key)
        differing: set[Key] = set()
        while waiting:
            key = waiting.pop()
            if key not in differing and (key not in targets or self._moves_in(targets[key])):
                differing.add(key)
                waiting.extend(above.get(key, ()))

    def _below(self, keys: Iterable[Key]) -> Iterator[Key]:
        """The keys of schema objects, and of those inside them."""
        waiting = list(keys)
        seen: set[Key] = set()
        while waiting:
            key = waiting.pop()
            if key not in seen:
                seen.add(key)
                yield key
                waiting.extend(child for _, child in self.survey.nodes[key].children)

    def _target_key(self, target: Target) -> Key:
        """The key of a target that is no part of what is visited; a schema that is stays where it is."""
        is_inside = isinstance(target.schema, dict) and not target.is_visited
        return self.survey.key_at(target.place) if is_inside else None

    def _differs(self, node: Node) -> bool:
        one = self.respellings[key_of(node.place.value, node.state)]
        if one.is_changed or one.effect:
            return True
        return any(self._mapped(target.place) != target.tokens for target in node.targets)

    def _moves_in(self, target: Target) -> bool:
        """Make a definition of a target, in its own resource. Whether there is a place for it."""
        root = self.references.lookup(target.base, "#")
        one = None if root is None or not root.is_visited else self.respellings.get(self.survey.key_at(root.place))
        known = {} if one is None else one.schema.get("$defs", {})
        if one is None or not isinstance(known, dict):
            return False
        name = fresh_name(str(target.place.token), known.keys())
        one.schema = {**one.schema, "$defs": {**known, name: target.schema}}
        one.say(f"moved to $defs: {name}")
        self.moved[target.key] = ("$defs", name)
        self.homes[id(target.schema)] = self.survey.state_of(target.place)
        return True

    # --- references

    def _led(self, ref: str, base: str) -> str:
        """A reference to the same schema as before, where that stands now."""
        target = self.references.lookup(base, ref)
        if target is None or target.note:
            return ref
        uri, _, name = ref.partition("#")
        root = self.references.lookup(base, uri or "#")
        if root is None or not name or (not name.startswith("/") and is_anchor(name)):
            return ref
        above = root.tokens
        old = target.tokens[len(above) :]
        new = self.moved.get(target.key) if not target.is_visited else None
        if new is None:
            new = self._mapped(target.place)[len(self._mapped(root.place)) :]
        return ref if new == old and name.startswith("/") else uri + fragment(new)

    def _mapped(self, place: Place) -> Segment:
        """The tokens from the document's root to where a place is now."""
        found: list[Token] = []
        segment: list[Token] = []
        holder = self.references.root
        for one in list(reversed(list(place.upward())))[1:]:
            segment.append(one.token)
            if one.kind is Standing.SCHEMA or one is place:
                found.extend(self._respelling_at(holder).moved(tuple(segment)))
                segment, holder = [], one
        return tuple(found)

    def _respelling_at(self, place: Place) -> Respelling:
        known = self.respellings.get(self.survey.key_at(place)) if isinstance(place.value, dict) else None
        return Respelling(place.value) if known is None else known

    # --- effects

    def _seen(self, key: Key, effect: Effect) -> Effect:
        """An effect as a report may take it: it sees the place alone, and not who else comes there."""
        if not effect:
            return effect
        reached, stands = self.survey.reached.get(key, set()), self.survey.standing.get(key, set())
        if not reached:
            return Effect.EXACT
        is_plain = reached == {Polarity.SAME} and stands <= {Polarity.SAME, Polarity.MIXED}
        return effect if len(reached) == 1 and (reached == stands or is_plain) else Effect.UNKNOWN

    def _of_integers(self) -> Effect:
        """What it does that draft 4's integers are read as newer ones."""
        effect = Effect.EXACT
        for key, node in self.survey.nodes.items():
            if node.state.age is Age.DRAFT_4 and _is_integer(node.place.value):
                for polarity in self.survey.reached.get(key, ()):
                    effect |= Effect.WIDENS.seen_through(polarity)
        return effect


def _is_integer(schema: Schema) -> bool:
    stated: JsonValue = schema.get("type")
    types = stated if isinstance(stated, list) else [stated]
    return "integer" in types and "number" not in types
