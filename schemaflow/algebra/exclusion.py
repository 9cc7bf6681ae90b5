"""Which schemas have no value in common."""

from collections.abc import Sequence
from itertools import combinations
from typing import Final

from schemaflow.algebra.operations import disjoint
from schemaflow.algebra.types import is_type, types_of
from schemaflow.keywords import JsonValue, Schema
from schemaflow.origins import nodes

_MOST: Final = 40
"""How many members are compared with each other."""


def exclusive(members: JsonValue) -> bool:
    """
    Whether no value matches two of these schemas, as far as that can be seen.

    False says only that it cannot: members that refer elsewhere may be exclusive for
    what they refer to.
    """
    if not isinstance(members, list) or not all(isinstance(member, (dict, bool)) for member in members):
        return False
    telling = [member for member in members if member is not False]
    if len(telling) < 2:
        return True
    if True in telling:
        return False
    if _differ_in_type(telling):
        return True
    return (
        len(telling) <= _MOST
        and not any(map(_hides, telling))
        and all(disjoint(*pair) for pair in combinations(telling, 2))
    )


def _differ_in_type(members: Sequence[Schema]) -> bool:
    known: set[str] = set()
    for member in members:
        if "type" not in member or not is_type(member) or "$ref" in member or member.get("nullable") is True:
            return False
        # Every integer is a number.
        names = {"number" if name == "integer" else name for name in types_of(member["type"])}
        if not known.isdisjoint(names):
            return False
        known |= names
    return True


def _hides(member: Schema) -> bool:
    """Whether a member says something beside a reference: old drafts do not hear it."""
    return any(isinstance(node, dict) and "$ref" in node and len(node) > 1 for _, node in nodes(member))
