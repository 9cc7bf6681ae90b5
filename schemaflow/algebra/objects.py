"""The conjunction of the keywords about the names of objects, one keyword at a time."""

from collections.abc import Callable, Sequence
from typing import Any

from schemaflow.algebra.merged import Merged, gathered, same_list, same_map
from schemaflow.algebra.sides import is_schema
from schemaflow.algebra.steps import Steps, together
from schemaflow.keywords import JsonValue, Schema


def is_names(value: JsonValue) -> bool:
    """Whether a value is a list of names."""
    return isinstance(value, list) and all(isinstance(name, str) for name in value)


def is_map_of(check: Callable[[JsonValue], bool], value: JsonValue) -> bool:
    """Whether a value is a map with only such members."""
    return isinstance(value, dict) and all(map(check, value.values()))


def merge_required(shares: Sequence[Schema]) -> Merged:
    """All names, each once."""
    return Merged({"required": _all_names([share["required"] for share in shares])})


def merge_dependent_required(shares: Sequence[Schema]) -> Merged:
    """For each name, all that it requires."""
    merged = {name: _all_names(lists) for name, lists in gathered(shares, "dependentRequired").items()}
    return Merged({"dependentRequired": same_map(shares[0]["dependentRequired"], merged)})


def merge_dependent_schemas(shares: Sequence[Schema]) -> Steps[Merged]:
    """Name by name."""
    merged = yield from merge_by_name("dependentSchemas", gathered(shares, "dependentSchemas"))
    return Merged({"dependentSchemas": same_map(shares[0]["dependentSchemas"], merged)})


def merge_dependencies(shares: Sequence[Schema]) -> Steps[Merged]:
    """Name by name; lists of names, or schemas. Of both, the schemas are left."""
    names: dict[str, Any] = {}
    rest: list[Schema] = []
    for name, values in gathered(shares, "dependencies").items():
        lists = [value for value in values if isinstance(value, list)]
        schemas = [value for value in values if not isinstance(value, list)]
        if schemas:
            names[name] = yield from together(schemas, "dependencies", name)
            rest.extend({"dependencies": {name: required}} for required in lists)
        else:
            names[name] = _all_names(lists)
    return Merged({"dependencies": same_map(shares[0]["dependencies"], names)}, tuple(rest))


def merge_property_names(shares: Sequence[Schema]) -> Steps[Merged]:
    """What all say of the names."""
    merged = yield from together([share["propertyNames"] for share in shares], "propertyNames")
    return Merged({"propertyNames": merged})


def merge_by_name(word: str, members: dict[str, list[Any]]) -> Steps[dict[str, Schema | bool]]:
    """For each name, what its members say together."""
    merged: dict[str, Schema | bool] = {}
    for name, schemas in members.items():
        merged[name] = yield from together(schemas, word, name)
    return merged


def is_dependencies(share: Schema) -> bool:
    """Whether each of `dependencies` is a schema or a list of names."""
    return is_map_of(lambda value: is_schema(value) or is_names(value), share["dependencies"])


def _all_names(lists: Sequence[list[str]]) -> list[str]:
    names = list(dict.fromkeys(name for each in lists for name in each))
    return lists[0] if len(names) == len(lists[0]) else same_list(lists[0], names)
