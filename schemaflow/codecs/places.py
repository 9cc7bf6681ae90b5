"""
Where in a document a codec may stand: at nodes that alone say how the values of a place look.

A codec below `not` or `allOf` would be wrong, since encode and decode do not pass there: what
such a keyword says would be held against the encoded value. The places are found by looking, not
trusted to the steps that ran before, so that a rule of codecs claims what is so in any document.
"""

from collections.abc import Callable, Iterator
from typing import Any, Final, TypeAlias

from attrs import define, field

from schemaflow.codecs.marks import MARK
from schemaflow.codecs.walking import targets_of
from schemaflow.intake import Limits
from schemaflow.keywords import ANNOTATIONS, KEYWORDS, JsonValue, Role, Schema, subschemas
from schemaflow.rule import Rewrite
from schemaflow.trace import Traced
from schemaflow.visitor import Below, inherit

SAYS_NOTHING: Final = ANNOTATIONS | frozenset(
    row.name for row in KEYWORDS.values() if row.role in (Role.IDENTIFIER, Role.DEFINITIONS)
)
"""Keywords that may stand beside any others: they do not decide what is accepted."""

Seat: TypeAlias = tuple[int, int]
"""A member of a union: the id of the union's node, and the member's index."""

_ELSEWHERE: Final = frozenset(
    "allOf anyOf oneOf not if then else dependentSchemas dependencies $ref $dynamicRef $recursiveRef enum const".split()
)
"""What beside a node's own words speaks of the same value, its members or its elements."""


@define(eq=False)
class Places:
    """
    The free places of a document, by the ids of the nodes there.

    Free is a node that is reached from the root only through `properties`,
    `additionalProperties`, `prefixItems`, `items`, unions and references that stand alone.
    With `distinct`, elements of arrays with `uniqueItems` are free, too: for codecs
    that write different values differently, and read them so.
    """

    document: JsonValue
    distinct: bool = False
    _free: set[int] = field(factory=set, init=False)
    _bound: set[int] = field(factory=set, init=False)
    _seats: dict[int, set[Seat]] = field(factory=dict, init=False)
    _unions: dict[int, list[Any]] = field(factory=dict, init=False)

    def __attrs_post_init__(self) -> None:
        targets = targets_of(self.document)
        waiting: list[tuple[Any, bool, frozenset[Seat]]] = [(self.document, True, frozenset())]
        while waiting:
            node, free, seats = waiting.pop()
            if not isinstance(node, dict) or not self._is_news(node, free, seats):
                continue
            waiting.extend(self._inside(node, free))
            target = targets.get(id(node))
            if target is not None:
                alone = free and node.keys() <= SAYS_NOTHING | {"$ref"}
                waiting.append((target, alone, frozenset(self._seats.get(id(node), ()))))

    def _is_news(self, node: Schema, free: bool, seats: frozenset[Seat]) -> bool:
        """Note how a node is reached; whether that was not known."""
        found = self._free if free else self._bound
        known = self._seats.setdefault(id(node), set())
        if id(node) in found and seats <= known:
            return False
        found.add(id(node))
        known.update(seats)
        return True

    def _inside(self, node: Schema, free: bool) -> Iterator[tuple[Any, bool, frozenset[Seat]]]:
        said = node.keys() - SAYS_NOTHING - {MARK}
        turning = not said.isdisjoint(("$dynamicRef", "$recursiveRef"))
        if turning:
            # Where such a reference leads depends on the way to it: nothing is known to be free.
            self._bound.add(0)
        members = node.get("anyOf")
        if isinstance(members, list):
            self._unions[id(node)] = members
        for keyword, token, child in subschemas(node):
            if keyword in ("$defs", "definitions", "contentSchema"):
                continue
            if keyword == "anyOf" and isinstance(token, int):
                around = self._seats.get(id(node), set())
                yield child, free and said <= {"anyOf"}, frozenset({*around, (id(node), token)})
            else:
                yield child, free and self._is_part(node, said, keyword), frozenset()

    def _is_part(self, node: Schema, said: set[Any], keyword: str) -> bool:
        """Whether a keyword alone speaks of the members or elements that it speaks of."""
        if not _ELSEWHERE.isdisjoint(said):
            return False
        if keyword in ("properties", "additionalProperties"):
            return "patternProperties" not in said
        if keyword == "prefixItems" or (keyword == "items" and isinstance(node["items"], (dict, bool))):
            return "contains" not in said and (self.distinct or node.get("uniqueItems") in (None, False))
        return False

    def is_free(self, node: Any) -> bool:
        """Whether a node alone says how the values of its places look."""
        return id(node) in self._free and id(node) not in self._bound and 0 not in self._bound

    def adopt(self, copy: Schema, node: Schema) -> None:
        """Take a copy of a node, made for the same place, for as free as that."""
        if self.is_free(node):
            self._free.add(id(copy))

    def holds(self, node: Schema, keyword: str) -> bool:
        """Whether what a keyword of a node holds alone says how the members or elements look that it speaks of."""
        return self.is_free(node) and self._is_part(node, node.keys() - SAYS_NOTHING, keyword)

    def others(self, node: Any) -> list[Any]:
        """The other members of all unions that a node belongs to, unions among them taken apart."""
        seats = self._seats.get(id(node), ())
        waiting = [
            member
            for union, seat in sorted(seats, key=lambda known: known[1])
            for index, member in enumerate(self._unions[union])
            if index != seat
        ]
        found: list[Any] = []
        seen: set[int] = set()
        while waiting:
            member = waiting.pop()
            if isinstance(member, dict):
                if id(member) in seen:
                    continue
                seen.add(id(member))
                if isinstance(member.get("anyOf"), list) and "type" not in member:
                    waiting.extend(member["anyOf"])
                    continue
            found.append(member)
        return found


def at_free_places(
    document: JsonValue, rewrite: Callable[[Schema, Places], Schema | Rewrite], *, distinct: bool = False
) -> Traced:
    """
    A document whose nodes at free places are rewritten; the same object where none is.

    `rewrite(node, places)` is not asked again at what it built, but at the nodes in it.
    """
    places = Places(document, distinct)

    def visit(node: Any, state: bool) -> Below[bool]:
        if not isinstance(node, dict) or not places.is_free(node):
            return Below(node, state)
        answer = rewrite(node, places)
        if isinstance(answer, Rewrite):
            return Below(answer.schema, state, answer)
        return Below(answer, state)

    return inherit(document, visit, True, levels=2 * Limits().nesting)


def types_of(schema: Any) -> frozenset[str] | None:
    """The JSON types of the values that a node accepts, None where the node alone does not say."""
    stated = schema.get("type") if isinstance(schema, dict) else None
    names = stated if isinstance(stated, list) else [stated]
    if not all(isinstance(name, str) for name in names) or (isinstance(schema, dict) and schema.get("nullable")):
        return None
    return frozenset(names)


def is_apart(other: Any, names: list[str], required: list[str]) -> bool:
    """Whether no object is accepted both by a node and by a closed one of these names, of which some are required."""
    types = types_of(other)
    if types is None:
        return False
    if "object" not in types:
        return True
    asked = other.get("required")
    if isinstance(asked, list) and any(isinstance(name, str) and name not in names for name in asked):
        return True
    declared = other.get("properties")
    known = declared if isinstance(declared, dict) else {}
    is_closed = other.get("additionalProperties") is False and "patternProperties" not in other
    return is_closed and any(name not in known for name in required)
