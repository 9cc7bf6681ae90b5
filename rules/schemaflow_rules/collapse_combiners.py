"""Put the first member that is not null in the place of `anyOf` and `oneOf`."""

from functools import partial, reduce
from operator import or_
from typing import Any, NamedTuple, TypeAlias

from attrs import frozen

from schemaflow import EVERYTHING, Effect, JsonValue, Rewrite, Schema, dropping, json_equal, node_rule, option, without
from schemaflow.algebra import intersect
from schemaflow.keywords import ANNOTATIONS

COMBINERS = ("anyOf", "oneOf")
UNIONS = frozenset(COMBINERS)
DEFINITIONS = frozenset({"$defs", "definitions"})
MAPS = frozenset({"properties", "patternProperties", "dependentRequired", "dependentSchemas"}) | DEFINITIONS
LISTS = frozenset({"required", "allOf"})
NAMES = frozenset({"$id", "id", "$anchor", "$dynamicAnchor", "$recursiveAnchor"})
UNEVALUATED = frozenset({"unevaluatedProperties", "unevaluatedItems"})

Union: TypeAlias = tuple[str, list[Any]]


class Choice(NamedTuple):
    """One member chosen for a union: the schema around it before and after, and the effect of the intersection."""

    keyword: str
    members: list[Any]
    chosen: Schema | bool | None
    parent: Schema
    member: Schema | None = None
    joined: Schema | bool = True
    effect: Effect | None = None


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
    choices: list[Choice] = []
    result: Schema | bool = without(schema, UNIONS)
    waiting = _unions(schema)
    while waiting and isinstance(result, dict):
        choice = _chosen(*waiting.pop(0), result, merge=options.merge)
        choices.append(choice)
        if choice.member is not None:
            result = choice.joined
            # The member's own unions, and those that an intersection brought up from an allOf, come next.
            waiting = [*_unions(choice.chosen), *_unions(result), *waiting]
            result = _bare(result)
    # A choice is made quickly; what it costs is worked out where a report asks.
    return Rewrite(result, effect=partial(_effect, choices), lost=partial(_lost, schema, choices))


def _chosen(keyword: str, members: list[Any], parent: Schema, *, merge: bool) -> Choice:
    """The choice of the first member that is not null, joined with the schema around it."""
    chosen = _first(members)
    if not isinstance(chosen, dict):
        return Choice(keyword, members, chosen, parent)
    member = _bare(chosen)
    if merge and UNEVALUATED.isdisjoint(parent):
        # What names the schema around it names the result.
        names = {word: parent[word] for word in parent if word in NAMES}
        outcome = intersect(without(parent, names), member)
        joined = outcome.schema
        if names and joined is not False:
            joined = {**names, **(joined if isinstance(joined, dict) else {}), **names}
        return Choice(keyword, members, chosen, parent, member, joined, outcome.effect)
    # An intersection would keep the unevaluated keywords from seeing what the member evaluates.
    return Choice(keyword, members, chosen, parent, member, _overlaid(parent, member))


def _unions(schema: JsonValue) -> list[Union]:
    """The node's unions, each with those of its members that something can match."""
    if not isinstance(schema, dict) or UNIONS.isdisjoint(schema):
        return []
    return [
        (keyword, [one for one in schema[keyword] if isinstance(one, dict) or one is True])
        for keyword in COMBINERS
        if isinstance(schema.get(keyword), list)
    ]


def _bare(schema: JsonValue) -> Any:
    """A schema without its unions."""
    return without(schema, UNIONS) if isinstance(schema, dict) else schema


def _first(members: list[Any]) -> Any:
    """The first member that is not null, else the first, else None."""
    for member in members:
        if not _is_null(member):
            return member
    return members[0] if members else None


def _is_null(member: Schema | bool) -> bool:
    """Whether a schema says that it wants null."""
    if not isinstance(member, dict):
        return False
    if "enum" in member or "const" in member:
        values = member["enum"] if "enum" in member else [member["const"]]
        if isinstance(values, list) and values:
            return all(value is None for value in values)
    return member.get("type") in ("null", ["null"])


def _overlaid(parent: Schema, member: Schema) -> Schema:
    """The parent with the member's keywords in the place of its own, or united with them."""
    joined = {**parent, **member}
    if not parent.keys().isdisjoint(member):
        for keyword in parent.keys() & member.keys():
            joined[keyword] = _united(keyword, parent[keyword], member[keyword])
    return joined


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


def _lost(schema: Schema, choices: list[Choice]) -> Schema:
    """The unions, and what members replaced around them: of a keyword replaced twice, its first value."""
    lost: Schema = {}
    for choice in choices:
        if choice.member is not None and choice.effect is None:
            lost = {**_replaced(choice.parent, choice.member, choice.joined), **lost}
    return {**lost, **{keyword: schema[keyword] for keyword in COMBINERS if keyword in schema}}


def _replaced(parent: Schema, member: Schema, joined: Any) -> Schema:
    return {
        keyword: value
        for keyword, value in parent.items()
        if keyword in member and not _holds(keyword, joined[keyword], value)
    }


def _effect(choices: list[Choice]) -> Effect:
    """What all choices together do to the accepted values."""
    effects = [effect for choice in choices for effect in (_choosing(choice), _joining(choice))]
    changes = [effect for effect in effects if effect is not Effect.EXACT]
    return reduce(or_, changes) if changes else Effect.EXACT


def _choosing(choice: Choice) -> Effect:
    """The effect of letting one member stand for a union."""
    if choice.chosen is None:
        return Effect.WIDENS
    others = [member for member in choice.members if member is not choice.chosen]
    effect = Effect.NARROWS if others else Effect.EXACT
    if choice.keyword == "oneOf" and not _are_apart(choice.chosen, others, len(choice.members)):
        # What two members accept, oneOf refused.
        effect |= Effect.WIDENS
    return effect


def _are_apart(chosen: Schema | bool, others: list[Any], members: int) -> bool:
    """Whether the chosen member stands once among them all, and no other accepts what it accepts."""
    return len(others) == members - 1 and all(intersect(chosen, other).schema is False for other in others)


def _joining(choice: Choice) -> Effect:
    """The effect of one schema in the place of the chosen member and the schema around it."""
    if choice.effect is not None:
        return choice.effect
    if choice.member is None or ANNOTATIONS.issuperset(choice.parent):
        # The usual case: the member alone decides.
        return Effect.EXACT
    outcome = intersect(_asserted(choice.parent), _asserted(choice.member))
    return outcome.effect if json_equal(outcome.schema, _asserted(choice.joined)) else Effect.BOTH


def _asserted(schema: Any) -> Schema:
    return {keyword: value for keyword, value in schema.items() if dropping(schema, {keyword})}
