"""
A node said more simply: without what its type makes idle, and with its union as short as can be seen.

Beside what constants decide. Nothing goes into the branches of a union here; that is
`distribution`.
"""

from typing import Any, Final

from schemaflow.algebra.constants import HELD, REFERENCES, TELLING, folded
from schemaflow.algebra.emptiness import may_forbid
from schemaflow.algebra.operations import complement, disjoint, intersect
from schemaflow.algebra.outcome import Ledger, Outcome
from schemaflow.algebra.pools import alike
from schemaflow.algebra.sides import EVALUATING, UNEVALUATED, is_schema
from schemaflow.algebra.types import is_type, types_of, with_null
from schemaflow.algebra.unions import flattened, holds, outside
from schemaflow.algebra.values import enumerated, is_enumeration
from schemaflow.families import without
from schemaflow.keywords import ANNOTATIONS, CHILDREN, KEYWORDS, Role, Schema, json_type

_TYPES_OF: Final = {
    row.name: row.types for row in KEYWORDS.values() if row.types and row.role in (Role.ASSERTION, Role.APPLICATOR)
}


SPEAKING: Final = TELLING | _TYPES_OF.keys()
"""The keywords that may be dead beside others, or decide what is."""

_PLAIN: Final = {
    kind: frozenset(
        word
        for word in KEYWORDS
        if word not in TELLING - {"required"} and (word not in _TYPES_OF or spoken in _TYPES_OF[word])
    )
    for kind, spoken in (("integer", "number"), *((one, one) for one in ("object", "array", "string", "number")))
}


def _is_plain(node: Schema) -> bool:
    """Whether a node says only what its one type can meet, and nothing that could be idle: most are so."""
    kind = node.get("type")
    return kind.__class__ is str and kind in _PLAIN and _PLAIN[kind].issuperset(node) and not may_forbid(node)


def simplify_node(node: Schema) -> Outcome:
    """
    The node as simply as can be seen: the same object where that is how it stands.

    Always exact, and which members and elements count as evaluated does not change.
    """
    if _is_plain(node):
        return Outcome(node)
    ledger = Ledger(residual=True)
    schema = _simplified(node, ledger)
    return Outcome(schema, notes=tuple(map(str, ledger.notes)))


def _simplified(node: Schema, ledger: Ledger) -> Schema | bool:
    current: Schema | bool = node
    while isinstance(current, dict):
        before, current = current, _at_once(current, ledger)
        if current is before:
            return before
    return current if HELD.isdisjoint(node) else node


def _at_once(node: Schema, ledger: Ledger) -> Schema | bool:
    result = folded(node, ledger)
    if isinstance(result, bool):
        return result
    result = without_dead_words(result)
    for word in ("anyOf", "oneOf"):
        if word in result:
            result = _with_simple_union(result, word)
            if isinstance(result, bool):
                break
    return result


def without_dead_words(node: Schema) -> Schema:
    """The node without keywords that speak only of values of other types than its own."""
    if "type" not in node or not is_type(node):
        return node
    spoken = {"number" if name == "integer" else name for name in types_of(with_null(node))}
    return without(node, {word for word in node if word in _TYPES_OF and _TYPES_OF[word].isdisjoint(spoken)})


def _with_simple_union(node: Schema, word: str) -> Schema | bool:
    members = node[word]
    if not isinstance(members, list) or not members or not all(map(is_schema, members)):
        return node
    kept = members if word == "oneOf" else _largest(list(flattened(members)))
    if len(kept) == 1 and (opened := _opened(node, word, kept[0])) is not None:
        return opened
    if len(kept) == len(members) and all(one is other for one, other in zip(kept, members, strict=True)):
        return node
    return {**node, word: kept}


def _opened(node: Schema, word: str, member: Any) -> Schema | bool | None:
    """What a node says with the only member of a union in its place, None where one node cannot say it."""
    rest = without(node, {word})
    if not isinstance(member, dict) or not all(map(_STAYING.isdisjoint, (rest, member))):
        # A reference that would then stand alone might lead to itself.
        return None
    if not outside(rest)[1]:
        return _in_its_place(node, word, member)
    outcome = intersect(rest, member)
    merged = outcome.schema
    if isinstance(merged, dict) and "allOf" in merged and "allOf" not in rest:
        return None
    return merged


_STAYING: Final = HELD | REFERENCES | UNEVALUATED


def _in_its_place(node: Schema, word: str, member: Schema) -> Schema:
    """The node with what the member says where the union stood; the node's own texts win."""
    opened: Schema = {}
    for name, value in node.items():
        if name == word:
            opened |= {key: said for key, said in member.items() if key == word or key not in node}
        else:
            opened[name] = value
    return opened


# --- which members of a union are held by others

_MOST: Final = 30
"""How many members are compared with one another by what they say."""

_FEW: Final = 12
"""How many are compared by what they accept."""


def _largest(members: list[Any]) -> list[Any]:
    """The members without those whose values another one accepts too."""
    if len(members) > _MOST:
        return list({id(member): member for member in members}.values())
    weighs = len(members) <= _FEW
    kept: list[Any] = []
    for member in members:
        if any(_covers(other, member, weighs=weighs) for other in kept):
            continue
        kept = [other for other in kept if not _covers(member, other, weighs=weighs)]
        kept.append(member)
    return kept


def _covers(larger: Any, smaller: Any, *, weighs: bool) -> bool:
    """Whether a schema accepts all that another one accepts, and evaluates all that it evaluates, if that is plain."""
    if not isinstance(larger, dict) or not isinstance(smaller, dict) or not HELD.isdisjoint(smaller):
        return larger is smaller
    if any(word in EVALUATING and not _says(larger, word, smaller[word]) for word in smaller):
        return False
    if holds(larger, smaller):
        return True
    return weighs and _is_flat(larger) and _is_flat(smaller) and _meet(larger, smaller) and _is_within(smaller, larger)


def _says(schema: Schema, word: str, value: Any) -> bool:
    return word in schema and alike(schema[word], value)


def _is_flat(schema: Schema) -> bool:
    """Whether a schema is nothing but a few limits and values, so that it is quickly turned round."""
    return schema.keys().isdisjoint(_DEEP) and is_type(schema)


_DEEP: Final = frozenset(CHILDREN) | REFERENCES | {"format"}
"""Whether a format refuses anything, only who judges knows."""


def _meet(larger: Schema, smaller: Schema) -> bool:
    """Whether the types of two schemas leave it open that one holds the other."""
    outer, inner = _kinds(larger), _kinds(smaller)
    return outer is None or (inner is not None and not outer.isdisjoint(inner))


def _kinds(schema: Schema) -> set[str] | None:
    """The types of a schema's values, None where it says nothing of them; integers are numbers."""
    if "type" in schema:
        names = types_of(schema["type"])
    elif not {"enum", "const"}.isdisjoint(schema) and is_enumeration(schema):
        names = [json_type(value) for value in enumerated(schema)]
    else:
        return None
    return {"number" if name == "integer" else name for name in names}


def _is_within(smaller: Schema, larger: Schema) -> bool:
    """Whether nothing matches one flat schema that the other refuses."""
    said = {word: value for word, value in smaller.items() if word not in ANNOTATIONS}
    return disjoint(said, complement(larger).schema)
