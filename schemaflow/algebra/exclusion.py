"""Which schemas have no value in common."""

from collections.abc import Sequence
from itertools import combinations
from typing import Any, Final

from schemaflow.algebra.objects import is_names
from schemaflow.algebra.operations import disjoint
from schemaflow.algebra.pools import distinct
from schemaflow.algebra.types import is_type, types_of
from schemaflow.algebra.values import enumerated, is_enumeration
from schemaflow.keywords import JsonValue, Schema, json_key
from schemaflow.origins import nodes

_MOST: Final = 24
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
    if _differ_in_type(telling) or _differ_in_tag(telling):
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


def _differ_in_tag(members: Sequence[Schema]) -> bool:
    """Whether the members are objects, each with constants of its own in a property that all require."""
    if not all(member.get("type") == "object" and "$ref" not in member for member in members):
        return False
    required = [set(member["required"]) if is_names(member.get("required")) else set() for member in members]
    return any(_are_apart([_values(member, name) for member in members]) for name in set.intersection(*required))


def _values(member: Schema, name: str) -> list[Any]:
    """The constants that a property is bound to; none where there are no such."""
    properties = member.get("properties")
    schema = properties.get(name) if isinstance(properties, dict) else None
    if not isinstance(schema, dict) or "$ref" in schema or not is_enumeration(schema):
        return []
    return enumerated(schema)


def _are_apart(groups: Sequence[list[Any]]) -> bool:
    if not all(groups):
        return False
    values = [json_key(value) for group in groups for value in distinct(group)]
    return len(set(values)) == len(values)


def _hides(member: Schema) -> bool:
    """Whether a member says something beside a reference: old drafts do not hear it."""
    return any(isinstance(node, dict) and "$ref" in node and len(node) > 1 for _, node in nodes(member))
