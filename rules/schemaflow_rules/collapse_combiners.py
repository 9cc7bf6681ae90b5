"""Put the first member that is not null in the place of `anyOf` and `oneOf`."""

from collections.abc import Callable
from functools import partial, reduce
from operator import or_
from typing import Any, TypeAlias

from attrs import frozen

from schemaflow import EVERYTHING, Effect, JsonValue, Rewrite, Schema, dropping, json_equal, node_rule, option, without
from schemaflow.algebra import intersect
from schemaflow.keywords import ANNOTATIONS

COMBINERS = ("anyOf", "oneOf")
DEFINITIONS = frozenset({"$defs", "definitions"})
MAPS = frozenset({"properties", "patternProperties", "dependentRequired", "dependentSchemas"}) | DEFINITIONS
LISTS = frozenset({"required", "allOf"})
UNEVALUATED = frozenset({"unevaluatedProperties", "unevaluatedItems"})

Union: TypeAlias = tuple[str, list[Any]]
Join: TypeAlias = tuple[Schema | bool, Callable[[], Effect], Callable[[], Schema]]
"""A schema that stands for two, the effect of that, and the first one's keywords that were replaced."""


@frozen
class Options:
    merge: bool = option(False, "Intersect the member with the schema around it, instead of replacing its keywords.")


@node_rule(
    on=COMBINERS,
    writes=EVERYTHING,
    introduces=lambda options: EVERYTHING if options.merge else (),
    peeks=EVERYTHING,
    spawns=lambda options: options.merge,
    effect=Effect.BOTH,
    options=Options,
)
def collapse_combiners(schema: Schema, options: Options) -> Rewrite:
    """
    Put the first member that is not null in the place of `anyOf` and `oneOf`.

    For providers without unions. The member's keywords replace those of the schema
    around it, but `properties` and other maps are united, name by name, and so are
    `required` and `allOf`; with `merge` the two are intersected. What only the other
    members accept is refused afterwards.

    Before:
        {"description": "When.", "anyOf": [{"type": "null"}, {"type": "string"}, {"type": "integer"}]}
    After:
        {"description": "When.", "type": "string"}

    Before:
        {"properties": {"a": {"type": "string"}}, "oneOf": [{"properties": {"b": {"type": "string"}}}]}
    After:
        {"properties": {"a": {"type": "string"}, "b": {"type": "string"}}}

    Before (merge: true):
        {"type": "string", "minLength": 5, "anyOf": [{"minLength": 3}, {"pattern": "^x"}]}
    After:
        {"type": "string", "minLength": 5}

    Unchanged:
        {"allOf": [{"type": "string"}]}
    """
    join = _intersected if options.merge else _overlaid
    result: Schema | bool = without(schema, COMBINERS)
    effects: list[Callable[[], Effect]] = []
    replaced: list[Callable[[], Schema]] = [lambda: {name: schema[name] for name in COMBINERS if name in schema}]
    waiting = _unions(schema)
    while waiting and isinstance(result, dict):
        keyword, members = waiting.pop(0)
        chosen = _first(members)
        effects.append(partial(_choosing, keyword, members, chosen))
        if isinstance(chosen, dict):
            result, effect, lost = join(result, without(chosen, COMBINERS))
            effects.append(effect)
            replaced.append(lost)
            if isinstance(result, dict):
                # The member's own unions, and those that an intersection brought up from an allOf, come next.
                waiting = [*_unions(chosen), *_unions(result), *waiting]
                result = without(result, COMBINERS)
    return Rewrite(result, effect=partial(_joined, effects), lost=partial(_all_lost, replaced))


def _joined(effects: list[Callable[[], Effect]]) -> Effect:
    changes = [effect for one in effects if (effect := one()) is not Effect.EXACT]
    return reduce(or_, changes) if changes else Effect.EXACT


def _all_lost(replaced: list[Callable[[], Schema]]) -> Schema:
    """What was lost: of a keyword that was replaced twice, its first value."""
    return {keyword: value for one in reversed(replaced) for keyword, value in one().items()}


def _unions(schema: Schema) -> list[Union]:
    """The node's unions, each with those of its members that something can match."""
    return [
        (keyword, [one for one in schema[keyword] if isinstance(one, dict) or one is True])
        for keyword in COMBINERS
        if keyword in schema and isinstance(schema[keyword], list)
    ]


def _first(members: list[Any]) -> Schema | bool | None:
    """The first member that is not null, else the first, else None."""
    return next((member for member in members if not _is_null(member)), members[0] if members else None)


def _is_null(member: Schema | bool) -> bool:
    """Whether a schema says that it wants null."""
    if not isinstance(member, dict):
        return False
    values = member.get("enum", [member["const"]] if "const" in member else None)
    if isinstance(values, list) and values:
        return all(value is None for value in values)
    return member.get("type") in ("null", ["null"])


def _choosing(keyword: str, members: list[Any], chosen: Schema | bool | None) -> Effect:
    """The effect of letting one member stand for a union."""
    if chosen is None:
        return Effect.WIDENS
    others = [member for member in members if member is not chosen]
    effect = Effect.NARROWS if others else Effect.EXACT
    if keyword == "oneOf" and not _are_apart(chosen, others, len(members)):
        # What two members accept, oneOf refused.
        effect |= Effect.WIDENS
    return effect


def _are_apart(chosen: Schema | bool, others: list[Any], members: int) -> bool:
    """Whether the chosen member stands once among them all, and no other accepts what it accepts."""
    return len(others) == members - 1 and all(intersect(chosen, other).schema is False for other in others)


def _intersected(parent: Schema, member: Schema) -> Join:
    if UNEVALUATED & parent.keys():
        # An intersection keeps them from seeing what the member evaluates.
        return _overlaid(parent, member)
    outcome = intersect(parent, member)
    return outcome.schema, lambda: outcome.effect, dict


def _overlaid(parent: Schema, member: Schema) -> Join:
    """The parent with the member's keywords in the place of its own, or united with them."""
    joined = {**parent, **member}
    for keyword in parent.keys() & member.keys():
        joined[keyword] = _united(keyword, parent[keyword], member[keyword])
    return joined, partial(_overlaying, parent, member, joined), partial(_replaced, parent, member, joined)


def _replaced(parent: Schema, member: Schema, joined: Schema) -> Schema:
    return {
        keyword: value
        for keyword, value in parent.items()
        if keyword in member and not _holds(keyword, joined[keyword], value)
    }


def _united(keyword: str, outer: JsonValue, inner: JsonValue) -> JsonValue:
    if keyword in MAPS and isinstance(outer, dict) and isinstance(inner, dict):
        # References mean the definition of the place they lead to, which is the outer one.
        return {**inner, **outer} if keyword in DEFINITIONS else {**outer, **inner}
    if keyword in LISTS and isinstance(outer, list) and isinstance(inner, list):
        return [*outer, *(one for one in inner if not any(json_equal(one, known) for known in outer))]
    return inner


def _holds(keyword: str, joined: JsonValue, value: JsonValue) -> bool:
    """Whether the joined keyword still says all that it said before."""
    if keyword in MAPS and isinstance(value, dict) and isinstance(joined, dict):
        return all(name in joined and json_equal(joined[name], member) for name, member in value.items())
    if keyword in LISTS and isinstance(value, list) and isinstance(joined, list):
        return True
    return json_equal(joined, value)


def _overlaying(parent: Schema, member: Schema, joined: Schema) -> Effect:
    if ANNOTATIONS.issuperset(parent):
        # The usual case: the member alone decides.
        return Effect.EXACT
    outcome = intersect(_asserted(parent), _asserted(member))
    return outcome.effect if json_equal(outcome.schema, _asserted(joined)) else Effect.BOTH


def _asserted(schema: Schema) -> Schema:
    return {keyword: value for keyword, value in schema.items() if dropping(schema, {keyword})}
