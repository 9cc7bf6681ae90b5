"""
Traces: what a pass did, and where, recorded as cheaply as it can be.

A **link** is a place as nested tuples `(link of the parent, keyword, token)`, None
at the root; it costs one tuple a node and becomes a pointer only when asked.
"""

from collections.abc import Callable, Hashable, Iterable, Iterator
from typing import Any, Final, NamedTuple, TypeAlias

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


def relocated(link: Link, start: Link, there: Link) -> Link:
    """A link below `start`, as it is below another place."""
    below: list[tuple[str, Token | None]] = []
    while link is not start:
        assert link is not None, "the link is not below the start"
        link, keyword, token = link
        below.append((keyword, token))
    for keyword, token in reversed(below):
        there = (there, keyword, token)
    return there


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


Entry: TypeAlias = tuple[Link, int, Any, Any, Any]

AGAIN: Final = -1
"""The step of an entry that repeats others: `(link, AGAIN, start, entries, None)` says that what the entries say of
places below `start` is true below `link` too, because the same node stands there."""


@define(eq=False)
class Traced:
    """
    A finished pass: the new document and what was done, in order.

    `log` holds the fields of the events, as bare tuples because they are many, and
    once where a shared node stands in several places. `step` is the number of the
    step, where one did everything.
    `shared` says that subtrees may stand in several places of the document.
    `sources` pairs a node whose children changed with the node that it is a copy of:
    with these, the events and the identity of unchanged nodes, a pointer can be
    traced back through the pass.
    `levels` bounds how many schema objects lie below one another in the new document,
    where the pass could tell. `memo` holds, while a shared pass runs, the nodes done.
    """

    schema: Any
    log: list[Entry] = field(factory=list)
    shared: bool = False
    sources: list[tuple[Any, Any]] = field(factory=list)
    levels: int | None = None
    memo: dict[Hashable, "Known"] = field(factory=dict, repr=False)
    step: int | None = None

    @property
    def events(self) -> Iterator[Event]:
        """What was done, in order, at each place where it was done: there may be very many."""
        return self.told(lambda link, start, entries: True)

    def told(self, tells_more: "TellsMore") -> Iterator[Event]:
        """
        What was done, in order, where `tells_more` says yes to each repetition.

        It is asked with the place, the first place, and what would be repeated.
        """
        return self._events(self.log, None, None, tells_more)

    @property
    def distinct(self) -> Iterator[Event]:
        """What was done, each node once."""
        return (Event(*entry) for entry in self.log if entry[1] != AGAIN)

    def _events(self, entries: Iterable[Entry], start: Link, there: Link, tells_more: "TellsMore") -> Iterator[Event]:
        for link, step, before, after, detail in entries:
            place = link if start is there else relocated(link, start, there)
            if step != AGAIN:
                yield Event(place, step if self.step is None else self.step, before, after, detail)
            elif tells_more(place, before, after):
                yield from self._events(after, before, place, tells_more)


TellsMore: TypeAlias = Callable[[Link, Link, tuple[Entry, ...]], bool]


@define(eq=False)
class Known:
    """
    A node that was visited: its result, its place then, and which entries of the log tell what was done.

    The node is kept beside its result: an id is unique only among the living.
    """

    node: Any
    result: Any
    link: Link
    start: int
    stop: int
    entries: tuple[Entry, ...] | None = None

    def repeat(self, link: Link, log: list[Entry]) -> Any:
        """The result, for another place where the node stands."""
        if self.start != self.stop:
            if self.entries is None:
                self.entries = tuple(log[self.start : self.stop])
            log.append((link, AGAIN, self.link, self.entries, None))
        return self.result
