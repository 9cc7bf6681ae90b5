"""The run: one rewriting of a document, in which references are inlined or stay."""

from typing import Any

from attrs import define, field

from schemaflow.effect import Effect
from schemaflow.inlining.effects import Effects
from schemaflow.inlining.homes import Homes
from schemaflow.inlining.policy import Policy, Route, State, Stop, Terms
from schemaflow.inlining.replacement import Replacement, spliced, with_kept
from schemaflow.inlining.settled import Settled, noted
from schemaflow.inlining.siblings import Siblings, Together
from schemaflow.inlining.stand_ins import StandIns
from schemaflow.keywords import JsonValue, Schema
from schemaflow.references import DEFINITIONS, KEYS, STEPS, Nowhere, References, Target, Uses, is_object_level
from schemaflow.references.places import KEY_SET
from schemaflow.rule import Rewrite
from schemaflow.trace import Traced
from schemaflow.visitor import Below, Parts, inherit


@define(eq=False)
class Run:
    """One rewriting of a document."""

    references: References
    uses: Uses
    policy: Policy
    root: Schema = field(init=False)
    copies: dict[int, Schema] = field(factory=dict, init=False)
    originals: dict[int, int] = field(factory=dict, init=False)
    inlined: dict[object, Settled] = field(factory=dict, init=False)
    together: Together = field(init=False)
    homes: Homes = field(init=False)
    stand_ins: StandIns = field(init=False)
    effects: Effects = field(init=False)

    def __attrs_post_init__(self) -> None:
        document = self.references.document
        self.root = document
        if not self.terms.passed_over.isdisjoint(document):
            gone = self.terms.passed_over
            self.root = {keyword: value for keyword, value in document.items() if keyword not in gone}
            self.uses.index[id(self.root), self.references.base] = 0
        self.together = Together(self.references, self.uses, self.policy, self.root)
        self.homes = Homes(self.references, self.policy)
        self.stand_ins = StandIns(self.references)
        self.effects = Effects(self.uses, self.policy, self.originals)

    @property
    def terms(self) -> Terms:
        return self.policy.terms

    def traced(self) -> Traced:
        """The rewritten document, and what was done."""
        traced = self._inherited(self.root, self.references.base)
        result, document = traced.schema, self.references.document
        if result is self.root:
            return Traced(document)
        if self.root is not document:
            result = with_kept(document, self.terms.passed_over, result)
            traced.sources.append((result, document))
        if self.homes.to_move:
            result = self._with_moved(result, traced)
        return Traced(result, traced.log, True, traced.sources)

    def _inherited(self, schema: Schema, base: str) -> Traced:
        return inherit(schema, self.visit, State(base, Route()), levels=STEPS + 1)

    def _with_moved(self, result: Schema, traced: Traced) -> Schema:
        """The document with the definitions that kept references need."""
        moved: dict[str, Any] = {}
        effect = Effect.EXACT
        while self.homes.to_move:
            name, target = self.homes.to_move.pop()
            one = self._inherited({"$defs": {name: self.copy(target)}}, target.base)
            moved[name] = one.schema["$defs"][name]
            effect |= self._of_draft(target.schema, target.base, self.references.base)
            traced.log.extend(one.log)
            traced.sources.extend([*one.sources, (self.copy(target), target.schema)])
        known = result.get("$defs")
        final = {**result, "$defs": {**(known if isinstance(known, dict) else {}), **moved}}
        note = f"moved to $defs: {', '.join(moved)}"
        traced.log.append((None, 0, result, final, Rewrite(final, effect=effect, note=note)))
        return final

    def visit(self, node: Any, state: State) -> "Below[State] | Parts[State]":
        """What stands at a node, and how its children are visited."""
        if not isinstance(node, dict):
            return Below(node, None)
        base = self.references.base if node is self.root else self.references.enter(node, state.base)
        if self.uses.survey.is_idle(node, base):
            return Below(node, None)
        index = self.uses.find(node, base)
        route = state.route if index is None else self.policy.in_place(index, state.route)
        if not KEY_SET.isdisjoint(node):
            return self._replaced(node, State(base, route))
        return self._nameless(node, State(base, route))

    def _nameless(self, node: Schema, state: State) -> Below[State]:
        """The node without what references knew it by: they are pointers from the root now, or gone."""
        names = frozenset() if node is self.root else self.references.names(node, state.base)
        if self.terms.depth is not None and is_object_level(node):
            state = state._replace(route=self.policy.deeper(state.route, 1))
        if not names:
            return Below(node, state)
        if "$id" in names or "id" in names:
            names |= {"$schema"}
        rest = {keyword: value for keyword, value in node.items() if keyword not in names}
        effect = self._of_draft(node, state.base, self.references.base)
        return Below(rest, state, Rewrite(rest, effect=effect, note="no reference uses this name any more"))

    def _of_draft(self, schema: JsonValue, base: str, there: str) -> Effect:
        """What it does that a schema is read in the draft of another place: nothing where that is the same."""
        return Effect.EXACT if self.references.is_read_alike(schema, base, there) else Effect.UNKNOWN

    def _replaced(self, node: Schema, state: State) -> "Below[State] | Parts[State]":
        if self.terms.spares and not any(self._leads(keyword, node, state) for keyword in KEYS if keyword in node):
            return self._spared(node, state)
        settled = [self._settled(keyword, node, state) for keyword in KEYS if keyword in node]
        if len(node) == 1 and settled[0].stop is not Stop.KEPT and settled[0].state is None:
            return self._plainly(node, settled[0], state)
        siblings = self.together.siblings(node, state.base)
        if len(settled) == 1 and settled[0].stop is Stop.KEPT:
            return self._kept(node, settled[0], siblings, state)
        replacement = Replacement(self.together, self.effects, node, state, settled, siblings)
        return Parts(list(replacement.parts()), replacement.join)

    def _leads(self, keyword: str, node: Schema, state: State) -> bool:
        """Whether a reference leads somewhere by the standard, in its draft."""
        return self._target(keyword, node, state) is not None and self.references.knows(keyword, state.base)

    def _target(self, keyword: str, node: Schema, state: State) -> Target | None:
        target = self.references.refer(keyword, node[keyword], state.base)
        return None if target is None or target.note else target

    def _spared(self, node: Schema, state: State) -> Below[State]:
        """A node whose references mean nothing to its draft: they stay, to where their targets will be."""
        led = {
            keyword: self.homes.home(target)
            for keyword in KEYS
            if keyword in node and (target := self._target(keyword, node, state)) is not None
        }
        names = frozenset() if node is self.root else self.references.names(node, state.base)
        result = {keyword: led.get(keyword, value) for keyword, value in node.items() if keyword not in names}
        if len(result) == len(node) and all(led[keyword] == node[keyword] for keyword in led):
            return Below(node, state)
        return Below(result, state, Rewrite(result, effect=Effect.EXACT, note="to where its target will be"))

    def _plainly(self, node: Schema, settled: Settled, state: State) -> Below[State]:
        """What stands for a node that is nothing but a reference, where nothing is left to visit: the usual case."""
        result = spliced(node, {}, settled.schema)
        self.effects.record(node, state.route, settled.effect)
        return Below(result, None, Rewrite(result, effect=settled.effect, note=settled.note))

    def _kept(self, node: Schema, settled: Settled, siblings: Siblings, state: State) -> Below[State]:
        kept = {**siblings.beside, **siblings.own}
        note = settled.note
        if self.terms.siblings == "drop":
            # That is for references that are replaced.
            kept = {name: value for name, value in node.items() if name not in KEYS}
        elif siblings.note and not siblings.own:
            note = "; ".join(filter(None, [note, siblings.note]))
        result = spliced(node, kept, settled.schema)
        if len(result) == len(node) and result["$ref"] == node.get("$ref"):
            return Below(node, state)
        return Below(result, state, Rewrite(result, effect=settled.effect, note=note))

    def _settled(self, keyword: str, node: Schema, state: State) -> Settled:
        is_joint = self.originals.get(id(node), id(node)) in self.uses.joint
        settled = self._settled_by(keyword, node[keyword], state, is_joint=is_joint)
        if self.references.knows(keyword, state.base):
            return settled
        note = f"{settled.note}; this draft ignores {keyword}"
        # As `$ref` it may make an old draft ignore what stands beside it.
        effect = Effect.BOTH if self.references.ignores_siblings(state.base) else Effect.NARROWS
        return settled._replace(effect=settled.effect | effect, note=note)

    def _settled_by(self, keyword: str, ref: JsonValue, state: State, *, is_joint: bool) -> Settled:
        target = self.references.follow(keyword, ref, state.base)
        if isinstance(target, Nowhere):
            schema, effect = ({}, Effect.WIDENS) if self.terms.last == "any" else ({"type": "object"}, Effect.BOTH)
            return Settled(schema, f"{ref!r} {target.value}", self.policy.losing(effect), stop=target)
        effect = Effect.UNKNOWN if target.is_guess else self._of_draft(target.schema, target.base, state.base)
        if not isinstance(target.schema, dict):
            if self.terms.keep == "resolvable" and not self.policy.is_under(target):
                return self.homes.staying(keyword, ref, state, target)
            return Settled(target.schema, noted("inlined", ref, target), effect)
        index = self.uses.index[target.key]
        further = self.policy.go(index, state.route, is_joint=is_joint)
        if further is Stop.KEPT:
            return self.homes.staying(keyword, ref, state, target)
        if isinstance(further, Stop):
            schema = self.stand_ins.typed(index, target) if self.terms.last == "object" else {}
            how = "expansion over budget: cut" if further is Stop.BUDGET else "cut the recursion at"
            return Settled(schema, noted(how, ref, target), effect | self.policy.losing(Effect.WIDENS), stop=further)
        key = (target.key, state.base, ref)
        known = self.inlined.get(key)
        if known is None:
            known = self.inlined[key] = Settled(self.copy(target), noted("inlined", ref, target), effect, unit=index)
        is_idle = self.uses.survey.is_idle(target.schema, target.base)
        return known if is_idle else known._replace(state=State(target.base, further))

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
