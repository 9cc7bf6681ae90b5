"""Small rules that between them use every part of a contract, for laws about the engine."""

from typing import Any

from schemaflow import (
    BOOLEAN,
    EVERY,
    EVERYTHING,
    Below,
    Effect,
    Order,
    Rewrite,
    Rule,
    Traced,
    Unsupported,
    document_rule,
    inherit,
    node_rule,
    without,
)
from schemaflow.adapters import to_bytes
from schemaflow.keywords import subschemas
from tests.places import levels

BOTH = Effect.BOTH


@node_rule(on={"type"}, writes={"title"}, effect=Effect.EXACT)
def titles_typed(schema: Any) -> Any:
    return schema if "title" in schema else {**schema, "title": "typed"}


@node_rule(
    on={("type", "string"), ("type", list), ("minimum", int)}, writes={"format"}, introduces={"format"}, effect=BOTH
)
def formats_valued(schema: Any) -> Any:
    return {**schema, "format": "valued"} if "format" not in schema else schema


@node_rule(on={EVERY}, writes={"$comment"}, effect=Effect.EXACT)
def comments_every(schema: Any) -> Any:
    return schema if "$comment" in schema else {**schema, "$comment": "seen"}


@node_rule(on={"title"}, writes={"title", "description"}, introduces={"description"}, effect=Effect.EXACT)
def title_to_description(schema: Any) -> Any:
    return {("description" if keyword == "title" else keyword): value for keyword, value in schema.items()}


@node_rule(on={"const"}, writes=EVERYTHING, introduces=(), effect=BOTH)
def constant_to_false(schema: Any) -> Any:
    return False


@node_rule(on={BOOLEAN}, writes={"title"}, effect=Effect.EXACT)
def titles_booleans(schema: Any) -> Any:
    return {"title": "always" if schema else "never"}


@node_rule(on={BOOLEAN}, writes={"not"}, spawns=True, effect=Effect.EXACT)
def boolean_to_object(schema: Any) -> Any:
    return {} if schema is True else {"not": {}}


@node_rule(on={"allOf"}, writes=EVERYTHING, introduces=(), peeks=EVERYTHING, effect=BOTH)
def hoists_a_lone_branch(schema: Any) -> Any:
    branches = schema["allOf"]
    return branches[0] if isinstance(branches, list) and len(branches) == 1 and _is_schema(branches[0]) else schema


@node_rule(on={"nullable"}, writes=EVERYTHING, introduces={"anyOf", "type"}, spawns=True, effect=BOTH)
def nullable_to_any_of(schema: Any) -> Any:
    return {"anyOf": [without(schema, {"nullable"}), {"type": "null"}]}


@node_rule(on={"properties"}, writes={"required"}, peeks={"type"}, effect=BOTH)
def requires_strings(schema: Any) -> Any:
    members = schema["properties"] if isinstance(schema["properties"], dict) else {}
    names = [name for name, one in members.items() if isinstance(one, dict) and one.get("type") == "string"]
    return schema if schema.get("required") == names else {**schema, "required": names}


@node_rule(on={"items", "not"}, writes={"description"}, peeks={"title", "description"}, effect=Effect.EXACT)
def quotes_children(schema: Any) -> Any:
    found = [
        child.get("title", child.get("description")) for _, _, child in subschemas(schema) if isinstance(child, dict)
    ]
    text = " ".join(str(one) for one in found if isinstance(one, str))
    return schema if not text or schema.get("description") == text else {**schema, "description": text}


@node_rule(on={"definitions"}, writes={"definitions", "$defs"}, introduces={"$defs"}, effect=BOTH)
def renames_definitions(schema: Any) -> Any:
    return {("$defs" if keyword == "definitions" else keyword): value for keyword, value in schema.items()}


@node_rule(on={("items", list)}, writes={"items", "prefixItems"}, introduces={"prefixItems"}, effect=BOTH)
def items_to_prefix_items(schema: Any) -> Any:
    return {**without(schema, {"items", "prefixItems"}), "prefixItems": schema["items"]}


@node_rule(on={"additionalProperties"}, writes={"additionalProperties"}, effect=BOTH)
def closes(schema: Any) -> Any:
    return schema if schema["additionalProperties"] is False else {**schema, "additionalProperties": False}


@node_rule(on={"pattern", "enum"}, writes={"pattern"}, introduces=(), effect=Effect.WIDENS)
def drops_patterns_or_refuses(schema: Any) -> Any:
    if "enum" in schema:
        raise Unsupported("it has an enum")
    return Rewrite(without(schema, {"pattern"}), note="gone", lost={"pattern": schema["pattern"]})


@node_rule(on={EVERY}, writes={"x-count"}, peeks={"x-count"}, order=Order.CHILDREN_FIRST, effect=Effect.EXACT)
def counts_below(schema: Any) -> Any:
    counts = [child.get("x-count") for _, _, child in subschemas(schema) if isinstance(child, dict)]
    count = 1 + sum(one for one in counts if isinstance(one, int))
    return schema if schema.get("x-count") == count else {**schema, "x-count": count}


@node_rule(on={"title"}, writes={"title"}, introduces=(), order=Order.CHILDREN_FIRST, effect=Effect.EXACT)
def shortens_titles_late(schema: Any) -> Any:
    return without(schema, {"title"}) if schema["title"] == "T" else schema


@node_rule(
    on={"contains"}, writes={"contains"}, spawns=True, introduces={"not"}, order=Order.CHILDREN_FIRST, effect=BOTH
)
def negates_contains_late(schema: Any) -> Any:
    return {**schema, "contains": {"not": schema["contains"]}}


@node_rule(on={"anyOf"}, writes=EVERYTHING, introduces=(), peeks=EVERYTHING, order=Order.CHILDREN_FIRST, effect=BOTH)
def hoists_a_choice_late(schema: Any) -> Any:
    members = schema["anyOf"]
    return members[0] if isinstance(members, list) and members and _is_schema(members[0]) else schema


@node_rule(on={BOOLEAN, "minimum"}, writes={"minimum", "title"}, order=Order.CHILDREN_FIRST, effect=BOTH)
def titles_booleans_late(schema: Any) -> Any:
    return {"title": "late"} if isinstance(schema, bool) else without(schema, {"minimum"})


@document_rule(on={"$defs"}, writes={"x-defs"}, effect=Effect.EXACT)
def marks_definitions(document: Any) -> Any:
    if not isinstance(document, dict) or "$defs" not in document or "x-defs" in document:
        return document
    return {**document, "x-defs": True}


@document_rule(writes={"x-deep", "title"}, levels=2, effect=Effect.EXACT)
def marks_deep_documents(document: Any) -> Any:
    if not isinstance(document, dict) or "x-deep" in document or levels(document) <= 2:
        return document
    return {**document, "x-deep": True, "title": "deep"}


@document_rule(writes={"x-long"}, length=60, effect=Effect.EXACT)
def marks_long_documents(document: Any) -> Any:
    if not isinstance(document, dict) or "x-long" in document or len(to_bytes(document)) <= 60:
        return document
    return {**document, "x-long": True}


@document_rule(on={"$ref"}, introduces=(), effect=BOTH)
def inlines_definitions(document: Any) -> Traced:
    """Put definitions in the place of references, the same object everywhere, and not within themselves."""
    definitions = document.get("$defs") if isinstance(document, dict) else None

    def visit(node: Any, state: bool) -> Below[bool]:
        target = _definition(definitions, node)
        return Below(node, state) if target is None else Below(target, None)

    return inherit(document, visit, True, levels=250)


def _definition(definitions: Any, node: Any) -> Any:
    reference = node.get("$ref") if isinstance(node, dict) else None
    if not isinstance(reference, str) or not isinstance(definitions, dict):
        return None
    target = definitions.get(reference.removeprefix("#/$defs/"))
    return target if isinstance(target, dict) and "$ref" not in target else None


@document_rule(introduces={"x-level"}, effect=Effect.EXACT)
def numbers_levels(document: Any) -> Traced:
    def visit(node: Any, level: int) -> Below[int]:
        return Below({**node, "x-level": level} if isinstance(node, dict) else node, level + 1)

    return inherit(document, visit, 0, levels=250)


def _is_schema(value: Any) -> bool:
    return isinstance(value, (dict, bool))


RULES: list[Rule] = [value for value in list(globals().values()) if isinstance(value, Rule)]
