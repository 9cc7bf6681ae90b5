"""The conjunction of the keywords about numbers."""

import math
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Final, NamedTuple, TypeAlias, TypeGuard

from attrs import frozen

from schemaflow.algebra.merged import Merged
from schemaflow.keywords import JsonValue, Schema

Number: TypeAlias = int | float

_LARGEST: Final = 2**53
"""Above it a whole number is no longer safe in every JSON reader."""


class Bound(NamedTuple):
    """One end of an interval."""

    value: Number
    exclusive: bool


@frozen
class End:
    """The two keywords for one end of an interval; `sign` is 1 where a larger bound is tighter."""

    inclusive: str
    exclusive: str
    sign: int

    def bound(self, schema: Schema) -> Bound | None:
        """
        The tightest bound that a schema states at this end.

        Draft 4 and OpenAPI 3.0 write `exclusiveMinimum: true` beside `minimum`.
        """
        value, exclusive = schema.get(self.inclusive), schema.get(self.exclusive)
        if value is None and exclusive is None:
            return None
        stated: list[Bound] = []
        if is_number(value):
            stated.append(Bound(value, exclusive is True))
        if is_number(exclusive):
            stated.append(Bound(exclusive, True))
        return max(stated, key=self.tightness, default=None)

    def tightness(self, bound: Bound) -> tuple[Number, bool]:
        """The larger, the fewer numbers a bound lets through."""
        return self.sign * bound.value, bound.exclusive

    def merge(self, shares: Sequence[Schema]) -> Merged:
        """The tightest of all bounds, in the words of 2020-12."""
        bounds = [(bound, share) for share in shares if (bound := self.bound(share)) is not None]
        if not bounds:
            return Merged(shares[0])
        # The first of several that are equally tight.
        bound, share = max(bounds, key=lambda each: self.tightness(each[0]))
        if share is shares[0] and not isinstance(share.get(self.exclusive), bool):
            return Merged(share)
        return Merged({self.exclusive if bound.exclusive else self.inclusive: bound.value})

    def is_readable(self, share: Schema) -> bool:
        """Whether the bounds are numbers, or the exclusive one a boolean."""
        value, exclusive = share.get(self.inclusive, 0), share.get(self.exclusive, 0)
        return is_number(value) and (is_number(exclusive) or isinstance(exclusive, bool))


LOWER: Final = End("minimum", "exclusiveMinimum", 1)
UPPER: Final = End("maximum", "exclusiveMaximum", -1)


def is_number(value: JsonValue) -> TypeGuard[Number]:
    """Whether a JSON value is a number."""
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def merge_multiples(shares: Sequence[Schema]) -> Merged:
    """The least common multiple, exactly; what no JSON number can say stays a condition of its own."""
    kept = shares[0]["multipleOf"]
    rest: list[Schema] = []
    for share in shares[1:]:
        common = common_multiple(kept, share["multipleOf"])
        if common is None:
            rest.append(share)
        else:
            kept = common
    return Merged({"multipleOf": kept}, tuple(rest))


def is_multiple(share: Schema) -> bool:
    """Whether `multipleOf` is a number above 0."""
    value = share["multipleOf"]
    return is_number(value) and value > 0


def common_multiple(left: Number, right: Number) -> Number | None:
    """The least common multiple of two numbers, None if no plain JSON number is exactly that."""
    one, other = _exact(left), _exact(right)
    if (one / other).denominator == 1:
        return left
    if (other / one).denominator == 1:
        return right
    numerator = math.lcm(one.numerator, other.numerator)
    return _plain(Fraction(numerator, math.gcd(one.denominator, other.denominator)))


def _exact(value: Number) -> Fraction:
    """The number that the decimal text says: 0.1 is a tenth."""
    return Fraction(repr(value)) if isinstance(value, float) else Fraction(value)


def _plain(value: Fraction) -> Number | None:
    if value > _LARGEST:
        return None
    if value.denominator == 1:
        return int(value)
    nearest = float(value)
    return nearest if _exact(nearest) == value else None


def merge_tightest(word: str, choose: Callable[..., Number]) -> Callable[[Sequence[Schema]], Merged]:
    """For limits of lengths and counts: the largest of the least, the smallest of the most."""
    return lambda shares: Merged({word: choose(share[word] for share in shares)})


def has_number(word: str) -> Callable[[Schema], bool]:
    """Whether a share's keyword is a number."""
    return lambda share: is_number(share[word])
