"""Say `dependentRequired` and `dependentSchemas` as unions."""

from collections.abc import Iterator

from schemaflow import EVERYTHING, Effect, Order, Rewrite, Schema, Unsupported, node_rule, without
from schemaflow.algebra import conjoined, intersect

DEPENDENT = frozenset({"dependentRequired", "dependentSchemas"})


@node_rule(
    on=DEPENDENT,
    writes=EVERYTHING,
    peeks=EVERYTHING,
    spawns=True,
    effect=Effect.EXACT,
    order=Order.CHILDREN_FIRST,
)
def fold_dependencies(schema: Schema) -> Rewrite:
    """
    Say `dependentRequired` and `dependentSchemas` as unions.

    Either the property is not there, or it is there and what depends on it holds.
    Nearly no provider reads these keywords; unions most of them read.

    Before:
        {"type": "object", "dependentRequired": {"card": ["address"]}}
    After:
        {
          "anyOf": [
            {"type": "object", "properties": {"card": false}},
            {"type": "object", "required": ["card", "address"]}
          ]
        }

    Before:
        {"type": "object", "dependentSchemas": {"card": {"properties": {"cash": false}}}}
    After:
        {
          "anyOf": [
            {"type": "object", "properties": {"card": false}},
            {"type": "object", "required": ["card"], "properties": {"cash": false}}
          ]
        }

    Before:
        {"type": "string", "dependentRequired": {}}
    After:
        {"type": "string"}

    Unchanged:
        {"properties": {"dependentRequired": {"type": "string"}}}
    """
    return conjoined(without(schema, DEPENDENT), *_unions(schema))


def _unions(schema: Schema) -> Iterator[Schema]:
    lists, schemas = schema.get("dependentRequired", {}), schema.get("dependentSchemas", {})
    if not isinstance(lists, dict) or not isinstance(schemas, dict):
        raise Unsupported("a keyword for dependencies holds no map")
    for name, names in lists.items():
        if not isinstance(names, list) or not all(isinstance(one, str) for one in names):
            raise Unsupported(f"dependentRequired of {name!r} is no list of names")
        yield _union(name, {"required": list(dict.fromkeys([name, *names]))})
    for name, also in schemas.items():
        if not isinstance(also, (dict, bool)):
            raise Unsupported(f"dependentSchemas of {name!r} is no schema")
        yield _union(name, intersect({"type": "object", "required": [name]}, also, distribute=True).schema)


def _union(name: str, present: Schema | bool) -> Schema:
    absent: Schema = {"properties": {name: False}}
    if not isinstance(present, dict):
        return absent
    return {"anyOf": [absent, {"type": "object", **present}]}
