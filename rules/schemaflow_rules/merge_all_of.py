"""Merge every `allOf` into the schema that holds it."""

from typing import Literal

from attrs import frozen

from schemaflow import (
    EVERYTHING,
    Effect,
    JsonValue,
    Order,
    Rewrite,
    Schema,
    Unsupported,
    json_equal,
    node_rule,
    option,
    without,
)
from schemaflow.algebra import intersect_all

JOINED = frozenset({"properties", "required"})


@frozen
class Options:
    mode: Literal["intersect", "seed"] = option("intersect", "Intersect, or lay one member over the other.")
    residual: Literal["keep", "drop"] = option("drop", "What becomes of conditions that one schema cannot hold.")
    unions: Literal["keep", "distribute"] = option(
        "keep", "What becomes of an anyOf beside other conditions: it stays, or they go into each of its members."
    )
    impossible: Literal["refuse", "leave"] = option("refuse", "Where nothing can match: say false, or leave allOf.")


@node_rule(
    on={"allOf"},
    writes=EVERYTHING,
    peeks=EVERYTHING,
    spawns=True,
    effect=lambda options: Effect.BOTH if options.mode == "seed" else Effect.WIDENS,
    order=Order.CHILDREN_FIRST,
    options=Options,
)
def merge_all_of(schema: Schema, options: Options) -> Schema | Rewrite:
    """
    Merge every `allOf` into the schema that holds it.

    For providers without `allOf`, and for steps that want every keyword in one place.
    The result accepts what all accepted: bounds and enums are intersected, properties
    of one name too. Conditions that no single schema can hold, such as a second
    pattern, are named and dropped, so that more is accepted, or stay in an `allOf`.

    Before:
        {"minimum": 0, "allOf": [{"type": "number", "minimum": 5}, {"type": "integer"}]}
    After:
        {"minimum": 5, "type": "integer"}

    Before (residual: drop):
        {"allOf": [{"pattern": "a"}, {"pattern": "b"}]}
    After:
        {"pattern": "a"}

    Before (residual: keep):
        {"minLength": 1, "allOf": [{"pattern": "a"}, {"minLength": 3, "pattern": "b"}]}
    After:
        {"minLength": 3, "allOf": [{"pattern": "b"}], "pattern": "a"}

    Before (unions: distribute):
        {"allOf": [{"anyOf": [{"type": "string"}, {"type": "null"}]}, {"minLength": 1}]}
    After:
        {"anyOf": [{"type": "string", "minLength": 1}, {"type": "null"}]}

    Before (impossible: refuse):
        {"properties": {"a": {"allOf": [{"type": "string"}, {"type": "integer"}]}}}
    After:
        {"properties": {"a": false}}

    Unchanged (impossible: leave):
        {"properties": {"a": {"allOf": [{"type": "string"}, {"type": "integer"}]}}}

    Before (mode: seed):
        {"allOf": [{"enum": ["a", "b"]}, {"enum": ["b", "c"]}]}
    After:
        {"enum": ["b", "c"]}

    Unchanged:
        {"anyOf": [{"type": "string"}, {"type": "integer"}]}
    """
    if options.mode == "seed":
        return _laid_over(schema)
    residual, distribute = options.residual == "keep", options.unions == "distribute"
    outcome = intersect_all([schema], residual=residual, distribute=distribute)
    if outcome.schema is schema:
        return schema
    note = "; ".join(outcome.notes)
    if outcome.schema is False and options.impossible == "leave":
        raise Unsupported(note or "nothing can match")
    return Rewrite(outcome.schema, effect=outcome.effect, note=note)


def _laid_over(schema: Schema) -> Schema:
    """The members one over the other, below the schema's own keywords, but for those that join."""
    if not isinstance(schema["allOf"], list):
        return schema
    folded: Schema = {}
    for member in schema["allOf"]:
        if isinstance(member, dict):
            folded |= {
                keyword: _joined(keyword, folded.get(keyword, value), value) for keyword, value in member.items()
            }
    rest = without(schema, {"allOf", "type"} if "type" in folded else {"allOf"})
    joined = {name: _joined(name, rest[name], folded[name]) for name in JOINED & rest.keys() & folded.keys()}
    return {**folded, **rest, **joined}


def _joined(keyword: str, earlier: JsonValue, later: JsonValue) -> JsonValue:
    if keyword == "properties" and isinstance(earlier, dict) and isinstance(later, dict):
        return {**earlier, **later}
    if keyword == "required" and isinstance(earlier, list) and isinstance(later, list):
        return [*earlier, *(name for name in later if name not in earlier)]
    if keyword == "type" and not json_equal(earlier, later):
        return "object"
    return later
