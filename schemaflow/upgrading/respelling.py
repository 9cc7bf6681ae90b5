"""Respelling: a schema object that is being said in 2020-12, and what became of its parts."""

from collections.abc import Container, Mapping
from typing import Any, Literal, NamedTuple, TypeAlias

from attrs import define, field, frozen

from schemaflow.drafts import Age
from schemaflow.effect import Effect
from schemaflow.families import without
from schemaflow.keywords import JsonValue, Schema, Token

Segment: TypeAlias = tuple[Token, ...]
"""The way from a schema object to something in it: the tokens of a piece of a JSON Pointer."""


@frozen
class Terms:
    """What is to become of that which a declared draft ignores and 2020-12 does not."""

    ref_siblings: Literal["intersect", "standard"] = "intersect"
    newer_keywords: Literal["keep", "drop"] = "keep"


class Facts(NamedTuple):
    """What is known of the whole document. `recursive` is the name that recursive anchors get."""

    has_contains: bool = False
    has_unevaluated: bool = False
    has_old_drafts: bool = False
    is_read_as_2019: bool = False
    leads_outside: bool = False
    recursive: str = "recursive"


@frozen(eq=False)
class Where:
    """
    Where a schema object stands: its draft, its resource's root, and what the document holds.

    `is_declared` where a `$schema` somewhere says which draft it is. It `is_doubtful` where
    one says so that may not. `names_by` is the keyword that gives URIs there.
    `is_needed` tells the parts that a reference leads to or through.
    """

    age: Age
    is_declared: bool
    is_doubtful: bool
    names_by: str
    resource: JsonValue
    is_resource: bool
    needed: frozenset[Token]
    facts: Facts
    terms: Terms


@define(eq=False)
class Respelling:
    """
    What becomes of one schema object.

    `moves` leads from where a part stood to where it stands, both seen from the
    object: of a part itself, or of all below a keyword.
    """

    original: Schema
    schema: Schema = field(init=False)
    effect: Effect = Effect.EXACT
    notes: list[str] = field(factory=list)
    lost: dict[str, JsonValue] = field(factory=dict)
    moves: dict[Segment, Segment] = field(factory=dict)

    def __attrs_post_init__(self) -> None:
        self.schema = self.original

    @property
    def is_changed(self) -> bool:
        """Whether anything became of it."""
        return self.schema is not self.original

    def put(self, keyword: str, fresh: Mapping[str, Any], note: str = "", effect: Effect = Effect.EXACT) -> None:
        """Put other keywords into the place of one; those that stand elsewhere stay there."""
        known = self.schema
        ahead = {name: value for name, value in fresh.items() if name == keyword or name not in known}
        result: Schema = {}
        for name, value in known.items():
            if name == keyword:
                result |= ahead
            else:
                result[name] = fresh.get(name, value)
        self.schema = result
        self.say(note, effect)

    def drop(self, keyword: str, note: str = "", effect: Effect = Effect.EXACT) -> None:
        """Drop a keyword whose meaning is gone with it, or that has none."""
        self.lost[keyword] = self.schema[keyword]
        self.schema = without(self.schema, {keyword})
        self.say(note, effect)

    def say(self, note: str, effect: Effect = Effect.EXACT) -> None:
        """Add to the note and to the effect."""
        self.effect |= effect
        if note and note not in self.notes:
            self.notes.append(note)

    def moved(self, segment: Segment) -> Segment:
        """Where a part of the original stands now."""
        if segment in self.moves:
            return self.moves[segment]
        return (*self.moves.get(segment[:1], segment[:1]), *segment[1:])


def fresh_name(name: str, taken: Container[str]) -> str:
    """The name, or the first with a number behind it that is not taken."""
    number, free = 1, name
    while free in taken:
        number += 1
        free = f"{name}_{number}"
    return free
