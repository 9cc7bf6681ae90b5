"""
Drafts: what a schema says in the draft that it declares, and no more once it declares none.

Without `$schema` a document is read as 2020-12, with older spellings taken for what they
say. Old drafts ignore what stands beside `$ref`, and each ignores what came later.
"""

from collections.abc import Iterator
from enum import IntEnum
from typing import Any, Final

from schemaflow.effect import Effect
from schemaflow.keywords import KEYWORDS, JsonValue, Role, Schema, subschemas

_DRAFTS: Final = ("draft-03", "draft-04", "draft-06", "draft-07", "2019-09", "2020-12")
_LAST_THAT_IGNORES_SIBLINGS: Final = _DRAFTS.index("draft-07")
LATEST: Final = "https://json-schema.org/draft/2020-12/schema"
"""The `$schema` of the draft that all others are turned into."""

_SINCE: Final = {
    "draft-04": "allOf anyOf oneOf not required minProperties maxProperties multipleOf",
    "draft-06": "const contains propertyNames",
    "draft-07": "if",
    "2019-09": "dependentRequired dependentSchemas unevaluatedProperties unevaluatedItems",
}
"""The keywords that say more once they are read, by the first draft that knows them."""

_CHANGES: Final = {"2019-09": "minContains maxContains", "2020-12": "prefixItems"}
"""Those that change what others say."""

_RECURSIVE: Final = {"$recursiveRef": _DRAFTS.index("2019-09"), "$dynamicRef": _DRAFTS.index("2020-12")}
"""The references that one draft alone reads; without `$schema` each is read as in its own."""

_FLAGS: Final = ("exclusiveMinimum", "exclusiveMaximum")
_PASSIVE: Final = (Role.ANNOTATION, Role.IDENTIFIER, Role.DEFINITIONS)
_REFERENCES: Final = frozenset(row.name for row in KEYWORDS.values() if row.role is Role.REFERENCE)


class Age(IntEnum):
    """A draft, the older the less: what `$schema` declares, or `DRAFT_2020` where it declares nothing."""

    DRAFT_3 = 0
    DRAFT_4 = 1
    DRAFT_6 = 2
    DRAFT_7 = 3
    DRAFT_2019 = 4
    DRAFT_2020 = 5

    @property
    def ignores_siblings(self) -> bool:
        """Whether what stands beside `$ref` does nothing."""
        return self <= _LAST_THAT_IGNORES_SIBLINGS


def age_of(schema: JsonValue) -> Age | None:
    """The draft that a schema object's own `$schema` names, None where it names none of json-schema.org's."""
    stated = schema.get("$schema") if isinstance(schema, dict) else None
    if not isinstance(stated, str):
        return None
    return next((Age(age) for age, name in enumerate(_DRAFTS) if f"{name}/schema" in stated), None)


def later_keywords(schema: Schema, age: Age) -> Iterator[tuple[str, Effect]]:
    """
    The keywords of a schema object that its draft does not know and 2020-12 reads, each with what reading it does.

    References are none of them: where those lead depends on a draft that has them.
    """
    for name in sorted(_later(_SINCE, age) & schema.keys()):
        if name != "if" or {"then", "else"} & schema.keys():
            yield name, Effect.NARROWS
    if age <= Age.DRAFT_4:
        for name in _FLAGS:
            if _is_number(schema.get(name)):
                yield name, Effect.NARROWS
    for name in sorted(_later(_CHANGES, age) & schema.keys()):
        if name == "prefixItems":
            # `items` spoke of all items, and speaks of the rest from then on.
            yield name, Effect.NARROWS if {"items", "unevaluatedItems"}.isdisjoint(schema) else Effect.BOTH
        elif "contains" in schema:
            widens = name == "minContains" and schema[name] == 0 and age >= Age.DRAFT_6
            yield name, Effect.WIDENS if widens else Effect.NARROWS


def later_names(age: Age) -> frozenset[str]:
    """The keywords that a draft does not know and 2020-12 reads."""
    return _later(_SINCE, age) | _later(_CHANGES, age)


def unheard(schema: Schema, age: Age) -> frozenset[str]:
    """The keywords that 2020-12 reads and a schema object's draft does not: newer ones, and those beside `$ref`."""
    newer = frozenset(name for name, _ in later_keywords(schema, age))
    if not age.ignores_siblings or not isinstance(schema.get("$ref"), str):
        return newer
    return newer | {name for name in schema if name != "$ref" and _says(name)}


def undeclaring(schema: Schema) -> Effect:
    """
    The effect of dropping `$schema` from a schema object: of its being read as 2020-12 from then on.

    Exact but where something is read then that the declared draft ignores. What a
    metaschema says that is none of json-schema.org's is unknown.
    """
    stated = schema.get("$schema")
    if not isinstance(stated, str):
        return Effect.EXACT
    if "//json-schema.org/" not in stated:
        return Effect.UNKNOWN
    age = next((age for age, name in enumerate(_DRAFTS) if f"{name}/" in stated), len(_DRAFTS))
    narrowing, changing = (_later(table, age) for table in (_SINCE, _CHANGES))
    ignores_siblings = age <= _LAST_THAT_IGNORES_SIBLINGS
    effect = Effect.EXACT
    refers_elsewhere = False
    for node, seen in _nodes(schema):
        refers = not _REFERENCES.isdisjoint(node)
        refers_elsewhere |= refers and seen is not Effect.NARROWS
        if not changing.isdisjoint(node) or any(name in node and age != since for name, since in _RECURSIVE.items()):
            effect |= Effect.UNKNOWN
        if not narrowing.isdisjoint(node) or (ignores_siblings and "$ref" in node and _says_more(node)):
            effect |= seen
        if age <= _DRAFTS.index("draft-04"):
            if _has_numeric_flag(node):
                effect |= seen
            if _names_integer(node):
                # There 1.0 is none.
                effect |= seen.flipped()
    # What a reference leads to from there counts there too, wherever it stands.
    return Effect.UNKNOWN if effect and refers_elsewhere else effect


def _later(table: dict[str, str], age: int) -> frozenset[str]:
    """The keywords of a table that a draft does not know yet."""
    return frozenset(word for name, words in table.items() if _DRAFTS.index(name) > age for word in words.split())


def _says_more(node: Schema) -> bool:
    """Whether anything beside a node's `$ref` says something of values."""
    return any(name != "$ref" and _says(name) for name in node)


def _says(name: str) -> bool:
    """Whether a keyword says something of values."""
    return name in KEYWORDS and KEYWORDS[name].role not in _PASSIVE


def _has_numeric_flag(node: Schema) -> bool:
    """Whether a node has a bound that draft 4 knows only as a flag."""
    return any(_is_number(node.get(name)) for name in _FLAGS)


def _names_integer(node: Schema) -> bool:
    stated = node.get("type")
    names = stated if isinstance(stated, list) else [stated]
    return "integer" in names and "number" not in names


def _is_number(value: JsonValue) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _nodes(schema: Schema) -> Iterator[tuple[Schema, Effect]]:
    """Every schema object, with what narrowing it does to the whole; shared ones once for each effect."""
    waiting: list[tuple[JsonValue, Effect]] = [(schema, Effect.NARROWS)]
    seen: set[tuple[int, Effect]] = set()
    while waiting:
        node, effect = waiting.pop()
        key = (id(node), effect)
        if not isinstance(node, dict) or key in seen:
            continue
        seen.add(key)
        yield node, effect
        mixed = "maxContains" in node
        for keyword, _, child in subschemas(node):
            below: Any = effect.seen_through(KEYWORDS[keyword].polarity)
            waiting.append((child, Effect.UNKNOWN if keyword == "contains" and mixed else below))
