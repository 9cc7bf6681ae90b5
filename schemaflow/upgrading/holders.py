"""Older keywords that hold schemas, and where what they hold stands afterwards."""

from typing import Any, Final

from schemaflow.drafts import Age
from schemaflow.effect import Effect
from schemaflow.families import without
from schemaflow.keywords import CHILDREN, Children
from schemaflow.upgrading.respelling import Respelling, Segment, Where, fresh_name


def drop(one: Respelling, keyword: str, where: Where, note: str, effect: Effect = Effect.EXACT) -> None:
    """
    Drop a keyword that says nothing, or is to say nothing from now on.

    What references lead to stays, in `$defs`, where it says nothing either.
    """
    definitions = one.schema.get("$defs", {})
    if (
        keyword not in where.needed
        or not isinstance(definitions, dict)
        or not isinstance(one.schema[keyword], (dict, list))
    ):
        one.drop(keyword, note, effect)
        return
    old = one.schema.get("definitions", {})
    name = fresh_name(keyword, definitions.keys() | (old.keys() if isinstance(old, dict) else set()))
    home: Segment = ("$defs", name)
    if CHILDREN.get(keyword) is Children.ONE:
        held = one.schema[keyword]
        one.moves[keyword,] = home
    else:
        part = Respelling({keyword: one.schema[keyword]})
        for family in MOVING:
            family(part, where)
        held = part.schema
        one.moves[keyword,] = (*home, *part.moved((keyword,)))
        one.moves |= {way: (*home, *there) for way, there in part.moves.items() if len(way) > 1}
    one.schema = {**without(one.schema, {keyword}), "$defs": {**definitions, name: held}}
    one.say(f"{note}; {keyword} is in $defs now, since references lead there", effect)


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
        if "additionalItems" in one.schema:
            drop(one, "additionalItems", where, "additionalItems says nothing where items is no list")
        return
    if "prefixItems" in one.schema:
        effect = Effect.EXACT if where.is_declared else Effect.WIDENS
        drop(one, "prefixItems", where, "the list in items is what the items are", effect)
    fresh: dict[str, Any] = {"prefixItems": listed} if listed else {}
    one.moves["items",] = ("prefixItems",)
    rest = one.schema.get("additionalItems")
    if isinstance(rest, (dict, bool)):
        fresh["items"] = rest
        one.moves["additionalItems",] = ("items",)
    elif "additionalItems" in one.schema:
        one.lost["additionalItems"] = rest
    one.put("items", fresh)
    one.schema = without(one.schema, {"additionalItems"})


def _dependencies(one: Respelling, where: Where) -> None:
    old = one.schema.get("dependencies")
    names, schemas = one.schema.get("dependentRequired", {}), one.schema.get("dependentSchemas", {})
    if not isinstance(old, dict) or not isinstance(names, dict) or not isinstance(schemas, dict):
        return
    names, joined, rest = dict(names), dict(schemas), {}
    for name, value in old.items():
        if isinstance(value, list) and isinstance(names.get(name, []), list):
            names[name] = _united(names.get(name, []), value)
        elif not isinstance(value, (dict, bool)):
            rest[name] = value
        elif name in schemas:
            joined[name] = {"allOf": [schemas[name], value]}
            one.moves["dependentSchemas", name] = ("dependentSchemas", name, "allOf", 0)
            one.moves["dependencies", name] = ("dependentSchemas", name, "allOf", 1)
        else:
            joined[name] = value
            one.moves["dependencies", name] = ("dependentSchemas", name)
    if rest and len(rest) == len(old):
        return
    fresh = {"dependentRequired": names, "dependentSchemas": joined, "dependencies": rest}
    one.put("dependencies", {name: value for name, value in fresh.items() if value})
    has_schemas = any(isinstance(value, (dict, bool)) for value in old.values())
    if has_schemas and where.facts.has_unevaluated and where.age >= Age.DRAFT_2019:
        one.say("what dependencies evaluate counts as evaluated from now on", Effect.UNKNOWN)


def _united(names: list[Any], others: list[Any]) -> list[Any]:
    return [*names, *(name for name in others if name not in names)] if names else others


MOVING: Final = (_definitions, _items, _dependencies)
"""What becomes of each, in their order."""
