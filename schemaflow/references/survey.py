"""
The survey: every schema object of a document that references can be reached from, each looked at once.

Most schema objects of most tools are *leaves*: they refer to nothing, cannot be
referred to by a name, and hold no others. Those are only counted.
"""

from typing import Final, NamedTuple, TypeAlias

from attrs import define, field

from schemaflow.keywords import CHILDREN, Schema, subschemas
from schemaflow.references.places import DEFINITIONS, KEY_SET, KEYS, NAMES
from schemaflow.references.resolution import References
from schemaflow.references.targets import Target

Key: TypeAlias = tuple[int, str]
"""The id of a schema object, and the base of the references inside."""

_MINDED: Final = frozenset(CHILDREN) | KEY_SET | NAMES


class Node(NamedTuple):
    """
    A schema object, and what is known of it: where it refers to, its children with their bases, its leaves.

    `booleans` is how many children are boolean schemas. It `is_busy` where it refers
    or can be referred to by a name.
    """

    schema: Schema
    targets: list[Target]
    children: list[tuple[str, Schema, str]]
    leaves: list[Schema]
    booleans: int
    is_busy: bool


@define(eq=False)
class Survey:
    """
    The schema objects of a document, and the targets of its references in the order in which they are met.

    Under the keywords `hidden` of the root, only what something refers to counts.
    """

    references: References
    hidden: frozenset[str] = frozenset()
    nodes: dict[Key, Node] = field(factory=dict, init=False)
    targets: list[Target] = field(factory=list, init=False)
    levels: int = field(default=0, init=False)
    has_references: bool = field(default=False, init=False)
    has_unevaluated: bool = field(default=False, init=False)
    _idle: set[Key] = field(init=False)

    def __attrs_post_init__(self) -> None:
        waiting = [(self.references.document, self.references.base, 1)]
        while waiting:
            schema, base, level = waiting.pop()
            if (id(schema), base) in self.nodes:
                continue
            node = self.nodes[id(schema), base] = self._look(schema, base)
            self.levels = max(self.levels, level + 1 if node.leaves else level)
            waiting.extend((child, inside, level + 1) for _, child, inside in reversed(node.children))
            self.targets.extend(node.targets)
            waiting.extend((target.place.value, target.base, 1) for target in node.targets)
        self._idle = self._found_idle()

    def is_idle(self, schema: Schema, base: str) -> bool:
        """Whether a schema object is known to hold neither references nor names for them, at any depth."""
        return _MINDED.isdisjoint(schema) or (id(schema), base) in self._idle

    def _look(self, schema: Schema, base: str) -> Node:
        targets: list[Target] = []
        is_busy = False
        if not KEY_SET.isdisjoint(schema):
            is_busy = self.has_references = True
            found = (self.references.follow(key, schema[key], base) for key in KEYS if key in schema)
            targets = [one for one in found if isinstance(one, Target) and one.place.value.__class__ is dict]
        elif not NAMES.isdisjoint(schema):
            is_busy = bool(self.references.names(schema, base))
        if "unevaluatedProperties" in schema or "unevaluatedItems" in schema:
            self.has_unevaluated = True
        return Node(schema, targets, *self._held(schema, base), is_busy)

    def _held(self, schema: Schema, base: str) -> tuple[list[tuple[str, Schema, str]], list[Schema], int]:
        children: list[tuple[str, Schema, str]] = []
        leaves: list[Schema] = []
        booleans = 0
        hidden = self.hidden if schema is self.references.document else ()
        for keyword, _, child in subschemas(schema):
            if keyword in hidden:
                continue
            if child.__class__ is not dict:
                booleans += 1
            elif _MINDED.isdisjoint(child) and keyword not in DEFINITIONS:
                leaves.append(child)
            else:
                children.append((keyword, child, self.references.enter(child, base)))
        return children, leaves, booleans

    def _found_idle(self) -> set[Key]:
        idle: set[Key] = set()
        # Parents come first. A node met before the one that holds it makes that one busy, which is safe.
        for key, node in reversed(self.nodes.items()):
            if not node.is_busy and all((id(child), base) in idle for _, child, base in node.children):
                idle.add(key)
        return idle
