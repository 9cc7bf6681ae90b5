"""Keywords of which a node holds only one, for want of a plural: a second one is left for `allOf`."""

from collections.abc import Callable, Sequence

from schemaflow.algebra.merged import Merged
from schemaflow.algebra.pools import distinct
from schemaflow.keywords import Schema


def keep_first(shares: Sequence[Schema]) -> Merged:
    """The first share stays, each different one is a condition of its own."""
    first, *others = distinct(shares)
    return Merged(first, tuple(others))


def merge_nots(shares: Sequence[Schema]) -> Merged:
    """What all refuse together: a value is refused that any of the refused schemas accepts."""
    refused = distinct(part for share in shares for part in refused_parts(share["not"]))
    values = [part for part in refused if part.keys() == {"enum"} and isinstance(part["enum"], list)]
    if len(values) > 1:
        first = refused.index(values[0])
        refused = [part for part in refused if part not in values]
        refused.insert(first, {"enum": distinct(value for part in values for value in part["enum"])})
    return Merged({"not": refused[0] if len(refused) == 1 else {"anyOf": refused}})


def refused_parts(schema: Schema) -> Sequence[Schema]:
    """The parts of what is refused, where it is nothing but a union."""
    parts = schema.get("anyOf")
    if schema.keys() == {"anyOf"} and isinstance(parts, list) and parts and all(isinstance(one, dict) for one in parts):
        return parts
    return [schema]


def is_refusal(share: Schema) -> bool:
    """Whether `not` holds a schema object."""
    return isinstance(share["not"], dict)


def keep_first_led_by(lead: str) -> Callable[[Sequence[Schema]], Merged]:
    """
    The same for keywords that say nothing without their leading one.

    They must not come beside the leading keyword of another share.
    """

    def merge(shares: Sequence[Schema]) -> Merged:
        led = [share for share in shares if lead in share]
        return keep_first(led) if led else Merged(shares[0])

    return merge
