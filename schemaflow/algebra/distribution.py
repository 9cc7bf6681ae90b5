"""Conjunctions of unions, as unions of conjunctions."""

import math
from collections.abc import Sequence
from itertools import product
from typing import Any, Final

from schemaflow.algebra.merged import same_list
from schemaflow.algebra.outcome import Ledger
from schemaflow.algebra.sides import Sides, is_schema, is_trivial
from schemaflow.algebra.steps import Question, Steps
from schemaflow.algebra.types import TYPES, is_type, types_of, with_null
from schemaflow.algebra.unions import outside, typed_first, united
from schemaflow.families import without
from schemaflow.keywords import ANNOTATIONS, KEYWORDS, Schema

MOST: Final = 48
"""How many branches a union may come to; a union that would lead to more stays a condition of its own."""


def is_union(schema: Schema) -> bool:
    """Whether a schema has an `anyOf` of schemas, or names several types."""
    return bool(_union_of(schema) or _kinds_of(schema))


def _union_of(schema: Schema) -> list[Any]:
    members = schema.get("anyOf")
    return members if isinstance(members, list) and all(map(is_schema, members)) else []


def _kinds_of(schema: Schema) -> list[Any]:
    """A schema for each type, where a schema names them in a list."""
    if "type" not in schema or not is_type(schema):
        return []
    names = list(dict.fromkeys(types_of(with_null(schema))))
    # What is whole is a number.
    names = [name for name in names if name != "integer" or "number" not in names]
    is_plain = isinstance(schema["type"], str) and schema.get("nullable") is not True
    return [] if is_plain else [_BARE_TYPES[name] for name in names]


_BARE_TYPES: Final[dict[str, Schema]] = {name: {"type": name} for name in TYPES}
"""They are many: the same objects each time, so that they are looked at once."""


def is_distributed(schema: Schema) -> bool:
    """Whether a schema is a union of different types and says nothing else: nothing becomes of it, seen at a glance."""
    members = schema.get("anyOf")
    if not isinstance(members, list) or len(members) < 2 or not _SILENT.issuperset(schema):
        return False
    names: set[str] = set()
    for member in members:
        name = member.get("type") if isinstance(member, dict) else None
        if not isinstance(name, str) or name in names or not _TAKEN_APART.isdisjoint(member):
            return False
        names.add(name)
    return names.issubset(TYPES) and not names >= {"integer", "number"}


_SILENT: Final = ANNOTATIONS | {"anyOf", "$defs"}
_TAKEN_APART: Final = frozenset({"allOf", "anyOf", "nullable"})


def distribute(members: Sequence[Schema], sides: Sides, ledger: Ledger) -> Steps[Schema | bool]:
    """
    One union of branches, in each of which all that the sides say holds.

    Texts stay outside of it, and so does what cannot go into a branch.
    """
    unions = [group for side in sides.open if (group := _union_of(side))]
    base = yield Question([bare for side in sides.open if (bare := _bare(side))], flat=True)
    if base is False:
        return False
    outer, core = outside(base) if isinstance(base, dict) else ({}, {})
    if kinds := _kinds_of(core):
        unions.append(kinds)
        core = without(core, {"type", "nullable"})
    groups, others = _within_bounds(unions)
    branches: list[Schema | bool] = []
    for combination in product(*groups):
        branches.append((yield from _branch([core, *combination], ledger)))
        if ledger.only_whether and branches[-1] is not False:
            break
    held = [*({"anyOf": group} for group in others), *sides.whole]
    if held and not ledger.residual:
        for lost in held:
            ledger.leave_out(lost)
        held = []
    return _written(members[0], outer, united(branches), held)


def _branch(members: Sequence[Any], ledger: Ledger) -> Steps[Schema | bool]:
    """What one branch says; that nothing can match there is nothing to tell."""
    said = len(ledger.notes)
    answer: Schema | bool = yield Question(members, opens=True)
    if answer is False:
        del ledger.notes[said:]
    if not isinstance(answer, dict) or any(answer is member for member in members):
        return answer
    return typed_first(_of_its_type(answer))


def _of_its_type(branch: Schema) -> Schema:
    """A branch without keywords that speak of other types."""
    kind = branch.get("type")
    if not isinstance(kind, str):
        return branch
    spoken = frozenset({"number" if kind == "integer" else kind})
    own = _speaking_of(branch, spoken)
    held = own.get("allOf")
    if not isinstance(held, list):
        return own
    left = [_speaking_of(one, spoken) if isinstance(one, dict) and "type" not in one else one for one in held]
    kept = [one for one in left if not is_trivial(one)]
    return {**own, "allOf": same_list(held, kept)} if kept else without(own, {"allOf"})


def _speaking_of(schema: Schema, types: frozenset[str]) -> Schema:
    return without(schema, {word for word in schema if word in _TYPES_OF and _TYPES_OF[word].isdisjoint(types)})


_TYPES_OF: Final = {row.name: row.types for row in KEYWORDS.values() if row.types}


def _within_bounds(groups: Sequence[list[Any]]) -> tuple[list[list[Any]], list[list[Any]]]:
    """The unions that can be multiplied with one another, and those that would lead to too many branches."""
    taken: list[list[Any]] = []
    left: list[list[Any]] = []
    for group in sorted(groups, key=len):
        fits = math.prod(map(len, taken)) * len(group) <= MOST or not taken
        (taken if fits else left).append(group)
    order = {id(group): index for index, group in enumerate(groups)}
    return sorted(taken, key=lambda group: order[id(group)]), left


def _bare(side: Schema) -> Schema:
    """A side without its union. Several types stay until all are known."""
    return without(side, {"anyOf"}) if _union_of(side) else side


def _written(original: Schema, outer: Schema, branches: Schema | bool, held: Sequence[Schema]) -> Schema | bool:
    """The node of a union: the original where it says just that."""
    if branches is False:
        return False
    node = dict(outer)
    if isinstance(branches, dict) and branches.keys() == {"$ref"}:
        # A reference that would then stand alone might lead to itself.
        branches = {"anyOf": [branches]}
    if isinstance(branches, dict):
        node |= {word: value for word, value in branches.items() if word not in outer}
    if held:
        node["allOf"] = [*node.get("allOf", ()), *held]
    if not isinstance(branches, bool) and "anyOf" in node and original.keys() == node.keys():
        node["anyOf"] = same_list(original["anyOf"], node["anyOf"])
        if all(original[word] is value for word, value in node.items()):
            return original
    return node if not is_trivial(node) else True
