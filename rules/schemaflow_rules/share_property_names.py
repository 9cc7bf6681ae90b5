"""Declare a property in every schema that speaks of the same object."""

from collections.abc import Iterable, Iterator

from schemaflow import EVERYTHING, Effect, Schema, node_rule

BRANCHES = ("allOf", "anyOf", "oneOf")


@node_rule(
    on=BRANCHES,
    writes={"properties", *BRANCHES},
    introduces=(),
    peeks=EVERYTHING,
    spawns=True,
    effect=Effect.EXACT,
)
def share_property_names(schema: Schema) -> Schema:
    """
    Declare a property in every schema that speaks of the same object.

    A node and the members of its `allOf`, `anyOf` and `oneOf` speak of one object, and
    each declares properties of its own. While they are open, that is no matter;
    `close_objects` would have each refuse the properties of the others, and nothing
    would match. A union that stands alone is left as it is, since each of its members
    speaks for itself, and so is a schema that says what other properties may be.

    Before:
        {"allOf": [{"properties": {"a": {"type": "string"}}}, {"properties": {"b": {"type": "string"}}}]}
    After:
        {
          "allOf": [
            {"properties": {"a": {"type": "string"}, "b": {}}},
            {"properties": {"b": {"type": "string"}, "a": {}}}
          ]
        }

    Before:
        {"properties": {"a": {"type": "string"}}, "anyOf": [{"required": ["a"]}, {"properties": {"b": false}}]}
    After:
        {
          "properties": {"a": {"type": "string"}, "b": {}},
          "anyOf": [{"required": ["a"]}, {"properties": {"b": false, "a": {}}}]
        }

    Unchanged:
        {"anyOf": [{"properties": {"a": {"type": "string"}}}, {"properties": {"b": {"type": "string"}}}]}
    """
    if "unevaluatedProperties" in schema:
        return schema
    members = [place for place in _members(schema) if any(map(_speaks_of_objects, _together(place[2])))]
    speaks = _speaks_of_objects(schema)
    if not members or (not speaks and {keyword for keyword, _, _ in members} in ({"anyOf"}, {"oneOf"})):
        return schema
    # The names of all, in each of many members: one object for them all is looked at once.
    anything: Schema = {}
    names = sorted({name for one in _together(schema) for name in _declared(one)})
    undemanding: Schema = dict.fromkeys(names, anything)
    shared = _declaring(schema, undemanding) if speaks else schema
    for keyword, index, member in members:
        wider = _declaring(member, undemanding)
        if wider is not member:
            if shared is schema:
                shared = dict(schema)
            if shared[keyword] is schema[keyword]:
                shared[keyword] = list(schema[keyword])
            shared[keyword][index] = wider
    return shared


def _members(schema: Schema) -> Iterator[tuple[str, int, Schema]]:
    for keyword in BRANCHES:
        if isinstance(schema.get(keyword), list):
            yield from ((keyword, index, one) for index, one in enumerate(schema[keyword]) if isinstance(one, dict))


def _together(schema: Schema) -> Iterator[Schema]:
    """The schema and the members of its combiners, and theirs."""
    waiting = [schema]
    while waiting:
        one = waiting.pop()
        yield one
        waiting.extend(member for _, _, member in _members(one))


def _declared(schema: Schema) -> Iterable[str]:
    properties = schema.get("properties")
    return properties if isinstance(properties, dict) else ()


def _speaks_of_objects(schema: Schema) -> bool:
    stated = schema.get("type")
    return "properties" in schema or "object" in (stated if isinstance(stated, list) else [stated])


def _declaring(schema: Schema, undemanding: Schema) -> Schema:
    """The schema with these properties declared, those that it does not know without demands."""
    known = schema.get("properties", {})
    if not isinstance(known, dict) or "unevaluatedProperties" in schema:
        return schema
    if undemanding.keys() <= known.keys() or schema.get("additionalProperties", True) is not True:
        return schema
    new = {name: demands for name, demands in undemanding.items() if name not in known}
    return {**schema, "properties": {**known, **new}}
