"""Targets: what a reference leads to, and how a reference to a place is written."""

from collections.abc import Hashable, Iterable, Iterator
from enum import Enum
from urllib.parse import quote

from attrs import field, frozen

from schemaflow.keywords import Schema, Token, pointer
from schemaflow.references.places import Place, Standing


class Nowhere(Enum):
    """Why a reference has no target."""

    DANGLING = "leads nowhere"
    LOOP = "leads only to itself"


@frozen(eq=False)
class Target:
    """
    What a reference leads to: a schema in the document.

    `note` says how the reference was read where the standard finds nothing. With
    `is_guess` there may be another target, depending on how validation got there.
    """

    place: Place
    note: str = ""
    is_guess: bool = False
    key: Hashable = field(init=False)
    """Equal for all references to one schema, however they are spelled."""

    def __attrs_post_init__(self) -> None:
        object.__setattr__(self, "key", unit_key(self.schema, self.base))

    @property
    def schema(self) -> Schema | bool:
        """The schema itself."""
        found: Schema | bool = self.place.value
        return found

    @property
    def base(self) -> str:
        """The base URI for references inside."""
        return self.place.base

    @property
    def tokens(self) -> tuple[Token, ...]:
        """The JSON Pointer tokens of the target in the document."""
        return self.place.tokens

    @property
    def is_visited(self) -> bool:
        """Whether a traversal of the document comes here."""
        return self.place.kind is Standing.SCHEMA

    def above(self) -> Iterator[tuple[Schema, str]]:
        """The schema objects above, each with the keyword that leads down from it, the nearest first."""
        keyword: Token = self.place.token
        for place in self.place.upward():
            if place is not self.place and place.kind is Standing.SCHEMA:
                yield place.value, str(keyword)
            keyword = place.token


def unit_key(schema: Schema | bool, base: str) -> Hashable:
    """What tells schemas apart: the object, and the base of the references inside."""
    return (id(schema), base) if isinstance(schema, dict) else schema


def fragment(tokens: Iterable[Token]) -> str:
    """A reference to a place of the document, as a JSON Pointer in a URI fragment."""
    text = pointer(tokens)
    try:
        return "#" + quote(text, safe="/~!$&'()*+,;=:@?")
    except UnicodeEncodeError:
        return "#" + text
