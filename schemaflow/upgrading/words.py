"""
What becomes of each older keyword, and of a schema object as a whole.

Each function looks at one family of keywords in one schema object. What is not of the
kind that a keyword asks for is left as it is.
"""

import re
from typing import Final

from schemaflow.drafts import LATEST, Age, age_of
from schemaflow.effect import Effect
from schemaflow.keywords import JsonValue, Schema
from schemaflow.upgrading.holders import MOVING
from schemaflow.upgrading.respelling import Respelling, Where
from schemaflow.upgrading.siblings import ignored_siblings, ignores_siblings, newer_keywords

AS_LATEST: Final = "read as 2020-12 from now on"

_ANCHOR: Final = re.compile("[A-Za-z_][-A-Za-z0-9._]*")
_NEWEST: Final = frozenset({"prefixItems", "$dynamicRef"})
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
        one.put("$schema", {"$schema": LATEST}, AS_LATEST)


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
        # Not all validators of 2019-09 ignore it where they look for what is evaluated.
        doubt = where.age is Age.DRAFT_2019 and where.facts.has_unevaluated
        one.drop("$dynamicRef", "this draft ignores $dynamicRef", Effect.UNKNOWN if doubt else Effect.EXACT)
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


def _doubt(one: Respelling, where: Where) -> None:
    if where.is_doubtful and (one.is_changed or where.facts.has_old_drafts):
        one.say(
            "its draft is in doubt: only a schema with an $id can declare one, of those that are known", Effect.UNKNOWN
        )


def _newest(one: Respelling, where: Where) -> None:
    is_mixed = where.age is Age.DRAFT_2020 and where.facts.is_read_as_2019
    if is_mixed and not _NEWEST.isdisjoint(one.original):
        one.say("the document has older words for the same too, and validators read one or the other", Effect.UNKNOWN)


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
    *MOVING,
    _bounds,
    _null,
    _doubt,
    _newest,
    _contains,
)
