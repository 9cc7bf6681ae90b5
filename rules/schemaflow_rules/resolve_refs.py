"""Put what they refer to in the place of references."""

from typing import Literal

from attrs import asdict, frozen

from schemaflow import Effect, JsonValue, Traced, document_rule, option
from schemaflow.inlining import Terms, inline
from schemaflow.references import KEYS


@frozen
class Options:
    keep: Literal["none", "cyclic", "resolvable"] = option(
        "none", "Which references stay: none, those to definitions on a cycle, or all that lead somewhere."
    )
    inline_under: tuple[str, ...] = option(
        (), "References to what lies below these keywords never stay: for keywords that a later step drops."
    )
    inline_joint: bool = option(
        False, "Those that speak of an object together with other schemas do not stay: for steps that close objects."
    )
    unroll: int = option(1, "How many times a definition on a cycle is entered again before it is cut.", minimum=0)
    depth: int | None = option(
        None,
        "How many objects may lie inside one another before recursion ends: for a later step that cuts there.",
        minimum=0,
    )
    siblings: Literal["intersect", "standard", "drop"] = option(
        "intersect", "What stands beside a reference: it holds too, or only where the draft says so, or it is dropped."
    )
    last: Literal["object", "any"] = option(
        "object", "What stands for a reference that leads nowhere or goes on for ever: an object, or anything."
    )


@document_rule(on=KEYS, effect=Effect.BOTH, keeps_evaluation=True, options=Options)
def resolve_refs(document: JsonValue, options: Options) -> Traced:
    """
    Put what they refer to in the place of references.

    For providers that refuse `$ref`, or follow fewer references than authors write.
    What stands beside a reference holds too, and its description wins. Recursion is
    cut: below the cut only the type is left. A reference that leads nowhere becomes an
    object of any kind. Definitions stay for `drop_definitions` to drop, but an inlined
    copy goes without its own.

    With `keep`, references stay, as JSON Pointers from the root; a target that would
    not be at its place any more moves to `$defs`.

    Nothing is fetched. Inlining stops where the document would become too big.

    Before:
        {"properties": {"a": {"$ref": "#/$defs/A", "title": "First"}}, "$defs": {"A": {"type": "string"}}}
    After:
        {"properties": {"a": {"type": "string", "title": "First"}}, "$defs": {"A": {"type": "string"}}}

    Before:
        {"properties": {"a": {"$ref": "#/properties/b", "maxLength": 5}, "b": {"type": "string", "maxLength": 9}}}
    After:
        {"properties": {"a": {"maxLength": 5, "type": "string"}, "b": {"type": "string", "maxLength": 9}}}

    Before (unroll: 0):
        {"$defs": {"L": {"type": "array", "items": {"$ref": "#/$defs/L"}}}, "properties": {"l": {"$ref": "#/$defs/L"}}}
    After:
        {
          "$defs": {"L": {"type": "array", "items": {"$ref": "#/$defs/L"}}},
          "properties": {"l": {"type": "array", "items": {"type": "array"}}}
        }

    Before (keep: resolvable):
        {"items": {"$ref": "#/$defs/Gone"}, "contains": {"$ref": "#/$defs/A"}, "$defs": {"A": {"type": "string"}}}
    After:
        {"items": {"type": "object"}, "contains": {"$ref": "#/$defs/A"}, "$defs": {"A": {"type": "string"}}}

    Before (keep: resolvable, inline_joint: true):
        {
          "$defs": {"A": {"type": "object", "properties": {"a": {"$ref": "#/$defs/A"}}}},
          "allOf": [{"$ref": "#/$defs/A"}, {"properties": {"b": true}}]
        }
    After:
        {
          "$defs": {"A": {"type": "object", "properties": {"a": {"$ref": "#/$defs/A"}}}},
          "allOf": [{"type": "object", "properties": {"a": {"$ref": "#/$defs/A"}}}, {"properties": {"b": true}}]
        }

    Before (unroll: 9, depth: 1):
        {"type": "object", "properties": {"items": {"type": "array", "items": {"$ref": "#"}}}}
    After:
        {"type": "object", "properties": {"items": {"type": "array", "items": {"type": "object"}}}}

    Before (siblings: drop):
        {"items": {"$ref": "#/$defs/A", "title": "First"}, "$defs": {"A": {"type": "string"}}}
    After:
        {"items": {"type": "string"}, "$defs": {"A": {"type": "string"}}}

    Before (last: any):
        {"items": {"$ref": "#/$defs/Gone"}}
    After:
        {"items": {}}

    Unchanged:
        {"properties": {"$ref": {"type": "string"}}, "default": {"$ref": "#/properties/$ref"}}

    Unchanged (keep: cyclic):
        {"properties": {"next": {"$ref": "#"}}}
    """
    return inline(document, Terms(**asdict(options)))
