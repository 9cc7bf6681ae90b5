"""
Draw schemas with Hypothesis, and values that meet them or nearly do.

This module knows what odd but legal schemas look like. It draws from few names, few
values and small bounds, so that the parts of a schema often speak about the same
thing: two branches about one property, an enum about a bound, a required name about
a closed object. What there is to draw comes from the keyword table.

A draw is dear (20 µs and more), so one draw decides as much as it can: a set of
names, a family with its type. Needs the extra `fuzz`.
"""

import json
import math
import operator
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import combinations, pairwise
from typing import Any, Final, NamedTuple, TypeAlias, TypeVar
from urllib.parse import quote

from attrs import define, evolve, field, frozen
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from schemaflow.keywords import (
    KEYWORDS,
    READERS,
    Children,
    JsonValue,
    Keyword,
    Role,
    Schema,
    json_equal,
    json_key,
    json_type,
    pointer,
)
from schemaflow.references import References

DRAFTS: Final = ("2020-12", "2019-09", "draft-07", "draft-06", "draft-04", "openapi-3.0", "mixed")
"""The spellings that schemas are drawn in; `mixed` spells each keyword as some draft does."""

_Family: TypeAlias = str
"""What a node is mostly about: `object array string number boolean null`, or `any`."""

_T = TypeVar("_T")


# --- the vocabulary

_FAMILIES: Final = ("object", "array", "string", "number", "boolean", "null")
_TYPES: Final[tuple[str, ...]] = (*_FAMILIES, "integer")
_NAMES: Final = ("a", "b", "c")
_ODD_NAMES: Final = (
    *"$ref properties type items required enum default $defs allOf const not a/b m~n %41 é 🐝".split(),
    *("", "a b"),
)
_DEFINITION_NAMES: Final = ("A", "B", "a/b", "m~n", "%41", "é", "properties")
_PATTERNS: Final = ("^a", "b$", "", "^.*$", "^[a-c]$", "^x-", "^[0-9]+$", "a|é", "^(?!a)")

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


def _values_for(family: _Family) -> SearchStrategy[JsonValue]:
    """Values, half of them of the family's type, so that a constant often agrees with its node; many lookalikes."""
    kinds = {"number", "integer"} if family == "number" else {family}
    own = [text for text in _DATA if json_type(json.loads(text)) in kinds]
    texts = [*_DATA, *_LOOKALIKES * 3, *own * (60 // max(len(own), 1))]
    return st.sampled_from(texts).map(json.loads)


def _name_lists(*, at_least: int) -> SearchStrategy[list[str]]:
    common = [group for size in (1, 2, 3) for group in combinations(_NAMES, size)]
    odd = [group for name in _ODD_NAMES for group in ((name,), ("a", name))]
    return st.sampled_from([*common * 5, *odd, *[()] * (1 - at_least)]).map(list)


_VALUES: Final = {family: _values_for(family) for family in ("any", *_FAMILIES)}
_NAME: Final = st.sampled_from(_NAMES * 7 + _ODD_NAMES)
_SOME_NAMES: Final = _name_lists(at_least=1)
_ANY_NAMES: Final = _name_lists(at_least=0)
_KEYS: Final = {
    "patternProperties": st.sampled_from([*combinations(_PATTERNS, 1), *combinations(_PATTERNS, 2)]),
    **dict.fromkeys(("$defs", "definitions"), st.sampled_from([*combinations(_DEFINITION_NAMES, 1)])),
}
"""The keys of a map of schemas, where they are not names of properties."""

_HOW_MANY: Final = st.sampled_from((1, 2, 2, 3))
_AMOUNTS: Final = st.sampled_from(((1, False), (2, False), (2, False), (1, True), (2, True), (3, False)))
_COIN: Final = st.booleans()
_ONE_IN: Final = {count: st.integers(0, count - 1).map(lambda drawn: not drawn) for count in (3, 4, 6)}


@st.composite
def _lists(draw: DrawFn, family: _Family, *, distinct: bool = False) -> list[JsonValue]:
    members = [draw(_VALUES[family]) for _ in range(draw(_HOW_MANY))]
    return list({json_key(member): member for member in members}.values()) if distinct else members


@st.composite
def _dependent_names(draw: DrawFn) -> dict[str, list[str]]:
    return {name: draw(_ANY_NAMES) for name in draw(_SOME_NAMES)}


# --- what each keyword without subschemas may say

_TEXT: Final = st.sampled_from(("A text.", "", "é", "type", '"quoted"\n'))
_NUMBER: Final = st.sampled_from((0, 1, 1, 2, 3, -1, 0.5, 1.0, 2.5, 2**53 + 1, 2**65, -(10**20)))
_WHOLE: Final = st.sampled_from((*(1, 2, 0, 3) * 5, 2**64))
_LEAST: Final = st.sampled_from((*(1, 1, 0, 2, 2.0) * 5, 3, 2**64))
_MOST: Final = st.sampled_from((3, 2, 4, 1, 2.0, 3, 2, 0, 2**64))
_BOUNDS: Final = "multipleOf maximum minimum exclusiveMaximum exclusiveMinimum".split()
_COUNTS: Final = [name for name in KEYWORDS if re.fullmatch("(min|max)(Length|Items|Properties|Contains)", name)]


def _any_of(text: str) -> SearchStrategy[JsonValue]:
    """One of the JSON values in a text, which are separated by white space."""
    return st.sampled_from(text.split()).map(json.loads)


_FORMATS: Final = '"date" "date-time" "email" "uri" "uuid" "regex" "int32" "double" "file-path" ""'
_PLAIN: Final[Mapping[str, SearchStrategy[JsonValue]]] = {
    **dict.fromkeys("nullable uniqueItems deprecated readOnly writeOnly".split(), _COIN),
    **dict.fromkeys("title description $comment contentEncoding contentMediaType".split(), _TEXT),
    **dict.fromkeys(_BOUNDS, _NUMBER),
    **{name: _LEAST if name.startswith("min") else _MOST for name in _COUNTS},
    "multipleOf": st.sampled_from((1, 2, 3, 0.5, 1.0, 2**64)),
    "pattern": st.sampled_from(_PATTERNS),
    "format": _any_of(_FORMATS),
    "required": _ANY_NAMES,
    "dependentRequired": _dependent_names(),
    "$id": _any_of('"urn:x:own" "own.json"'),
    "id": _any_of('"urn:x:own" "own.json" "#own"'),
    "$anchor": _any_of('"here" "own"'),
    "$dynamicAnchor": _any_of('"node" "own"'),
    "$recursiveAnchor": _any_of('"own"'),
    "$vocabulary": _any_of('{"urn:x:words":true} {"urn:x:words":false}'),
    "$recursiveRef": _any_of('"#"'),
    "discriminator": _any_of('{"propertyName":"a"} {"propertyName":"type","mapping":{"a":"#/$defs/A","b":"B"}}'),
    "xml": _any_of('{"name":"a"} {"attribute":true}'),
    "externalDocs": _any_of('{"url":"https://docs.invalid/a","description":"$ref"}'),
}


# --- how drafts spell what they spell differently


@frozen(eq=False)
class _Draft:
    """
    How the documents of a draft are spelled.

    `declares`: what `$schema` may say (None: it may be left out). `anchored`: a schema
    that a reference finds by name. `needs`: what a keyword cannot stand without.
    """

    declares: Sequence[str | None] = (None,)
    spellings: Mapping[str, SearchStrategy[JsonValue]] = field(factory=dict)
    booleans: bool = True
    lists_items: bool = False
    lists_types: bool = True
    anchored: Callable[[str], Schema] = lambda name: {"$anchor": name}
    needs: Mapping[str, str] = field(factory=dict)


def _named_by(keyword: str) -> Callable[[str], Schema]:
    return lambda name: {keyword: "#" + name}


_2020: Final = "https://json-schema.org/draft/2020-12/schema"
_2019: Final = "https://json-schema.org/draft/2019-09/schema"
_OLD: Final = "http://json-schema.org/draft-0{}/schema"
_ENUMS: Final = {"enum": _lists("any", distinct=True)}
_BOOLEAN_BOUNDS: Final = {"exclusiveMinimum": _COIN, "exclusiveMaximum": _COIN}
_BOUNDS_NEED: Final = {"exclusiveMinimum": "minimum", "exclusiveMaximum": "maximum"}
_DRAFTS: Final[Mapping[str, _Draft]] = {
    "2020-12": _Draft([None, None, _2020]),
    "2019-09": _Draft([_2019], {"$recursiveAnchor": _COIN}, lists_items=True),
    "draft-07": _Draft([_OLD.format(7), _OLD.format(7) + "#"], lists_items=True, anchored=_named_by("$id")),
    "draft-06": _Draft([_OLD.format(6), _OLD.format(6) + "#"], _ENUMS, lists_items=True, anchored=_named_by("$id")),
    "draft-04": _Draft(
        [_OLD.format(4), _OLD.format(4) + "#"],
        _BOOLEAN_BOUNDS | _ENUMS | {"required": _SOME_NAMES} | dict.fromkeys(_COUNTS, _WHOLE),
        booleans=False,
        lists_items=True,
        anchored=_named_by("id"),
        needs=_BOUNDS_NEED,
    ),
    "openapi-3.0": _Draft(spellings=_BOOLEAN_BOUNDS, booleans=False, lists_types=False, needs=_BOUNDS_NEED),
    "mixed": _Draft(
        [None, None, _2020, _OLD.format(7), "urn:x:dialect"],
        dict.fromkeys(_BOOLEAN_BOUNDS, _COIN | _NUMBER) | {"$recursiveAnchor": _COIN},
        lists_items=True,
    ),
}


# --- what references may refer to


class _Target(NamedTuple):
    """A reference, where the document holds what it refers to, and the name by which that is found."""

    reference: str
    place: tuple[str, str] | None = None
    identity: Schema | None = None


def _pointed(keyword: str, name: str) -> _Target:
    return _Target("#" + quote(pointer((keyword, name)), safe="/~$"), (keyword, name))


def _targets(draft: _Draft) -> list[_Target]:
    owned = "id" if "id" in draft.anchored("") else "$id"
    return [
        *(_pointed(keyword, name) for keyword in ("$defs", "definitions") for name in _DEFINITION_NAMES),
        *(_pointed("properties", name) for name in ("a", "a/b", "%41", "$ref")),
        *[_Target("#leaf", ("$defs", "L"), draft.anchored("leaf"))] * 2,
        *[_Target("#node", ("definitions", "N"), {"$dynamicAnchor": "node"} | draft.anchored("node"))] * 2,
        *[_Target("urn:x:part", ("$defs", "P"), {owned: "urn:x:part"}), _Target("#")] * 2,
    ]


_DANGLING: Final = [_Target(text) for text in ("#/$defs/nowhere", "#/components/schemas/A", "A", "#lost")]


@lru_cache
def _target_groups(draft: _Draft) -> SearchStrategy[tuple[_Target, ...]]:
    """What the references of a document refer to: nothing, one or two, and now and then what is not there."""
    known = _targets(draft)
    groups: list[tuple[_Target, ...]] = [*combinations(known, 2), *[(target,) for target in known] * 5]
    groups += [(known[0], lost) for lost in _DANGLING] * (len(groups) // 40)
    return st.sampled_from([()] * (len(groups) // 2) + groups)


# --- drawing a schema


class _Kind(NamedTuple):
    """What kind of node to draw: its family, what it says of its type, if it does, or how it refers."""

    family: _Family
    type: str | tuple[str, ...] | None = None
    refers: str | None = None


def _typed(family: _Family) -> list[_Kind]:
    if family == "any":
        return [_Kind("any"), _Kind("any"), _Kind("any", ("string", "integer")), _Kind("any", _TYPES)]
    names = ("number", "integer") if family == "number" else (family,)
    types: list[str | tuple[str, ...]] = [*names * (6 // len(names))]
    types += [tuple(dict.fromkeys((name, *other))) for name in names for other in ((), ("null",), ("string",))]
    return [_Kind(family), *(_Kind(family, type) for type in types)]


_FREQUENCY: Final = {"object": 5, "array": 4, "string": 3, "number": 3, "any": 3, "boolean": 1, "null": 1}
_ROOTS: Final = st.sampled_from(
    [*_typed("object") * 6, *(kind for family in _FREQUENCY for kind in _typed(family)[:2])]
)
_REFERRING: Final = (*["$ref"] * 10, "$dynamicRef", "$recursiveRef")
_CLOSING: Final = frozenset("additionalProperties additionalItems unevaluatedProperties unevaluatedItems".split())
_IN_PLACE: Final = frozenset({"dependentSchemas", "dependencies"}).union(
    row.name for row in KEYWORDS.values() if row.role is Role.APPLICATOR and not row.types
)
"""The keywords whose subschemas speak about the same location as the node that holds them."""


@lru_cache
def _kinds(place: str, booleans: bool, references: bool) -> SearchStrategy[_Kind | bool]:
    """The kinds of nodes at a place: below a family's in-place keyword, below a closing one, or any."""
    kinds: list[_Kind | bool] = [kind for family, often in _FREQUENCY.items() for kind in _typed(family) * often]
    if place in _FAMILIES:
        kinds += [*[_Kind(place)] * len(kinds), *_typed(place) * (len(kinds) // 8)]
    if references:
        kinds += [_Kind("any", refers=word) for word in _REFERRING * (len(kinds) // 50)]
    some = len(kinds) // 12 if place != "closing" else len(kinds)
    kinds += [*[False] * some, *[True] * some] * booleans
    return st.sampled_from(kinds)


_ROWS: Final[Mapping[str, Keyword]] = {**KEYWORDS, "x-note": Keyword("x-note", Role.ANNOTATION, data=True)}
_BY_ROLE: Final = {Role.ASSERTION: 10, Role.APPLICATOR: 10, Role.ANNOTATION: 4}
_FAVOURITES: Final = {"properties": 4, "items": 4, "required": 3, "additionalProperties": 2, "anyOf": 2}


def _weight(row: Keyword, family: _Family) -> int:
    often = _FAVOURITES.get(row.name, 1)
    if row.types:
        return 20 * often if family in row.types else 2
    return _BY_ROLE.get(row.role, 1) * often


@lru_cache
def _words(family: _Family, leaf: bool, references: bool) -> SearchStrategy[str]:
    """The keywords to draw from; a leaf has none with subschemas."""
    rows = [
        row
        for row in _ROWS.values()
        if row.name != "type"
        and not (leaf and row.children is not Children.NONE)
        and (references or row.role is not Role.REFERENCE)
    ]
    return st.sampled_from([row.name for row in rows for _ in range(_weight(row, family))])


@lru_cache(maxsize=4096)
def _partners(words: frozenset[str], leaf: bool) -> SearchStrategy[str] | None:
    """The keywords that say more, or less, beside some of these."""
    near = {name for word in words for name in _ROWS[word].reads | READERS.get(word, frozenset())}
    rows = [KEYWORDS[name] for name in sorted(near - words - {"type"})]
    fitting = [
        row.name for row in rows if row.role is not Role.REFERENCE and not (leaf and row.children is not Children.NONE)
    ]
    return st.sampled_from(fitting) if fitting else None


_MISSHAPEN: Final = 'null true 7 -1.5 "x" "" [] {} [null] [1,"a"] ["a","a"] {"a":null} {"a":"x"}'.split()
_OF_OTHER_TYPE: Final = {
    kind: st.sampled_from([text for text in _MISSHAPEN if json_type(json.loads(text)) != kind]).map(json.loads)
    for kind in _TYPES
}


def _spoiled(draw: DrawFn, value: JsonValue) -> JsonValue:
    """A value of another type, or the same one with a member of another type."""
    if isinstance(value, (dict, list)) and value and draw(_ONE_IN[3]):
        spoiled = value.copy()
        last: Any = next(reversed(value)) if isinstance(value, dict) else -1
        spoiled[last] = draw(_OF_OTHER_TYPE[json_type(value[last])])
        return spoiled
    return draw(_OF_OTHER_TYPE[json_type(value)])


@frozen
class _Pen:
    """What one document is drawn with."""

    draw: DrawFn
    draft: _Draft
    references: Sequence[str]
    booleans: bool
    malformed: bool

    def document(self, depth: int, targets: Iterable[_Target]) -> Schema:
        """A root, with all that its references refer to."""
        root = self.node(self.draw(_ROOTS), depth, self.draw(_HOW_MANY))
        for target in targets:
            if target.place is not None:
                self._hold(root, target, depth - 1)
        declared = self.draw(st.sampled_from(self.draft.declares))
        return root if declared is None else {"$schema": declared} | root

    def _hold(self, root: Schema, target: _Target, depth: int) -> None:
        keyword, name = target.place or ("$defs", "")
        held = root.get(keyword, {})
        if isinstance(held, dict):  # it is none where the keyword is malformed
            root[keyword] = self._perhaps_spoiled(keyword, held | {name: self._referred(target, depth)})

    def _referred(self, target: _Target, depth: int) -> Schema | bool:
        if target.identity is None:
            return self.schema(depth)
        # In a resource of its own, the pointers of this document lead nowhere.
        pen = self if target.reference.startswith("#") else evolve(self, references=())
        schema = pen.schema(depth)
        return (schema if isinstance(schema, dict) else {}) | target.identity

    def schema(self, depth: int, place: str = "any", *, booleans: bool = False) -> Schema | bool:
        """A subschema at a place; `booleans` says that the draft allows them there, if nowhere else."""
        allowed = self.booleans and (self.draft.booleans or booleans)
        kind = self.draw(_kinds(place, allowed, bool(self.references)))
        return kind if isinstance(kind, bool) else self.node(kind, depth)

    def node(self, kind: _Kind, depth: int, further: int = 0) -> Schema:
        """A schema object of a kind, with a few keywords and so many further ones."""
        schema = self._type(kind)
        for word in self._words(kind, depth, further):
            value = self._value(word, kind.family, depth)
            schema[word] = self._perhaps_spoiled(word, value)
        for word, needed in self.draft.needs.items():
            if word in schema:
                schema.setdefault(needed, 1)
        return schema

    def _type(self, kind: _Kind) -> Schema:
        if kind.type is None:
            return {}
        names = [kind.type] if isinstance(kind.type, str) else list(kind.type)
        if self.draft.lists_types:
            return {"type": self._perhaps_spoiled("type", kind.type if isinstance(kind.type, str) else names)}
        named = next((name for name in names if name != "null"), None)
        nullable: Schema = {"nullable": True} if "null" in names else {}
        return nullable if named is None else {"type": named} | nullable

    def _words(self, kind: _Kind, depth: int, further: int) -> Iterable[str]:
        pool = _words(kind.family, depth <= 0, bool(self.references))
        if kind.refers:
            return [kind.refers, self.draw(pool)] if self.draw(_ONE_IN[3]) else [kind.refers]
        some, with_partner = self.draw(_AMOUNTS)
        words = dict.fromkeys(self.draw(pool) for _ in range(some + further))
        partners = _partners(frozenset(words), depth <= 0) if with_partner else None
        if partners is not None:
            words[self.draw(partners)] = None
        return words

    def _perhaps_spoiled(self, word: str, value: JsonValue) -> JsonValue:
        spoil = self.malformed and word not in _FREE and self.draw(_ONE_IN[6])
        return _spoiled(self.draw, value) if spoil else value

    def _value(self, word: str, family: _Family, depth: int) -> JsonValue:
        """What a keyword says in a node of a family."""
        if word in self.draft.spellings:
            return self.draw(self.draft.spellings[word])
        if word in _PLAIN:
            return self.draw(_PLAIN[word])
        if word in ("$ref", "$dynamicRef"):
            return self.draw(st.sampled_from(self.references))
        if word == "$schema":
            return self.draft.declares[-1] or _2020
        if word in _LISTS:
            return self.draw(_LISTS[word][family])
        if _ROWS[word].data:
            return self.draw(_VALUES[family])
        return self._held(word, family, depth)

    def _held(self, word: str, family: _Family, depth: int) -> JsonValue:
        """The subschemas of a keyword."""
        place = "closing" if word in _CLOSING else family if word in _IN_PLACE else "any"

        def child() -> Schema | bool:
            return self.schema(depth - 1, place, booleans=word in ("additionalProperties", "additionalItems"))

        match _ROWS[word].children:
            case Children.MANY:
                return [child() for _ in range(self.draw(_HOW_MANY))]
            case Children.NAMED:
                return {name: child() for name in self.draw(_KEYS.get(word, _SOME_NAMES))}
            case Children.NAMED_OR_NAMES:
                names = self.draft.spellings.get("required", _ANY_NAMES)
                return {name: self.draw(names) if self.draw(_COIN) else child() for name in self.draw(_SOME_NAMES)}
            case Children.ONE_OR_MANY if self.draft.lists_items and self.draw(_ONE_IN[3]):
                return [child() for _ in range(self.draw(_HOW_MANY))]
            case _:
                return child()


_FREE: Final = frozenset(row.name for row in _ROWS.values() if row.data) - {"enum", "examples"}
"""The keywords that may say anything."""

_LISTS: Final = {word: {family: _lists(family) for family in _VALUES} for word in ("enum", "examples")}


@st.composite
def _documents(
    draw: DrawFn, drafts: SearchStrategy[str], depth: int, references: bool, booleans: bool, malformed: bool
) -> Schema:
    draft = _DRAFTS[draw(drafts)]
    targets = draw(_target_groups(draft)) if references else ()
    pen = _Pen(draw, draft, [target.reference for target in targets], booleans, malformed)
    return pen.document(depth, targets)


def schemas(
    *,
    depth: int = 3,
    references: bool = True,
    booleans: bool = True,
    malformed: bool = False,
    drafts: Collection[str] = DRAFTS,
) -> SearchStrategy[Schema]:
    """
    Schema objects over the whole keyword table, subschemas nested `depth` deep.

    Most are objects at the root, and most can be met by some value. `references` and
    `booleans` say whether there are references and boolean schemas, `drafts` which
    spellings there are (2020-12, where it is among them, more often than the others);
    all but those of `mixed` conform to the metaschema that they name. With
    `malformed`, a keyword now and then says what no draft lets it say.
    """
    often = [name for name in drafts for _ in range(12 if name == "2020-12" else 1)]
    return _documents(st.sampled_from(often), depth, references, booleans, malformed)


# --- drawing values


@st.composite
def values(draw: DrawFn) -> JsonValue:
    """JSON values of the same small vocabulary: many objects, some of which look like schemas."""
    match draw(st.sampled_from(("one", "one", "members", "members", "items"))):
        case "members":
            return {name: draw(_VALUES["any"]) for name in draw(_ANY_NAMES)}
        case "items":
            return [draw(_VALUES["any"]) for _ in range(draw(_HOW_MANY))]
        case _:
            return draw(_VALUES["any"])


def json_documents() -> SearchStrategy[JsonValue]:
    """Any JSON at all, integers beyond 64 bits and lone surrogates included; no NaN, no infinity."""
    text = st.text() | st.text(st.sampled_from("a\ud800\x00/~"), max_size=3)
    numbers = st.integers() | st.integers(min_value=2**64) | st.floats(allow_nan=False, allow_infinity=False)
    return st.recursive(
        st.none() | st.booleans() | numbers | text,
        lambda inner: st.lists(inner, max_size=4) | st.dictionaries(text, inner, max_size=4),
        max_leaves=20,
    )


def values_near(schema: Schema | bool) -> SearchStrategy[JsonValue]:
    """
    Values that meet a schema, or miss it by a slip or two.

    Types, constants, bounds, patterns, required names, closed objects, tuples and
    references are followed, and one branch of each union; `not` is not. It is a best
    effort: where a value can meet the schema, both verdicts nearly always come up.
    """
    return _near(schema, References(schema))


@st.composite
def _near(draw: DrawFn, schema: Schema | bool, references: References) -> JsonValue:
    value = _Seeker(draw, references).meeting([_Demand(schema, references.base)])
    for _ in range(draw(st.sampled_from((0, 0, 0, 1, 1, 2)))):
        value = _slipped(draw, value)
    return value


def _slipped(draw: DrawFn, value: JsonValue) -> JsonValue:
    """The value with one thing in it changed."""
    slip = draw(_SLIPS)
    if slip == "replace":
        return draw(_VALUES["any"])
    if isinstance(value, dict):
        return _slipped_object(draw, value, slip)
    if isinstance(value, list) and value:
        return _slipped_array(draw, value, slip)
    if _is_number(value):
        return draw(st.sampled_from((value + 1, value - 1, str(value))))
    return draw(_VALUES["any"])


def _slipped_object(draw: DrawFn, value: Schema, slip: str) -> Schema:
    if slip == "add" or not value:
        return value | {draw(_NAME): draw(_VALUES["any"])}
    name = draw(st.sampled_from(list(value)))
    if slip == "drop":
        return {other: member for other, member in value.items() if other != name}
    return value | {name: _slipped(draw, value[name])}


def _slipped_array(draw: DrawFn, value: list[JsonValue], slip: str) -> list[JsonValue]:
    index = draw(st.integers(0, len(value) - 1))
    before, after = value[:index], value[index + 1 :]
    if slip == "drop":
        return before + after
    if slip == "add":
        return [*value, value[index] if draw(_COIN) else draw(_VALUES["any"])]
    return [*before, _slipped(draw, value[index]), *after]


_SLIPS: Final = st.sampled_from((*["within"] * 6, *["drop", "add"] * 2, "replace"))
_ENOUGH: Final = 60
"""How many nodes a value has before it is brought to an end; how many schemas are asked at one location."""


class _Demand(NamedTuple):
    """A schema that a value shall meet, and the base URI of its references."""

    schema: Any
    base: str


_Demands: TypeAlias = Sequence[_Demand]
_Parts: TypeAlias = Sequence[Schema]


@define
class _Seeker:
    """Looks for values that meet several schemas at once, as well as it can without ever going back."""

    draw: DrawFn
    references: References
    left: int = _ENOUGH

    def meeting(self, demands: _Demands) -> JsonValue:
        """A value for one location."""
        self.left -= 1
        demands = self._asked(demands)
        parts = [demand.schema for demand in demands]
        constants = _constants(parts)
        if constants:
            return json.loads(json.dumps(self._one_of(constants)))  # a value shares nothing with the schema
        kinds = _kinds_allowed(parts, small=self.left < 0)
        if not kinds or self.left < -_ENOUGH:
            return self.draw(_VALUES["any"])
        match self._one_of(kinds):
            case "object":
                return self._object(demands, parts)
            case "array":
                return self._array(demands, parts)
            case "string":
                return self._string(parts)
            case "integer" | "number" as kind:
                return self._one_of(_numbers(parts, kind))
            case kind:
                return None if kind == "null" else self.draw(_COIN)

    def _one_of(self, choices: Sequence[_T]) -> _T:
        return self.draw(st.sampled_from(choices)) if len(choices) > 1 else choices[0]

    def _some(self, most: int) -> range:
        """A few rounds for what is optional, none when the value shall come to an end."""
        return range(self.draw(st.integers(0, most)) if self.left > 0 else 0)

    # what is asked at one location

    def _asked(self, demands: _Demands) -> list[_Demand]:
        """The schema objects among the demands, and what their references and combiners ask of the same location."""
        waiting, asked, seen = list(demands), list[_Demand](), set[int]()
        while waiting and len(asked) < _ENOUGH:
            schema, base = waiting.pop()
            if isinstance(schema, dict) and id(schema) not in seen:
                seen.add(id(schema))
                base = self.references.enter(schema, base)
                asked.append(_Demand(schema, base))
                waiting += self._referred(schema, base)
                waiting += [_Demand(child, base) for child in self._beside(schema)]
        return asked

    def _referred(self, schema: Schema, base: str) -> Iterator[_Demand]:
        for word in _REFERENCES:
            target = self.references.refer(word, schema[word], base) if word in schema else None
            if target is not None:
                yield _Demand(target.schema, target.base)

    def _beside(self, schema: Schema) -> Iterator[JsonValue]:
        """Subschemas for the same location: all branches, one of them, and what follows on a condition."""
        yield from _list(schema, "allOf")
        for keyword in ("anyOf", "oneOf"):
            branches = [branch for branch in _list(schema, keyword) if branch is not False]
            if branches:
                yield self._one_of(branches)
        if "if" in schema:
            yield from map(schema.get, ("if", "then") if self.draw(_COIN) else ("else",))
        for keyword in ("dependentRequired", "dependentSchemas", "dependencies"):
            for name, needed in _dict(schema, keyword).items():
                if self.draw(_ONE_IN[3]):
                    yield {"required": [name, *(needed if isinstance(needed, list) else [])]}
                    yield needed

    # the types with parts

    def _object(self, demands: _Demands, parts: _Parts) -> Schema:
        few, most = _count(parts, "minProperties", max) or 0, _count(parts, "maxProperties", min)
        names = dict.fromkeys(name for part in parts for name in _list(part, "required") if isinstance(name, str))
        optional = sorted({name for part in parts for name in _dict(part, "properties")} - names.keys())
        if optional:
            names |= dict.fromkeys(self._one_of(optional) for _ in self._some(4))
        some_further = self.draw(_ONE_IN[4])
        if some_further or not optional or len(names) < few:
            names |= dict.fromkeys(self._further_name(demands, optional) for _ in self._some(min(few, 4) + 2))
        members = {name: self._member(demands, name) for name in list(names)[:most]}
        return {name: self.meeting(asked) for name, asked in members.items() if asked is not None}

    def _member(self, demands: _Demands, name: str) -> list[_Demand] | None:
        return _below(demands, lambda part: _about(part, name), "unevaluatedProperties")

    def _further_name(self, demands: _Demands, optional: Sequence[str]) -> str:
        """A name that is not required: declared, matched by a pattern, or allowed by `propertyNames`."""
        asked = _below(demands, lambda part: [part["propertyNames"]] if "propertyNames" in part else [])
        if asked:
            name = self.meeting([*asked, _Demand({"type": "string"}, "")])
            return name if isinstance(name, str) else "a"
        patterns = [pattern for demand in demands for pattern in _dict(demand.schema, "patternProperties")]
        if patterns:
            return self._string([{"pattern": self._one_of(patterns)}])
        return self._one_of([*optional, self.draw(_NAME)])

    def _array(self, demands: _Demands, parts: _Parts) -> list[JsonValue]:
        few, most = _count(parts, "minItems", max) or 0, _count(parts, "maxItems", min)
        contained = _below(demands, lambda part: [part["contains"]] if "contains" in part else []) or []
        searched = (_count(parts, "minContains", max) or 1) if contained else 0
        length = min(max(few, searched), 12) + len(self._some(2))
        items: list[JsonValue] = []
        for index in range(length if most is None else min(length, most)):
            asked = _below(demands, lambda part: _at(part, len(items)), "unevaluatedItems")
            if asked is None:
                break
            items.append(self.meeting([*asked, *(contained if index < searched else [])]))
        if any(part.get("uniqueItems") is True for part in parts):
            return list({json_key(item): item for item in items}.values())
        return items

    def _string(self, parts: _Parts) -> str:
        few, most = min(_count(parts, "minLength", max) or 0, 64), _count(parts, "maxLength", min)
        patterns = [pattern for part in parts if isinstance(pattern := part.get("pattern"), str)]
        formats = [name for part in parts if isinstance(name := part.get("format"), str)]
        words = [word.ljust(few, "a")[:most] for word in (*_WORDS, *(_SAMPLES.get(name, "") for name in formats))]
        fitting = [word for word in words if all(_found(pattern, word) for pattern in patterns)]
        by_chance = self.draw(_COIN)
        if patterns and (by_chance or not fitting):
            return self.draw(_texts_with(self._one_of(patterns)))[:most]
        return fitting[-1] if formats and by_chance else self._one_of(fitting)


# --- what schemas say, of whatever shape their keywords are

_REFERENCES: Final = [row.name for row in KEYWORDS.values() if row.role is Role.REFERENCE]


def _dict(schema: Schema, keyword: str) -> dict[str, Any]:
    value = schema.get(keyword)
    return value if isinstance(value, dict) else {}


def _list(schema: Schema, keyword: str) -> list[Any]:
    value = schema.get(keyword)
    return value if isinstance(value, list) else []


def _is_number(value: JsonValue) -> bool:
    """Whether a value is a number that can be reckoned with: an integer that no float can hold is none."""
    return isinstance(value, (int, float)) and not isinstance(value, bool) and abs(value) < 2**1000


def _count(parts: _Parts, keyword: str, tightest: Callable[[list[int]], int]) -> int | None:
    counts = [max(int(part[keyword]), 0) for part in parts if _is_number(part.get(keyword))]
    return tightest(counts) if counts else None


def _constants(parts: _Parts) -> list[JsonValue]:
    """The values of `const` and `enum` that all parts allow, or else those that one does."""
    sets = [[part["const"]] for part in parts if "const" in part]
    sets += [members for part in parts if (members := _list(part, "enum"))]
    kinds = [stated for part in parts if (stated := _kinds_stated(part))]
    every = [value for members in sets for value in members]
    shared = [
        value
        for value in every
        if all(any(json_equal(value, member) for member in members) for members in sets)
        and all(json_type(value) in stated for stated in kinds)
    ]
    return shared or every


def _kinds_stated(part: Schema) -> set[str]:
    """The types that a schema states, `integer` beside `number`; none where it states none."""
    stated = part.get("type")
    kinds = {kind for kind in (stated if isinstance(stated, list) else [stated]) if isinstance(kind, str)}
    return kinds | {"integer"} if "number" in kinds else kinds


def _kinds_allowed(parts: _Parts, *, small: bool) -> list[str]:
    """The types that all parts allow; where none states any, those that their keywords are about."""
    stated = [kinds for part in parts if (kinds := _kinds_stated(part))]
    about = {kind for part in parts for word in part if word in KEYWORDS for kind in KEYWORDS[word].types}
    allowed = set(_TYPES).intersection(*stated) if stated else about or set(_TYPES)
    return sorted((small and allowed - {"object", "array"}) or allowed)


def _below(
    demands: _Demands, found: Callable[[Schema], Iterable[JsonValue]], otherwise: str | None = None
) -> list[_Demand] | None:
    """What is asked below a location, `otherwise` where nothing is; None where some schema refuses it."""
    asked = [_Demand(child, base) for schema, base in demands for child in found(schema)]
    if not asked:
        asked = [_Demand(schema[otherwise], base) for schema, base in demands if otherwise in schema]
    return None if any(demand.schema is False for demand in asked) else asked


def _about(schema: Schema, name: str) -> list[JsonValue]:
    """What a schema asks of a member."""
    declared = _dict(schema, "properties")
    found = [declared[name]] if name in declared else []
    found += [child for pattern, child in _dict(schema, "patternProperties").items() if _found(pattern, name)]
    if not found and "additionalProperties" in schema:
        return [schema["additionalProperties"]]
    return found


def _at(schema: Schema, index: int) -> list[JsonValue]:
    """What a schema asks of an item."""
    first = _list(schema, "prefixItems") or _list(schema, "items")
    if index < len(first):
        return [first[index]]
    rest = "additionalItems" if isinstance(schema.get("items"), list) else "items"
    return [schema[rest]] if rest in schema else []


_HOLDS: Final[Mapping[str, Callable[[Any, Any], bool]]] = {
    "minimum": operator.ge,
    "maximum": operator.le,
    "exclusiveMinimum": operator.gt,
    "exclusiveMaximum": operator.lt,
    "multipleOf": lambda number, step: bool(step) and number % step == 0,
}


def _numbers(parts: _Parts, kind: str) -> list[float]:
    """Numbers at and about the bounds: whole ones, or those with a fraction, that keep within them if there are any."""
    edges = [part[word] for part in parts for word in _BOUNDS if _is_number(part.get(word))]
    steps = [part["multipleOf"] for part in parts if _is_number(part.get("multipleOf")) and part["multipleOf"]]
    numbers = [0, 1, 2, -3, 10, 0.5, 2.5, *(edge + further for edge in edges for further in (0, 1, -1, 0.5, -0.5))]
    numbers += [(low + high) / 2 for low, high in pairwise(edges)]
    if steps:
        step = math.lcm(*steps) if all(isinstance(step, int) for step in steps) else max(steps)
        numbers += [step * (edge // step + further) for edge in edges for further in (0, 1)]
    within = [number for number in numbers if all(_holds(part, number) for part in parts)]
    return [number for number in within if json_type(number) == kind] or within or numbers


def _holds(part: Schema, number: float) -> bool:
    for word, holds in _HOLDS.items():
        limit = part.get(word)
        if limit is True:  # as draft-04 and OpenAPI 3.0 write it
            limit = part.get(_BOUNDS_NEED.get(word, word))
        if _is_number(limit) and not holds(number, limit):
            return False
    return True


# --- strings

_WORDS: Final = ("", "a", "b", "c", "ab", "abc", "1", "12", "x-a", "é", "🐝", "A-1", "two words")
_SAMPLES: Final = {
    "date": "2031-02-03",
    "date-time": "2031-02-03T04:05:06Z",
    "time": "04:05:06Z",
    "email": "a@example.org",
    "uri": "https://a.example/b",
    "uuid": "6b1f7a3e-2f6a-4a57-9d3b-0c2f1d4e5f60",
    "ipv4": "192.0.2.1",
    "hostname": "a.example",
}


@lru_cache
def _compiled(pattern: str) -> re.Pattern[str] | None:
    """A pattern as Python reads it, with the ASCII classes of ECMA 262; None where Python cannot."""
    try:
        return re.compile(pattern, re.ASCII)
    except re.error:
        return None


def _found(pattern: str, text: str) -> bool:
    compiled = _compiled(pattern)
    return compiled is None or compiled.search(text) is not None


@lru_cache
def _texts_with(pattern: str) -> SearchStrategy[str]:
    compiled = _compiled(pattern)
    return st.sampled_from(_WORDS) if compiled is None else st.from_regex(compiled)
