"""Drawing a schema: kinds of nodes, their keywords, and the pen that writes them."""

import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any, Final, Literal, NamedTuple

from attrs import evolve, frozen
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from schemaflow.drawing.drafts import DRAFTS, LATEST, SPELLINGS, Draft, Target, target_groups
from schemaflow.drawing.plain import PLAIN
from schemaflow.drawing.vocabulary import (
    AMOUNTS,
    ANY_NAMES,
    COIN,
    FAMILIES,
    HOW_MANY,
    KEYS,
    ONE_IN,
    SOME_NAMES,
    TYPES,
    VALUES,
    Family,
    value_lists,
)
from schemaflow.keywords import (
    KEYWORDS,
    READERS,
    Children,
    JsonValue,
    Keyword,
    Role,
    Schema,
    json_type,
)


class _Kind(NamedTuple):
    """What kind of node to draw: its family, what it says of its type, if it does, or how it refers."""

    family: Family
    type: str | tuple[str, ...] | None = None
    refers: str | None = None


def _typed(family: Family) -> list[_Kind]:
    if family == "any":
        return [_Kind("any"), _Kind("any"), _Kind("any", ("string", "integer")), _Kind("any", TYPES)]
    names = ("number", "integer") if family == "number" else (family,)
    types: list[str | tuple[str, ...]] = [*names * (6 // len(names))]
    types += [tuple(dict.fromkeys((name, *other))) for name in names for other in ((), ("null",), ("string",))]
    return [_Kind(family), *(_Kind(family, type) for type in types)]


_FREQUENCY: Final = {"object": 5, "array": 4, "string": 3, "number": 3, "any": 3, "boolean": 1, "null": 1}
_ONE_OF_EACH: Final = [kind for family in _FREQUENCY for kind in _typed(family)[:2]]
_ROOTS: Final = {
    "objects": st.sampled_from(_typed("object") * 6 + _ONE_OF_EACH),
    "any": st.sampled_from([kind for family in _FREQUENCY for kind in [_Kind(family)] * 3 + _typed(family)]),
}
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
    if place in FAMILIES:
        kinds += [*[_Kind(place)] * len(kinds), *_typed(place) * (len(kinds) // 8)]
    if references:
        kinds += [_Kind("any", refers=word) for word in _REFERRING * (len(kinds) // 50)]
    some = len(kinds) // 12 if place != "closing" else len(kinds)
    kinds += [*[False] * some, *[True] * some] * booleans
    return st.sampled_from(kinds)


_ROWS: Final[Mapping[str, Keyword]] = {**KEYWORDS, "x-note": Keyword("x-note", Role.ANNOTATION, data=True)}
_BY_ROLE: Final = {Role.ASSERTION: 10, Role.APPLICATOR: 10, Role.ANNOTATION: 4}
_IN_FOCUS: Final = 8
"""So many times as often is a keyword drawn that is asked for."""

_FAVOURITES: Final = {"properties": 4, "items": 4, "required": 3, "additionalProperties": 2, "anyOf": 2}


def _weight(row: Keyword, family: Family) -> int:
    often = _FAVOURITES.get(row.name, 1)
    if row.types:
        return 20 * often if family in row.types else 2
    return _BY_ROLE.get(row.role, 1) * often


@lru_cache(maxsize=1024)
def _words(family: Family, leaf: bool, references: bool, focus: frozenset[str]) -> SearchStrategy[str]:
    """The keywords to draw from, those in `focus` more often; a leaf has none with subschemas."""
    rows = [
        row
        for row in _ROWS.values()
        if row.name != "type"
        and not (leaf and row.children is not Children.NONE)
        and (references or row.role is not Role.REFERENCE)
    ]
    often = {row.name: _weight(row, family) * (_IN_FOCUS if row.name in focus else 1) for row in rows}
    return st.sampled_from([word for word, weight in often.items() for _ in range(weight)])


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
    for kind in TYPES
}


def _spoiled(draw: DrawFn, value: JsonValue) -> JsonValue:
    """A value of another type, or the same one with a member of another type."""
    if isinstance(value, (dict, list)) and value and draw(ONE_IN[3]):
        spoiled = value.copy()
        last: Any = next(reversed(value)) if isinstance(value, dict) else -1
        spoiled[last] = draw(_OF_OTHER_TYPE[json_type(value[last])])
        return spoiled
    return draw(_OF_OTHER_TYPE[json_type(value)])


@frozen
class _Pen:
    """What one document is drawn with."""

    draw: DrawFn
    draft: Draft
    references: Sequence[str]
    booleans: bool
    malformed: bool
    focus: frozenset[str]

    def document(self, depth: int, targets: Iterable[Target], roots: str) -> Schema:
        """A root, with all that its references refer to."""
        root = self.node(self.draw(_ROOTS[roots]), depth, self.draw(HOW_MANY))
        for target in targets:
            if target.place is not None:
                self._hold(root, target, depth - 1)
        declared = self.draw(st.sampled_from(self.draft.declares))
        return root if declared is None else {"$schema": declared} | root

    def _hold(self, root: Schema, target: Target, depth: int) -> None:
        keyword, *path = target.place or ("$defs", "")
        held = root.get(keyword, {})
        if isinstance(held, (dict, list)):  # it is none where the keyword is malformed
            root[keyword] = self._perhaps_spoiled(keyword, _holding(held, path, self._referred(target, depth)))

    def _referred(self, target: Target, depth: int) -> Schema | bool:
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
        pool = _words(kind.family, depth <= 0, bool(self.references), self.focus)
        if kind.refers:
            return [kind.refers, self.draw(pool)] if self.draw(ONE_IN[3]) else [kind.refers]
        some, with_partner = self.draw(AMOUNTS)
        words = dict.fromkeys(self.draw(pool) for _ in range(some + further))
        partners = _partners(frozenset(words), depth <= 0) if with_partner else None
        if partners is not None:
            words[self.draw(partners)] = None
        return words

    def _perhaps_spoiled(self, word: str, value: JsonValue) -> JsonValue:
        spoil = self.malformed and word not in _FREE and self.draw(ONE_IN[6])
        return _spoiled(self.draw, value) if spoil else value

    def _value(self, word: str, family: Family, depth: int) -> JsonValue:
        """What a keyword says in a node of a family."""
        if word in self.draft.spellings:
            return self.draw(self.draft.spellings[word])
        if word in PLAIN:
            return self.draw(PLAIN[word])
        if word in ("$ref", "$dynamicRef"):
            return self.draw(st.sampled_from(self.references))
        if word == "$schema":
            return self.draft.declares[-1] or LATEST
        if word in _LISTS:
            return self.draw(_LISTS[word][family])
        if _ROWS[word].data:
            return self.draw(VALUES[family])
        return self._held(word, family, depth)

    def _held(self, word: str, family: Family, depth: int) -> JsonValue:
        """The subschemas of a keyword."""
        place = "closing" if word in _CLOSING else family if word in _IN_PLACE else "any"

        def child() -> Schema | bool:
            return self.schema(depth - 1, place, booleans=word in ("additionalProperties", "additionalItems"))

        match _ROWS[word].children:
            case Children.MANY:
                return [child() for _ in range(self.draw(HOW_MANY))]
            case Children.NAMED:
                return {name: child() for name in self.draw(KEYS.get(word, SOME_NAMES))}
            case Children.NAMED_OR_NAMES:
                names = self.draft.spellings.get("required", ANY_NAMES)
                return {name: self.draw(names) if self.draw(COIN) else child() for name in self.draw(SOME_NAMES)}
            case Children.ONE_OR_MANY if self.draft.lists_items and self.draw(ONE_IN[3]):
                return [child() for _ in range(self.draw(HOW_MANY))]
            case _:
                return child()


def _holding(value: JsonValue, path: Sequence[str], schema: Schema | bool) -> JsonValue:
    """A value with a schema in it, where a path leads to; what stands there otherwise makes room."""
    if not path:
        return schema
    token, *rest = path
    if token.isdigit():
        members = list(value) if isinstance(value, list) else []
        members += [{} for _ in range(int(token) + 1 - len(members))]
        members[int(token)] = _holding(members[int(token)], rest, schema)
        return members
    held = value if isinstance(value, dict) else {}
    return held | {token: _holding(held.get(token), rest, schema)}


_FREE: Final = frozenset(row.name for row in _ROWS.values() if row.data) - {"enum", "examples"}
"""The keywords that may say anything."""

_LISTS: Final = {word: {family: value_lists(family) for family in VALUES} for word in ("enum", "examples")}


@st.composite
def _documents(draw: DrawFn, /, drafts: SearchStrategy[str], depth: int, roots: str, **said: Any) -> Schema:
    draft = SPELLINGS[draw(drafts)]
    targets = draw(target_groups(draft)) if said.pop("references") else ()
    pen = _Pen(draw, draft, [target.reference for target in targets], **said)
    return pen.document(depth, targets, roots)


def schemas(
    *,
    depth: int = 3,
    references: bool = True,
    booleans: bool = True,
    malformed: bool = False,
    drafts: Collection[str] = DRAFTS,
    roots: Literal["objects", "any"] = "objects",
    focus: Collection[str] = (),
) -> SearchStrategy[Schema]:
    """
    Schema objects over the whole keyword table, subschemas nested `depth` deep.

    Most are objects at the root (with `roots="any"` as many are of each other type), and
    most can be met by some value. `references` and
    `booleans` say whether there are references and boolean schemas, `drafts` which
    spellings there are (2020-12, where it is among them, more often than the others);
    all but those of `mixed` conform to the metaschema that they name. With
    `malformed`, a keyword now and then says what no draft lets it say. Keywords in
    `focus` are drawn more often than others.
    """
    often = [name for name in drafts for _ in range(12 if name == "2020-12" else 1)]
    return _documents(
        st.sampled_from(often),
        depth,
        roots,
        references=references,
        booleans=booleans,
        malformed=malformed,
        focus=frozenset(focus),
    )
