"""Write out once, among the definitions, what stands in several places."""

from collections.abc import Iterator, Mapping
from typing import Any

from attrs import frozen

from schemaflow import Below, Effect, JsonValue, Limits, Rewrite, Schema, Traced, document_rule, inherit, option
from schemaflow.origins import nodes
from schemaflow.references import fragment
from schemaflow.sizes import Sizes


@frozen
class Options:
    over: int = option(
        100_000, "Leave documents alone that are no longer than so many bytes when written out.", minimum=0
    )
    least: int = option(200, "How many bytes a schema has that is worth a definition.", minimum=0)


@document_rule(
    on={"$ref", "allOf", "anyOf", "properties"},
    writes={"$ref", "$defs"},
    effect=Effect.EXACT,
    keeps_evaluation=True,
    length=lambda options: options.over,
    options=Options,
)
def share_subtrees(document: JsonValue, options: Options) -> JsonValue | Traced:
    """
    Write out once, among the definitions, what stands in several places.

    Steps that inline references or distribute unions put the same schema in many
    places. In memory that costs nothing, but written out it can be bigger than any
    memory, and providers count bytes. To stand last.

    Before (over: 0, least: 40):
        {
          "properties": {
            "from": {"type": "string", "pattern": "^[A-Z]{3}$", "description": "An airport."},
            "to": {"type": "string", "pattern": "^[A-Z]{3}$", "description": "An airport."}
          }
        }
    After:
        {
          "properties": {"from": {"$ref": "#/$defs/shared_1"}, "to": {"$ref": "#/$defs/shared_1"}},
          "$defs": {
            "shared_1": {"type": "string", "pattern": "^[A-Z]{3}$", "description": "An airport."}
          }
        }

    Unchanged (over: 0):
        {"anyOf": [{"type": "string"}, {"type": "null"}]}
    """
    if not isinstance(document, dict) or not isinstance(document.get("$defs", {}), dict):
        return document
    sizes = Sizes(document)
    if sizes.length(document) <= options.over or _has_resources(document):
        return document
    worth = [node for node in sizes.repeated() if sizes.length(node) >= options.least and _may_move(node)]
    if not worth:
        return document
    definitions: Schema = dict(document.get("$defs", {}))
    names = _free_names(definitions)
    homes = {sizes.number(node): next(names) for node in worth}
    # A copy is at home: only the original is replaced.
    definitions |= {homes[sizes.number(node)]: node.copy() for node in worth}

    def visit(node: Any, state: bool) -> Below[bool]:
        home = homes.get(sizes.number(node)) if isinstance(node, dict) and sizes.knows(node) else None
        if home is None:
            return Below(node, state)
        reference = {"$ref": fragment(("$defs", home))}
        return Below(reference, None, Rewrite(reference, effect=Effect.EXACT, note="stands in several places", lost={}))

    return inherit({**document, "$defs": definitions}, visit, True, levels=2 * Limits().nesting)


def _has_resources(document: Schema) -> bool:
    """Whether a schema below the root has an `$id`: pointers inside do not start at the root."""
    return any(isinstance(node, dict) and node is not document and "$id" in node for _, node in nodes(document))


def _may_move(node: Schema) -> bool:
    """Whether a schema says the same elsewhere: not where references find it by its name."""
    return _NAMES.isdisjoint(node) and "$ref" not in node


_NAMES = frozenset({"$id", "id", "$anchor", "$dynamicAnchor", "$schema"})


def _free_names(taken: Mapping[str, Any]) -> Iterator[str]:
    count = 0
    while True:
        count += 1
        if f"shared_{count}" not in taken:
            yield f"shared_{count}"
