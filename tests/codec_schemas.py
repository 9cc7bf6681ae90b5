"""Schemas in normal form, drawn for the rules of codecs: unions, objects and arrays of what they are about."""

from hypothesis import strategies as st

from schemaflow import Schema

SIMPLE: list[Schema | bool] = [
    {"type": "string"},
    {"type": "string", "maxLength": 2},
    {"type": "integer"},
    {"type": "number", "minimum": 0},
    {"type": "boolean"},
    {"type": "null"},
    {"type": "object"},
    {"type": "object", "properties": {"value": {"type": "integer"}}, "additionalProperties": False},
    {"type": "array"},
    {},
    True,
    {"$ref": "#/$defs/node"},
]
NULL = {"type": "null"}
VALUES = st.sampled_from([1, 1.0, 2.5, 0, True, False, None, "", "1", "true", "a", [1], {"a": 1}, "1 (integer)"])
NAMES = st.sampled_from(["a", "_a", "$a", "@a", "a b", "a_b", "b", "class", "", "é", "long" * 20, "a_2"])
COUNTS = st.integers(0, 4)

simple = st.sampled_from(SIMPLE)


@st.composite
def constants(draw: st.DrawFn) -> Schema:
    """A node with an enum."""
    node: Schema = {"enum": draw(st.lists(VALUES, min_size=1, max_size=5))}
    if draw(st.booleans()):
        node["type"] = draw(st.sampled_from(["integer", "number", "boolean", "string", ["integer", "null"]]))
    if draw(st.booleans()):
        node["minimum"] = 1
    return node


def tuples(inside: st.SearchStrategy[Schema | bool]) -> st.SearchStrategy[Schema]:
    """An array with `prefixItems`, and what may stand beside them."""
    prefix = st.lists(inside | st.just(False), min_size=1, max_size=3)
    beside = {"items": inside | st.just(False), "minItems": COUNTS, "maxItems": COUNTS, "uniqueItems": st.booleans()}
    said = st.fixed_dictionaries({"prefixItems": prefix}, optional={**beside, "contains": simple})
    return said.map(lambda node: {"type": "array", **node})


def objects(inside: st.SearchStrategy[Schema | bool]) -> st.SearchStrategy[Schema]:
    """An object with names of all kinds."""
    said = st.fixed_dictionaries(
        {"properties": st.dictionaries(NAMES, inside, max_size=4)},
        optional={
            "required": st.lists(NAMES, max_size=2, unique=True),
            "additionalProperties": inside | st.just(False),
            "dependentRequired": st.dictionaries(NAMES, st.lists(NAMES, max_size=2, unique=True), max_size=1),
            "minProperties": COUNTS,
        },
    )
    return said.map(lambda node: {"type": "object", **node})


def unions(inside: st.SearchStrategy[Schema | bool]) -> st.SearchStrategy[Schema]:
    """A union."""
    return st.lists(inside, min_size=2, max_size=3).map(lambda members: {"anyOf": members})


def documents() -> st.SearchStrategy[Schema]:
    """A document, with a definition that may refer to itself."""
    grown = st.recursive(
        simple | constants(),
        lambda inside: unions(inside) | objects(inside) | tuples(inside),
        max_leaves=6,
    )
    schema = (objects(grown) | tuples(grown) | unions(grown) | constants()).filter(lambda node: "$ref" not in node)
    return st.builds(lambda node, target: {**node, "$defs": {"node": target}}, schema, grown)
