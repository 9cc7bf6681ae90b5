"""
What differs between two JSON documents that share parts, as hunks of a few lines.

A hunk is one object or list whose own members differ, at its JSON Pointer. Parts that are
the same object on both sides are passed over unread, and a pair of parts is told once, in
however many places it stands: the cost goes with what changed.
"""

from collections.abc import Hashable, Iterator, Sequence
from difflib import SequenceMatcher
from itertools import islice
from typing import Any, Final, NamedTuple, TypeAlias

from attrs import define, field, frozen

from schemaflow.cli.outline import compact, outline, scalar, shortened
from schemaflow.keywords import JsonValue, Token, pointer

AROUND: Final = 2
"""How many unchanged neighbours of a change are shown."""

COUNTED: Final = 20_000
"""How many lines that are not shown are counted at most."""

_SIGNS: Final = {"=": " ", ">": " ", "<": "-", "^": "+"}

_CHANGED: Final = "+-<^"

_ALIGNED: Final = 300
"""What is longer than this is not aligned by the longest parts that its two sides have in common."""

Link: TypeAlias = "tuple[Any, Token] | None"


class Line(NamedTuple):
    """A line of a hunk: `+` or `-`, or a blank for what stays; how deep it is; its text."""

    sign: str
    depth: int
    text: str


class Member(NamedTuple):
    """
    A member of an object or list, on one side or both.

    `sign` is `+` or `-`, `=` for what stays, `>` for what differs further down (`value` is then
    the old one and `new` the new one), `<` for what goes away here and comes back elsewhere, `^` for where it does.
    """

    sign: str
    token: Token
    value: JsonValue
    new: JsonValue = None


@frozen(eq=False)
class Hunk:
    """
    One place whose own members differ, and which of them.

    The lines are made as they are read, once, and before the next hunk is asked for.
    """

    path: tuple[Token, ...]
    changed: tuple[Token, ...]
    lines: Iterator[Line]


@define(eq=False)
class Diff:
    """
    The difference of two documents, in lines of about so many columns.

    Of a long value that comes or goes whole `most` lines are shown; 0 for all.
    `repeats` says, once the hunks were read, that some of them stand for several places.
    """

    before: JsonValue
    after: JsonValue
    width: int
    most: int = 0
    repeats: bool = False
    _seen: set[Hashable] = field(factory=set, init=False)
    _written: dict[int, str] = field(factory=dict, init=False)
    _inside: dict[str, dict[int, str]] = field(factory=lambda: {"+": {}, "-": {}}, init=False)

    def hunks(self) -> Iterator[Hunk]:
        """Every place whose own members differ, from top to bottom."""
        waiting: list[tuple[Link, JsonValue, JsonValue]] = [(None, self.before, self.after)]
        while waiting:
            link, before, after = waiting.pop()
            if before is after or self._was_told(before, after):
                continue
            if _kind(before) is None or _kind(before) is not _kind(after):
                members = [Member("-", "", before), Member("+", "", after)]
                yield Hunk(_path(link), (), self._lines((), members, named=False))
                continue
            members = _members(before, after)
            changed = tuple(dict.fromkeys(one.token for one in members if one.sign in _CHANGED))
            if changed:
                path = _path(link)
                yield Hunk(path, changed, self._lines(path, members, named=isinstance(before, dict)))
            below = [((link, one.token), one.value, one.new) for one in members if one.sign == ">"]
            waiting.extend(reversed(below))

    def _was_told(self, before: JsonValue, after: JsonValue) -> bool:
        """Whether the same became of the same elsewhere: what is inlined was a reference of its own in each place."""
        short = compact(before, 160)
        pair = (id(before) if short is None else short, id(after))
        if pair in self._seen:
            self.repeats = True
            return True
        self._seen.add(pair)
        return False

    def _lines(self, path: Sequence[Token], members: Sequence[Member], *, named: bool) -> Iterator[Line]:
        changes = [index for index, one in enumerate(members) if one.sign in _CHANGED]
        last = -1
        for index in _around(changes, len(members)):
            if index > last + 1:
                yield Line(" ", 0, "…")
            last = index
            yield from self._member(path, members[index], named=named)
        if last < len(members) - 1:
            yield Line(" ", 0, "…")

    def _member(self, path: Sequence[Token], one: Member, *, named: bool) -> Iterator[Line]:
        start = f"{scalar(one.token)}: " if named else ""
        sign = _SIGNS.get(one.sign, one.sign)
        room = self.width - len(start)
        if one.sign not in "+-":
            yield Line(sign, 0, start + shortened(one.value, room))
        elif _kind(one.value) is None or compact(one.value, room) is not None:
            yield from self._all_of(one, start)
        elif id(one.value) in self._written:
            shape = "{…}" if isinstance(one.value, dict) else "[…]"
            yield Line(sign, 0, f"{start}{shape}  as at {self._written[id(one.value)]}")
        else:
            place = pointer([*path, one.token])
            self._written[id(one.value)] = place
            yield from self._some_of(one, start, place)

    def _all_of(self, one: Member, start: str, place: str = "") -> Iterator[Line]:
        # What goes is not what comes: a part that is new is shown, though it may have stood in one that went.
        known = self._inside[one.sign]
        for depth, text in outline(one.value, start, self.width, place=place, known=known):
            yield Line(one.sign, depth, text)

    def _some_of(self, one: Member, start: str, place: str) -> Iterator[Line]:
        """The first lines of a long value, and how many there are besides."""
        lines = self._all_of(one, start, place)
        yield from lines if not self.most else islice(lines, self.most)
        left = sum(1 for _ in islice(lines, COUNTED))
        if left:
            yield Line(one.sign, 0, f"… {more(left)}")


def more(count: int) -> str:
    """`12 more lines`, where lines are not counted beyond a bound."""
    if count >= COUNTED:
        return f"more than {COUNTED:,} more lines"
    return f"{count:,} more line{'s' if count > 1 else ''}"


def _around(changes: Sequence[int], count: int) -> Iterator[int]:
    """The indices of the changes and of their neighbours."""
    shown = -1
    for change in changes:
        for index in range(max(shown + 1, change - AROUND), min(change + AROUND + 1, count)):
            shown = index
            yield index


def _members(before: Any, after: Any) -> list[Member]:
    """The members of two objects, or two lists, side by side."""
    return _named(before, after) if isinstance(before, dict) else _listed(before, after)


def _named(before: dict[str, Any], after: dict[str, Any]) -> list[Member]:
    kept = [name for name in before if name in after]
    if kept == [name for name in after if name in before]:
        return _merged(before, after)
    # The order of the members differs, and counts.
    found: list[Member] = []
    names, new_names = list(before), list(after)
    for is_equal, old, new in _aligned(names, new_names):
        if is_equal:
            for name in names[old]:
                found += _both(name, before[name], after[name])
            continue
        for name in names[old]:
            stays = name in after and before[name] is after[name]
            found.append(Member("<" if stays else "-", name, before[name]))
        for name in new_names[new]:
            stays = name in before and before[name] is after[name]
            found.append(Member("^" if stays else "+", name, after[name]))
    return found


def _merged(before: dict[str, Any], after: dict[str, Any]) -> list[Member]:
    """Members in one order; what goes stands before what comes in its place."""
    found: list[Member] = []
    old = iter(before)
    waiting = next(old, None)
    for name, value in after.items():
        while waiting is not None and waiting not in after:
            found.append(Member("-", waiting, before[waiting]))
            waiting = next(old, None)
        if name == waiting:
            found += _both(name, before[name], value)
            waiting = next(old, None)
        else:
            found.append(Member("+", name, value))
    while waiting is not None:
        found.append(Member("-", waiting, before[waiting]))
        waiting = next(old, None)
    return found


def _listed(before: Sequence[Any], after: Sequence[Any]) -> list[Member]:
    if len(before) == len(after):
        return [member for index, pair in enumerate(zip(before, after, strict=True)) for member in _both(index, *pair)]
    found: list[Member] = []
    for is_equal, old, new in _aligned([_key(one) for one in before], [_key(one) for one in after]):
        if is_equal or old.stop - old.start == new.stop - new.start:
            for index, one, other in zip(range(new.start, new.stop), before[old], after[new], strict=True):
                found += _both(index, one, other)
            continue
        found += [Member("-", old.start + index, one) for index, one in enumerate(before[old])]
        found += [Member("+", new.start + index, one) for index, one in enumerate(after[new])]
    return found


def _aligned(old: Sequence[Hashable], new: Sequence[Hashable]) -> Iterator[tuple[bool, slice, slice]]:
    """Two sequences cut into parts that are equal and parts that are not."""
    shorter = min(len(old), len(new))
    start = next((index for index in range(shorter) if old[index] != new[index]), shorter)
    most = shorter - start
    end = next((index for index in range(most) if old[-1 - index] != new[-1 - index]), most)
    yield True, slice(0, start), slice(0, start)
    rest, new_rest = old[start : len(old) - end], new[start : len(new) - end]
    if max(len(rest), len(new_rest)) > _ALIGNED:
        yield False, slice(start, len(old) - end), slice(start, len(new) - end)
    else:
        for kind, i, j, k, m in SequenceMatcher(None, rest, new_rest, autojunk=False).get_opcodes():
            yield kind == "equal", slice(start + i, start + j), slice(start + k, start + m)
    yield True, slice(len(old) - end, len(old)), slice(len(new) - end, len(new))


def _both(token: Token, old: JsonValue, new: JsonValue) -> list[Member]:
    """A member that stands on both sides at one place."""
    # Texts too, since -0.0 equals 0.0.
    if old is new or (_kind(old) is None and type(old) is type(new) and old == new and str(old) == str(new)):
        return [Member("=", token, new)]
    if _kind(old) is None or _kind(old) is not _kind(new) or _reads_in_a_line(old, new):
        return [Member("-", token, old), Member("+", token, new)]
    return [Member(">", token, old, new)]


def _reads_in_a_line(old: JsonValue, new: JsonValue) -> bool:
    """Whether two values are lists of words or numbers, as in `type` and `required`, that are short and differ."""
    is_plain = all(isinstance(side, list) and all(_kind(one) is None for one in side) for side in (old, new))
    if not is_plain:
        return False
    texts = compact(old, 70), compact(new, 70)
    return None not in texts and texts[0] != texts[1]


def _kind(value: JsonValue) -> type | None:
    """Whether a value holds others: dict, list, or None where it does not."""
    return dict if isinstance(value, dict) else list if isinstance(value, (list, tuple)) else None


def _key(value: JsonValue) -> Hashable:
    return id(value) if _kind(value) is not None else (type(value), value)


def _path(link: Link) -> tuple[Token, ...]:
    tokens: list[Token] = []
    while link is not None:
        link, token = link
        tokens.append(token)
    return tuple(reversed(tokens))
