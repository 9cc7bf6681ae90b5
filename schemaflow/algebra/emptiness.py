"""Which types of values a node lets through in name only, and why."""

import math
from collections.abc import Callable, Collection, Iterator
from typing import Any, Final

from schemaflow.algebra.arrays import Tuple, is_tuple
from schemaflow.algebra.merged import CROSSINGS
from schemaflow.algebra.numbers import LOWER, UPPER, is_number
from schemaflow.algebra.objects import is_names
from schemaflow.algebra.patterns import matches
from schemaflow.algebra.sides import is_trivial
from schemaflow.keywords import JsonValue, Schema


def impossible(node: Schema) -> str | None:
    """Why no value at all can match, if that is plain from a single keyword."""
    if "not" in node and is_trivial(node["not"]):
        return "not true"
    for word in ("anyOf", "oneOf"):
        members = node.get(word)
        if isinstance(members, list) and members and all(member is False for member in members):
            return f"{word} of nothing but false"
    return None


def dead_types(node: Schema, names: Collection[str]) -> Iterator[tuple[frozenset[str], str]]:
    """Those of some types of which no value can match, each with the reason."""
    for types, check in _CHECKS:
        reason = None if types.isdisjoint(names) else check(node)
        if reason is not None:
            yield types, reason


def _numbers(node: Schema) -> str | None:
    lower, upper = LOWER.bound(node), UPPER.bound(node)
    if lower is None or upper is None:
        return None
    if lower.value > upper.value or (lower.value == upper.value and (lower.exclusive or upper.exclusive)):
        return f"bounds {lower.value} and {upper.value}"
    return None


def _integers(node: Schema) -> str | None:
    lower, upper = LOWER.bound(node), UPPER.bound(node)
    if lower is None or upper is None:
        return None
    first = math.floor(lower.value) + 1 if lower.exclusive else math.ceil(lower.value)
    last = math.ceil(upper.value) - 1 if upper.exclusive else math.floor(upper.value)
    return f"no integer between {lower.value} and {upper.value}" if first > last else None


def _strings(node: Schema) -> str | None:
    return _crossed(node, "minLength", "maxLength")


def _arrays(node: Schema) -> str | None:
    return _crossed(node, "minItems", "maxItems") or _unreachable(node) or _uncontained(node)


def _unreachable(node: Schema) -> str | None:
    least = _number(node, "minItems", 0)
    if not is_tuple(node):
        return None
    known = Tuple.of(node)
    limit = len(known.front) if known.rest is False else math.inf
    reach = known.front.index(False) if False in known.front else limit
    return f"minItems {least} and at most {reach} items" if least > reach else None


def _uncontained(node: Schema) -> str | None:
    if "contains" not in node:
        return None
    least, most = _number(node, "minContains", 1), _number(node, "maxContains", math.inf)
    if least > most:
        return f"minContains {least} and maxContains {most}"
    if least > _number(node, "maxItems", math.inf):
        return f"minContains {least} and maxItems {node['maxItems']}"
    return "contains false" if least > 0 and node["contains"] is False else None


def _objects(node: Schema) -> str | None:
    return _crossed(node, "minProperties", "maxProperties") or _unnamed(node) or _unfilled(node)


def _unnamed(node: Schema) -> str | None:
    """A required property that cannot be, or more of them than an object may have."""
    required = set(node["required"]) if is_names(node.get("required")) else set()
    if required and may_forbid(node) and len(required) * len(_map(node, "patternProperties")) <= CROSSINGS:
        for name in node["required"]:
            if _is_forbidden(node, name):
                return f"property {name!r} is required and cannot be"
    most = 0 if node.get("propertyNames") is False else _number(node, "maxProperties", math.inf)
    return f"{len(required)} required and at most {most} properties" if len(required) > most else None


def may_forbid(node: Schema) -> bool:
    """Whether anything at a node could forbid a required property: mostly there is no such thing."""
    if node.get("additionalProperties") is False and is_names(node.get("required")):
        known = _map(node, "properties")
        if not all(name in known for name in node["required"]):
            return True
    return any(False in _map(node, word).values() for word in _FORBIDDING if word in node)


_FORBIDDING: Final = ("properties", "patternProperties", "dependentSchemas")


def _is_forbidden(node: Schema, name: str) -> bool:
    """Whether no object with a property of that name can match, as far as that can be seen."""
    properties, patterns = _map(node, "properties"), _map(node, "patternProperties")
    if properties.get(name) is False or _map(node, "dependentSchemas").get(name) is False:
        return True
    if any(schema is False and matches(pattern, name) for pattern, schema in patterns.items()):
        return True
    is_closed = node.get("additionalProperties") is False and name not in properties
    return is_closed and all(matches(pattern, name) is False for pattern in patterns)


def _unfilled(node: Schema) -> str | None:
    """A closed object with fewer properties than it must have."""
    least = _number(node, "minProperties", 0)
    if node.get("propertyNames") is False:
        return f"minProperties {least} and no property name" if least > 0 else None
    if node.get("additionalProperties") is not False or _map(node, "patternProperties"):
        return None
    reach = sum(schema is not False for schema in _map(node, "properties").values())
    return f"minProperties {least} and at most {reach} properties" if least > reach else None


def _crossed(node: Schema, least: str, most: str) -> str | None:
    low, high = node.get(least), node.get(most)
    return f"{least} {low} and {most} {high}" if is_number(low) and is_number(high) and low > high else None


def _number(node: Schema, word: str, otherwise: float) -> Any:
    value: JsonValue = node.get(word)
    return value if is_number(value) else otherwise


def _map(node: Schema, word: str) -> dict[str, Any]:
    value = node.get(word)
    return value if isinstance(value, dict) else {}


_CHECKS: Final[tuple[tuple[frozenset[str], Callable[[Schema], str | None]], ...]] = (
    (frozenset({"number", "integer"}), _numbers),
    (frozenset({"integer"}), _integers),
    (frozenset({"string"}), _strings),
    (frozenset({"array"}), _arrays),
    (frozenset({"object"}), _objects),
)
