"""
The complement of a schema: what accepts all that it refuses, and nothing else.

A schema is the conjunction of its keywords, so its complement is a union with one
branch for each of them, which says the opposite. What 2020-12 has no opposite for stays
below a `not` of its own: every result is exact. `format` refuses nothing.
"""

from collections.abc import Callable, Generator, Mapping, Sequence
from typing import Any, Final

from schemaflow.algebra.distribution import MOST
from schemaflow.algebra.families import family_of
from schemaflow.algebra.outcome import Ledger
from schemaflow.algebra.sides import UNEVALUATED, is_schema
from schemaflow.algebra.steps import Opposite, Question, Steps
from schemaflow.algebra.types import types_of, with_null
from schemaflow.algebra.unions import outside, united
from schemaflow.families import dropping
from schemaflow.keywords import ANNOTATIONS, KEYWORDS, Role, Schema, subschemas

Branches = list[Schema | bool]
Opposing = Callable[[Schema], Branches | Steps[Branches]]

_TYPES: Final = ("object", "array", "string", "number", "boolean", "null")


def oppose(question: Opposite, ledger: Ledger) -> Steps[Schema | bool]:
    """The complement of a schema."""
    schema = question.schema
    if isinstance(schema, bool):
        return not schema
    shares = _shares(schema)
    if _is_large(schema) or not all(_is_readable(share) for share in shares) or not ledger.spend([schema]):
        return _atom(schema)
    branches: Branches = []
    for share in shares:
        branches.extend((yield from _opposite(share)))
    if len(branches) > MOST:
        return _atom(schema)
    return united((yield from _within_types(branches, schema)))


_LARGEST: Final = 40
"""How many schemas a schema may hold to be turned round: what comes of it can be several times as large."""


def _is_large(schema: Schema) -> bool:
    waiting: list[Any] = [schema]
    seen = 0
    while waiting and seen <= _LARGEST:
        seen += 1
        node = waiting.pop()
        if isinstance(node, dict):
            waiting.extend(child for _, _, child in subschemas(node))
    return seen > _LARGEST


def _atom(schema: Schema) -> Schema | bool:
    """The schema below a `not`, without what says nothing there."""
    said = {word: value for word, value in schema.items() if word not in ANNOTATIONS}
    return {"not": said} if said else False


def refusal(schemas: Sequence[Schema | bool]) -> Schema | bool:
    """What refuses all that these schemas accept, said by a `not` alone."""
    said = [schema for schema in schemas if schema is not False]
    if not said:
        return True
    if len(said) > 1:
        return {"not": {"anyOf": said}}
    return _atom(said[0]) if isinstance(said[0], dict) else False


def _shares(schema: Schema) -> list[Schema]:
    """The asserting keywords of a schema, those of one family together."""
    shares: dict[str, Schema] = {}
    for word, value in schema.items():
        if _asserts(word):
            shares.setdefault(family_of(word).words[0], {})[word] = value
    return list(shares.values())


def _asserts(word: str) -> bool:
    row = KEYWORDS.get(word)
    passive = (Role.ANNOTATION, Role.IDENTIFIER, Role.DEFINITIONS)
    return row is not None and row.role not in passive and word != "format"


def _is_readable(share: Schema) -> bool:
    word = next(iter(share))
    if word in ("allOf", "anyOf") and not (isinstance(share[word], list) and all(map(is_schema, share[word]))):
        return False
    return UNEVALUATED.isdisjoint(share) and family_of(word).readable(share)


def _opposite(share: Schema) -> Steps[Branches]:
    """What refuses what the keywords of one family accept, as branches."""
    for word, oppose_one in _OPPOSITES.items():
        if word in share:
            found = oppose_one(share)
            return (yield from found) if isinstance(found, Generator) else found
    return [{"not": share}]


def _within_types(branches: Branches, schema: Schema) -> Steps[Branches]:
    """
    The branches, those that say no type only for the types of the schema.

    For other types the branch of `type` says it already, and branches that exclude one
    another are simpler to go on with.
    """
    if "type" not in schema:
        return branches
    stated = {"type": with_null(schema)}
    narrowed: Branches = []
    for branch in branches:
        if isinstance(branch, dict) and "type" not in branch:
            narrowed.append((yield Question([stated, branch], opens=True)))
        else:
            narrowed.append(branch)
    return narrowed


# --- any value


def _types(share: Schema) -> Branches:
    names = types_of(with_null(share))
    others = [name for name in _TYPES if name not in names]
    branches: Branches = []
    if "integer" in names and "number" not in names:
        others.remove("number")
        # No keyword says that a number is not whole.
        branches.append({"type": "number", "not": {"type": "integer"}})
    if others:
        branches.insert(0, {"type": others[0] if len(others) == 1 else others})
    return branches


def _values(share: Schema) -> Branches:
    return [{"not": share}]


def _all_of(share: Schema) -> Steps[Branches]:
    found: Branches = []
    for index, member in enumerate(share["allOf"]):
        found.append((yield Opposite(member, ("allOf", index))))
    return found


def _any_of(share: Schema) -> Steps[Branches]:
    found: Branches = []
    for index, member in enumerate(share["anyOf"]):
        found.append((yield Opposite(member, ("anyOf", index))))
    return [(yield Question(found, opens=True))]


def _not(share: Schema) -> Branches:
    inner = share["not"]
    if not isinstance(inner, dict):
        return [inner]
    _, core = outside(inner)
    return [core]


# --- numbers, strings and counts


def _limits(word: str, kind: str, other: str, step: int) -> Mapping[str, Opposing]:
    """The opposite of a limit of a length or a count: the next one at the other end."""

    def oppose_one(share: Schema) -> Branches:
        limit = share[word]
        if limit != int(limit):
            return [{"type": kind, "not": share}]
        beyond = int(limit) + step
        return [] if beyond < 0 else [{"type": kind, other: beyond}]

    return {word: oppose_one}


def _bound(inclusive: str, exclusive: str, other: str, other_exclusive: str) -> Mapping[str, Opposing]:
    def oppose_one(share: Schema) -> Branches:
        if any(isinstance(limit, bool) for limit in share.values()):
            return [{"type": "number", "not": share}]
        opposite = {inclusive: other_exclusive, exclusive: other}
        return [{"type": "number", opposite[word]: limit} for word, limit in share.items()]

    return dict.fromkeys((inclusive, exclusive), oppose_one)


def _typed_atom(kind: str) -> Opposing:
    def oppose_one(share: Schema) -> Branches:
        # What says nothing refuses nothing.
        return [{"type": kind, "not": share}] if dropping(share, share) else []

    return oppose_one


# --- arrays


def _items(share: Schema) -> Steps[Branches]:
    front, rest = _front(share)
    branches: Branches = []
    for index, schema in enumerate(front):
        opposite = yield Opposite(schema, ("prefixItems", index))
        if opposite is not False:
            branches.append({"type": "array", "prefixItems": [True] * index + [opposite], "minItems": index + 1})
    if rest is None or rest is True:
        return branches
    if front:
        branches.append({"type": "array", "not": {"prefixItems": [True] * len(front), "items": rest}})
        return branches
    opposite = yield Opposite(rest, ("items",))
    if opposite is not False:
        branches.append({"type": "array", "contains": opposite})
    return branches


def _front(share: Schema) -> tuple[list[Any], Any]:
    if isinstance(share.get("items"), list):
        return share["items"], share.get("additionalItems")
    return share.get("prefixItems", []), share.get("items")


def _contains(share: Schema) -> Steps[Branches]:
    if share.keys() != {"contains"} or not is_schema(share["contains"]):
        return [{"type": "array", "not": share}] if "contains" in share else []
    opposite = yield Opposite(share["contains"], ("contains",))
    return [{"type": "array", "items": opposite}] if opposite is not True else [{"type": "array"}]


# --- objects


def _required(share: Schema) -> Branches:
    return [{"type": "object", "properties": {name: False}} for name in dict.fromkeys(share["required"])]


def _members(share: Schema) -> Steps[Branches]:
    branches: Branches = []
    for name, schema in share.get("properties", {}).items():
        opposite = yield Opposite(schema, ("properties", name))
        if opposite is not False:
            branches.append({"type": "object", "properties": {name: opposite}, "required": [name]})
    patterns = share.get("patternProperties", {})
    branches += [
        {"type": "object", "not": {"patternProperties": {pattern: schema}}}
        for pattern, schema in patterns.items()
        if schema is not True and schema != {}
    ]
    if share.get("additionalProperties", True) not in (True, {}):
        branches.append({"type": "object", "not": _closing(share)})
    return branches


def _closing(share: Schema) -> Schema:
    """What a schema says of undeclared properties, and no more."""
    declared: dict[str, Schema] = {
        word: dict.fromkeys(share[word], True) for word in ("properties", "patternProperties") if share.get(word)
    }
    return {**declared, "additionalProperties": share["additionalProperties"]}


_OPPOSITES: Final[Mapping[str, Opposing]] = {
    "type": _types,
    "enum": _values,
    "const": _values,
    "allOf": _all_of,
    "anyOf": _any_of,
    "not": _not,
    **_bound("minimum", "exclusiveMinimum", "maximum", "exclusiveMaximum"),
    **_bound("maximum", "exclusiveMaximum", "minimum", "exclusiveMinimum"),
    **_limits("minLength", "string", "maxLength", -1),
    **_limits("maxLength", "string", "minLength", 1),
    **_limits("minItems", "array", "maxItems", -1),
    **_limits("maxItems", "array", "minItems", 1),
    **_limits("minProperties", "object", "maxProperties", -1),
    **_limits("maxProperties", "object", "minProperties", 1),
    **dict.fromkeys(("pattern",), _typed_atom("string")),
    "multipleOf": _typed_atom("number"),
    "uniqueItems": _typed_atom("array"),
    **dict.fromkeys(("prefixItems", "items", "additionalItems"), _items),
    **dict.fromkeys(("contains", "minContains", "maxContains"), _contains),
    "required": _required,
    **dict.fromkeys(("properties", "patternProperties", "additionalProperties"), _members),
    "propertyNames": _typed_atom("object"),
}
