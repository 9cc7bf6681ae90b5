"""The conjunction of `type`, and of `nullable`, which speaks of it."""

from collections.abc import Sequence
from typing import Any, Final

from schemaflow.algebra.merged import Merged
from schemaflow.keywords import JsonValue, Schema

TYPES: Final = ("null", "boolean", "object", "array", "string", "number", "integer")


def types_of(value: JsonValue) -> list[str]:
    """The types that a `type` names."""
    return value if isinstance(value, list) else [value]


def is_type(share: Schema) -> bool:
    """Whether `type`, where there is one, names known types."""
    return "type" not in share or all(name in TYPES for name in types_of(share["type"]))


def merge_types(shares: Sequence[Schema]) -> Merged:
    """The types that all shares name; `nullable`, which adds null to them, where all that name types are so."""
    typed = [share for share in shares if "type" in share]
    if not typed:
        return Merged(shares[0])
    nullable = all(share.get("nullable") is True for share in typed)
    named = [share["type"] if nullable else with_null(share) for share in typed]
    kept: Any = named[0]
    for types in named[1:]:
        common = common_types(kept, types)
        if not common:
            if nullable:
                return Merged({"type": "null"})
            return Merged({}, empty=f"type {_spelled(kept)} and type {_spelled(types)}")
        kept = common
    keywords = {"type": kept}
    if nullable or shares[0].get("nullable") is False:
        keywords["nullable"] = nullable
    return Merged(keywords)


def with_null(share: Schema) -> Any:
    """The types of a share, null named among them where it is nullable."""
    types = share["type"]
    if share.get("nullable") is not True or "null" in types_of(types):
        return types
    return [*types_of(types), "null"]


def common_types(left: str | list[str], right: str | list[str]) -> str | list[str]:
    """The types of both, in the order of the left: the left itself if it has no others, one alone as a string."""
    names, others = types_of(left), types_of(right)
    kept = dict.fromkeys(name for one in names if (name := _within(one, others)))
    return left if list(kept) == names else spelled_types(kept)


def spelled_types(names: Sequence[str] | dict[str, None]) -> str | list[str]:
    """Types as the value of `type`: one alone as a string."""
    found = list(names)
    return found[0] if len(found) == 1 else found


def _within(name: str, others: Sequence[str]) -> str | None:
    """What remains of a type beside others: `integer` is a part of `number`."""
    if name in others:
        return name
    if name == "integer" and "number" in others:
        return "integer"
    if name == "number" and "integer" in others:
        return "integer"
    return None


def _spelled(value: str | list[str]) -> str:
    return " or ".join(types_of(value))
