"""References that lead nowhere, looked up by `referencing`: the engine's own knowledge is not asked."""

from collections.abc import Iterator
from typing import Any, Final
from urllib.parse import unquote

from referencing import Registry
from referencing.exceptions import Unresolvable
from referencing.jsonschema import DRAFT202012

from schemaflow.keywords import JsonValue

ONE: Final = (
    "additionalItems additionalProperties contains contentSchema else if items not propertyNames then "
    "unevaluatedItems unevaluatedProperties"
).split()
MANY: Final = ["allOf", "anyOf", "items", "oneOf", "prefixItems"]
NAMED: Final = ["$defs", "definitions", "dependencies", "dependentSchemas", "patternProperties", "properties"]
REFERENCES: Final = ["$ref", "$dynamicRef", "$recursiveRef"]
"""Where schemas and references stand, written down here once more."""


def children(schema: dict[str, Any]) -> Iterator[Any]:
    """The direct subschemas of a schema, and what stands in the place of one."""
    yield from (schema[keyword] for keyword in ONE if isinstance(schema.get(keyword), dict))
    yield from (child for keyword in MANY if isinstance(schema.get(keyword), list) for child in schema[keyword])
    yield from (
        child for keyword in NAMED if isinstance(schema.get(keyword), dict) for child in schema[keyword].values()
    )


def nodes(document: JsonValue) -> Iterator[dict[str, Any]]:
    """Every schema object in a document, the root first."""
    waiting = [document]
    while waiting:
        schema = waiting.pop()
        if isinstance(schema, dict):
            yield schema
            waiting.extend(children(schema))


def dangling(document: JsonValue) -> list[str]:
    """The references in a schema, and in what these lead to, that lead to no schema."""
    found: list[str] = []
    seen: set[int] = set()
    if isinstance(document, dict) and not isinstance(document.get("$id", ""), str):
        # What is no name names nothing; `referencing` takes it for one.
        document = {keyword: value for keyword, value in document.items() if keyword != "$id"}
    waiting: list[tuple[Any, Any]] = [(document, Registry().resolver_with_root(DRAFT202012.create_resource(document)))]
    while waiting:
        schema, resolver = waiting.pop()
        if not isinstance(schema, dict) or id(schema) in seen:
            continue
        seen.add(id(schema))
        if schema is not document and isinstance(schema.get("$id"), str):
            resolver = resolver.in_subresource(DRAFT202012.create_resource(schema))
        for keyword in REFERENCES:
            if keyword in schema:
                target = _looked_up(document, resolver, schema[keyword])
                if target is None:
                    found.append(f"{keyword} {schema[keyword]!r}")
                else:
                    waiting.append(target)
        waiting.extend((child, resolver) for child in children(schema))
    return found


def _looked_up(document: JsonValue, resolver: Any, ref: Any) -> tuple[Any, Any] | None:
    """The schema that a reference leads to, with what looks up the references in it."""
    try:
        found = resolver.lookup(ref)
        target = found.contents, found.resolver
    except AttributeError:
        # `referencing` looks for schemas on the way where 2020-12 has them, which is not in lists of `items`.
        target = pointed_at(document, ref), resolver
    except (Unresolvable, TypeError, ValueError):
        return None
    return target if isinstance(target[0], (dict, bool)) else None


def pointed_at(document: JsonValue, ref: Any) -> Any:
    """What a JSON Pointer from the root leads to."""
    if not isinstance(ref, str) or not ref.startswith("#/"):
        return None
    value = document
    for token in unquote(ref[2:]).split("/"):
        name = token.replace("~1", "/").replace("~0", "~")
        try:
            value = value[int(name)] if isinstance(value, list) else value[name]
        except (KeyError, IndexError, TypeError, ValueError):
            return None
    return value
