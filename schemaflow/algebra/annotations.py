"""The conjunction of keywords that assert nothing, and of the definitions."""

from collections.abc import Callable, Sequence

from schemaflow.algebra.merged import Merged, same_map
from schemaflow.keywords import Schema


def first(shares: Sequence[Schema]) -> Merged:
    """What the first share says. For annotations and unknown keywords: the left wins."""
    return Merged(shares[0])


def any_true(word: str) -> Callable[[Sequence[Schema]], Merged]:
    """A flag that holds where any share sets it."""
    return lambda shares: Merged(next((share for share in shares if share[word] is True), shares[0]))


def united(word: str) -> Callable[[Sequence[Schema]], Merged]:
    """All members of the maps; whoever calls has seen to it that none is defined in two ways."""

    def merge(shares: Sequence[Schema]) -> Merged:
        members: Schema = {}
        for share in shares:
            for name, schema in share[word].items():
                members.setdefault(name, schema)
        return Merged({word: same_map(shares[0][word], members)})

    return merge
