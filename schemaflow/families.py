"""Keyword families: what dropping a keyword does, its siblings minded."""

from collections.abc import Iterable
from typing import Final

from schemaflow.drafts import undeclaring
from schemaflow.effect import Effect
from schemaflow.keywords import ANNOTATIONS, KEYWORDS, READERS, JsonValue, Role, Schema, json_equal


def without(schema: Schema, names: Iterable[str]) -> Schema:
    """The schema object without some keywords: the same object where it has none of them."""
    names = frozenset(names)
    if names.isdisjoint(schema):
        return schema
    return {keyword: value for keyword, value in schema.items() if keyword not in names}


_NUMERIC = frozenset({"number", "integer"})


def dropping(schema: Schema, names: Iterable[str]) -> Effect:
    """
    The effect of dropping keywords from a schema object, their families minded.

    Annotations and identifiers decide nothing, but for a `$schema` whose draft ignores
    what others read. A keyword that speaks of another type than the node's decides
    nothing either, nor does one that every value meets (`minLength: 0`). Dropping what a remaining sibling
    reads (`properties` beside `additionalProperties`) may do anything.
    """
    gone = frozenset(names)
    effect = Effect.EXACT
    for name in gone:
        effect |= _dropping_one(schema, name, gone)
    return effect


def _dropping_one(schema: Schema, name: str, gone: frozenset[str]) -> Effect:
    if name not in schema:
        return Effect.EXACT
    if name == "$schema":
        return undeclaring(schema)
    row = KEYWORDS.get(name)
    if row is None or row.role in (Role.ANNOTATION, Role.IDENTIFIER, Role.DEFINITIONS):
        return Effect.EXACT
    readers = [reader for reader in READERS[name] if reader in schema and reader not in gone]
    if name in ("then", "else") and "if" not in schema:
        return Effect.EXACT
    if any(reader.startswith("unevaluated") for reader in readers):
        return Effect.UNKNOWN
    if name == "if":
        return Effect.WIDENS if {"then", "else"} & schema.keys() else Effect.EXACT
    if name == "nullable":
        # It only adds null to a type that is stated.
        return Effect.NARROWS if schema[name] is True and "type" in schema and "type" not in gone else Effect.EXACT
    if name in ("maxContains", "minContains"):
        return _dropping_contains_bound(schema, name, gone)
    if _speaks_of_another_type(schema, row.types) or (not readers and _says_nothing(name, schema[name])):
        return Effect.EXACT
    if readers and name not in ("maximum", "minimum", "type", "minContains", "maxContains"):
        return Effect.BOTH
    return Effect.WIDENS


def _says_nothing(name: str, value: JsonValue) -> bool:
    """Whether every value meets a keyword, none of its siblings minded."""
    if name in _TRIVIAL_AT_ZERO:
        return value.__class__ in (int, float) and value <= 0
    if name in _SCHEMAS:
        return value is True or value == {}
    if name in _MAPS:
        return isinstance(value, dict) and all(schema is True or schema == {} for schema in value.values())
    if name in ("required", "dependentRequired", "allOf"):
        return any(json_equal(value, empty) for empty in _EMPTY)
    return (name == "uniqueItems" and value is False) or (name == "not" and value is False)


_EMPTY: Final[tuple[JsonValue, ...]] = ([], {}, [{}], [True])
_TRIVIAL_AT_ZERO: Final = frozenset({"minLength", "minItems", "minProperties"})
_SCHEMAS: Final = frozenset({"items", "additionalItems", "additionalProperties", "propertyNames"})
_MAPS: Final = frozenset({"properties", "patternProperties", "dependentSchemas"})


def _dropping_contains_bound(schema: Schema, name: str, gone: frozenset[str]) -> Effect:
    if "contains" not in schema or "contains" in gone:
        return Effect.EXACT
    if name == "maxContains":
        return Effect.WIDENS
    # Without minContains, contains asks for one.
    least = schema["minContains"]
    return Effect.NARROWS if least == 0 else Effect.WIDENS


def _speaks_of_another_type(schema: Schema, types: frozenset[str]) -> bool:
    known = schema.get("type")
    if not types or not isinstance(known, str):
        return False
    return types.isdisjoint(_NUMERIC if known in _NUMERIC else {known})


def annotations_changed(before: JsonValue, after: JsonValue) -> bool:
    """Whether text for people or models differs between two states of a node."""
    if not isinstance(before, dict) or not isinstance(after, dict):
        return isinstance(before, dict) and not ANNOTATIONS.isdisjoint(before)
    return any(before.get(name) is not after.get(name) for name in ANNOTATIONS if name in before or name in after)
