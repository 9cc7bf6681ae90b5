"""Siblings: what stands beside a reference, and what it says together with the target."""

from typing import Any, Final

from attrs import define, field, frozen

from schemaflow.algebra import intersect
from schemaflow.effect import Effect
from schemaflow.inlining.effects import Ledger
from schemaflow.inlining.policy import Policy
from schemaflow.keywords import KEYWORDS, Role, Schema, subschemas
from schemaflow.references import DEFINITIONS, KEYS, References, Uses

_SAYING: Final = frozenset({Role.ASSERTION, Role.APPLICATOR, Role.REFERENCE})


@frozen(eq=False)
class Siblings:
    """
    What stands beside a reference.

    `beside` is put back as it is, `own` says something about values and is
    intersected with the target. `effect` and `note` are those of what became of them.
    """

    beside: Schema = field(factory=dict)
    own: Schema = field(factory=dict)
    effect: Effect = Effect.EXACT
    note: str = ""


NO_SIBLINGS: Final = Siblings()


def asserts(keyword: str) -> bool:
    """Whether a keyword says something about values. `nullable` beside a reference goes with the target's type."""
    row = KEYWORDS.get(keyword)
    return row is not None and row.role in _SAYING and keyword != "nullable"


INTERSECTED: Final = 300
"""How many schemas intersecting may make in one document, unless twice the document's own are more."""


class TooMuchTogether(Exception):  # noqa: N818 -- a signal, not an error
    """Intersecting makes too much: fewer references have to do."""


@define(eq=False)
class Together:
    """
    What stands beside the references of one document, and what that says together with their targets.

    `has_intersected` once the algebra has made a schema of two. It may make only so
    many: what comes of two schemas is as big as both, at times bigger, and is
    intersected again where references go round.
    """

    references: References
    uses: Uses
    policy: Policy
    root: Schema
    has_intersected: bool = False
    _made: dict[int, Schema] = field(factory=dict, init=False)

    def siblings(self, node: Schema, base: str) -> Siblings:
        """What stands beside the references of a node."""
        if len(node) == 1:
            return NO_SIBLINGS
        gone = frozenset(KEYS) if node is self.root else self.references.names(node, base) | set(KEYS)
        rest = {name: value for name, value in node.items() if name not in gone}
        if not rest:
            return NO_SIBLINGS
        firm = {name: value for name, value in rest.items() if self._is_firm(name, at_root=node is self.root)}
        loose = {name: value for name, value in rest.items() if name not in firm}
        says = any(asserts(name) for name in loose)
        is_old = "$ref" in node and self.references.ignores_siblings(base)
        wish = self.policy.terms.siblings
        if loose and (wish == "drop" or (wish == "standard" and is_old)):
            note = f"dropped what stood beside: {', '.join(loose)}"
            return Siblings(firm, {}, self.policy.losing(Effect.WIDENS) if says and not is_old else Effect.EXACT, note)
        if not says:
            return Siblings({name: value for name, value in rest.items() if name in firm or name in loose})
        if "nullable" in loose and "type" not in loose:
            # It says nothing here, and to no member of an `allOf` either.
            firm["nullable"] = loose.pop("nullable")
        if is_old:
            return Siblings(firm, loose, Effect.NARROWS, "what stands beside holds too, which this draft ignores")
        return Siblings(firm, loose)

    @staticmethod
    def _is_firm(keyword: str, *, at_root: bool) -> bool:
        """Whether a keyword stays at its node whatever else is put there."""
        row = KEYWORDS.get(keyword)
        return keyword in DEFINITIONS or (at_root and (row is None or row.role is Role.IDENTIFIER))

    def both(self, left: Any, right: Any, base: str, ledger: Ledger) -> Any:
        """What two schemas say together, the left one's text winning."""
        if left is False or right is False:
            return False
        if not isinstance(left, dict) or not isinstance(right, dict):
            return right if left is True else left
        has_reference = any(key in left or key in right for key in KEYS)
        if has_reference and "$ref" not in left and not any(asserts(name) for name in right):
            return {**right, **left}
        if has_reference or self.uses.has_unevaluated or not self.references.has_booleans(base):
            # A member of `allOf` says exactly what a reference beside the rest said, in every draft.
            members = left.get("allOf", [])
            return {**left, "allOf": [right, *(members if isinstance(members, list) else [])]}
        self.has_intersected = True
        outcome = intersect(left, right)
        self._count(outcome.schema)
        ledger.add(outcome.effect, *outcome.notes)
        return outcome.schema

    def _count(self, schema: Schema | bool) -> None:
        """Count the schemas of a result that are in none before. Raises TooMuchTogether."""
        waiting: list[Any] = [schema]
        while waiting:
            node = waiting.pop()
            if isinstance(node, dict) and id(node) not in self._made:
                self._made[id(node)] = node
                waiting.extend(child for _, _, child in subschemas(node))
        own = sum(unit.extent.nodes for unit in self.uses.units)
        # With nothing inlined there is no less to be had.
        if self.policy.bound != 0 and len(self._made) > max(INTERSECTED, 2 * own):
            raise TooMuchTogether
