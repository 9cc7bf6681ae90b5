"""Put what they refer to in the place of references."""

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from enum import Enum
from typing import Any, Final, Literal, NamedTuple

from attrs import define, field, frozen

from schemaflow import Below, Effect, JsonValue, Parts, Rewrite, Schema, Traced, document_rule, inherit, option
from schemaflow.algebra import intersect
from schemaflow.keywords import CHILDREN, KEYWORDS, Polarity, Role
from schemaflow.references import (
    DEFINITIONS,
    KEYS,
    LEVELS,
    STEPS,
    Extent,
    Nowhere,
    References,
    Steps,
    Target,
    Uses,
    composed,
    exceeds,
    fragment,
    weigh,
)
from schemaflow.visitor import measure


@frozen
class Options:
    keep: Literal["none", "cyclic", "resolvable"] = option(
        "none", "Which references stay: none, those to definitions on a cycle, or all that lead somewhere."
    )
    inline_under: tuple[str, ...] = option(
        (), "References to what lies below these keywords never stay: for keywords that a later step drops."
    )
    unroll: int = option(1, "How many times a definition on a cycle is entered again before it is cut.", minimum=0)
    siblings: Literal["intersect", "standard", "drop"] = option(
        "intersect", "What stands beside a reference: it holds too, or only where the draft says so, or it is dropped."
    )
    last: Literal["object", "any"] = option(
        "object", "What stands for a reference that leads nowhere or goes on for ever: an object, or anything."
    )


@document_rule(on=KEYS, effect=Effect.BOTH, options=Options)
def resolve_refs(document: JsonValue, options: Options) -> Traced:
    """
    Put what they refer to in the place of references.

    For providers that refuse `$ref`, or follow fewer references than authors write.
    What stands beside a reference holds too, and its description wins. Recursion is
    cut: below the cut only the type is left. A reference that leads nowhere becomes an
    object of any kind. Definitions stay for `drop_definitions` to drop, but an inlined
    copy goes without its own.

    With `keep`, references stay, as JSON Pointers from the root; a target that would
    not be at its place any more moves to `$defs`.

    Nothing is fetched. Inlining stops where the document would become too big.

    Before:
        {"properties": {"a": {"$ref": "#/$defs/A", "title": "First"}}, "$defs": {"A": {"type": "string"}}}
    After:
        {"properties": {"a": {"type": "string", "title": "First"}}, "$defs": {"A": {"type": "string"}}}

    Before:
        {"properties": {"a": {"$ref": "#/properties/b", "maxLength": 5}, "b": {"type": "string", "maxLength": 9}}}
    After:
        {"properties": {"a": {"maxLength": 5, "type": "string"}, "b": {"type": "string", "maxLength": 9}}}

    Before (unroll: 0):
        {"$defs": {"L": {"type": "array", "items": {"$ref": "#/$defs/L"}}}, "properties": {"l": {"$ref": "#/$defs/L"}}}
    After:
        {
          "$defs": {"L": {"type": "array", "items": {"$ref": "#/$defs/L"}}},
          "properties": {"l": {"type": "array", "items": {"type": "array"}}}
        }

    Before (keep: resolvable):
        {"items": {"$ref": "#/$defs/Gone"}, "contains": {"$ref": "#/$defs/A"}, "$defs": {"A": {"type": "string"}}}
    After:
        {"items": {"type": "object"}, "contains": {"$ref": "#/$defs/A"}, "$defs": {"A": {"type": "string"}}}

    Before (siblings: drop):
        {"items": {"$ref": "#/$defs/A", "title": "First"}, "$defs": {"A": {"type": "string"}}}
    After:
        {"items": {"type": "string"}, "$defs": {"A": {"type": "string"}}}

    Before (last: any):
        {"items": {"$ref": "#/$defs/Gone"}}
    After:
        {"items": {}}

    Unchanged:
        {"properties": {"$ref": {"type": "string"}}, "default": {"$ref": "#/properties/$ref"}}

    Unchanged (keep: cyclic):
        {"properties": {"next": {"$ref": "#"}}}
    """
    if not isinstance(document, dict):
        return Traced(document)
    references = References(document)
    uses = Uses(references, definitions=options.keep != "none")
    if not uses.has_references:
        return Traced(document)
    bound = _bound(options, uses)
    while True:
        run = _Run(references, uses, _Policy(options, uses, bound))
        traced = run.traced()
        # What intersecting makes cannot be counted before.
        if bound == 0 or not run.has_intersected or not exceeds(_extent(traced.schema), uses.limit):
            return traced
        bound = (LEVELS if bound is None else bound) // 2


class _Stop(Enum):
    """Why a reference is not inlined."""

    KEPT = "kept"
    CYCLE = "cut"
    BUDGET = "over budget"


class _Route(NamedTuple):
    """
    What a traversal remembers of its way.

    `entered` are the units that were entered of one cycle of units, `component`: a
    cycle that was left is never met again. `followed` counts references.
    """

    component: int = -1
    entered: tuple[int, ...] = ()
    followed: int = 0


class _State(NamedTuple):
    base: str
    route: _Route


@frozen(eq=False)
class _Policy:
    """
    Which references are inlined.

    `bound` is how many are followed on one path, None for any number. With a bound,
    the units of a cycle share one count: there are too many ways through them.
    """

    options: Options
    uses: Uses
    bound: int | None

    def go(self, index: int, route: _Route) -> _Route | _Stop:
        """The route into a unit by a reference, or why it is not taken."""
        is_cyclic = index in self.uses.cyclic
        may_stay = self.options.keep != "none" and not self.is_under(self.uses.units[index].target)
        # Over budget, all that may stay does: that loses nothing.
        if may_stay and (is_cyclic or self.options.keep == "resolvable" or self.bound is not None):
            return _Stop.KEPT
        if self.bound is not None and route.followed >= self.bound:
            return _Stop.BUDGET
        followed = route.followed if self.bound is None else route.followed + 1
        if not is_cyclic:
            return _Route(followed=followed)
        component = self.uses.component_of[index]
        entered = route.entered if route.component == component else ()
        often = len(entered) if self.bound is not None else entered.count(index)
        if often > self._most(component):
            return _Stop.CYCLE
        return self._into(index, entered, followed)

    def _most(self, component: int) -> int:
        if self.bound is None:
            return self.options.unroll
        return (self.options.unroll + 1) * self.uses.sizes[component] - 1

    def _into(self, index: int, entered: tuple[int, ...], followed: int) -> _Route:
        component = self.uses.component_of[index]
        if self.bound is not None:
            return _Route(component, (*entered, component), followed)
        return _Route(component, tuple(sorted([*entered, index])), followed)

    def in_place(self, index: int, route: _Route) -> _Route:
        """The route into a unit that stands inside another."""
        if index not in self.uses.cyclic:
            return _Route(followed=route.followed)
        entered = route.entered if route.component == self.uses.component_of[index] else ()
        return self._into(index, entered, route.followed)

    def is_under(self, target: Target | None) -> bool:
        """Whether a target lies below a keyword that a later step drops."""
        under = self.options.inline_under
        return bool(under) and target is not None and any(keyword in under for _, keyword in target.above())

    @property
    def steps(self) -> Steps[_Route]:
        """The policy as what `Uses.extent` asks for."""

        def by_reference(index: int, route: _Route) -> _Route | None:
            further = self.go(index, route)
            return None if isinstance(further, _Stop) else further

        return Steps(by_reference, self.in_place)


def _bound(options: Options, uses: Uses) -> int | None:
    """The largest number of references on one path with which the document is within its limit, None for any."""

    def fits(bound: int | None) -> bool:
        steps = _Policy(options, uses, bound).steps
        return uses.extent(_Route(), steps, in_place=options.keep != "none") is not None

    if (options.keep == "resolvable" and not options.inline_under) or fits(None):
        return None
    if options.keep != "none" and not options.inline_under:
        return 0
    most = 1
    while most < STEPS and fits(most):
        most *= 2
    return bisect_left(range(1, most + 1), True, key=lambda bound: not fits(bound))


def _extent(schema: JsonValue) -> Extent:
    size = measure(schema, weigh)
    return Extent(size.nodes, size.weight, size.levels)


class _Settled(NamedTuple):
    """What becomes of one reference: the schema for it, and the state to visit that with, if any."""

    schema: Any
    note: str
    effect: Effect = Effect.EXACT
    state: _State | None = None
    unit: int | None = None
    stop: _Stop | Nowhere | None = None


@define(eq=False)
class _Run:
    """One rewriting of a document."""

    references: References
    uses: Uses
    policy: _Policy
    root: Schema = field(init=False)
    has_intersected: bool = False
    effects: dict[tuple[int, _Route], Effect] = field(factory=dict)
    below: dict[tuple[int, _Route], Effect] = field(factory=dict)
    copies: dict[int, Schema] = field(factory=dict)
    originals: dict[int, int] = field(factory=dict)
    typed: dict[int, Schema] = field(factory=dict)
    staying: dict[tuple[str, str, str], _Settled] = field(factory=dict)
    moved: dict[object, str] = field(factory=dict)
    to_move: list[tuple[str, Target]] = field(factory=list)

    def __attrs_post_init__(self) -> None:
        document = self.references.document
        self.root = document
        if self.options.keep == "none" and not DEFINITIONS.isdisjoint(document):
            self.root = {keyword: value for keyword, value in document.items() if keyword not in DEFINITIONS}
            self.uses.index[id(self.root), self.references.base] = 0

    @property
    def options(self) -> Options:
        return self.policy.options

    def traced(self) -> Traced:
        """The rewritten document, and what was done."""
        traced = self._inherited(self.root, self.references.base)
        result, document = traced.schema, self.references.document
        if result is self.root:
            return Traced(document)
        if self.root is not document:
            result = _with_definitions(document, result)
            traced.sources.append((result, document))
        if self.to_move:
            result = self._with_moved(result, traced)
        return Traced(result, traced.log, True, traced.sources)

    def _inherited(self, schema: Schema, base: str) -> Traced:
        return inherit(schema, self.visit, _State(base, _Route()), levels=STEPS + 1)

    def _with_moved(self, result: Schema, traced: Traced) -> Schema:
        """The document with the definitions that kept references need."""
        moved: dict[str, Any] = {}
        while self.to_move:
            name, target = self.to_move.pop()
            one = self._inherited({"$defs": {name: self.copy(target)}}, target.base)
            moved[name] = one.schema["$defs"][name]
            traced.log.extend(one.log)
            traced.sources.extend([*one.sources, (self.copy(target), target.schema)])
        known = result.get("$defs")
        final = {**result, "$defs": {**(known if isinstance(known, dict) else {}), **moved}}
        note = f"moved to $defs: {', '.join(moved)}"
        traced.log.append((None, 0, result, final, Rewrite(final, effect=Effect.EXACT, note=note)))
        return final

    def visit(self, node: Any, state: _State) -> "Below[_State] | Parts[_State]":
        """What stands at a node, and how its children are visited."""
        if not isinstance(node, dict):
            return Below(node, None)
        base = self.references.base if node is self.root else self.references.enter(node, state.base)
        if (id(node), base) in self.uses.idle:
            return Below(node, None)
        index = self.uses.find(node, base)
        route = state.route if index is None else self.policy.in_place(index, state.route)
        if not _KEYS.isdisjoint(node):
            return self._replaced(node, _State(base, route))
        return self._nameless(node, _State(base, route))

    def _nameless(self, node: Schema, state: _State) -> Below[_State]:
        """The node without what references knew it by: they are pointers from the root now, or gone."""
        names = frozenset() if node is self.root else self.references.names(node, state.base)
        if not names:
            return Below(node, state)
        if "$id" in names or "id" in names:
            names |= {"$schema"}
        rest = {keyword: value for keyword, value in node.items() if keyword not in names}
        return Below(rest, state, Rewrite(rest, effect=Effect.EXACT, note="no reference uses this name any more"))

    def _replaced(self, node: Schema, state: _State) -> "Below[_State] | Parts[_State]":
        settled = [self._settled(keyword, node[keyword], state) for keyword in KEYS if keyword in node]
        siblings = self._siblings(node, state.base)
        if len(settled) == 1 and settled[0].stop is _Stop.KEPT:
            return self._kept(node, settled[0], siblings, state)
        replacement = _Replacement(self, node, state, settled, siblings)
        return Parts(list(replacement.parts()), replacement.join)

    def _kept(self, node: Schema, settled: _Settled, siblings: "_Siblings", state: _State) -> Below[_State]:
        kept = {**siblings.beside, **siblings.own}
        note = settled.note
        if self.options.siblings == "drop":
            # That is for references that are replaced.
            kept = {name: value for name, value in node.items() if name not in KEYS}
        elif siblings.note and not siblings.own:
            note = "; ".join(filter(None, [note, siblings.note]))
        result = _spliced(node, kept, settled.schema)
        if len(result) == len(node) and result["$ref"] == node.get("$ref"):
            return Below(node, state)
        return Below(result, state, Rewrite(result, effect=settled.effect, note=note))

    def _settled(self, keyword: str, ref: JsonValue, state: _State) -> _Settled:
        settled = self._settled_by(keyword, ref, state)
        if self.references.knows(keyword, state.base):
            return settled
        note = f"{settled.note}; this draft ignores {keyword}"
        # As `$ref` it may make an old draft ignore what stands beside it.
        effect = Effect.BOTH if self.references.ignores_siblings(state.base) else Effect.NARROWS
        return settled._replace(effect=settled.effect | effect, note=note)

    def _settled_by(self, keyword: str, ref: JsonValue, state: _State) -> _Settled:
        target = self.references.follow(keyword, ref, state.base)
        if isinstance(target, Nowhere):
            schema, effect = ({}, Effect.WIDENS) if self.options.last == "any" else ({"type": "object"}, Effect.BOTH)
            return _Settled(schema, f"{ref!r} {target.value}", self._losing(effect), stop=target)
        effect = Effect.UNKNOWN if target.is_guess else Effect.EXACT
        if not isinstance(target.schema, dict):
            if self.options.keep == "resolvable" and not self.policy.is_under(target):
                return self._staying(keyword, ref, state, target)
            return _Settled(target.schema, _noted("inlined", ref, target), effect)
        index = self.uses.index[target.key]
        further = self.policy.go(index, state.route)
        if further is _Stop.KEPT:
            return self._staying(keyword, ref, state, target)
        if isinstance(further, _Stop):
            schema = self._typed(index, target) if self.options.last == "object" else {}
            how = "expansion over budget: cut" if further is _Stop.BUDGET else "cut the recursion at"
            return _Settled(schema, _noted(how, ref, target), effect | self._losing(Effect.WIDENS), stop=further)
        inner = None if target.key in self.uses.idle else _State(target.base, further)
        return _Settled(self.copy(target), _noted("inlined", ref, target), effect, inner, index)

    def _typed(self, index: int, target: Target) -> Schema:
        """The schema of all values of the types that a target may accept."""
        if index not in self.typed:
            kinds = self._kinds(target.schema, target.base, _LOOKS)
            self.typed[index] = {} if not kinds else {"type": kinds[0] if len(kinds) == 1 else kinds}
        return self.typed[index]

    def _kinds(self, schema: Any, base: str, looks: int) -> list[str] | None:
        """The types of which a schema may accept values, None where it does not say."""
        if not isinstance(schema, dict) or not looks:
            return None
        base = self.references.enter(schema, base)
        stated = schema.get("type")
        kinds = [stated] if isinstance(stated, str) else stated
        if isinstance(kinds, list) and kinds and all(isinstance(kind, str) and kind in _TYPES for kind in kinds):
            return [*kinds]
        for keyword in (key for key in KEYS if key in schema):
            target = self.references.follow(keyword, schema[keyword], base)
            if isinstance(target, Target) and not target.is_guess:
                found = self._kinds(target.schema, target.base, looks - 1)
                if found:
                    return found
        return self._kinds_of_branches(schema, base, looks)

    def _kinds_of_branches(self, schema: Schema, base: str, looks: int) -> list[str] | None:
        for keyword in ("allOf", "anyOf", "oneOf"):
            branches = schema.get(keyword)
            if not isinstance(branches, list):
                continue
            found = [self._kinds(branch, base, looks - 1) for branch in branches]
            known = [kinds for kinds in found if kinds]
            if known and keyword == "allOf":
                return known[0]
            if known and len(known) == len(found):
                return list(dict.fromkeys(kind for kinds in known for kind in kinds))
        return None

    def _losing(self, effect: Effect) -> Effect:
        """The effect of a last resort, which evaluates nothing that `unevaluated*` could see."""
        return Effect.BOTH if self.uses.has_unevaluated else effect

    def _staying(self, keyword: str, ref: JsonValue, state: _State, end: Target) -> _Settled:
        """A reference that stays, to where its target will be."""
        key = (keyword, str(ref), state.base)
        if key not in self.staying:
            self.staying[key] = self._to_stay(keyword, ref, state, end)
        return self.staying[key]

    def _to_stay(self, keyword: str, ref: JsonValue, state: _State, end: Target) -> _Settled:
        target = self.references.refer(keyword, str(ref), state.base) if self.options.keep == "resolvable" else end
        if target is None or self.policy.is_under(target):
            target = end
        effect = Effect.UNKNOWN if target.is_guess else Effect.EXACT
        home = self._home(target)
        is_pointer = keyword == "$ref" and state.base == self.references.base and str(ref).startswith("#")
        if is_pointer and not target.note and (ref == "#" or str(ref).startswith("#/")):
            straight = self.references.lookup(state.base, ref)
            if straight is not None and straight.key == target.key and home == fragment(straight.tokens):
                home = str(ref)
        note = "" if home == ref and keyword == "$ref" else _noted(f"now {home!r}:", ref, target)
        return _Settled({"$ref": home}, note, effect, stop=_Stop.KEPT)

    def _home(self, target: Target) -> str:
        """The reference to a target in the rewritten document."""
        if target.is_visited and all(self._stands(node, keyword) for node, keyword in target.above()):
            return fragment(target.tokens)
        key = (target.key, target.tokens if isinstance(target.schema, bool) else ())
        if key not in self.moved:
            self.moved[key] = self._free_name(str(target.tokens[-1]))
            self.to_move.append((self.moved[key], target))
        return fragment(("$defs", self.moved[key]))

    def _free_name(self, wanted: str) -> str:
        known = self.references.document.get("$defs")
        taken = {*(known if isinstance(known, dict) else ()), *self.moved.values()}
        name, count = wanted, 1
        while name in taken:
            count += 1
            name = f"{wanted}_{count}"
        return name

    def _stands(self, node: Schema, keyword: str) -> bool:
        """Whether what a node holds under a keyword is at its place afterwards."""
        if keyword in DEFINITIONS or not any(key in node for key in KEYS):
            return True
        # A reference that stays leaves what stands beside it where it is.
        return self.options.keep == "resolvable" and self.options.siblings == "intersect" and self._stays(node)

    def _stays(self, node: Schema) -> bool:
        if len([key for key in KEYS if key in node]) != 1 or "$ref" not in node:
            return False
        target = self.references.follow("$ref", node["$ref"], self.references.base)
        return isinstance(target, Target) and not self.policy.is_under(target)

    def copy(self, target: Target) -> Any:
        """The target's schema as it goes elsewhere: without names and definitions. The same object each time."""
        schema = target.schema
        if not isinstance(schema, dict):
            return schema
        known = self.copies.get(id(schema))
        if known is None:
            gone = self.references.names(schema, target.base) | DEFINITIONS | {"$schema", "$vocabulary"}
            # Always a new object: the original has a place of its own, where it counts as entered.
            known = {name: value for name, value in schema.items() if name not in gone}
            self.copies[id(schema)] = known
            self.originals[id(known)] = id(schema)
        return known

    def _siblings(self, node: Schema, base: str) -> "_Siblings":
        if len(node) == 1:
            return _NOTHING
        gone = frozenset(KEYS) if node is self.root else self.references.names(node, base) | set(KEYS)
        rest = {name: value for name, value in node.items() if name not in gone}
        if not rest:
            return _NOTHING
        firm = {name: value for name, value in rest.items() if self._is_firm(name, at_root=node is self.root)}
        loose = {name: value for name, value in rest.items() if name not in firm}
        asserts = any(_asserts(name) for name in loose)
        is_old = "$ref" in node and self.references.ignores_siblings(base)
        if loose and (self.options.siblings == "drop" or (self.options.siblings == "standard" and is_old)):
            lost = f"dropped what stood beside: {', '.join(loose)}"
            return _Siblings(firm, {}, self._losing(Effect.WIDENS) if asserts and not is_old else Effect.EXACT, lost)
        if not asserts:
            return _Siblings({name: value for name, value in rest.items() if name in firm or name in loose})
        if is_old:
            return _Siblings(firm, loose, Effect.NARROWS, "what stands beside holds too, which this draft ignores")
        return _Siblings(firm, loose)

    @staticmethod
    def _is_firm(keyword: str, *, at_root: bool) -> bool:
        """Whether a keyword stays at its node whatever else is put there."""
        row = KEYWORDS.get(keyword)
        return keyword in DEFINITIONS or (at_root and (row is None or row.role is Role.IDENTIFIER))

    def both(self, left: Any, right: Any, base: str, ledger: "_Ledger") -> Any:
        """What two schemas say together, the left one's text winning."""
        if left is False or right is False:
            return False
        if not isinstance(left, dict) or not isinstance(right, dict):
            return right if left is True else left
        has_reference = any(key in left or key in right for key in KEYS)
        if has_reference and "$ref" not in left and not any(_asserts(name) for name in right):
            return {**right, **left}
        if has_reference or self.uses.has_unevaluated or not self.references.has_booleans(base):
            # A member of `allOf` says exactly what a reference beside the rest said, in every draft.
            members = left.get("allOf", [])
            return {**left, "allOf": [right, *(members if isinstance(members, list) else [])]}
        self.has_intersected = True
        outcome = intersect(left, right)
        ledger.add(outcome.effect, *outcome.notes)
        return outcome.schema

    def record(self, node: Schema, route: _Route, effect: Effect) -> None:
        """Remember what replacing the references of a node did."""
        if effect:
            self.effects[self.originals.get(id(node), id(node)), route] = effect

    def effect_below(self, unit: int, route: _Route) -> Effect:
        """The effect on a unit, once rewritten, of all that was done inside it."""
        if not self.effects:
            return Effect.EXACT
        known = self.below.get((unit, route))
        if known is None:
            known = self.below[unit, route] = self._summed(unit, route)
        return known

    def _summed(self, unit: int, route: _Route) -> Effect:
        effect = Effect.EXACT
        waiting = [(unit, route, Polarity.SAME)]
        while waiting:
            index, way, polarity = waiting.pop()
            for use in self.uses.units[index].uses:
                found = self.effects.get((use.node, way))
                if found is not None:
                    effect |= found.seen_through(composed(polarity, use.polarity))
            for inner, _, inside in self.uses.units[index].inside:
                waiting.append((inner, self.policy.in_place(inner, way), composed(polarity, inside)))
        return effect


@frozen(eq=False)
class _Siblings:
    """
    What stands beside a reference.

    `beside` is put back as it is, `own` says something about values and is
    intersected with the target. `effect` and `note` are those of what became of them.
    """

    beside: Schema = field(factory=dict)
    own: Schema = field(factory=dict)
    effect: Effect = Effect.EXACT
    note: str = ""


_NOTHING: Final = _Siblings()


@define
class _Ledger:
    effect: Effect
    notes: list[str]

    def add(self, effect: Effect, *notes: str) -> None:
        if effect:
            self.effect |= effect
        self.notes.extend(note for note in notes if note)


@define(eq=False)
class _Replacement:
    """
    A node whose references are replaced: the schemas to visit, and how one is made of them.

    `held` is what has subschemas, of what is put back.
    """

    run: _Run
    node: Schema
    state: _State
    settled: Sequence[_Settled]
    siblings: _Siblings
    held: Schema = field(init=False)

    def __attrs_post_init__(self) -> None:
        self.held = {name: value for name, value in self.siblings.beside.items() if name in CHILDREN}

    def parts(self) -> Iterator[tuple[Any, _State]]:
        """The schemas to visit, each with its state."""
        if self.held:
            yield self.held, self.state
        if self.siblings.own:
            yield self.siblings.own, self.state
        for one in self.settled:
            if one.state is not None:
                yield one.schema, one.state

    def join(self, finished: list[Any]) -> Rewrite:
        """The schema for the node, from the visited ones."""
        ledger = _Ledger(self.siblings.effect, [])
        remaining = iter(finished)
        beside = {**self.siblings.beside, **next(remaining)} if self.held else self.siblings.beside
        whole: Any = next(remaining) if self.siblings.own else None
        is_joined = False
        for one in self.settled:
            schema = one.schema if one.state is None else next(remaining)
            if whole is None:
                ledger.add(one.effect, one.note)
                whole = schema
            elif isinstance(one.stop, Nowhere):
                # What stands beside says more than any last resort.
                ledger.add(Effect.WIDENS, one.note)
            else:
                ledger.add(one.effect, one.note)
                whole = self.run.both(whole, schema, self.state.base, ledger)
                is_joined = True
        ledger.add(Effect.EXACT, self.siblings.note)
        inside = self._inside()
        self.run.record(self.node, self.state.route, ledger.effect | inside)
        if is_joined:
            # What was done inside may not be at its place any more.
            ledger.add(inside)
        return Rewrite(_spliced(self.node, beside, whole), effect=ledger.effect, note="; ".join(ledger.notes))

    def _inside(self) -> Effect:
        effect = Effect.EXACT
        for one in self.settled:
            if one.unit is not None and one.state is not None:
                effect |= self.run.effect_below(one.unit, one.state.route)
        return effect


def _with_definitions(document: Schema, result: Any) -> Schema:
    """The rewritten document with its definitions back at their places."""
    schema = _as_object(result)
    restored = {
        name: document[name] if name in DEFINITIONS else schema[name]
        for name in document
        if name in DEFINITIONS or name in schema
    }
    return {**restored, **schema}


def _spliced(node: Schema, beside: Schema, whole: Any) -> Any:
    """The schema `whole`, and what is put back beside it, in the order of the node that they replace."""
    if not beside:
        # A new object even so, since it comes from this node.
        return {**whole} if isinstance(whole, dict) else whole
    result: Schema = {}
    for name in node:
        if name in beside:
            result[name] = beside[name]
        elif name in KEYS:
            result |= {key: value for key, value in _as_object(whole).items() if key not in beside}
    return result


def _as_object(schema: Any) -> Schema:
    """A boolean schema as an object."""
    if isinstance(schema, dict):
        return schema
    return {} if schema else {"not": {}}


_KEYS: Final = frozenset(KEYS)

_TYPES: Final = frozenset({"array", "boolean", "integer", "null", "number", "object", "string"})

_LOOKS: Final = 4
"""How many schemas deep the types of a target are looked for."""

_SAYING: Final = frozenset({Role.ASSERTION, Role.APPLICATOR, Role.REFERENCE})


def _asserts(keyword: str) -> bool:
    """Whether a keyword says something about values. `nullable` beside a reference goes with the target's type."""
    row = KEYWORDS.get(keyword)
    return row is not None and row.role in _SAYING and keyword != "nullable"


def _noted(how: str, ref: JsonValue, target: Target) -> str:
    parts = [f"{how} {ref!r}", target.note, "another target is possible" if target.is_guess else ""]
    if target.note.startswith(repr(ref)):
        parts[:2] = [f"{how} {target.note}"]
    return "; ".join(part for part in parts if part)
