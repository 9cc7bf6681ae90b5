"""
The conjunction of `properties`, `patternProperties` and `additionalProperties`.

The first two are merged name by name and pattern by pattern. What a side says of
additional properties holds for the names that this side does not mention, whatever
the others mention: it joins them one by one. Where it cannot be seen whether it holds
for a name or a pattern, that one side's rule is left as a condition of its own.
"""

from collections import Counter
from collections.abc import Callable, Hashable, Iterator, Sequence
from typing import Any

from attrs import frozen

from schemaflow.algebra.merged import CROSSINGS, Merged, gathered, same_map
from schemaflow.algebra.objects import is_map_of, merge_by_name
from schemaflow.algebra.patterns import matches
from schemaflow.algebra.pools import Pool
from schemaflow.algebra.sides import is_schema, is_trivial
from schemaflow.algebra.steps import Steps, together
from schemaflow.keywords import Schema


@frozen
class Ruling:
    """
    What sides say of additional properties that say the same beside the same patterns.

    `declared` are the names that all of these sides declare: to no others does it not apply.
    """

    schema: Schema | bool
    patterns: frozenset[str]
    declared: frozenset[str]

    def governs(self, name: str) -> bool | None:
        """Whether the rule applies to a name, None where that cannot be seen."""
        if name in self.declared:
            return False
        found = {matches(pattern, name) for pattern in self.patterns}
        if True in found:
            return False
        return None if None in found else True

    def governs_all(self, pattern: str) -> bool | None:
        """Whether the rule applies to all names that match a pattern, None where that cannot be seen."""
        if pattern in self.patterns:
            return False
        if self.patterns or any(matches(pattern, name) is not False for name in self.declared):
            return None
        return True

    def alone(self) -> Schema:
        """The rule as a schema of its own."""
        said: Schema = {}
        if self.declared:
            said["properties"] = dict.fromkeys(sorted(self.declared), True)
        if self.patterns:
            said["patternProperties"] = dict.fromkeys(sorted(self.patterns), True)
        return {**said, "additionalProperties": self.schema}


def is_members(share: Schema) -> bool:
    """Whether the three keywords have their right form."""
    maps = (share.get("properties", {}), share.get("patternProperties", {}))
    return all(is_map_of(is_schema, each) for each in maps) and is_schema(share.get("additionalProperties", True))


def merge_members(shares: Sequence[Schema]) -> Steps[Merged]:
    """Name by name, pattern by pattern, and the rules for additional properties where they apply."""
    names = gathered(shares, "properties")
    patterns = gathered(shares, "patternProperties")
    rulings = list(_rulings(shares))
    if _crossings(rulings, len(names), len(patterns)) > CROSSINGS:
        return Merged(shares[0], tuple(shares[1:]))
    unsure = [
        (_apply(ruling.governs, ruling, names), _apply(ruling.governs_all, ruling, patterns)) for ruling in rulings
    ]
    merged: Schema = {}
    merged["properties"] = yield from merge_by_name("properties", names)
    merged["patternProperties"] = yield from merge_by_name("patternProperties", patterns)
    rules = [share["additionalProperties"] for share in shares if "additionalProperties" in share]
    if rules:
        # It holds for names that no side mentions, so every side's rule may say so.
        merged["additionalProperties"] = yield from together(rules, "additionalProperties")
    if merged.get("additionalProperties") is False:
        _leave_to_closing(merged, shares[0])
    rest = tuple(
        ruling.alone()
        for ruling, (of_names, of_patterns) in zip(rulings, unsure, strict=True)
        if _is_open(of_names, merged["properties"]) or _is_open(of_patterns, merged["patternProperties"])
    )
    return Merged(_spelled(shares[0], merged), rest)


def _rulings(shares: Sequence[Schema]) -> Iterator[Ruling]:
    """The rules for additional properties, the same ones of several sides as one."""
    schemas = Pool()
    groups: dict[Hashable, list[Schema]] = {}
    for share in shares:
        schema = share.get("additionalProperties", True)
        if not is_trivial(schema):
            key = (id(schemas.first(schema)), frozenset(share.get("patternProperties", {})))
            groups.setdefault(key, []).append(share)
    for group in groups.values():
        counted = Counter(name for share in group for name in share.get("properties", {}))
        yield Ruling(
            group[0]["additionalProperties"],
            frozenset(group[0].get("patternProperties", {})),
            frozenset(name for name, count in counted.items() if count == len(group)),
        )


def _crossings(rulings: Sequence[Ruling], names: int, patterns: int) -> int:
    """How many pairs of a name and a rule or a pattern have to be looked at."""
    asked = sum(names * (1 + len(ruling.patterns)) + patterns * (1 + len(ruling.declared)) for ruling in rulings)
    return asked + names * patterns if rulings else 0


def _apply(governs: Callable[[str], bool | None], ruling: Ruling, members: dict[str, list[Any]]) -> list[str]:
    """Add a rule to the names, or patterns, that it governs; returns those of which it could not be seen."""
    unsure = []
    for name, schemas in members.items():
        found = governs(name)
        if found:
            schemas.append(ruling.schema)
        elif found is None:
            unsure.append(name)
    return unsure


def _is_open(unsure: Sequence[str], merged: dict[str, Any]) -> bool:
    """Whether it matters what could not be seen: not for what nothing can fill anyway."""
    return any(merged.get(name, False) is not False for name in unsure)


def _leave_to_closing(merged: dict[str, Any], first: Schema) -> None:
    """
    Drop what a closed object need not forbid by name.

    A name or pattern may go if without it nothing but the closing speaks of its
    names. What the first side itself forbids stays where it is.
    """
    allowed = [name for name, schema in merged["properties"].items() if schema is not False]
    patterns: dict[str, Any] = merged["patternProperties"]
    if not any(schema is not False for schema in patterns.values()) and not any(
        matches(pattern, name) is not False for pattern in patterns for name in allowed
    ):
        patterns = {word: False for word in patterns if first.get("patternProperties", {}).get(word) is False}
    merged["patternProperties"] = patterns
    merged["properties"] = {
        name: schema
        for name, schema in merged["properties"].items()
        if schema is not False
        or first.get("properties", {}).get(name) is False
        or any(matches(pattern, name) is not False for pattern in patterns)
    }


def _spelled(first: Schema, merged: Schema) -> Schema:
    keywords: Schema = {}
    for word, value in merged.items():
        if word == "additionalProperties":
            keywords[word] = value
        elif value or word in first:
            keywords[word] = same_map(first.get(word), value)
    return keywords
