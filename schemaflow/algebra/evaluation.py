"""
What `unevaluatedProperties` and `unevaluatedItems` find evaluated.

Which members or elements of a value count as evaluated depends on which subschemas at
its location it matches. The *cases* of a schema say so: in each the value matches or
fails some of them, and something is evaluated. Together the cases cover every value.
"""

from collections.abc import Iterator, Sequence
from itertools import product
from typing import Any, Final, NamedTuple

from attrs import frozen

from schemaflow.algebra.sides import is_schema
from schemaflow.keywords import KEYWORDS, Role, Schema

_MOST: Final = 24
"""How many cases are told apart."""


@frozen
class Evaluated:
    """What counts as evaluated: all; members by names and patterns; elements by how many, and what they match."""

    all: bool = False
    names: tuple[str, ...] = ()
    patterns: tuple[str, ...] = ()
    count: int = 0
    matching: tuple[Any, ...] = ()
    is_listed: bool = False
    """Whether elements are counted by a list in `items`, as drafts before 2020-12 do."""

    def __or__(self, other: "Evaluated") -> "Evaluated":
        return Evaluated(
            self.all or other.all,
            tuple(dict.fromkeys((*self.names, *other.names))),
            tuple(dict.fromkeys((*self.patterns, *other.patterns))),
            max(self.count, other.count),
            (*self.matching, *(one for one in other.matching if not any(one is known for known in self.matching))),
            self.is_listed or other.is_listed,
        )


class Case(NamedTuple):
    """What holds in a case beside the schema itself, and what is evaluated then."""

    conditions: tuple[Any, ...] = ()
    evaluated: Evaluated = Evaluated()


class TooMany(Exception):  # noqa: N818 -- a signal, not an error
    """There are more cases than are told apart, or a reference hides some."""


@frozen
class Asking:
    """One of the two keywords, and how the others evaluate what it speaks of."""

    keyword: str

    def cases(self, schema: Schema) -> list[Case]:
        """
        The cases of a schema that holds the keyword, which itself is left aside.

        Raises TooMany.
        """
        order: list[Any] = [schema]
        for node in order:
            # Grows while it is walked: parents first, so that backwards children are done first.
            order.extend(child for _, _, child in _in_place(node))
        known: dict[int, list[Case]] = {}
        for node in reversed(order):
            known[id(node)] = self._cases(node, known, is_holder=node is schema)
        cases = known[id(schema)]
        if all(case.evaluated == cases[0].evaluated for case in cases):
            return [Case((), cases[0].evaluated)]
        return cases

    def ruling(self, evaluated: Evaluated, verdict: Any) -> Schema | bool:
        """What the keyword comes to where that much is evaluated."""
        if evaluated.all:
            return True
        if self.keyword == "unevaluatedItems":
            rest = {"anyOf": [*evaluated.matching, verdict]} if evaluated.matching else verdict
            if not evaluated.count:
                return {"items": rest}
            front, other = ("items", "additionalItems") if evaluated.is_listed else ("prefixItems", "items")
            return {front: [True] * evaluated.count, other: rest}
        ruling: Schema = {}
        for word, names in (("properties", evaluated.names), ("patternProperties", evaluated.patterns)):
            if names:
                ruling[word] = dict.fromkeys(names, True)
        return ruling | {"additionalProperties": verdict}

    def _cases(self, node: Any, known: dict[int, list[Case]], *, is_holder: bool) -> list[Case]:
        if not isinstance(node, dict):
            return [Case()]
        if not _REFERENCES.isdisjoint(node):
            raise TooMany
        found = [Case((), self._own(node, is_holder=is_holder))]
        for keyword, groups in _grouped(node):
            found = _joined(found, _by_keyword(keyword, node, groups, known))
        return found

    def _own(self, node: Schema, *, is_holder: bool) -> Evaluated:
        if self.keyword in node and not is_holder:
            return Evaluated(all=True)
        if self.keyword == "unevaluatedItems":
            return _elements(node)
        if "additionalProperties" in node:
            return Evaluated(all=True)
        return Evaluated(names=tuple(_map(node, "properties")), patterns=tuple(_map(node, "patternProperties")))


_REFERENCES: Final = frozenset(row.name for row in KEYWORDS.values() if row.role is Role.REFERENCE)
_COMBINERS: Final = ("allOf", "anyOf", "oneOf")
_CONDITIONALS: Final = ("if", "then", "else")


def _elements(node: Schema) -> Evaluated:
    front, rest = node.get("prefixItems", []), "items" in node
    is_listed = isinstance(node.get("items"), list)
    if is_listed:
        front, rest = node["items"], "additionalItems" in node
    contained = (node["contains"],) if is_schema(node.get("contains")) else ()
    count = len(front) if isinstance(front, list) else 0
    return Evaluated(all=rest, count=count, matching=contained, is_listed=is_listed)


def _map(node: Schema, word: str) -> dict[str, Any]:
    value = node.get(word)
    return value if isinstance(value, dict) else {}


def _in_place(node: Any) -> Iterator[tuple[str, str, Any]]:
    """The subschemas that speak of the same location and may evaluate something there."""
    if not isinstance(node, dict):
        return
    for keyword in _COMBINERS:
        if isinstance(node.get(keyword), list):
            yield from ((keyword, "", child) for child in node[keyword] if is_schema(child))
    if is_schema(node.get("if")):
        yield from (("if", keyword, node[keyword]) for keyword in _CONDITIONALS if is_schema(node.get(keyword)))
    yield from (
        ("dependentSchemas", name, child) for name, child in _map(node, "dependentSchemas").items() if is_schema(child)
    )


def _grouped(node: Schema) -> Iterator[tuple[str, list[tuple[str, Any]]]]:
    groups: dict[str, list[tuple[str, Any]]] = {}
    for keyword, part, child in _in_place(node):
        groups.setdefault(keyword, []).append((part, child))
    yield from groups.items()


def _by_keyword(
    keyword: str, node: Schema, group: Sequence[tuple[str, Any]], known: dict[int, list[Case]]
) -> list[Case]:
    """The cases that the subschemas of one keyword lead to."""
    if keyword == "allOf":
        cases = [Case()]
        for _, child in group:
            cases = _joined(cases, known[id(child)])
        return cases
    if keyword == "if":
        parts = dict(group)
        met = _joined(_where(parts["if"], known), known[id(parts["then"])] if "then" in parts else [Case()])
        failed = known[id(parts["else"])] if "else" in parts else [Case()]
        return [*met, *_joined([Case(({"not": parts["if"]},))], failed)]
    if keyword == "dependentSchemas":
        cases = [Case()]
        for name, child in group:
            if _tells(known[id(child)]):
                there = [Case(({"type": "object", "required": [name]},))]
                absent = Case(({"properties": {name: False}},))
                cases = _joined(cases, [*_joined(there, known[id(child)]), absent])
        return cases
    telling = [child for _, child in group if _tells(known[id(child)])]
    if keyword == "oneOf":
        return [*(case for child in telling for case in _where(child, known)), _none_of(telling)]
    cases = [Case()]
    for child in telling:
        cases = _joined(cases, [*_where(child, known), _none_of([child])])
    return cases


def _tells(cases: Sequence[Case]) -> bool:
    """Whether a subschema evaluates anything."""
    return any(case.evaluated != Evaluated() for case in cases)


def _where(child: Any, known: dict[int, list[Case]]) -> list[Case]:
    """The cases in which a subschema matches."""
    return [Case((child, *case.conditions), case.evaluated) for case in known[id(child)]]


def _none_of(children: Sequence[Any]) -> Case:
    return Case(tuple({"not": child} for child in children))


def _joined(left: Sequence[Case], right: Sequence[Case]) -> list[Case]:
    """Each case of one with each of the other."""
    if len(left) * len(right) > _MOST:
        raise TooMany
    return [
        Case((*one.conditions, *other.conditions), one.evaluated | other.evaluated)
        for one, other in product(left, right)
    ]
