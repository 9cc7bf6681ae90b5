"""Ask for JSON text where any value may stand."""

from typing import Any

from attrs import frozen

from schemaflow import Effect, JsonValue, Rewrite, Schema, Traced, document_rule, option
from schemaflow.adapters import to_bytes
from schemaflow.codecs import MARK, Text, marked
from schemaflow.codecs.places import SAYS_NOTHING, Places, at_free_places

SAID = "Any JSON value, as JSON text."


@frozen
class Options:
    tell: bool = option(True, "Say in the description that JSON text is asked for.")


@document_rule(
    on={"properties", "items", "prefixItems"},
    introduces={"type", "description"},
    effect=Effect.EXACT,
    encodes=True,
    options=Options,
)
def any_to_text(document: JsonValue, options: Options) -> Traced:
    """
    Ask for JSON text where any value may stand.

    For providers that take no schema without a type: properties and elements of which
    nothing is said become strings, and what a model answers is read as JSON when arguments
    are decoded; text that is no JSON is the string that it is. Members of which only
    `additionalProperties` speaks stay. One way only, `require_types` gives such places a type.

    Before:
        {"type": "object", "properties": {"a": {"title": "A"}, "b": true}}
    After:
        {
          "type": "object",
          "properties": {
            "a": {"type": "string", "title": "A", "description": "Any JSON value, as JSON text."},
            "b": {"type": "string", "description": "Any JSON value, as JSON text."}
          }
        }

    Before (tell: false):
        {"type": "array", "items": {"description": "What was seen.", "default": {"a": 1}}}
    After:
        {"type": "array", "items": {"type": "string", "description": "What was seen.", "default": "{\\"a\\":1}"}}

    Unchanged:
        {"type": "object", "additionalProperties": true}
    """
    return at_free_places(document, lambda node, places: _rewritten(node, places, options))


def _rewritten(node: Schema, places: Places, options: Options) -> Schema | Rewrite:
    fresh: dict[str, Any] = {}
    for word in ("properties", "items", "prefixItems"):
        held = node.get(word)
        if held is None or not places.holds(node, word):
            continue
        if word == "properties" and isinstance(held, dict):
            fresh[word] = {name: _text(member, places, options) for name, member in held.items()}
        elif word == "items" and isinstance(held, (dict, bool)):
            fresh[word] = _text(held, places, options)
        elif word == "prefixItems" and isinstance(held, list):
            fresh[word] = [_text(member, places, options) for member in held]
    changed = {word: value for word, value in fresh.items() if not _is_same(value, node[word])}
    return Rewrite({**node, **changed}, lost={}) if changed else node


def _is_same(new: Any, old: Any) -> bool:
    if isinstance(old, list):
        return all(one is other for one, other in zip(new, old, strict=True))
    if isinstance(new, dict) and isinstance(old, dict) and new.keys() == old.keys():
        return new is old or all(new[name] is old[name] for name in new)
    return new is old


def _text(schema: JsonValue, places: Places, options: Options) -> Any:
    """The string in the place of a schema that says nothing; the schema itself elsewhere."""
    if schema is True:
        schema = {}
    elif not isinstance(schema, dict) or not places.is_free(schema) or not schema.keys() - {MARK} <= SAYS_NOTHING:
        return schema
    texts = {word: _written(word, value) for word, value in schema.items()}
    said = texts.get("description")
    if options.tell:
        texts["description"] = f"{said} {SAID}" if isinstance(said, str) and said else SAID
    return marked({"type": "string", **texts}, Text())


def _written(word: str, value: JsonValue) -> JsonValue:
    """A keyword's value where the values of its node are written as text."""
    if word == "default":
        return to_bytes(value).decode()
    if word == "examples" and isinstance(value, list):
        return [to_bytes(one).decode() for one in value]
    return value
