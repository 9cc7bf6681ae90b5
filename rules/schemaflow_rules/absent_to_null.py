"""Require every property, with null for those that are absent."""

from collections.abc import Mapping
from typing import Any, Literal

from attrs import evolve, frozen

from schemaflow import Effect, JsonValue, Rewrite, Schema, Traced, document_rule, option, without
from schemaflow.codecs import MARK, Absence, Members, codec_of, marked
from schemaflow.codecs.nullity import boxed, may_be_null, with_null
from schemaflow.codecs.places import SAYS_NOTHING, Places, at_free_places, is_apart, types_of
from schemaflow.codecs.walking import targets_of

OWN = frozenset({"type", "properties", "required", "additionalProperties"})
COUNTS = frozenset({"minProperties", "maxProperties"})
"""What is counted where every property is there, is another matter."""


@frozen
class Options:
    null_means: Literal["absent", "boxed"] = option(
        "absent", "What null says of a property that may be left out and may be null, too: it is boxed, or absent."
    )
    box: str = option("value", "The name of the only member of an object around a value that may itself be null.")


@document_rule(
    on={"properties"},
    writes={"properties", "required", *COUNTS},
    introduces={"required", "anyOf", "type", "additionalProperties"},
    effect=Effect.BOTH,
    encodes=True,
    options=Options,
)
def absent_to_null(document: JsonValue, options: Options) -> Traced:
    """
    Require every property, with null for those that are absent.

    For strict providers, where no property is optional. What is null for being absent is
    left out again when arguments are decoded. A property that may be null itself is boxed, so that
    all three cases stay apart, or null says that it is absent, unless its default is
    something else: less comes back then. `minProperties` and
    `maxProperties` are dropped. One way only, leave the step out: what is optional
    stays so.

    Before:
        {
          "type": "object",
          "properties": {"a": {"type": "string"}, "b": {"type": "string", "enum": ["x"], "title": "B"}},
          "required": ["a"]
        }
    After:
        {
          "type": "object",
          "properties": {
            "a": {"type": "string"},
            "b": {"title": "B", "anyOf": [{"type": "string", "enum": ["x"]}, {"type": "null"}]}
          },
          "required": ["a", "b"]
        }

    Before:
        {"type": "object", "properties": {"a": {"type": ["string", "null"]}, "b": {"type": "number"}}}
    After:
        {
          "type": "object",
          "properties": {"a": {"type": ["string", "null"]}, "b": {"type": ["number", "null"]}},
          "required": ["a", "b"]
        }

    Before (null_means: boxed):
        {"type": "object", "properties": {"a": {"type": ["string", "null"]}}}
    After:
        {
          "type": "object",
          "properties": {
            "a": {
              "anyOf": [
                {
                  "type": "object",
                  "properties": {"value": {"type": ["string", "null"]}},
                  "required": ["value"],
                  "additionalProperties": false
                },
                {"type": "null"}
              ]
            }
          },
          "required": ["a"]
        }

    Unchanged:
        {"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a"]}
    """
    targets = targets_of(document)
    return at_free_places(document, lambda node, places: _rewritten(node, places, targets, options))


def _rewritten(node: Schema, places: Places, targets: Mapping[int, JsonValue], options: Options) -> Schema | Rewrite:
    known = codec_of(node)
    properties, stated = node.get("properties"), node.get("required", [])
    if node.get("type") != "object" or not isinstance(properties, dict) or not isinstance(stated, list):
        return node
    if not node.keys() - SAYS_NOTHING - {MARK} <= OWN | COUNTS:
        return node
    codec = Members() if known is None else known
    if not isinstance(codec, Members):
        # Another codec says already what stands for what is absent.
        return node
    skipped = {*map(str, stated), codec.extra, *(name for name, schema in properties.items() if schema is False)}
    optional = [name for name in properties if name not in skipped]
    if not optional:
        return node
    members: dict[str, Any] = dict(properties)
    nullable: dict[str, Absence] = {}
    lost: list[str] = []
    for name in optional:
        members[name], meaning, is_lost = _nullable(properties[name], places, targets, options)
        if meaning is not None:
            nullable[codec.names.get(name, name)] = meaning
        if is_lost:
            lost.append(name)
    absent = {codec.names.get(name, name) for name in optional}
    codec = evolve(codec, absent=codec.absent | absent, nullable={**codec.nullable, **nullable})
    counted = {word: node[word] for word in node if word in COUNTS}
    result = marked({**without(node, COUNTS), "properties": members, "required": [*stated, *optional]}, codec)
    notes = [f"null and absent are one: {', '.join(lost)}"] if lost else []
    if not all(_is_apart(node, other, [*stated, *optional]) for other in places.others(node)):
        notes.append("another member of the union may take what is written")
    effect = (Effect.NARROWS if notes else Effect.EXACT) | (Effect.WIDENS if counted else Effect.EXACT)
    return Rewrite(result, effect=effect, note="; ".join(notes), lost=counted)


def _nullable(
    schema: JsonValue, places: Places, targets: Mapping[int, JsonValue], options: Options
) -> tuple[Schema, Absence | None, bool]:
    """A property that is null where it is absent, what null says where it may be null, and whether that loses any."""
    if not may_be_null(schema, targets):
        return with_null(schema, places), None, False
    if options.null_means == "boxed":
        return with_null(boxed(schema, options.box), places), Absence.ABSENT, False
    if codec_of(schema) is not None:
        # Its own null is written otherwise.
        return with_null(schema, places), Absence.ABSENT, False
    return schema if _says_null(schema) else with_null(schema, places), _meaning(schema), True


def _is_apart(node: Schema, other: JsonValue, required: list[str]) -> bool:
    """Whether no object that is written for a node is accepted by another member of a union."""
    if node.get("additionalProperties") is False and "patternProperties" not in node:
        return is_apart(other, list(node["properties"]), required)
    types = types_of(other)
    return types is not None and "object" not in types


def _says_null(schema: JsonValue) -> bool:
    """Whether a node says by itself that null is accepted."""
    return may_be_null(schema, {}) and isinstance(schema, dict) and not schema.keys().isdisjoint(("type", "anyOf"))


def _meaning(schema: JsonValue) -> Absence:
    default = schema.get("default") if isinstance(schema, dict) else None
    return Absence.ABSENT if default is None else Absence.NULL
