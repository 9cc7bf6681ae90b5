"""The table: which keywords belong together, and which function merges them."""

from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from functools import partial
from types import MappingProxyType
from typing import Final

from attrs import evolve, frozen

from schemaflow.algebra.annotations import any_true, first, united
from schemaflow.algebra.applicators import is_refusal, keep_first, keep_first_led_by, merge_nots
from schemaflow.algebra.arrays import is_tuple, merge_items
from schemaflow.algebra.merged import Merged
from schemaflow.algebra.numbers import LOWER, UPPER, End, has_number, is_multiple, merge_multiples, merge_tightest
from schemaflow.algebra.objects import (
    is_dependencies,
    is_map_of,
    is_names,
    merge_dependencies,
    merge_dependent_required,
    merge_dependent_schemas,
    merge_property_names,
    merge_required,
)
from schemaflow.algebra.properties import is_members, merge_members
from schemaflow.algebra.sides import is_schema
from schemaflow.algebra.steps import Steps
from schemaflow.algebra.types import is_type, merge_types
from schemaflow.algebra.values import is_enumeration, merge_values
from schemaflow.keywords import Schema


def _anything(_: Schema) -> bool:
    return True


@frozen(eq=False)
class Family:
    """
    Keywords that mean something only together, and how several shares of them merge.

    `readable` says whether a share has the form that `merge` expects. One that has
    not is kept as it is, as a condition of its own: whatever it says, it still does.
    """

    words: tuple[str, ...]
    merge: Callable[[Sequence[Schema]], Merged | Steps[Merged]]
    readable: Callable[[Schema], bool] = _anything

    def combine(self, shares: Sequence[Schema]) -> Steps[Merged]:
        """What all shares say together."""
        if len(shares) == 1:
            return Merged(shares[0])
        odd = [share for share in shares if not self.readable(share)]
        if not odd:
            return (yield from self._merge_readable(shares))
        readable = [share for share in shares if self.readable(share)]
        if not readable:
            return Merged(odd[0], tuple(odd[1:]))
        merged = yield from self._merge_readable(readable)
        return evolve(merged, rest=(*merged.rest, *odd))

    def _merge_readable(self, shares: Sequence[Schema]) -> Steps[Merged]:
        if len(shares) == 1:
            return Merged(shares[0])
        found = self.merge(shares)
        return (yield from found) if isinstance(found, Generator) else found


def family_of(word: str) -> Family:
    """The family of a keyword; one that is unknown is alone, and the left wins."""
    return FAMILIES.get(word) or Family((word,), first)


def _rows() -> Iterator[Family]:
    yield Family(("type", "nullable"), merge_types, is_type)
    yield Family(("enum", "const"), merge_values, is_enumeration)
    yield from _limits()
    yield from _structure()
    for word in "pattern format anyOf oneOf $ref $dynamicRef $recursiveRef".split():
        yield Family((word,), keep_first)
    yield Family(("not",), merge_nots, is_refusal)
    for lead, *followers in (("contains", "minContains", "maxContains"), ("if", "then", "else")):
        yield Family((lead, *followers), keep_first_led_by(lead))
    yield Family(("contentMediaType", "contentEncoding", "contentSchema"), first)
    for word in "deprecated readOnly writeOnly".split():
        yield Family((word,), any_true(word))
    for word in "$defs definitions".split():
        yield Family((word,), united(word))


def _limits() -> Iterator[Family]:
    for end in (LOWER, UPPER):
        yield _bounds(end)
    yield Family(("multipleOf",), merge_multiples, is_multiple)
    for kind in "Length Items Properties".split():
        yield Family((f"min{kind}",), merge_tightest(f"min{kind}", max), has_number(f"min{kind}"))
        yield Family((f"max{kind}",), merge_tightest(f"max{kind}", min), has_number(f"max{kind}"))
    yield Family(("uniqueItems",), any_true("uniqueItems"))


def _bounds(end: End) -> Family:
    return Family((end.inclusive, end.exclusive), end.merge, end.is_readable)


def _structure() -> Iterator[Family]:
    yield Family(("prefixItems", "items", "additionalItems"), merge_items, is_tuple)
    yield Family(("properties", "patternProperties", "additionalProperties"), merge_members, is_members)
    yield Family(("propertyNames",), merge_property_names, lambda share: is_schema(share["propertyNames"]))
    yield Family(("required",), merge_required, lambda share: is_names(share["required"]))
    is_required = partial(is_map_of, is_names)
    yield Family(
        ("dependentRequired",), merge_dependent_required, lambda share: is_required(share["dependentRequired"])
    )
    is_schemas = partial(is_map_of, is_schema)
    yield Family(("dependentSchemas",), merge_dependent_schemas, lambda share: is_schemas(share["dependentSchemas"]))
    yield Family(("dependencies",), merge_dependencies, is_dependencies)


FAMILIES: Final[Mapping[str, Family]] = MappingProxyType({word: row for row in _rows() for word in row.words})
"""Every keyword that is not simply taken from the first side that has it."""
