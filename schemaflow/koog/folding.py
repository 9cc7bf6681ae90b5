"""Trees without recursion: built from the leaves up, so that no depth can hurt."""

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from attrs import define, field, frozen

Node = TypeVar("Node")


@frozen
class Split:
    """What a node is made of: its parts, in order, and what joins the results of these to that of the node."""

    parts: Sequence[Any]
    join: Callable[[list[Any]], Any]


@define
class _Open:
    """A node whose parts are being worked on."""

    split: Split
    done: list[Any] = field(factory=list)


def fold(root: Node, split: Callable[[Node], Split]) -> Any:
    """The result for a node, from the results of its parts."""
    opened = [_Open(split(root))]
    while True:
        top = opened[-1]
        if len(top.done) < len(top.split.parts):
            opened.append(_Open(split(top.split.parts[len(top.done)])))
            continue
        result = top.split.join(top.done)
        opened.pop()
        if not opened:
            return result
        opened[-1].done.append(result)
