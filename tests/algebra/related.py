"""
Schemas that say something of the same thing, and small values to judge them by.

Two schemas drawn at random seldom meet. Here they are drawn from the words of one
family, with few names, small bounds and subschemas that often contradict each other.
"""

from collections.abc import Callable, Mapping
from itertools import combinations, product
from random import Random
from typing import Any, Final, TypeAlias

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from schemaflow import JsonValue, Schema
from schemaflow.keywords import KEYWORDS

Members: TypeAlias = list[Schema | bool]

_NAMES: Final = ("a", "b", "x-a")
_SCALARS: Final = (None, True, False, 0, 1, 2, 3, -1, 1.5, 0.5, 6, "", "a", "b", "ab", "x-a", "abc")


def _small_values() -> list[JsonValue]:
    """Scalars, arrays of up to three and objects of up to three, of a few scalars each."""
    few = (None, 1, 1.5, "a", "ab")
    arrays: list[JsonValue] = [list(items) for size in range(3) for items in product(few, repeat=size)]
    arrays += [[1, "a", item] for item in _SCALARS] + [[item, item, item] for item in few] + [[[1]], [{"a": 1}]]
    objects = [
        dict(zip(names, members, strict=True))
        for size in range(4)
        for names in combinations(_NAMES, size)
        for members in product(few[1::2] if size > 1 else few, repeat=size)
    ]
    return [*_SCALARS, *arrays, *objects, *({"a": value} for value in objects[1::2]), {"b": [1]}, {"c": 1}]


SMALL_VALUES: Final = _small_values()

GROUPS: Final[Mapping[str, str]] = {
    "values": "type enum const nullable",
    "numbers": "type minimum maximum exclusiveMinimum exclusiveMaximum multipleOf enum",
    "strings": "type minLength maxLength pattern enum format",
    "items": "type minItems maxItems prefixItems items uniqueItems",
    "contains": "type contains minContains maxContains maxItems",
    "properties": "type properties additionalProperties required minProperties",
    "patterns": "properties patternProperties additionalProperties",
    "names": "properties propertyNames maxProperties minProperties required additionalProperties",
    "dependents": "dependentRequired dependentSchemas dependencies properties required",
    "combiners": "allOf anyOf oneOf not type properties",
    "conditions": "if then else type",
    "unevaluated properties": "unevaluatedProperties properties additionalProperties allOf required",
    "unevaluated items": "unevaluatedItems prefixItems contains allOf minItems",
    "annotations": "title deprecated contentEncoding x-note $defs type",
}

_SUBSCHEMAS: Final[tuple[Schema | bool, ...]] = (
    *(True, False),
    *({}, {"type": "string"}, {"type": "integer"}, {"type": ["string", "integer"]}, {"minimum": 2}),
    *({"enum": ["a", 1]}, {"const": "a"}, {"pattern": "b"}, {"pattern": "a"}, {"minLength": 2}, {"type": "number"}),
    *({"properties": {"a": {"type": "integer"}}}, {"required": ["a"]}, {"prefixItems": [{"type": "integer"}]}),
    *({"properties": {"a": True}, "additionalProperties": False}, {"allOf": [{"minLength": 1}, {"maxLength": 1}]}),
    *({"properties": {"b": False}, "unevaluatedProperties": {"type": "string"}}, {"items": {"type": "string"}}),
)

Make: TypeAlias = Callable[[Random], Any]


def _one_of(*values: JsonValue) -> Make:
    return lambda random: random.choice(values)


def _some(values: tuple[JsonValue, ...], most: int, least: int = 0) -> Make:
    return lambda random: random.sample(values, random.randint(least, min(most, len(values))))


def _subschema(random: Random) -> Schema | bool:
    return random.choice(_SUBSCHEMAS)


def _subschemas(random: Random) -> list[Schema | bool]:
    return random.sample(_SUBSCHEMAS, random.randint(1, 2))


def _map(names: tuple[str, ...], member: Make) -> Make:
    return lambda random: {name: member(random) for name in random.sample(names, random.randint(1, 2))}


def _types(about: str) -> Make:
    """Any types, but mostly those that the keywords of a group are about."""
    own = [name for word in about.split() if word in KEYWORDS for name in sorted(KEYWORDS[word].types)]
    own = ["integer", "number"] if "number" in own else own or ["string"]

    def make(random: Random) -> str | list[str]:
        others = random.sample(
            ("null", "object", "array", "string", "number", "integer", "boolean"), random.randint(0, 3)
        )
        names = list(dict.fromkeys([*random.choices(own, k=random.random() < 0.8), *others])) or ["object"]
        return names if len(names) > 1 else names[0]

    return make


def _perhaps_false(random: Random) -> Schema | bool:
    return random.random() < 0.6 and _subschema(random)


_COUNT: Final = _one_of(0, 1, 2, 3)
_BOUND: Final = _one_of(-1, 0, 1, 1.5, 2, 3)
_PATTERNS: Final = ("^x-", "^a$", "a", "[ab]", "", "^.*$", "^x-a", "b$")
_REQUIRED: Final = _some(_NAMES, 2)
_MAKES: Final[Mapping[str, Make]] = {
    "enum": _some((*_SCALARS, [1], {"a": 1}, [], {}), 6, 1),
    "const": _one_of(None, 1, 1.0, "a", True, [1]),
    "nullable": _one_of(True, False),
    **dict.fromkeys("minimum maximum exclusiveMinimum exclusiveMaximum".split(), _BOUND),
    "multipleOf": _one_of(1, 2, 3, 0.5, 1.5, 0.1),
    **{f"{end}{kind}": _COUNT for end in ("min", "max") for kind in ("Length", "Items", "Contains", "Properties")},
    "pattern": _one_of(*_PATTERNS),
    "format": _one_of("date", "uri"),
    "uniqueItems": _one_of(True, False),
    **dict.fromkeys("prefixItems allOf anyOf oneOf".split(), _subschemas),
    **dict.fromkeys("contains propertyNames not if then else".split(), _subschema),
    **dict.fromkeys("items additionalProperties unevaluatedProperties unevaluatedItems".split(), _perhaps_false),
    **dict.fromkeys("properties dependentSchemas".split(), _map(_NAMES, _subschema)),
    "patternProperties": _map(_PATTERNS, _subschema),
    "required": _REQUIRED,
    "dependentRequired": _map(_NAMES, _REQUIRED),
    "dependencies": _map(_NAMES, lambda random: (_REQUIRED if random.random() < 0.5 else _subschema)(random)),
    "title": _one_of("A", "B"),
    "deprecated": _one_of(True, False),
    "contentEncoding": _one_of("base64"),
    "x-note": _one_of(1, 2),
    "$defs": _map(("A", "B"), _subschema),
}


def _values(word: str, group: str) -> SearchStrategy[Any]:
    """Some values of a keyword. They are made beforehand, since every draw of Hypothesis is dear."""
    random = Random(word)
    make = _types(GROUPS[group]) if word == "type" else _MAKES[word]
    return st.sampled_from([make(random) for _ in range(60)])


_NODES: Final = {
    group: st.fixed_dictionaries({}, optional={word: _values(word, group) for word in words.split()})
    for group, words in GROUPS.items()
}


@st.composite
def related(draw: DrawFn, group: str | None = None, count: int | None = None) -> Members:
    """Two schemas, or now and then three, in the words of a group."""
    node = _NODES[group or draw(st.sampled_from(sorted(GROUPS)))]
    return [draw(node) for _ in range(count or draw(st.sampled_from((2, 2, 3))))]
