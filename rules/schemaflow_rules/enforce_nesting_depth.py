"""Cut objects that lie too deep to a bare `type: object`."""

from typing import Any

from attrs import frozen

from schemaflow import (
    Below,
    Effect,
    JsonValue,
    Limits,
    Rewrite,
    Schema,
    Traced,
    document_rule,
    dropping,
    inherit,
    option,
)


@frozen
class Options:
    depth: int = option(5, "How many objects may lie inside one another.", minimum=0)


@document_rule(
    on={"properties", ("type", "object")},
    introduces={"type"},
    levels=lambda options: options.depth,
    effect=Effect.BOTH,
    options=Options,
)
def enforce_nesting_depth(document: JsonValue, options: Options) -> Traced:
    """
    Cut objects that lie too deep to a bare `type: object`.

    For providers that refuse deep nesting. Only objects count: those whose type says
    so, and those with `properties`. What a cut object demanded of its members is
    forgotten, so more is accepted afterwards.

    Before (depth: 1):
        {"type": "object", "properties": {"a": {"type": "object", "required": ["b"]}}}
    After:
        {"type": "object", "properties": {"a": {"type": "object"}}}

    Unchanged (depth: 1):
        {"type": "object", "properties": {"a": {"type": "array", "items": {"type": "array"}}}}
    """

    def visit(node: Any, level: int) -> Below[int]:
        if not _is_object(node):
            return Below(node, level)
        if level < options.depth:
            return Below(node, level + 1)
        return _cut(node)

    return inherit(document, visit, 0, levels=Limits().nesting)


def _is_object(node: Any) -> bool:
    return isinstance(node, dict) and ("properties" in node or node.get("type") == "object")


def _cut(node: Schema) -> Below[int]:
    gone = node.keys() - {"type"}
    if not gone:
        return Below(node, None)
    cut = {"type": "object"}
    effect = dropping(node, gone) if node.get("type") == "object" else Effect.BOTH
    return Below(cut, None, Rewrite(cut, effect=effect))
