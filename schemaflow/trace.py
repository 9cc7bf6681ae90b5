"""
Traces: what a pass did, and where, recorded as cheaply as it can be.

A **link** is a place as nested tuples `(link of the parent, keyword, token)`, None
at the root; it costs one tuple a node and becomes a pointer only when asked.
"""

from collections.abc import Hashable
from typing import Any, NamedTuple, TypeAlias

from attrs import define, field

from schemaflow.errors import Unsupported
from schemaflow.keywords import Token
from schemaflow.rule import Rewrite

Link: TypeAlias = "tuple[Any, str, Token | None] | None"


def tokens(link: Link) -> list[Token]:
    """The JSON Pointer tokens of a link, from the root down."""
    found: list[Token] = []
    while link is not None:
        link, keyword, token = link
        if token is not None:
            found.append(token)
        found.append(keyword)
    found.reverse()
    return found


def keywords_above(link: Link) -> list[str]:
    """The keywords on the way to a link, the nearest first."""
    found: list[str] = []
    while link is not None:
        link, keyword, _ = link
        found.append(keyword)
    return found


class Event(NamedTuple):
    """
    One application of a step: the node before and after, at a link.

    `detail` is what the rule said beside the schema: a `Rewrite`, or the reason
    why it did nothing (`Unsupported`).
    """

    link: Link
    step: int
    before: Any
    after: Any
    detail: Rewrite | Unsupported | None = None


@define(eq=False)
class Traced:
    """
    A finished pass: the new document and what was done, in order.

    `log` holds the fields of the events, as bare tuples because they are many.
    `shared` says that subtrees may stand in several places of the document.
    `sources` pairs a node whose children changed with the node that it is a copy of:
    with these, the events and the identity of unchanged nodes, a pointer can be
    traced back through the pass.
    `levels` bounds how many schema objects lie below one another in the new document,
    where the pass could tell. `memo` holds, while a shared pass runs, the nodes done.
    """

    schema: Any
    log: list[tuple[Link, int, Any, Any, Rewrite | Unsupported | None]] = field(factory=list)
    shared: bool = False
    sources: list[tuple[Any, Any]] = field(factory=list)
    levels: int | None = None
    memo: dict[Hashable, tuple[Any, Any]] = field(factory=dict, repr=False)

    @property
    def events(self) -> list[Event]:
        """What was done, in order."""
        return [Event(*entry) for entry in self.log]
