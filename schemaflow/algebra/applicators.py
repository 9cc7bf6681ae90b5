"""Keywords of which a node holds only one, for want of a plural: a second one is left for `allOf`."""

from collections.abc import Callable, Sequence

from schemaflow.algebra.merged import Merged
from schemaflow.algebra.pools import distinct
from schemaflow.keywords import Schema


def keep_first(shares: Sequence[Schema]) -> Merged:
    """The first share stays, each different one is a condition of its own."""
    first, *others = distinct(shares)
    return Merged(first, tuple(others))


def keep_first_led_by(lead: str) -> Callable[[Sequence[Schema]], Merged]:
    """
    The same for keywords that say nothing without their leading one.

    They must not come beside the leading keyword of another share.
    """

    def merge(shares: Sequence[Schema]) -> Merged:
        led = [share for share in shares if lead in share]
        return keep_first(led) if led else Merged(shares[0])

    return merge
