"""
YAML text to nodes that know their line and column, and can do no harm.

A strict corner of YAML 1.2: the core schema's scalars, string keys, and the tags that
pipelines use. Aliases, anchors, merge keys, duplicate keys and other tags are
problems, and so are depth and size beyond bounds. Nothing here builds a Python object
that is not plain data.

What cannot be read as a value is told once, here, and stands as `UNREAD`, so that
readers need not complain of it again.
"""

import re
from collections.abc import Iterator
from enum import Enum
from typing import Any, Final

import yaml
from attrs import define, field, frozen

from schemaflow.errors import PipelineError, Problem
from schemaflow.pipeline import Place
from schemaflow.reading.scalars import ScalarError, kind_of, value_of

MAX_DEPTH: Final = 32
MAX_BYTES: Final = 2**20
MAX_VALUES: Final = 5_000
TAGS: Final = frozenset({"!literal", "!merge", "!optional", "!option"})

_Loader: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)

_NO_CHARACTER: Final = re.compile(r"[^\t\n\r\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""What YAML does not take anywhere in its text."""


class Unread(Enum):
    """The value of a node of which a problem was told already."""

    UNREAD = "unread"


UNREAD: Final = Unread.UNREAD


@frozen(eq=False)
class Node:
    """
    A YAML node: its tag (None where there is none), its place, and its value.

    A scalar's value is plain data, a sequence's a list of nodes, a mapping's a dict
    of strings to nodes; `keys` then holds the places of the keys. The properties speak
    of nodes without a tag: a tag means something else, or nothing, where they are asked.
    """

    value: Any
    place: Place
    tag: str | None = None
    keys: dict[str, Place] = field(factory=dict)

    @property
    def is_mapping(self) -> bool:
        """Whether the node is a mapping."""
        return self.tag is None and isinstance(self.value, dict)

    @property
    def is_sequence(self) -> bool:
        """Whether the node is a sequence."""
        return self.tag is None and isinstance(self.value, list)

    @property
    def is_text(self) -> bool:
        """Whether the node is a string."""
        return self.tag is None and isinstance(self.value, str)


def problem(message: str, place: Place) -> Problem:
    """A problem at a place."""
    return Problem(message, place.source, place.line, place.column)


def read_nodes(text: str, source: str) -> tuple[Node | None, list[Problem]]:
    """
    The root node of a YAML document, None where it is empty, and what is wrong with it.

    Raises PipelineError where the text cannot be read on.
    """
    start = Place(source, 1, 1)
    if len(text.encode("utf-8", "surrogatepass")) > MAX_BYTES:
        raise PipelineError((problem(f"larger than {MAX_BYTES} bytes", start),))
    odd = _NO_CHARACTER.search(text)
    if odd is not None:
        message = f"not YAML: character U+{ord(odd[0]):04X} must not stand in it"
        raise PipelineError((problem(message, _place_of(text, odd.start(), source)),))
    builder = _Builder(source)
    try:
        for event in yaml.parse(text, Loader=_Loader):
            builder.take(event)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        place = Place(source, mark.line + 1, mark.column + 1) if mark else start
        raise PipelineError((*builder.problems, problem(f"not YAML: {error.problem}", place))) from None
    except (yaml.YAMLError, ValueError) as error:
        words = " ".join(str(error).split())
        raise PipelineError((*builder.problems, problem(f"not YAML: {words}", start))) from None
    return builder.root, builder.problems


def _place_of(text: str, index: int, source: str) -> Place:
    """The place of a character; lines end where YAML ends them."""
    lines = (text[:index] + ".").splitlines()
    return Place(source, len(lines), len(lines[-1]))


@define
class _Open:
    """A collection that is being read; `key` is the mapping key that waits for its value."""

    node: Node
    key: Node | None = None


@define
class _Builder:
    """Takes a parser's events, one by one, and builds the tree without recursion."""

    source: str
    root: Node | None = None
    problems: list[Problem] = field(factory=list)
    _open: list[_Open] = field(factory=list)
    _documents: int = 0
    _values: int = 0

    def take(self, event: Any) -> None:
        """Take the next event. Raises PipelineError where nothing more should be read."""
        place = Place(self.source, event.start_mark.line + 1, event.start_mark.column + 1)
        if isinstance(event, yaml.DocumentStartEvent):
            self._documents += 1
            if self._documents > 1:
                self._stop("a pipeline file holds one document: remove the second one", place)
        elif isinstance(event, yaml.AliasEvent):
            self.problems.append(problem(f"alias *{event.anchor}: write the value out", place))
            self._add(Node(UNREAD, place))
        elif isinstance(event, yaml.ScalarEvent):
            self._anchored(event, place)
            self._add(Node(self._scalar(event, place), place, self._tag(event, place)))
        elif isinstance(event, (yaml.MappingStartEvent, yaml.SequenceStartEvent)):
            self._anchored(event, place)
            empty: Any = {} if isinstance(event, yaml.MappingStartEvent) else []
            self._enter(Node(empty, place, self._tag(event, place)))
        elif isinstance(event, (yaml.MappingEndEvent, yaml.SequenceEndEvent)):
            self._add(self._open.pop().node)

    def _stop(self, message: str, place: Place) -> None:
        raise PipelineError((*self.problems, problem(message, place)))

    def _count(self, place: Place) -> None:
        self._values += 1
        if self._values > MAX_VALUES:
            self._stop(f"more than {MAX_VALUES} values", place)

    def _enter(self, node: Node) -> None:
        if len(self._open) >= MAX_DEPTH:
            self._stop(f"nested more than {MAX_DEPTH} deep", node.place)
        self._open.append(_Open(node))

    def _add(self, node: Node) -> None:
        self._count(node.place)
        if not self._open:
            self.root = node
            return
        holder = self._open[-1]
        if isinstance(holder.node.value, list):
            holder.node.value.append(node)
        elif holder.key is None:
            holder.key = node
        else:
            self._pair(holder.node, holder.key, node)
            holder.key = None

    def _pair(self, mapping: Node, key: Node, value: Node) -> None:
        name = key.value
        if name is UNREAD:
            return
        if key.tag is not None:
            self.problems.append(problem(f"a key takes no tag: remove {key.tag}", key.place))
        elif not isinstance(name, str):
            self.problems.append(problem(f"a key must be a string, not {in_words(name)}: put it in quotes", key.place))
        elif name == "<<":
            self.problems.append(problem("merge keys are not read: write the fields out", key.place))
        elif name in mapping.value:
            first = mapping.keys[name].line
            self.problems.append(problem(f"duplicate key {name!r}: it stands in line {first} already", key.place))
        else:
            mapping.value[name] = value
            mapping.keys[name] = key.place

    def _anchored(self, event: Any, place: Place) -> None:
        if event.anchor:
            self.problems.append(problem(f"anchor &{event.anchor}: anchors are not read", place))

    def _tag(self, event: Any, place: Place) -> str | None:
        tag = event.tag
        if tag in (None, "!") or tag in TAGS:
            return None if tag == "!" else tag
        self.problems.append(problem(f"unknown tag {tag!r}: a pipeline has {', '.join(sorted(TAGS))}", place))
        return None

    def _scalar(self, event: Any, place: Place) -> Any:
        text: str = event.value
        # Only plain scalars are anything but strings.
        if event.style not in (None, "") or event.tag == "!":
            return text
        kind = kind_of(text)
        try:
            if kind == "int" and len(text) > _LONGEST_NUMBER:
                raise ScalarError("a number too large for JSON")
            return value_of(kind, text)
        except ScalarError as error:
            self.problems.append(problem(str(error), place))
            return UNREAD


_LONGEST_NUMBER: Final = 400
"""How many characters an integer may have: nothing in a pipeline needs more, and messages show it."""


def in_words(value: Any) -> str:
    """A node's value in a few words: a scalar as YAML writes it, strings in quotes."""
    if isinstance(value, (dict, list)):
        return "a mapping" if isinstance(value, dict) else "a list"
    return "null" if value is None else str(value).lower() if isinstance(value, bool) else repr(value)


def plain(node: Node, problems: list[Problem]) -> Any:
    """The node as plain data, UNREAD where it is no value; a tag anywhere in it is a problem."""
    if node.tag is not None:
        problems.append(problem(f"{node.tag} has no meaning here", node.place))
    if isinstance(node.value, dict):
        return {name: plain(value, problems) for name, value in node.value.items()}
    if isinstance(node.value, list):
        return [plain(value, problems) for value in node.value]
    return node.value


def members(node: Node) -> Iterator[tuple[str, Place, Node]]:
    """The fields of a mapping, each with the place of its key."""
    for name, value in node.value.items():
        yield name, node.keys[name], value
