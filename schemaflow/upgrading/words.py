"""
What becomes of each older keyword.

Each function looks at one family of keywords in one schema object. What is not of the
kind that a keyword asks for is left as it is.
"""

import re
from typing import Any, Final

from schemaflow.drafts import LATEST, Age, age_of
from schemaflow.effect import Effect
from schemaflow.keywords import JsonValue, Schema
from schemaflow.upgrading.respelling import Respelling, Where, fresh_name
from schemaflow.upgrading.siblings import ignored_siblings, ignores_siblings, newer_keywords

_ANCHOR: Final = re.compile("[A-Za-z_][-A-Za-z0-9._]*")
_BOUNDS: Final = {"exclusiveMinimum": "minimum", "exclusiveMaximum": "maximum"}


def respelt(schema: Schema, where: Where) -> Respelling:
    """A schema object as 2020-12 says it, its children left as they are."""
    one = Respelling(schema)
    for family in _FAMILIES:
        family(one, where)
    return one


def is_anchor(name: str) -> bool:
    """Whether `$anchor` can give a name."""
    return _ANCHOR.fullmatch(name) is not None


def _declaration(one: Respelling, where: Where) -> None:
    age = age_of(one.schema)
    if age is not None and age < Age.DRAFT_2020:
        one.put("$schema", {"$schema": LATEST}, "read as 2020-12 from now on")


def _identifiers(one: Respelling, where: Where) -> None:
    name = where.names_by
    if name == "id" and isinstance(one.schema.get("$id"), str):
        one.drop("$id", "draft 4 knows no $id")
    value = one.schema.get(name)
    if not isinstance(value, str):
        return
    uri, _, anchor = value.partition("#")
    if uri and ignores_siblings(one, where):
        one.drop(name, f"this draft ignores {name} beside $ref")
        return
    if name == "$id" and not anchor:
        return
    fresh = {"$id": uri} if uri else {}
    if is_anchor(anchor):
        fresh["$anchor"] = anchor
    one.put(name, fresh)
    if not fresh:
        one.lost[name] = value


def _recursion(one: Respelling, where: Where) -> None:
    if where.age < Age.DRAFT_2020 and "$dynamicRef" in one.schema:
        one.drop("$dynamicRef", "this draft ignores $dynamicRef")
    anchor, ref = one.schema.get("$recursiveAnchor"), one.schema.get("$recursiveRef")
    is_known = where.age >= Age.DRAFT_2019
    effect = Effect.UNKNOWN if where.facts.leads_outside else Effect.EXACT
    if "$recursiveAnchor" in one.schema:
        if anchor is True and where.is_resource and is_known:
            one.put("$recursiveAnchor", {"$dynamicAnchor": where.facts.recursive}, "", effect)
        else:
            one.drop("$recursiveAnchor")
    if "$recursiveRef" not in one.schema:
        return
    if not is_known or not isinstance(ref, str):
        one.drop("$recursiveRef", "this draft ignores $recursiveRef")
    elif isinstance(where.resource, dict) and where.resource.get("$recursiveAnchor") is True and ref == "#":
        _refer(one, "$dynamicRef", f"#{where.facts.recursive}", effect)
    else:
        _refer(one, "$ref", ref, Effect.EXACT if ref == "#" else Effect.UNKNOWN)


def _refer(one: Respelling, keyword: str, ref: str, effect: Effect) -> None:
    """Put another reference into the place of `$recursiveRef`."""
    if keyword not in one.schema:
        one.put("$recursiveRef", {keyword: ref}, "", effect)
        return
    members = one.schema.get("allOf")
    kept = members if isinstance(members, list) else []
    one.put("$recursiveRef", {"allOf": [*kept, {keyword: ref}]}, "", effect)


def _definitions(one: Respelling, where: Where) -> None:
    old, known = one.schema.get("definitions"), one.schema.get("$defs", {})
    if not isinstance(old, dict) or not isinstance(known, dict):
        return
    merged = dict(known)
    taken = known.keys() | old.keys()
    for name, value in old.items():
        new = fresh_name(name, taken) if name in known else name
        if new != name:
            taken.add(new)
            one.say(f"the definition {name!r} is {new!r} now: $defs has another")
        merged[new] = value
        one.moves["definitions", name] = ("$defs", new)
    one.moves["definitions",] = ("$defs",)
    one.put("definitions", {"$defs": merged})


def _items(one: Respelling, where: Where) -> None:
    listed = one.schema.get("items")
    if not isinstance(listed, list):
        if "additionalItems" in one.schema and "additionalItems" not in where.needed:
            one.drop("additionalItems", "additionalItems says nothing where items is no list")
        return
    if "prefixItems" in one.schema:
        effect = Effect.EXACT if where.is_declared else Effect.WIDENS
        one.drop("prefixItems", "the list in items is what the items are", effect)
    fresh: dict[str, Any] = {"prefixItems": listed} if listed else {}
    one.moves["items",] = ("prefixItems",)
    rest = one.schema.get("additionalItems")
    if isinstance(rest, (dict, bool)):
        fresh["items"] = rest
        one.moves["additionalItems",] = ("items",)
    one.put("items", fresh)
    if "additionalItems" in one.schema:
        one.schema = {name: value for name, value in one.schema.items() if name != "additionalItems"}


def _dependencies(one: Respelling, where: Where) -> None:
    old = one.schema.get("dependencies")
    names, schemas = one.schema.get("dependentRequired", {}), one.schema.get("dependentSchemas", {})
    if not all(isinstance(one, dict) for one in (old, names, schemas)):
        return
    names, schemas, rest = dict(names), dict(schemas), {}
    for name, value in old.items():
        if isinstance(value, list) and isinstance(names.get(name, []), list):
            names[name] = _united(names.get(name, []), value)
        elif isinstance(value, (dict, bool)):
            one.moves["dependencies", name] = ("dependentSchemas", name)
            if name in schemas:
                one.moves["dependentSchemas", name] = ("dependentSchemas", name, "allOf", 0)
                one.moves["dependencies", name] = ("dependentSchemas", name, "allOf", 1)
                value = {"allOf": [schemas[name], value]}
            schemas[name] = value
        else:
            rest[name] = value
    if len(rest) == len(old) and rest:
        return
    fresh = {"dependentRequired": names, "dependentSchemas": schemas, "dependencies": rest}
    speaks = where.facts.has_unevaluated and where.age >= Age.DRAFT_2019 and bool(one.moves)
    effect = Effect.UNKNOWN if speaks and any(way[0] == "dependencies" for way in one.moves) else Effect.EXACT
    note = "what the dependencies evaluate counts as evaluated from now on" if effect else ""
    one.put("dependencies", {name: value for name, value in fresh.items() if value}, note, effect)


def _united(names: list[Any], others: list[Any]) -> list[Any]:
    return [*names, *(name for name in others if name not in names)] if names else others


def _bounds(one: Respelling, where: Where) -> None:
    for flag, bound in _BOUNDS.items():
        value = one.schema.get(flag)
        if not isinstance(value, bool):
            continue
        limit = one.schema.get(bound)
        rest = {name: old for name, old in one.schema.items() if name != flag}
        if value and isinstance(limit, (int, float)) and not isinstance(limit, bool):
            rest = {flag if name == bound else name: old for name, old in rest.items()}
        elif value:
            one.say(f"{flag} says nothing without {bound}")
        one.schema = rest


def _null(one: Respelling, where: Where) -> None:
    nullable = one.schema.get("nullable")
    if not isinstance(nullable, bool):
        return
    stated = one.schema.get("type")
    rest = {name: value for name, value in one.schema.items() if name != "nullable"}
    types = [stated] if isinstance(stated, str) else stated
    if nullable and isinstance(types, list):
        if "null" not in types:
            rest["type"] = [*types, "null"]
        if _lacks_null(one.schema.get("enum")):
            one.say("enum does not list null, so that null stays refused")
    elif nullable:
        one.lost["nullable"] = True
        one.say("nullable says nothing without a type beside it")
    one.schema = rest


def _lacks_null(members: JsonValue) -> bool:
    return isinstance(members, list) and None not in members


def _contains(one: Respelling, where: Where) -> None:
    is_old = where.age is Age.DRAFT_2019 or (where.age is Age.DRAFT_2020 and where.facts.is_read_as_2019)
    left = one.schema.get("unevaluatedItems", True)
    if is_old and where.facts.has_contains and left is not True and left != {}:
        one.say("what contains matches counts as evaluated from now on", Effect.WIDENS)


_FAMILIES: Final = (
    _declaration,
    ignored_siblings,
    newer_keywords,
    _identifiers,
    _recursion,
    _definitions,
    _items,
    _dependencies,
    _bounds,
    _null,
    _contains,
)
