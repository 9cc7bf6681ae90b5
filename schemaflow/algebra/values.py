"""The conjunction of `enum` and `const`, and which plain values a node lets through."""

from collections.abc import Callable, Sequence
from typing import Any, Final

from schemaflow.algebra.merged import Merged
from schemaflow.algebra.numbers import LOWER, UPPER, is_number
from schemaflow.algebra.pools import Pool
from schemaflow.algebra.types import types_of
from schemaflow.keywords import JsonValue, Schema, json_equal, json_type


def is_enumeration(share: Schema) -> bool:
    """Whether `enum`, where there is one, is a list."""
    return isinstance(share.get("enum", []), list)


def enumerated(share: Schema) -> list[Any]:
    """The values that `enum` and `const` leave."""
    values: list[Any] = share.get("enum", [])
    if "const" not in share:
        return values
    if "enum" not in share:
        return [share["const"]]
    return [value for value in values if json_equal(value, share["const"])]


def merge_values(shares: Sequence[Schema]) -> Merged:
    """The values that all shares allow, in the order and the spelling of the first."""
    first = enumerated(shares[0])
    kept = first
    for share in shares[1:]:
        pool = Pool(enumerated(share))
        kept = [value for value in kept if value in pool]
    if not kept:
        return Merged({}, empty="no value is in every enum and const")
    return Merged(shares[0] if len(kept) == len(first) else {"enum": kept})


def allows(node: Schema, value: JsonValue) -> bool:
    """Whether a node's type, bounds and lengths let a value through. Other keywords are not asked."""
    kind = json_type(value)
    if value is None and node.get("nullable") is True:
        return True
    if "type" in node and not _has_type(kind, types_of(node["type"])):
        return False
    checks = _CHECKS.get(kind)
    return checks is None or checks(node, value)


def _has_type(kind: str, names: Sequence[str]) -> bool:
    return kind in names or (kind == "integer" and "number" in names)


def _is_within(node: Schema, value: JsonValue) -> bool:
    lower, upper = LOWER.bound(node), UPPER.bound(node)
    above = lower is None or value > lower.value or (value == lower.value and not lower.exclusive)
    return above and (upper is None or value < upper.value or (value == upper.value and not upper.exclusive))


def _measures(least: str, most: str) -> Callable[[Schema, JsonValue], bool]:
    def check(node: Schema, value: JsonValue) -> bool:
        low, high = node.get(least), node.get(most)
        return not (is_number(low) and len(value) < low) and not (is_number(high) and len(value) > high)

    return check


_CHECKS: Final[dict[str, Callable[[Schema, JsonValue], bool]]] = {
    "integer": _is_within,
    "number": _is_within,
    "string": _measures("minLength", "maxLength"),
    "array": _measures("minItems", "maxItems"),
    "object": _measures("minProperties", "maxProperties"),
}
