"""Values encoded and decoded beside a marked document: nesting, unions, references, and whatever a model sends."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from schemaflow import JsonValue, Schema
from schemaflow.codecs import Constants, Members, Pairs, Text, Tuple, Wrapped, marked
from schemaflow.codecs.walking import Coder
from schemaflow.errors import NotEncodable

STRING, INTEGER, NULL = {"type": "string"}, {"type": "integer"}, {"type": "null"}
ONE = marked({"type": "string", "enum": ["one"]}, Constants((("one", 1),)))
NAMES = st.sampled_from(["a", "b", "next", "value", "key", "item_1", "<codec>", "$a"])
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 3) | st.sampled_from(["one", "{}", "", "<codec>"]),
    lambda inside: st.lists(inside, max_size=3) | st.dictionaries(NAMES, inside, max_size=3),
    max_leaves=10,
)


def pairs_of(value: Any) -> Schema:
    """A list of pairs."""
    return marked(listed(value), Pairs())


def listed(value: Any) -> Schema:
    """The same without a codec of its own: the object around it has one."""
    pair = {
        "type": "object",
        "properties": {"key": STRING, "value": value},
        "required": ["key", "value"],
        "additionalProperties": False,
    }
    return {"type": "array", "items": pair}


def boxed(value: Any) -> Schema:
    """An object around a value."""
    node = {"type": "object", "properties": {"value": value}, "required": ["value"], "additionalProperties": False}
    return marked(node, Wrapped("value"))


def tuple_of(*elements: Any) -> Schema:
    """An object in a tuple's place."""
    names = tuple(f"item_{index + 1}" for index in range(len(elements)))
    node = {"type": "object", "properties": dict(zip(names, elements, strict=True)), "required": list(names)}
    return marked(node | {"additionalProperties": False}, Tuple(names, len(names)))


def object_of(codec: Members, **properties: Any) -> Schema:
    """An object with a codec."""
    return marked({"type": "object", "properties": properties}, codec)


LINKED: Schema = {
    "$ref": "#/$defs/node",
    "$defs": {"node": {"anyOf": [boxed({"type": "array", "items": {"$ref": "#/$defs/node"}}), ONE, NULL]}},
}
DOCUMENTS: dict[str, Any] = {
    "pairs": pairs_of(pairs_of(ONE)),
    "tuple": tuple_of(ONE, tuple_of(ONE, STRING)),
    "names": object_of(Members(names={"b": "a"}, absent=frozenset({"a"})), b={"anyOf": [ONE, NULL]}),
    "extra": object_of(Members(extra="rest"), a=ONE, rest=listed(ONE)),
    "text": {"type": "object", "additionalProperties": marked(STRING, Text())},
    "union": {"anyOf": [boxed(ONE), pairs_of(ONE), STRING]},
    "recursive": LINKED,
    "no union": {"anyOf": [ONE, {"anyOf": "no list"}], "properties": {"a": ONE}},
    "itself": {"$ref": "#/$defs/a", "$defs": {"a": {"$ref": "#/$defs/b"}, "b": {"$ref": "#/$defs/a"}}, "items": ONE},
    "nowhere": {"$ref": "#/$defs/none", "properties": {"a": ONE}},
    "wrong": {"properties": {"a": ONE, "b": 5}, "items": 3, "prefixItems": {"a": ONE}, "anyOf": None},
    "true": True,
    "forged": {"<codec>": "x", "properties": {"<codec>": ONE}},
}


@pytest.mark.parametrize("document", DOCUMENTS.values(), ids=DOCUMENTS)
@given(VALUES)
def test_decode_takes_anything(document: Any, value: JsonValue) -> None:
    coder = Coder(document)

    assert coder.decode(value) == Coder(document).decode(value)


@pytest.mark.parametrize("document", DOCUMENTS.values(), ids=DOCUMENTS)
@given(VALUES)
def test_encode_writes_or_refuses_with_a_place_in_the_value(document: Any, value: JsonValue) -> None:
    try:
        Coder(document).encode(value)
    except NotEncodable as failure:
        _follow(value, failure.tokens)


def _follow(value: Any, tokens: tuple[Any, ...]) -> None:
    """Each step of a pointer leads somewhere."""
    for token in tokens:
        value = value[token]


@pytest.mark.parametrize(
    ("name", "value", "encoded"),
    [
        ("pairs", {"a": {"b": 1}}, [{"key": "a", "value": [{"key": "b", "value": "one"}]}]),
        ("tuple", [1, [1, "x"]], {"item_1": "one", "item_2": {"item_1": "one", "item_2": "x"}}),
        ("names", {"a": 1}, {"b": "one"}),
        ("names", {}, {"b": None}),
        ("extra", {"a": 1, "z": 1}, {"a": "one", "rest": [{"key": "z", "value": "one"}]}),
        ("text", {"a": {"b": [1, None]}}, {"a": '{"b":[1,null]}'}),
        ("union", 1, {"value": "one"}),
        ("union", {"x": 1}, [{"key": "x", "value": "one"}]),
        ("union", "x", "x"),
        ("recursive", [1, None, [1]], {"value": ["one", None, {"value": ["one"]}]}),
        ("true", {"a": 1}, {"a": 1}),
        ("forged", {"<codec>": 1, "b": 2}, {"<codec>": "one", "b": 2}),
    ],
)
def test_what_is_written_at_each_level_is_read_back(name: str, value: JsonValue, encoded: JsonValue) -> None:
    coder = Coder(DOCUMENTS[name])

    assert coder.encode(value) == encoded
    assert coder.decode(encoded) == value


@pytest.mark.parametrize(
    ("name", "value", "tokens"),
    [
        ("pairs", {"a": {"b": 2}}, ("a", "b")),
        ("tuple", [1, [2, "x"]], (1, 0)),
        ("names", {"a": 2}, ("a",)),
        ("extra", {"a": 1, "z": 2}, ("z",)),
        ("recursive", 2, ()),
    ],
)
def test_a_refusal_points_into_the_authors_value(name: str, value: JsonValue, tokens: tuple[str | int, ...]) -> None:
    with pytest.raises(NotEncodable) as caught:
        Coder(DOCUMENTS[name]).encode(value)

    assert caught.value.tokens == tokens


def test_of_a_union_the_member_of_a_wrong_values_type_reads_it() -> None:
    union = {"anyOf": [NULL, {**tuple_of(ONE, INTEGER)}]}

    assert Coder(union).decode({"item_1": "one", "item_2": "no integer"}) == [1, "no integer"]


def test_of_a_document_that_no_validator_reads_types_tell_the_members() -> None:
    document = {"anyOf": [NULL, ONE, tuple_of(ONE)], "properties": {"a": {"anyOf": "no list"}}}

    assert Coder(document).encode([1]) == {"item_1": "one"}
    assert Coder(document).decode({"item_1": "one"}) == [1]


def test_a_node_in_two_places_is_read_in_both() -> None:
    document = {"type": "object", "properties": {"a": ONE, "b": ONE}, "additionalProperties": False}

    assert Coder(document).decode({"a": "one", "b": "one", "c": "one"}) == {"a": 1, "b": 1, "c": "one"}


def test_a_value_in_two_places_is_read_as_each_says() -> None:
    shared = ["one"]
    document = {"properties": {"a": {"type": "array", "items": ONE}, "b": {"type": "array", "items": STRING}}}

    assert Coder(document).decode({"a": shared, "b": shared}) == {"a": [1], "b": ["one"]}
    assert shared == ["one"]


def test_what_needs_no_codec_is_the_same_object() -> None:
    value = {"a": "x", "b": {"c": [1]}}
    document = {"properties": {"a": ONE, "b": {"type": "object"}}}

    assert Coder({"type": "object"}).is_needed is False
    assert Coder(document).decode(value) is value
    assert Coder(document).decode(value)["b"] is value["b"]


def test_a_definition_with_a_codec_that_nothing_uses_needs_no_decoding() -> None:
    assert not Coder({"type": "object", "$defs": {"a": ONE}}).is_needed


def test_references_that_go_round_leave_the_value_alone() -> None:
    document = {"properties": {"a": {"$ref": "#/properties/b"}, "b": {"$ref": "#/properties/a"}, "c": ONE}}

    assert Coder(document).decode({"a": 1, "b": [2], "c": "one"}) == {"a": 1, "b": [2], "c": 1}


@pytest.mark.parametrize("depth", [10_000])
def test_values_may_be_as_deep_as_memory_holds(depth: int) -> None:
    link = {"type": "object", "properties": {"next": {"$ref": "#/$defs/link"}, "value": ONE}}
    document = {"$ref": "#/$defs/link", "$defs": {"link": link}}
    value: Any = {"value": 1}
    for _ in range(depth):
        value = {"next": value}

    decoded = Coder(document).decode(Coder(document).encode(value))
    for _ in range(depth):
        decoded = decoded["next"]

    assert decoded == {"value": 1}


def test_a_refusal_10_000_levels_down_has_its_pointer() -> None:
    document = {"$ref": "#/$defs/link", "$defs": {"link": {"properties": {"next": {"$ref": "#"}, "value": ONE}}}}
    value: Any = {"value": 2}
    for _ in range(10_000):
        value = {"next": value}

    with pytest.raises(NotEncodable) as caught:
        Coder(document).encode(value)

    assert caught.value.tokens == ("next",) * 10_000 + ("value",)
