"""Whether values of a node may be null, and nodes that also accept null, which stands for what is absent then."""

from collections.abc import Mapping
from typing import Final

from schemaflow.codecs.kinds import Wrapped
from schemaflow.codecs.marks import codec_of, marked
from schemaflow.codecs.places import Places, types_of
from schemaflow.keywords import ANNOTATIONS, KEYWORDS, JsonValue, Schema

_SCALARS: Final = frozenset({"boolean", "integer", "number", "string"})


def may_be_null(schema: JsonValue, targets: Mapping[int, JsonValue]) -> bool:
    """
    Whether a node does not say by its type, or by the types of its members, that it refuses null.

    `targets` are what the references of nodes lead to, by the ids of these.
    """
    waiting = [schema]
    seen: set[int] = set()
    while waiting:
        one = waiting.pop()
        if id(one) in seen:
            continue
        seen.add(id(one))
        types = types_of(one)
        if types is not None:
            if "null" in types:
                return True
        elif isinstance(one, dict) and isinstance(one.get("enum"), list):
            if any(member is None for member in one["enum"]):
                return True
        elif isinstance(one, dict) and id(one) in targets:
            waiting.append(targets[id(one)])
        elif isinstance(one, dict) and isinstance(one.get("anyOf"), list) and codec_of(one) is None:
            waiting.extend(one["anyOf"])
        else:
            return one is not False
    return False


def with_null(schema: JsonValue, places: Places) -> Schema:
    """A node that accepts null, too. Texts stay with it, outside of the union that it may become."""
    if not isinstance(schema, dict):
        return {"anyOf": [schema, {"type": "null"}]}
    stated = schema.get("type")
    if isinstance(stated, str) and stated in _SCALARS and codec_of(schema) is None and all(map(_is_of_a_type, schema)):
        return {**schema, "type": [stated, "null"]}
    texts = {word: value for word, value in schema.items() if word in ANNOTATIONS}
    members = schema.get("anyOf")
    if isinstance(members, list) and schema.keys() <= {*texts, "anyOf"}:
        return {**schema, "anyOf": [*members, {"type": "null"}]}
    bare = {word: value for word, value in schema.items() if word not in texts} if texts else schema
    places.adopt(bare, schema)
    return {**texts, "anyOf": [bare, {"type": "null"}]}


def _is_of_a_type(word: str) -> bool:
    """Whether a keyword says nothing of null."""
    row = KEYWORDS.get(word)
    return row is None or word == "type" or word in ANNOTATIONS or bool(row.types)


def boxed(schema: JsonValue, key: str) -> Schema:
    """A node whose values stand alone in an object."""
    box = {"type": "object", "properties": {key: schema}, "required": [key], "additionalProperties": False}
    return marked(box, Wrapped(key))
