"""Looking for a value that meets several schemas at once."""

import json
import math
import operator
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import Any, Final, NamedTuple, TypeAlias, TypeVar

from attrs import define
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from schemaflow.drawing.drafts import BOUNDS_NEED
from schemaflow.drawing.plain import BOUNDS
from schemaflow.drawing.vocabulary import COIN, NAME, ONE_IN, TYPES, VALUES
from schemaflow.keywords import (
    KEYWORDS,
    JsonValue,
    Role,
    Schema,
    json_equal,
    json_key,
    json_type,
)
from schemaflow.references import References

_T = TypeVar("_T")


_ENOUGH: Final = 60
"""How many nodes a value has before it is brought to an end; how many schemas are asked at one location."""


class Demand(NamedTuple):
    """A schema that a value shall meet, and the base URI of its references."""

    schema: Any
    base: str


_Demands: TypeAlias = Sequence[Demand]
_Parts: TypeAlias = Sequence[Schema]


@define
class Seeker:
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
            return self.draw(VALUES["any"])
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
                return None if kind == "null" else self.draw(COIN)

    def _one_of(self, choices: Sequence[_T]) -> _T:
        return self.draw(st.sampled_from(choices)) if len(choices) > 1 else choices[0]

    def _some(self, most: int) -> range:
        """A few rounds for what is optional, none when the value shall come to an end."""
        return range(self.draw(st.integers(0, most)) if self.left > 0 else 0)

    # what is asked at one location

    def _asked(self, demands: _Demands) -> list[Demand]:
        """The schema objects among the demands, and what their references and combiners ask of the same location."""
        waiting, asked, seen = list(demands), list[Demand](), set[int]()
        while waiting and len(asked) < _ENOUGH:
            schema, base = waiting.pop()
            if isinstance(schema, dict) and id(schema) not in seen:
                seen.add(id(schema))
                base = self.references.enter(schema, base)
                asked.append(Demand(schema, base))
                waiting += self._referred(schema, base)
                waiting += [Demand(child, base) for child in self._beside(schema)]
        return asked

    def _referred(self, schema: Schema, base: str) -> Iterator[Demand]:
        for word in _REFERENCES:
            target = self.references.refer(word, schema[word], base) if word in schema else None
            if target is not None:
                yield Demand(target.schema, target.base)

    def _beside(self, schema: Schema) -> Iterator[JsonValue]:
        """Subschemas for the same location: all branches, one of them, and what follows on a condition."""
        yield from _list(schema, "allOf")
        for keyword in ("anyOf", "oneOf"):
            branches = [branch for branch in _list(schema, keyword) if branch is not False]
            if branches:
                yield self._one_of(branches)
        if "if" in schema:
            yield from map(schema.get, ("if", "then") if self.draw(COIN) else ("else",))
        for keyword in ("dependentRequired", "dependentSchemas", "dependencies"):
            for name, needed in _dict(schema, keyword).items():
                if self.draw(ONE_IN[3]):
                    yield {"required": [name, *(needed if isinstance(needed, list) else [])]}
                    yield needed

    # the types with parts

    def _object(self, demands: _Demands, parts: _Parts) -> Schema:
        few, most = _count(parts, "minProperties", max) or 0, _count(parts, "maxProperties", min)
        names = dict.fromkeys(name for part in parts for name in _list(part, "required") if isinstance(name, str))
        optional = sorted({name for part in parts for name in _dict(part, "properties")} - names.keys())
        if optional:
            names |= dict.fromkeys(self._one_of(optional) for _ in self._some(4))
        some_further = self.draw(ONE_IN[4])
        if some_further or not optional or len(names) < few:
            names |= dict.fromkeys(self._further_name(demands, optional) for _ in self._some(min(few, 4) + 2))
        members = {name: self._member(demands, name) for name in list(names)[:most]}
        return {name: self.meeting(asked) for name, asked in members.items() if asked is not None}

    def _member(self, demands: _Demands, name: str) -> list[Demand] | None:
        return _below(demands, lambda part: _about(part, name), "unevaluatedProperties")

    def _further_name(self, demands: _Demands, optional: Sequence[str]) -> str:
        """A name that is not required: declared, matched by a pattern, or allowed by `propertyNames`."""
        asked = _below(demands, lambda part: [part["propertyNames"]] if "propertyNames" in part else [])
        if asked:
            name = self.meeting([*asked, Demand({"type": "string"}, "")])
            return name if isinstance(name, str) else "a"
        patterns = [pattern for demand in demands for pattern in _dict(demand.schema, "patternProperties")]
        if patterns:
            return self._string([{"pattern": self._one_of(patterns)}])
        return self._one_of([*optional, self.draw(NAME)])

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
        by_chance = self.draw(COIN)
        if patterns and (by_chance or not fitting):
            return self.draw(_texts_with(self._one_of(patterns)))[:most]
        return fitting[-1] if formats and by_chance else self._one_of(fitting)


_REFERENCES: Final = [row.name for row in KEYWORDS.values() if row.role is Role.REFERENCE]


def _dict(schema: Schema, keyword: str) -> dict[str, Any]:
    value = schema.get(keyword)
    return value if isinstance(value, dict) else {}


def _list(schema: Schema, keyword: str) -> list[Any]:
    value = schema.get(keyword)
    return value if isinstance(value, list) else []


def is_number(value: JsonValue) -> bool:
    """Whether a value is a number that can be reckoned with: an integer that no float can hold is none."""
    return isinstance(value, (int, float)) and not isinstance(value, bool) and abs(value) < 2**1000


def _count(parts: _Parts, keyword: str, tightest: Callable[[list[int]], int]) -> int | None:
    counts = [max(int(part[keyword]), 0) for part in parts if is_number(part.get(keyword))]
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
    allowed = set(TYPES).intersection(*stated) if stated else about or set(TYPES)
    return sorted((small and allowed - {"object", "array"}) or allowed)


def _below(
    demands: _Demands, found: Callable[[Schema], Iterable[JsonValue]], otherwise: str | None = None
) -> list[Demand] | None:
    """What is asked below a location, `otherwise` where nothing is; None where some schema refuses it."""
    asked = [Demand(child, base) for schema, base in demands for child in found(schema)]
    if not asked:
        asked = [Demand(schema[otherwise], base) for schema, base in demands if otherwise in schema]
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
    edges = [part[word] for part in parts for word in BOUNDS if is_number(part.get(word))]
    steps = [part["multipleOf"] for part in parts if is_number(part.get("multipleOf")) and part["multipleOf"]]
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
            limit = part.get(BOUNDS_NEED.get(word, word))
        if is_number(limit) and not holds(number, limit):
            return False
    return True


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
