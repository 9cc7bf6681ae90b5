"""
What a node comes to by its constants alone: subschemas that are true or false, values, and limits.

Each keyword is looked at where it stands. Nothing is merged, and nothing is worked out
but what a glance at the node and at its finished children shows.
"""

from collections.abc import Callable, Sequence
from typing import Any, Final

from schemaflow.algebra.emptiness import may_forbid
from schemaflow.algebra.outcome import Ledger, Outcome
from schemaflow.algebra.settling import nothing, settle_types, settle_values
from schemaflow.algebra.sides import EVALUATING, is_schema, is_trivial
from schemaflow.algebra.types import is_type
from schemaflow.algebra.values import enumerated, is_enumeration
from schemaflow.families import without
from schemaflow.keywords import KEYWORDS, Role, Schema, json_equal

REFERENCES: Final = frozenset(row.name for row in KEYWORDS.values() if row.role is Role.REFERENCE)
HELD: Final = frozenset(
    row.name
    for row in KEYWORDS.values()
    if row.role in (Role.IDENTIFIER, Role.DEFINITIONS) and row.name not in ("id", "$schema")
)
"""The keywords by which others find a node, or what it holds for them. `id` is none in 2020-12."""

LIMITS: Final = frozenset(
    "required contains minContains maximum exclusiveMaximum maxLength minItems maxItems minProperties "
    "maxProperties".split()
)
"""What can leave no value of a type: of limits that can cross one end is enough, since the other must be there too."""

COMBINERS: Final = frozenset("allOf anyOf oneOf not if then else".split())

TELLING: Final = LIMITS | COMBINERS | {"enum", "const"}
"""The keywords that can be idle or impossible by themselves or with others."""

Fold = Callable[[Schema, Ledger], Schema | bool]


def fold_node(node: Schema) -> Outcome:
    """What `folded` gives, with the notes: always exact."""
    ledger = Ledger(residual=True)
    schema = folded(node, ledger)
    return Outcome(schema, notes=tuple(map(str, ledger.notes)))


def folded(node: Schema, ledger: Ledger) -> Schema | bool:
    """
    The node without what its constants make idle: the same object where there is no such thing.

    False where nothing can match, with a note that says why. Which members and elements
    count as evaluated does not change. What stands beside a reference, which old drafts do
    not hear, is left alone, and so is a node that nothing can match but others refer to.
    """
    if not REFERENCES.isdisjoint(node):
        return node
    result = node
    for applies, fold in _FOLDS:
        if applies.isdisjoint(result):
            continue
        answer = fold(result, ledger)
        if isinstance(answer, bool):
            return answer if HELD.isdisjoint(node) else node
        result = answer
    return result


def _condition(node: Schema, ledger: Ledger) -> Schema | bool:
    """The branch of a condition that is plainly met or failed, among the members of `allOf`."""
    condition = node["if"]
    if condition is False:
        branch = node.get("else", True)
    elif is_trivial(condition):
        branch = node.get("then", True)
    else:
        return node
    members = node.get("allOf", [])
    if not is_schema(branch) or not isinstance(members, list):
        return node
    rest = without(node, _CONDITIONALS)
    return rest if is_trivial(branch) else {**rest, "allOf": [*members, branch]}


_CONDITIONALS: Final = frozenset({"if", "then", "else"})


def _branches(node: Schema, ledger: Ledger) -> Schema | bool:
    # Without a condition none is ever asked.
    return node if "if" in node else without(node, _CONDITIONALS)


def _all(node: Schema, ledger: Ledger) -> Schema | bool:
    members = node["allOf"]
    if not _is_list(members):
        return node
    if False in members:
        return nothing("allOf holds false", ledger)
    return _with_members(node, "allOf", [member for member in members if not is_trivial(member)])


def _any(node: Schema, ledger: Ledger) -> Schema | bool:
    members = node["anyOf"]
    if not _is_list(members):
        return node
    left = [member for member in members if member is not False]
    if not left:
        return nothing("anyOf of nothing but false", ledger)
    if any(map(is_trivial, left)) and all(map(_evaluates_nothing, left)):
        return without(node, {"anyOf"})
    return _with_members(node, "anyOf", left)


def _one(node: Schema, ledger: Ledger) -> Schema | bool:
    members = node["oneOf"]
    if not _is_list(members):
        return node
    left = [member for member in members if member is not False]
    if not left:
        return nothing("oneOf of nothing but false", ledger)
    if sum(map(is_trivial, left)) > 1:
        return nothing("two members of oneOf accept everything", ledger)
    if len(left) == 1 and is_trivial(left[0]):
        return without(node, {"oneOf"})
    return _with_members(node, "oneOf", left)


def _not(node: Schema, ledger: Ledger) -> Schema | bool:
    # What is refused outright is told among what cannot be.
    return without(node, {"not"}) if node["not"] is False else node


def _limits(node: Schema, ledger: Ledger) -> Schema | bool:
    # A list of required names is at most objects, and seldom asks for what cannot be.
    is_needed = not _TELLING_LIMITS.isdisjoint(node) or may_forbid(node)
    return settle_types(node, ledger) if is_needed else node


_TELLING_LIMITS: Final = (LIMITS | {"not"}) - {"required"}


def _is_list(members: Any) -> bool:
    return isinstance(members, list) and bool(members) and all(map(is_schema, members))


def _with_members(node: Schema, word: str, members: Sequence[Any]) -> Schema:
    if len(members) == len(node[word]):
        return node
    return {**node, word: list(members)} if members else without(node, {word})


def _evaluates_nothing(member: Schema | bool) -> bool:
    return isinstance(member, bool) or EVALUATING.isdisjoint(member)


def _fold_values(node: Schema, ledger: Ledger) -> Schema | bool:
    """The node without values that it refuses, and without an `enum` or `const` that says what its type says."""
    if _is_plain_text(node) or ("type" in node and not is_type(node)):
        return node
    if {"enum", "const"}.isdisjoint(node) or not is_enumeration(node):
        return settle_values(node, ledger)
    if "enum" in node and "const" in node and any(json_equal(node["const"], value) for value in node["enum"]):
        node = without(node, {"enum"})
    settled = settle_values(node, ledger)
    if isinstance(settled, bool) or not _are_all(settled.get("type"), enumerated(settled)):
        return settled
    return without(settled, {"enum", "const"})


def _is_plain_text(node: Schema) -> bool:
    """Whether a node is a list of texts and nothing that could refuse one, as most with an `enum` are."""
    values = node.get("enum")
    if node.get("type") != "string" or not isinstance(values, list) or not values:
        return False
    return _REFUSING.isdisjoint(node) and all(value.__class__ is str for value in values)


_REFUSING: Final = frozenset({"const", "not", "minLength", "maxLength"})


def _are_all(kind: Any, values: Sequence[Any]) -> bool:
    """Whether the values are all that there are of a type."""
    if kind == "null":
        return bool(values)
    return kind == "boolean" and any(value is True for value in values) and any(value is False for value in values)


_FOLDS: Final[Sequence[tuple[frozenset[str], Fold]]] = (
    (frozenset({"if"}), _condition),
    (frozenset({"then", "else"}), _branches),
    (frozenset({"allOf"}), _all),
    (frozenset({"anyOf"}), _any),
    (frozenset({"oneOf"}), _one),
    (frozenset({"not"}), _not),
    (LIMITS | {"not"}, _limits),
    (frozenset({"enum", "const", "not"}), _fold_values),
)
"""The folds in their order, each with the keywords at which it is tried."""
