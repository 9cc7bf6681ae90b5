"""Put a root that is no object into one."""

from typing import Any

from attrs import frozen

from schemaflow import (
    BOOLEAN,
    EVERY,
    Below,
    Effect,
    JsonValue,
    Limits,
    Rewrite,
    Schema,
    Traced,
    Unsupported,
    document_rule,
    inherit,
    option,
)
from schemaflow.codecs import Pairs, Text, Wrapped, codec_of, marked
from schemaflow.codecs.walking import paths_of_targets
from schemaflow.origins import nodes
from schemaflow.references import fragment

STAYING = frozenset({"$schema", "$defs", "definitions", "$id"})
UNIONS = frozenset({"anyOf", "oneOf", "allOf", "not", "if", "$ref"})
NAMED = frozenset({"$dynamicRef", "$recursiveRef", "$dynamicAnchor", "$recursiveAnchor", "id"})


@frozen
class Options:
    key: str = option("value", "The name of the only property of the object around the root.")


@document_rule(
    on={EVERY, BOOLEAN},
    writes={"type", "properties", "required", "additionalProperties", "$ref", "$defs"},
    introduces={"type", "properties", "required", "additionalProperties", "$ref", "$defs"},
    effect=Effect.EXACT,
    encodes=True,
    options=Options,
)
def wrap_root(document: JsonValue, options: Options) -> JsonValue | Traced:
    """
    Put a root that is no object into one.

    For providers whose arguments are an object, and no union at the root: what a model
    answers is taken out again when arguments are decoded. Definitions stay at the root, and a
    root that something refers to becomes one. One way only, `require_types` says object.

    Before:
        {"type": "array", "items": {"$ref": "#/$defs/A"}, "$defs": {"A": {"type": "string"}}}
    After:
        {
          "type": "object",
          "properties": {"value": {"type": "array", "items": {"$ref": "#/$defs/A"}}},
          "required": ["value"],
          "additionalProperties": false,
          "$defs": {"A": {"type": "string"}}
        }

    Before (key: entry):
        {"anyOf": [{"type": "null"}, {"type": "array", "items": {"$ref": "#"}}]}
    After:
        {
          "type": "object",
          "properties": {"entry": {"$ref": "#/$defs/entry"}},
          "required": ["entry"],
          "additionalProperties": false,
          "$defs": {"entry": {"anyOf": [{"type": "null"}, {"type": "array", "items": {"$ref": "#/$defs/entry"}}]}}
        }

    Unchanged:
        {"type": "object", "properties": {"a": {"type": "string"}}}
    """
    if _is_object(document):
        return document
    known = [node for _, node in nodes(document) if isinstance(node, dict)]
    if any(not NAMED.isdisjoint(node) or ("$id" in node and node is not document) for node in known):
        raise Unsupported("names and dynamic references may mean something else in an object around the root")
    home = _free_name(document, options.key)
    leads = _leads(document, known, home)
    wrapped = _wrapped(document, leads, options.key, home)

    def visit(node: Any, state: bool) -> Below[bool]:
        if node is document:
            said = Rewrite(wrapped, effect=Effect.EXACT, note="the root is no object", lost={})
            return Below(wrapped, state, said)
        if id(node) in leads:
            led = {**node, "$ref": leads[id(node)]}
            return Below(led, state, Rewrite(led, effect=Effect.EXACT, lost={}))
        return Below(node, state)

    return inherit(document, visit, True, levels=2 * Limits().nesting)


def _is_object(document: JsonValue) -> bool:
    """Whether a root is an object that needs nothing around it."""
    if not isinstance(document, dict) or document.get("type") != "object" or not UNIONS.isdisjoint(document):
        return False
    return codec_of(document) is None or not isinstance(codec_of(document), (Pairs, Text))


def _free_name(document: JsonValue, name: str) -> str:
    known = document.get("$defs") if isinstance(document, dict) else None
    while isinstance(known, dict) and name in known:
        name += "_"
    return name


def _wrapped(document: JsonValue, leads: dict[int, str], key: str, home: str) -> Schema:
    inside, staying = document, {}
    if isinstance(document, dict):
        staying = {word: value for word, value in document.items() if word in STAYING}
        inside = {word: value for word, value in document.items() if word not in STAYING}
        if id(document) in leads:
            inside["$ref"] = leads[id(document)]
    if leads:
        definitions = staying.get("$defs")
        staying["$defs"] = {**(definitions if isinstance(definitions, dict) else {}), home: inside}
        inside = {"$ref": fragment(("$defs", home))}
    wrapper = {"type": "object", "properties": {key: inside}, "required": [key], "additionalProperties": False}
    return marked({**wrapper, **staying}, Wrapped(key))


def _leads(document: JsonValue, known: list[Schema], home: str) -> dict[int, str]:
    """The references that lead elsewhere then, by the ids of their nodes."""
    paths = paths_of_targets(document)
    found: dict[int, str] = {}
    for node in known:
        path = paths.get(id(node))
        if path is None or path[:1] in (("$defs",), ("definitions",)):
            continue
        if not str(node["$ref"]).startswith("#"):
            raise Unsupported(f"the reference {node['$ref']!r} leads into the root by a URI")
        if str(node["$ref"]) == "#" or str(node["$ref"]).startswith("#/"):
            found[id(node)] = fragment(("$defs", home, *path))
    return found
