"""Write the members of a map as a list of pairs."""

from typing import Any

from schemaflow import Effect, JsonValue, Rewrite, Schema, Traced, document_rule
from schemaflow.codecs import MARK, Pairs, codec_of, marked
from schemaflow.codecs.places import SAYS_NOTHING, Places, at_free_places, types_of
from schemaflow.codecs.samples import with_samples

OWN = frozenset(
    "type properties additionalProperties patternProperties propertyNames minProperties maxProperties required".split()
)
COUNTS = {"minProperties": "minItems", "maxProperties": "maxItems"}


@document_rule(
    on={("type", "object")},
    writes={*OWN, *COUNTS.values(), "items", "default", "examples"},
    introduces={
        "items",
        "default",
        "examples",
        "pattern",
        "properties",
        "required",
        "additionalProperties",
        *COUNTS.values(),
    },
    effect=Effect.WIDENS,
    encodes=True,
)
def map_to_pairs(document: JsonValue) -> Traced:
    """
    Write the members of a map as a list of pairs.

    For providers whose objects have declared properties only; what a model answers is
    decoded to an object, and of two pairs with one key the last counts. More is accepted
    where two members or more, or certain ones, are required. Runs on objects without declared
    properties where nothing else speaks of them, with one pattern for all names at most, and
    not in a union with other objects or arrays. One way only, `close_objects` leaves none of the
    members.

    Before:
        {"type": "object", "additionalProperties": {"type": "integer"}, "minProperties": 1}
    After:
        {
          "type": "array",
          "items": {
            "type": "object",
            "properties": {"key": {"type": "string"}, "value": {"type": "integer"}},
            "required": ["key", "value"],
            "additionalProperties": false
          },
          "minItems": 1
        }

    Before:
        {"type": "object", "patternProperties": {"^x-": {"type": "string"}}, "additionalProperties": false}
    After:
        {
          "type": "array",
          "items": {
            "type": "object",
            "properties": {"key": {"type": "string", "pattern": "^x-"}, "value": {"type": "string"}},
            "required": ["key", "value"],
            "additionalProperties": false
          }
        }

    Unchanged:
        {"type": "object", "additionalProperties": false}

    Unchanged:
        {"type": "object", "properties": {"a": {"type": "string"}}}
    """
    return at_free_places(document, _rewritten)


def _rewritten(node: Schema, places: Places) -> Schema | Rewrite:
    said = node.keys() - SAYS_NOTHING - {MARK}
    if node.get("type") != "object" or node.get("properties", {}) != {} or codec_of(node) is not None:
        return node
    member = _member(node)
    if member is None or not said <= OWN or not all(map(_is_apart, places.others(node))):
        return node
    pair = {
        "type": "object",
        "properties": {"key": member[0], "value": member[1]},
        "required": ["key", "value"],
        "additionalProperties": False,
    }
    built: Schema = {word: value for word, value in node.items() if word not in OWN}
    built = {"type": "array", **built, "items": pair}
    built |= {new: node[old] for old, new in COUNTS.items() if old in node}
    least = node.get("minProperties", 0)
    lost = {word: node[word] for word in ("required",) if node.get(word)}
    if not isinstance(least, (int, float)) or least > 1:
        # One member may be written twice.
        lost["minProperties"] = least
    return Rewrite(with_samples(marked(built, Pairs())), effect=Effect.WIDENS if lost else Effect.EXACT, lost=lost)


def _member(node: Schema) -> tuple[Schema, Any] | None:
    """What a key and what a value must be, None where one pair does not say it."""
    patterns, others = node.get("patternProperties", {}), node.get("additionalProperties", True)
    names = node.get("propertyNames", True)
    if not isinstance(patterns, dict) or not isinstance(others, (dict, bool)):
        return None
    if not patterns:
        key = _key(names)
        return None if key is None or others is False else (key, others)
    if len(patterns) > 1 or others is not False or names is not True:
        return None
    ((pattern, value),) = patterns.items()
    return {"type": "string", "pattern": pattern}, value


def _key(names: JsonValue) -> Schema | None:
    if names is True:
        return {"type": "string"}
    if isinstance(names, dict) and names.keys() <= {"type", "pattern"} and names.get("type", "string") == "string":
        return {"type": "string", **names}
    return None


def _is_apart(other: JsonValue) -> bool:
    """Whether another member of a union takes neither objects nor arrays."""
    types = types_of(other)
    return types is not None and types.isdisjoint(("object", "array"))
