"""The names and values to draw from: few, so that the parts of a schema speak about the same things."""

import json
from itertools import combinations
from typing import Final, TypeAlias

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from schemaflow.keywords import (
    JsonValue,
    json_key,
    json_type,
)

Family: TypeAlias = str
"""What a node is mostly about: `object array string number boolean null`, or `any`."""


FAMILIES: Final = ("object", "array", "string", "number", "boolean", "null")
TYPES: Final[tuple[str, ...]] = (*FAMILIES, "integer")
_NAMES: Final = ("a", "b", "c")
_ODD_NAMES: Final = (
    *"$ref properties type items required enum default $defs allOf const not a/b m~n %41 é 🐝".split(),
    *("", "a b"),
)
DEFINITION_NAMES: Final = ("A", "B", "a/b", "m~n", "%41", "é", "properties")
PATTERNS: Final = ("^a", "b$", "", "^.*$", "^[a-c]$", "^x-", "^[0-9]+$", "a|é", "^(?!a)")

_DATA: Final = """
null true false 0 1 1.0 2 3 -1 0.5 2.5 9007199254740993 36893488147419103232 -1e40
"" "a" "b" "ab" "abc" "1" "é" "🐝" "type"
[] [1] ["a","b"] [1,1.0] [null,true] [[1],{}]
{} {"a":1} {"a":"a","b":null} {"b":2,"c":3} {"":0} {"a/b":[1]} {"$ref":1} {"type":"a"}
""".split()
_LOOKALIKES: Final = """
{"$ref":"#/$defs/A"} {"$ref":"#/nowhere"} {"allOf":[{"type":"string"}]} {"anyOf":[]} {"not":{}}
{"type":"object","properties":{"a":{"type":"string"}}} {"properties":{"a":1}} {"items":[{"$ref":"#"}]}
{"enum":[1]} {"const":null} {"$defs":{"A":{}}} {"$id":"urn:x:data"} {"$anchor":"leaf"}
{"title":"x","type":["string","null"]} {"required":["a"]} {"if":{},"then":{}}
""".split()
"""Values, and such as look like schemas. As text: whoever draws one gets a copy of his own."""


def _values_for(family: Family) -> SearchStrategy[JsonValue]:
    """Values, half of them of the family's type, so that a constant often agrees with its node; many lookalikes."""
    kinds = {"number", "integer"} if family == "number" else {family}
    own = [text for text in _DATA if json_type(json.loads(text)) in kinds]
    texts = [*_DATA, *_LOOKALIKES * 3, *own * (60 // max(len(own), 1))]
    return st.sampled_from(texts).map(json.loads)


def _name_lists(*, at_least: int) -> SearchStrategy[list[str]]:
    common = [group for size in (1, 2, 3) for group in combinations(_NAMES, size)]
    odd = [group for name in _ODD_NAMES for group in ((name,), ("a", name))]
    return st.sampled_from([*common * 5, *odd, *[()] * (1 - at_least)]).map(list)


VALUES: Final = {family: _values_for(family) for family in ("any", *FAMILIES)}
NAME: Final = st.sampled_from(_NAMES * 7 + _ODD_NAMES)
SOME_NAMES: Final = _name_lists(at_least=1)
ANY_NAMES: Final = _name_lists(at_least=0)
KEYS: Final = {
    "patternProperties": st.sampled_from([*combinations(PATTERNS, 1), *combinations(PATTERNS, 2)]),
    **dict.fromkeys(("$defs", "definitions"), st.sampled_from([*combinations(DEFINITION_NAMES, 1)])),
}
"""The keys of a map of schemas, where they are not names of properties."""

HOW_MANY: Final = st.sampled_from((1, 2, 2, 3))
AMOUNTS: Final = st.sampled_from(((1, False), (2, False), (2, False), (1, True), (2, True), (3, False)))
COIN: Final = st.booleans()
ONE_IN: Final = {count: st.integers(0, count - 1).map(lambda drawn: not drawn) for count in (3, 4, 6)}


@st.composite
def value_lists(draw: DrawFn, family: Family, *, distinct: bool = False) -> list[JsonValue]:
    members = [draw(VALUES[family]) for _ in range(draw(HOW_MANY))]
    return list({json_key(member): member for member in members}.values()) if distinct else members


@st.composite
def dependent_names(draw: DrawFn) -> dict[str, list[str]]:
    return {name: draw(ANY_NAMES) for name in draw(SOME_NAMES)}
