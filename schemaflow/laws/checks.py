"""Each law, as a check of one rule at one node or document."""

import json
from collections.abc import Callable, Collection, Mapping
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from schemaflow.adapters import to_bytes
from schemaflow.contract import Contract, Everything
from schemaflow.fusion import PlannedStep, fold_drops
from schemaflow.keywords import JsonValue, Schema, json_equal, subschemas
from schemaflow.origins import nodes
from schemaflow.rule import BoundRule
from schemaflow.securing import secured
from schemaflow.visitor import replace_child

if TYPE_CHECKING:
    pass


from schemaflow.laws.breaches import answer_of, applied, broken, shortened

Check: TypeAlias = Callable[[BoundRule, JsonValue], None]


def check_trigger(bound: BoundRule, schema: JsonValue) -> None:
    """
    Where the trigger does not fire the same object comes back.

    A document rule is left out where its trigger fires at no node: then its function
    has to give back the same object.
    """
    trigger = bound.contract.trigger
    if bound.rule.is_document:
        if any(trigger.fires(node) for _, node in nodes(schema)):
            return
    elif trigger.fires(schema):
        return
    result = answer_of("trigger", bound, schema)
    if result is not schema:
        broken("trigger", bound, schema, "another object comes back, though nothing in `on` is there", result)


def check_frame(bound: BoundRule, schema: JsonValue) -> None:
    """Only the keywords in `writes` differ; the others keep their order, and their values are the identical objects."""
    if bound.rule.is_document or not isinstance(schema, dict):
        return
    result = answer_of("frame", bound, schema)
    outside = [keyword for keyword in schema if keyword not in _written(bound, schema)]
    after = result if isinstance(result, dict) else {}
    for keyword in outside:
        if keyword not in after:
            broken("frame", bound, schema, f"{keyword!r} is gone, and `writes` does not name it", result)
        if after[keyword] is not schema[keyword]:
            broken("frame", bound, schema, f"{keyword!r} differs, and `writes` does not name it", result)
    new = next((keyword for keyword in after if keyword not in schema and not _may_write(bound, keyword)), None)
    if new is not None:
        broken("frame", bound, schema, f"{new!r} is new, and `writes` does not name it", result)
    if [keyword for keyword in after if keyword in outside] != outside:
        broken("frame", bound, schema, "keywords that `writes` does not name change places", result)


def _written(bound: BoundRule, schema: Schema) -> Collection[str]:
    """The keywords of a node that the rule may change or drop."""
    contract = bound.contract
    if contract.keeps is not None:
        return schema.keys() - contract.keeps
    return schema.keys() if isinstance(contract.writes, Everything) else contract.writes


def _may_write(bound: BoundRule, keyword: str) -> bool:
    contract = bound.contract
    return not contract.only_drops and (isinstance(contract.writes, Everything) or keyword in contract.writes)


def check_opacity(bound: BoundRule, schema: JsonValue) -> None:
    """
    With every child replaced by an opaque one, and put back afterwards, the result is the same.

    Of an opaque child only the keywords in `peeks` can be seen; it may be moved,
    repeated or dropped, but not changed, and not put in the place of the node.
    Schema objects that were not there are for rules that declare `spawns`. A rule that
    peeks at EVERYTHING is exempt.
    """
    contract = bound.contract
    peeks = contract.peeks
    if bound.rule.is_document or isinstance(peeks, Everything) or not isinstance(schema, dict):
        return
    veil = _Veil(peeks)
    veiled = veil.over(schema)
    result = answer_of("opacity", bound, veiled)
    if isinstance(result, dict) and _TOKEN in result:
        broken("opacity", bound, schema, "keywords of a child become the node's: declare peeks=EVERYTHING", result)
    lifted = veil.lifted(result)
    if veil.changed is not None:
        broken("opacity", bound, schema, "a child is changed: declare peeks=EVERYTHING", veil.changed)
    built = next((one for one in veil.spawned if not _may_spawn(contract, one)), None)
    if built is not None:
        broken("opacity", bound, schema, "a subschema is built that `spawns` does not declare", built)
    direct = answer_of("opacity", bound, schema)
    if to_bytes(lifted) != to_bytes(direct):
        problem = f"the result depends on what `peeks` does not name: with opaque children it is {shortened(lifted)}"
        broken("opacity", bound, schema, problem, direct)


def _may_spawn(contract: Contract, schema: Schema) -> bool:
    if isinstance(contract.spawns, bool):
        return contract.spawns
    return any(json_equal(schema, listed) for listed in contract.spawns)


_TOKEN: Final = "$token"


class _Veil:
    """Opaque stand-ins for the children of a node; those looked at show the keywords that may be seen."""

    def __init__(self, visible: frozenset[str]) -> None:
        self.visible = visible
        self.children: list[tuple[Schema, Any]] = []
        self.changed: Any = None
        self.spawned: list[Schema] = []

    def over(self, schema: Schema) -> Schema:
        """A copy of a node, its children veiled."""
        veiled = schema.copy()
        for keyword, token, child in subschemas(schema):
            stand_in: Schema = {_TOKEN: len(self.children)}
            if isinstance(child, dict):
                stand_in |= {name: value for name, value in child.items() if name in self.visible}
            self.children.append((stand_in.copy(), child))
            replace_child(schema, veiled, keyword, token, stand_in)
        return veiled

    def lifted(self, schema: Any) -> Any:
        """A result with the children put back; notes stand-ins that were changed and subschemas that are new."""
        if not isinstance(schema, dict):
            return schema
        lifted = schema.copy()
        for keyword, token, child in subschemas(schema):
            replace_child(schema, lifted, keyword, token, self._original(child))
        return lifted

    def _original(self, child: Any) -> Any:
        if not isinstance(child, dict):
            return child
        if _TOKEN not in child:
            self.spawned.append(child)
            return self.lifted(child)
        stand_in, original = self.children[child[_TOKEN]]
        if child != stand_in:
            self.changed = child
        return original


def check_purity(bound: BoundRule, schema: JsonValue) -> None:
    """The input is untouched, byte for byte, and the same input gets the same answer again."""
    before = to_bytes(schema)
    first = answer_of("purity", bound, schema)
    if to_bytes(schema) != before:
        broken("purity", bound, json.loads(before), f"the input was changed to {shortened(schema)}", first)
    second = answer_of("purity", bound, schema)
    if to_bytes(first) != to_bytes(second):
        broken("purity", bound, schema, f"called again the rule answers {shortened(second)}", first)


def check_same_object(bound: BoundRule, schema: JsonValue) -> None:
    """Where the result equals the input to the byte, it is the identical object."""
    result = answer_of("same object", bound, schema)
    if result is not schema and to_bytes(result) == to_bytes(schema):
        broken("same object", bound, schema, "nothing changes, yet another object comes back", result)


def check_drops(bound: BoundRule, schema: JsonValue) -> None:
    """The function of a rule that only drops does what the plan does in its place."""
    contract = bound.contract
    if not contract.only_drops or not contract.trigger.fires(schema):
        return
    (folded,) = fold_drops([PlannedStep(0, bound.name, bound)])
    expected = folded.rewrite(schema)
    result = answer_of("drops", bound, schema)
    if to_bytes(result) != to_bytes(expected):
        broken("drops", bound, schema, f"by `drops` or `keeps` it should be {shortened(expected)}", result)


def check_introduces(bound: BoundRule, schema: JsonValue) -> None:
    """
    Every keyword of the result occurs in the document already, or the contract introduces it.

    So do lists as values of keywords: plans also look for those. What references lead to is
    put out of the rule's way before.
    """
    introduced = bound.contract.introduced
    if isinstance(introduced, Everything):
        return
    result = applied("introduces", bound, schema)
    if result is schema:
        return
    known, listed = _occurring(secured(schema, PlannedStep(0, bound.name, bound)).schema)
    for node in (node for _, node in nodes(result) if isinstance(node, dict)):
        for keyword, value in node.items():
            if keyword not in known and keyword not in introduced:
                broken("introduces", bound, schema, f"{keyword!r} is new, and `introduces` does not name it", result)
            if isinstance(value, list) and keyword not in listed and keyword not in introduced:
                problem = f"a list in {keyword!r} is new, and `introduces` does not name it"
                broken("introduces", bound, schema, problem, result)


def _occurring(document: JsonValue) -> tuple[set[str], set[str]]:
    """Every key anywhere in a document, and those that hold a list somewhere."""
    known: set[str] = set()
    listed: set[str] = set()
    waiting = [document]
    while waiting:
        value = waiting.pop()
        if isinstance(value, dict):
            known.update(value)
            listed.update(key for key, member in value.items() if isinstance(member, list))
            waiting.extend(value.values())
        elif isinstance(value, list):
            waiting.extend(value)
    return known, listed


def check_levels(bound: BoundRule, schema: JsonValue) -> None:
    """A document rule with `levels` or `length` gives back the same object where the document is no larger."""
    levels, length = bound.contract.levels, bound.contract.length
    if levels is not None and _levels(schema) <= levels:
        within = f"{levels} levels"
    elif length is not None and len(to_bytes(schema)) <= length:
        within = f"{length} bytes"
    else:
        return
    result = answer_of("levels", bound, schema)
    if result is not schema:
        broken("levels", bound, schema, f"another object comes back, within {within}", result)


def _levels(schema: JsonValue) -> int:
    layer = [schema]
    depth = 0
    while layer := [node for node in layer if isinstance(node, dict)]:
        depth += 1
        layer = [child for node in layer for _, _, child in subschemas(node)]
    return depth


def check_idempotence(bound: BoundRule, schema: JsonValue) -> None:
    """Applying the rule to its own result changes nothing more."""
    once = applied("idempotence", bound, schema)
    twice = applied("idempotence", bound, once)
    if to_bytes(once) != to_bytes(twice):
        broken("idempotence", bound, schema, f"applied again it gives {shortened(twice)}", once)


NODE_LAWS: Final[Mapping[str, Check]] = {
    "purity": check_purity,
    "trigger": check_trigger,
    "frame": check_frame,
    "opacity": check_opacity,
    "same object": check_same_object,
    "drops": check_drops,
}
"""
The laws of a rule's function: of a node, or, for a document rule, of the document.

Purity comes first: what a rule has written into its input the others do not see.
"""

DOCUMENT_LAWS: Final[Mapping[str, Check]] = {
    "introduces": check_introduces,
    "levels": check_levels,
    "idempotence": check_idempotence,
}
"""The laws of a rule that walks a whole document."""
