"""
The keyword table: what every JSON Schema keyword is, and where it holds subschemas.

This module alone knows the keywords. Traversal, polarity, families and laws
all read this table. It also knows when two JSON values are equal, since Python's
`==` does not (`True == 1`, `[1] == [True]`).

Source: JSON Schema drafts 4 to 2020-12 (json-schema.org), and the OpenAPI 3.0
schema object for `nullable`, `example`, `discriminator`, `xml` and `externalDocs`.
"""

from collections.abc import Hashable, Iterable, Iterator, Mapping
from enum import Enum
from types import MappingProxyType
from typing import Any, Final, TypeAlias

from attrs import frozen

JsonValue: TypeAlias = Any
"""A JSON value as `json.loads` builds it: dict, list, str, int, float, bool or None."""

Schema: TypeAlias = dict[str, Any]
"""A schema object. Boolean schemas are spelled `Schema | bool` where they may stand."""

Token: TypeAlias = str | int
"""One step of a JSON Pointer: a member's name or a list's index."""


class Children(Enum):
    """How a keyword holds subschemas."""

    NONE = "none"
    ONE = "a schema"
    MANY = "a list of schemas"
    NAMED = "a map of names to schemas"
    ONE_OR_MANY = "a schema, or a list of schemas"
    NAMED_OR_NAMES = "a map of names to schemas or to lists of names"


class Role(Enum):
    """What a keyword is for."""

    ASSERTION = "assertion"
    APPLICATOR = "applicator"
    ANNOTATION = "annotation"
    IDENTIFIER = "identifier"
    REFERENCE = "reference"
    DEFINITIONS = "definitions"


class Polarity(Enum):
    """What widening a subschema does to the schema that holds it."""

    SAME = "widens it too"
    FLIPPED = "narrows it"
    MIXED = "may do either"
    NONE = "does nothing"


@frozen
class Keyword:
    """
    One row of the table.

    `types` are the JSON types that the keyword constrains (empty: all of them).
    `reads` are the siblings whose presence changes what the keyword says.
    `data` says that the value is plain data, which no traversal enters.
    """

    name: str
    role: Role
    children: Children = Children.NONE
    polarity: Polarity = Polarity.SAME
    types: frozenset[str] = frozenset()
    reads: frozenset[str] = frozenset()
    data: bool = False


_EVALUATES_PROPERTIES = (
    "properties patternProperties additionalProperties allOf anyOf oneOf not if then else "
    "dependentSchemas dependencies $ref $dynamicRef $recursiveRef"
)
_EVALUATES_ITEMS = "prefixItems items additionalItems contains allOf anyOf oneOf not if then else $ref $dynamicRef"
_EVALUATES_ITEMS += " $recursiveRef"


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


def _rows() -> Iterator[Keyword]:
    for name in "$schema $id id $anchor $dynamicAnchor $recursiveAnchor $vocabulary".split():
        yield Keyword(name, Role.IDENTIFIER)
    for name in "$ref $dynamicRef $recursiveRef".split():
        yield Keyword(name, Role.REFERENCE)
    for name in ("$defs", "definitions"):
        yield Keyword(name, Role.DEFINITIONS, Children.NAMED, Polarity.MIXED)
    yield from _assertions()
    yield from _applicators()
    for name in "default examples example".split():
        yield Keyword(name, Role.ANNOTATION, data=True)
    annotations = "title description $comment deprecated readOnly writeOnly contentEncoding contentMediaType"
    for name in (annotations + " discriminator xml externalDocs").split():
        yield Keyword(name, Role.ANNOTATION)
    yield Keyword("contentSchema", Role.ANNOTATION, Children.ONE, Polarity.NONE, types=frozenset({"string"}))


def _assertions() -> Iterator[Keyword]:
    yield Keyword("type", Role.ASSERTION)
    yield Keyword("enum", Role.ASSERTION, data=True)
    yield Keyword("const", Role.ASSERTION, data=True)
    yield Keyword("format", Role.ASSERTION)
    yield Keyword("nullable", Role.ASSERTION, reads=_words("type"))
    for name in "multipleOf maximum minimum exclusiveMaximum exclusiveMinimum".split():
        # Draft 4 and OpenAPI 3.0 write exclusiveMaximum as a boolean beside maximum.
        reads = {"exclusiveMaximum": _words("maximum"), "exclusiveMinimum": _words("minimum")}.get(name, frozenset())
        yield Keyword(name, Role.ASSERTION, types=frozenset({"number"}), reads=reads)
    for name in "maxLength minLength pattern".split():
        yield Keyword(name, Role.ASSERTION, types=frozenset({"string"}))
    for name in "maxItems minItems uniqueItems maxContains minContains".split():
        yield Keyword(name, Role.ASSERTION, types=frozenset({"array"}))
    for name in "maxProperties minProperties required dependentRequired".split():
        yield Keyword(name, Role.ASSERTION, types=frozenset({"object"}))


def _applicators() -> Iterator[Keyword]:
    for name in ("allOf", "anyOf"):
        yield Keyword(name, Role.APPLICATOR, Children.MANY)
    yield Keyword("oneOf", Role.APPLICATOR, Children.MANY, Polarity.MIXED)
    yield Keyword("not", Role.APPLICATOR, Children.ONE, Polarity.FLIPPED)
    yield Keyword("if", Role.APPLICATOR, Children.ONE, Polarity.MIXED)
    for name in ("then", "else"):
        yield Keyword(name, Role.APPLICATOR, Children.ONE, reads=_words("if"))

    array = frozenset({"array"})
    yield Keyword("prefixItems", Role.APPLICATOR, Children.MANY, types=array)
    yield Keyword("items", Role.APPLICATOR, Children.ONE_OR_MANY, types=array, reads=_words("prefixItems"))
    yield Keyword("additionalItems", Role.APPLICATOR, Children.ONE, types=array, reads=_words("items"))
    reads = _words("minContains maxContains")
    yield Keyword("contains", Role.APPLICATOR, Children.ONE, types=array, reads=reads)
    reads = _words(_EVALUATES_ITEMS)
    yield Keyword("unevaluatedItems", Role.APPLICATOR, Children.ONE, types=array, reads=reads)

    members = frozenset({"object"})
    for name in ("properties", "patternProperties", "dependentSchemas"):
        yield Keyword(name, Role.APPLICATOR, Children.NAMED, types=members)
    yield Keyword("dependencies", Role.APPLICATOR, Children.NAMED_OR_NAMES, types=members)
    reads = _words("properties patternProperties")
    yield Keyword("additionalProperties", Role.APPLICATOR, Children.ONE, types=members, reads=reads)
    yield Keyword("propertyNames", Role.APPLICATOR, Children.ONE, types=members)
    reads = _words(_EVALUATES_PROPERTIES)
    yield Keyword("unevaluatedProperties", Role.APPLICATOR, Children.ONE, types=members, reads=reads)


KEYWORDS: Final[Mapping[str, Keyword]] = MappingProxyType({row.name: row for row in _rows()})
"""Every keyword by its name."""

CHILDREN: Final[Mapping[str, Children]] = MappingProxyType(
    {row.name: row.children for row in KEYWORDS.values() if row.children is not Children.NONE}
)
"""The keywords that hold subschemas, and how."""

READERS: Final[Mapping[str, frozenset[str]]] = MappingProxyType(
    {name: frozenset(row.name for row in KEYWORDS.values() if name in row.reads) for name in KEYWORDS}
)
"""For each keyword, the siblings that say something else when it is dropped."""

ANNOTATIONS: Final[frozenset[str]] = frozenset(
    row.name for row in KEYWORDS.values() if row.role is Role.ANNOTATION and row.children is Children.NONE
)
"""Keywords that never decide whether a value is accepted."""


def subschemas(schema: Schema) -> Iterator[tuple[str, Token | None, Any]]:
    """
    The direct subschemas of a schema object, as `(keyword, token, subschema)`.

    The token is the name or index below the keyword, None where the keyword's
    value is itself the subschema. Values that are no schema (a list where a map
    belongs, a number where a schema belongs) are passed over.
    """
    for keyword, value in schema.items():
        children = CHILDREN.get(keyword)
        if children is None:
            continue
        if isinstance(value, dict):
            if children in _SINGLE:
                yield keyword, None, value
            elif children in _NAMED:
                for name, child in value.items():
                    if isinstance(child, (dict, bool)):
                        yield keyword, name, child
        elif isinstance(value, list):
            if children in _LISTED:
                for index, child in enumerate(value):
                    if isinstance(child, (dict, bool)):
                        yield keyword, index, child
        elif isinstance(value, bool) and children in _SINGLE:
            yield keyword, None, value


# Tuples: to look for a member in a set of enumeration members is slower.
_SINGLE: Final = (Children.ONE, Children.ONE_OR_MANY)
_NAMED: Final = (Children.NAMED, Children.NAMED_OR_NAMES)
_LISTED: Final = (Children.MANY, Children.ONE_OR_MANY)


def json_type(value: JsonValue) -> str:
    """
    The JSON Schema type of a value, `integer` for whole numbers, as in draft 6 and later.

    Raises TypeError for what is not JSON.
    """
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "boolean"
    if isinstance(value, int):
        return "integer"
    if isinstance(value, float):
        return "integer" if value.is_integer() else "number"
    for kind, name in ((str, "string"), (list, "array"), (tuple, "array"), (dict, "object")):
        if isinstance(value, kind):
            return name
    raise TypeError(f"{type(value).__name__} is not a JSON value")


def json_equal(left: JsonValue, right: JsonValue) -> bool:
    """
    Whether two JSON values are equal as JSON Schema means it.

    `1` equals `1.0`, `True` does not equal `1`, and the order of an object's
    members does not count; a tuple is the list that JSON encoders write for it. This is
    the only comparison of JSON values.
    """
    waiting = [(left, right)]
    while waiting:
        one, other = waiting.pop()
        if one is other:
            continue
        if isinstance(one, dict):
            if not isinstance(other, dict) or one.keys() != other.keys():
                return False
            waiting.extend((one[name], other[name]) for name in one)
        elif isinstance(one, (list, tuple)):
            if not isinstance(other, (list, tuple)) or len(one) != len(other):
                return False
            waiting.extend(zip(one, other, strict=True))
        elif isinstance(one, bool) or isinstance(other, bool):
            if one is not other:
                return False
        elif one != other:
            return False
    return True


def json_key(value: JsonValue) -> Hashable:
    """
    A hashable stand-in for a JSON value: two are equal exactly when `json_equal` holds.

    For sets of enum values and the like. Takes no copy: the value must not change
    while its key is in use. Values may be nested as deep as memory holds.
    """
    if isinstance(value, bool):
        return ("boolean", value)
    return Composite(value, _digest(value)) if isinstance(value, (dict, list, tuple)) else value


@frozen(eq=False)
class Composite:
    """The key of an object or array, which hashes and compares without recursion."""

    value: JsonValue
    digest: int

    def __hash__(self) -> int:
        return self.digest

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Composite):
            return NotImplemented
        return self.digest == other.digest and json_equal(self.value, other.value)


def _digest(value: JsonValue) -> int:
    """The same for equal values, and hardly ever for others: a sum over all places, so that order does not count."""
    total = 0
    waiting: list[tuple[int, Any]] = [(0, value)]
    while waiting:
        place, part = waiting.pop()
        if isinstance(part, (dict, list, tuple)):
            total += hash((place, isinstance(part, dict), len(part)))
            members = part.items() if isinstance(part, dict) else enumerate(part)
            waiting.extend((hash((place, token)), member) for token, member in members)
        else:
            total += hash((place, isinstance(part, bool), part))
    return hash(total)


def pointer(tokens: Iterable[Token]) -> str:
    """A JSON Pointer (RFC 6901) from its unescaped tokens; the root is the empty string."""
    return "".join("/" + str(token).replace("~", "~0").replace("/", "~1") for token in tokens)
