"""Drop the definitions that nothing refers to any more."""

from typing import Any

from schemaflow import Below, Effect, Limits, Schema, Unsupported, document_rule, inherit, without

DEFINITIONS = frozenset({"$defs", "definitions"})
REFERENCES = ("$ref", "$dynamicRef", "$recursiveRef")


@document_rule(on=DEFINITIONS, writes=DEFINITIONS, introduces=(), effect=Effect.EXACT)
def drop_definitions(document: Schema | bool) -> Schema | bool:
    """
    Drop the definitions that nothing refers to any more.

    Once every reference is resolved, the root's `$defs` and `definitions` only cost
    bytes, and some providers refuse them. They all stay while a reference is left
    that may lead there: none is ever left dangling.

    Before:
        {"type": "object", "$defs": {"A": {"type": "string"}}}
    After:
        {"type": "object"}

    Unchanged:
        {"properties": {"$defs": {"type": "string"}}}
    """
    if not isinstance(document, dict) or DEFINITIONS.isdisjoint(document):
        return document
    rest = without(document, DEFINITIONS)
    reference = next((one for one in _references(rest) if not _leads_elsewhere(one)), None)
    if reference is not None:
        raise Unsupported(f"the reference {reference!r} is left")
    return rest


def _references(schema: Schema) -> list[str]:
    found: list[str] = []

    def visit(node: Any, state: bool) -> Below[bool]:
        found.extend(str(node[keyword]) for keyword in REFERENCES if isinstance(node, dict) and keyword in node)
        return Below(node, state)

    inherit(schema, visit, True, levels=Limits().nesting)
    return found


def _leads_elsewhere(reference: str) -> bool:
    """Whether a reference surely leads to no definition: other places may hold references of their own."""
    return reference == "#" or reference.startswith("#/properties/")
