"""Homes: where the targets of references that stay will be."""

from attrs import define, field

from schemaflow.effect import Effect
from schemaflow.inlining.policy import Policy, State, Stop
from schemaflow.inlining.settled import Settled, noted
from schemaflow.keywords import JsonValue, Schema
from schemaflow.references import DEFINITIONS, KEYS, References, Target, fragment


@define(eq=False)
class Homes:
    """
    Where the targets of references that stay will be: at their places, or moved to `$defs`.

    `to_move` are the targets that still have to be put there, each with its name.
    """

    references: References
    policy: Policy
    to_move: list[tuple[str, Target]] = field(factory=list, init=False)
    _staying: dict[tuple[str, str, str], Settled] = field(factory=dict, init=False)
    _moved: dict[object, str] = field(factory=dict, init=False)

    def staying(self, keyword: str, ref: JsonValue, state: State, end: Target) -> Settled:
        """A reference that stays, to where its target will be."""
        key = (keyword, str(ref), state.base)
        if key not in self._staying:
            self._staying[key] = self._to_stay(keyword, ref, state, end)
        return self._staying[key]

    def _to_stay(self, keyword: str, ref: JsonValue, state: State, end: Target) -> Settled:
        target = self.references.refer(keyword, str(ref), state.base) if self.policy.terms.keep == "resolvable" else end
        if target is None or self.policy.is_under(target):
            target = end
        effect = Effect.UNKNOWN if target.is_guess else Effect.EXACT
        home = self.home(target)
        is_pointer = keyword == "$ref" and state.base == self.references.base and str(ref).startswith("#")
        if is_pointer and not target.note and (ref == "#" or str(ref).startswith("#/")):
            straight = self.references.lookup(state.base, ref)
            if straight is not None and straight.key == target.key and home == fragment(straight.tokens):
                home = str(ref)
        note = "" if home == ref and keyword == "$ref" else noted(f"now {home!r}:", ref, target)
        return Settled({"$ref": home}, note, effect, stop=Stop.KEPT)

    def home(self, target: Target) -> str:
        """The reference to a target in the rewritten document."""
        if self._may_stay(target) and all(self._stands(node, keyword) for node, keyword in target.above()):
            return fragment(target.tokens)
        key = (target.key, target.tokens if isinstance(target.schema, bool) else ())
        if key not in self._moved:
            self._moved[key] = self._free_name(str(target.tokens[-1]))
            self.to_move.append((self._moved[key], target))
        return fragment(("$defs", self._moved[key]))

    def _may_stay(self, target: Target) -> bool:
        if self.policy.terms.home == "place":
            return target.is_visited
        # The root has no other place.
        return not target.tokens or (len(target.tokens) == 2 and target.tokens[0] in DEFINITIONS)

    def _free_name(self, wanted: str) -> str:
        known = self.references.document.get("$defs")
        taken = {*(known if isinstance(known, dict) else ()), *self._moved.values()}
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
        terms = self.policy.terms
        return terms.keep == "resolvable" and terms.siblings == "intersect" and self._stays(node)

    def _stays(self, node: Schema) -> bool:
        if id(node) in self.policy.uses.joint:
            return False
        if len([key for key in KEYS if key in node]) != 1 or "$ref" not in node:
            return False
        target = self.references.follow("$ref", node["$ref"], self.references.base)
        return isinstance(target, Target) and not self.policy.is_under(target)
