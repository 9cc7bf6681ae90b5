"""
Making a counterexample small.

A JSON value is cut down member by member, the largest parts first, as long as what
was wrong with it is still wrong. Hypothesis would draw anew, by luck something
smaller; here the schema and the value that refutes it stay together.
"""

from collections.abc import Callable, Iterator
from typing import Any, Final, NamedTuple

from schemaflow.adapters import to_bytes
from schemaflow.keywords import JsonValue, Token

MOST: Final = 1000
"""How often it is tried whether something smaller is still wrong."""


class _Edit(NamedTuple):
    """A member put in the place of one, or (without `put`) one taken away."""

    path: tuple[Token, ...]
    put: Any = None
    drops: bool = False


def reduced(value: JsonValue, is_wrong: Callable[[Any], bool], *, most: int = MOST) -> Any:
    """The smallest value found that is still wrong; `value` itself is."""
    index = idle = 0
    edits = list(_edits(value))
    while edits and idle < len(edits) and most > 0:
        edit = edits[index % len(edits)]
        candidate = _edited(value, edit)
        most -= 1
        if is_wrong(candidate):
            value, idle = candidate, 0
            edits = list(_edits(value))
        else:
            index, idle = index + 1, idle + 1
    return value


def _edits(value: JsonValue) -> Iterator[_Edit]:
    """What makes a value smaller by one thing, near the root first."""
    waiting: list[tuple[tuple[Token, ...], Any]] = [((), value)]
    for path, node in waiting:
        if path:
            yield _Edit(path, drops=True)
        yield from (_Edit(path, simpler) for simpler in _simpler(node) if _size(simpler) < _size(node))
        members = node.items() if isinstance(node, dict) else enumerate(node) if isinstance(node, list) else ()
        waiting.extend(((*path, token), member) for token, member in members)


def _simpler(node: Any) -> Iterator[JsonValue]:
    """What may stand in the place of a value: emptier, or of the same kind from within it."""
    if isinstance(node, dict):
        yield {}
        for member in node.values():
            inner = member.values() if isinstance(member, dict) else member if isinstance(member, list) else ()
            yield from (one for one in (member, *inner) if isinstance(one, dict))
    elif isinstance(node, list):
        yield []
    elif isinstance(node, str):
        yield from ("a", "b", "")
    elif isinstance(node, (int, float)) and not isinstance(node, bool):
        yield from (0, 1, 2)


def _size(value: JsonValue) -> int:
    return len(to_bytes(value))


def _edited(value: Any, edit: _Edit) -> Any:
    """A copy with one edit made; what lies off the way to it is shared."""
    if not edit.path:
        return edit.put
    root = value.copy()
    holder = root
    for token in edit.path[:-1]:
        holder[token] = holder[token].copy()
        holder = holder[token]
    if edit.drops:
        del holder[edit.path[-1]]
    else:
        holder[edit.path[-1]] = edit.put
    return root
