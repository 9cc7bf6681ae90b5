"""The kinds of codecs, each alone: what it writes it reads back, and it reads anything."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from schemaflow import JsonValue, Schema, json_equal, json_key
from schemaflow.codecs import (
    Absence,
    Codec,
    Constants,
    Members,
    Pairs,
    Text,
    Tuple,
    Wrapped,
    codec_of,
    marked,
    stripped,
)
from schemaflow.codecs.kinds import ABSENT, Settled
from schemaflow.errors import NotEncodable

NAMES = st.sampled_from(["a", "b", "c", "key", "value", "rest", "<codec>", "$codec", "item_1", "item_2"])
LEAVES = st.none() | st.booleans() | st.integers(-9, 9) | st.floats(-2, 2) | st.text(max_size=3) | NAMES
VALUES = st.recursive(
    LEAVES, lambda inside: st.lists(inside, max_size=3) | st.dictionaries(NAMES, inside, max_size=3), max_leaves=8
)
OBJECTS = st.dictionaries(NAMES, VALUES, max_size=5)
CODECS: list[Codec] = [
    Text(),
    Wrapped("value"),
    Constants((("1", 1), ("true", True), ("x", "x"))),
    Pairs(),
    Pairs("k", "v"),
    Members(),
    Members(names={"b": "a", "_c": "c"}),
    Members(absent=frozenset({"a", "b"}), nullable={"b": Absence.NULL, "a": Absence.ABSENT}),
    Members(names={"b": "a"}, absent=frozenset({"a"}), extra="rest", pairs=Pairs()),
    Tuple(("item_1", "item_2"), 1),
    Tuple(("item_1", "item_2"), 0, "rest", frozenset({1})),
    Tuple(("item_1", "item_2"), 1, "rest", omits=True),
]
NODE: Schema = {"properties": {"b": {}, "_c": {}, "rest": {}}}


def sent(value: JsonValue) -> JsonValue:
    """What a codec writes, its parts as they are sent."""
    if isinstance(value, Settled):
        return value.value
    if isinstance(value, dict):
        return {name: member.value if isinstance(member, Settled) else member for name, member in value.items()}
    return value


def there_and_back(codec: Codec, value: JsonValue, node: Schema) -> JsonValue:
    encoded = sent(codec.encode(value, node))
    return codec.decode(encoded, encoded, node)


@pytest.mark.parametrize("codec", CODECS, ids=lambda codec: type(codec).__name__)
@pytest.mark.parametrize("node", [{}, NODE, {"properties": []}], ids=["silent", "declared", "wrong"])
@given(VALUES)
def test_decode_takes_anything_and_changes_nothing(codec: Codec, node: Schema, value: JsonValue) -> None:
    before = json_key(_copy(value))

    codec.decode(value, value, node)

    assert json_key(value) == before


def _copy(value: JsonValue) -> JsonValue:
    if isinstance(value, dict):
        return {name: _copy(member) for name, member in value.items()}
    return [_copy(member) for member in value] if isinstance(value, list) else value


@pytest.mark.parametrize("codec", CODECS, ids=lambda codec: type(codec).__name__)
@given(VALUES)
def test_what_is_written_is_read_back_or_refused(codec: Codec, value: JsonValue) -> None:
    try:
        back = there_and_back(codec, value, NODE)
    except NotEncodable:
        return

    if isinstance(codec, Members) and isinstance(value, dict):
        # A declared null that means absent is gone, as the codec was told.
        value = {name: one for name, one in value.items() if one is not None or not _means_absent(codec, name)}
        # One that is absent comes back as null where null is what it says.
        nulls = [name for name, means in codec.nullable.items() if means is Absence.NULL and name in NODE["properties"]]
        value = {**dict.fromkeys(nulls), **value}
    if isinstance(codec, Tuple) and not codec.omits:
        value = _up_to_absent(codec, value)
    assert json_equal(back, value)


def _means_absent(codec: Members, name: str) -> bool:
    return name in codec.absent and codec.nullable.get(name) is not Absence.NULL


def _up_to_absent(codec: Tuple, value: list[Any]) -> list[Any]:
    """Only boxes tell a null from an end: here the codec stands alone."""
    ends = (index for index in codec.nullable if index < len(value) and value[index] is None)
    return value[: next(ends, len(value))]


@pytest.mark.parametrize("text", ["{", "", "x", "[1", "NaN", '"a', "\ud800"])
def test_text_that_is_no_json_stays_text(text: str) -> None:
    assert Text().decode(text, text, {}) == text


def test_text_is_compact_json_that_no_codec_further_in_writes_again() -> None:
    assert Text().encode({"a": [1, "é"]}, {}) == Settled('{"a":[1,"é"]}')


@pytest.mark.parametrize("value", [object(), float("nan"), [{1}]])
def test_what_has_no_json_text_is_refused(value: Any) -> None:
    with pytest.raises(NotEncodable, match="no JSON text"):
        Text().encode(value, {})


@pytest.mark.parametrize("value", [2**70, "\ud800", "é", -0.5, [[]]])
def test_odd_values_have_a_text_too(value: JsonValue) -> None:
    assert there_and_back(Text(), value, {}) == value
    Text().encode(value, {}).value.encode()


@pytest.mark.parametrize("value", [{}, {"value": 1, "b": 2}, {"other": 1}, [], "value", None])
def test_only_the_wrapper_is_taken_off(value: JsonValue) -> None:
    assert Wrapped("value").decode(value, value, {}) == value


def test_constants_are_told_apart_as_json_does() -> None:
    codec = Constants((("one", 1), ("yes", True), ("text", "1"), ("list", [1])))

    assert [codec.encode(value, {}) for value in (1.0, True, "1", [1.0])] == ["one", "yes", "text", "list"]
    with pytest.raises(NotEncodable, match="none of the constants"):
        codec.encode([True], {})


def test_of_two_pairs_with_one_key_the_last_counts() -> None:
    pairs = [{"key": "a", "value": 1}, {"key": "a", "value": 2}]

    assert Pairs().decode(pairs, pairs, {}) == {"a": 2}


@pytest.mark.parametrize(
    "pair", [{}, {"key": 1, "value": 1}, {"key": "a"}, {"key": "a", "value": 1, "b": 2}, "a", None]
)
def test_a_list_in_which_one_is_no_pair_stays_a_list(pair: JsonValue) -> None:
    value = [{"key": "a", "value": 1}, pair]

    assert Pairs().decode(value, value, {}) == value


def test_members_are_renamed_absent_and_paired() -> None:
    codec = Members(names={"b": "a"}, absent=frozenset({"a", "c"}), extra="rest")
    node: Schema = {"properties": {"b": {}, "c": {}, "rest": {}}}

    encoded = codec.encode({"a": 1, "x": 2}, node)

    assert encoded == {"b": 1, "c": ABSENT, "rest": [{"key": "x", "value": 2}]}
    assert there_and_back(codec, {"a": 1, "x": 2}, node) == {"a": 1, "x": 2}


def test_a_declared_name_among_the_pairs_is_ignored() -> None:
    value = {"a": 1, "rest": [{"key": "a", "value": 2}, {"key": "x", "value": 3}, "no pair"]}

    assert Members(extra="rest").decode(value, value, {"properties": {"a": {}, "rest": {}}}) == {"a": 1, "x": 3}


def test_an_undeclared_member_of_a_renamed_name_is_ignored() -> None:
    value = {"_a": 1, "$a": 2}

    assert Members(names={"_a": "$a"}).decode(value, value, {"properties": {"_a": {}}}) == {"$a": 1}


def test_names_may_change_places() -> None:
    codec = Members(names={"a": "b", "b": "a"})
    node: Schema = {"properties": {"a": {}, "b": {}}}

    assert codec.encode({"a": 1, "b": 2}, node) == {"b": 1, "a": 2}
    assert there_and_back(codec, {"a": 1, "b": 2}, node) == {"a": 1, "b": 2}


@pytest.mark.parametrize(
    ("codec", "value", "tokens", "reason"),
    [
        (Pairs(), [], (), "no object but array"),
        (Members(), "x", (), "no object but string"),
        (Members(absent=frozenset({"b"})), {"b": None}, ("b",), "absent"),
        (Members(names={"b": "a"}), {"b": 1}, ("b",), "another property"),
        (Tuple(("x",), 1), {}, (), "no array but object"),
        (Tuple(("x",), 1), [], (), "fewer than 1"),
        (Tuple(("x",), 1), [1, 2], (), "more than 1"),
        (Tuple(("x",), 0), [None], (0,), "absent"),
    ],
)
def test_what_cannot_be_written_is_refused_at_its_place(
    codec: Codec, value: JsonValue, tokens: tuple[str | int, ...], reason: str
) -> None:
    with pytest.raises(NotEncodable, match=reason) as caught:
        codec.encode(value, NODE)

    assert caught.value.tokens == tokens


@pytest.mark.parametrize("value", [{"item_1": 1, "other": 2}, [1], "x", None])
def test_what_is_no_tuple_stays_what_it_is(value: JsonValue) -> None:
    assert Tuple(("item_1",), 0).decode(value, value, {}) == value


def test_a_tuple_ends_at_the_first_element_that_is_absent() -> None:
    value = {"item_1": 1, "item_2": None, "rest": [3]}

    assert Tuple(("item_1", "item_2"), 1, "rest").decode(value, value, {}) == [1]


@pytest.mark.parametrize(
    ("codec", "tokens", "value", "expected"),
    [
        (Wrapped("value"), ("value", 1), [], (1,)),
        (Pairs(), (1, "value", "x"), {"a": 1, "b": 2}, ("b", "x")),
        (Pairs(), (), {}, ()),
        (Members(names={"b": "a"}), ("b", 0), {}, ("a", 0)),
        (Members(extra="rest"), ("c",), {}, ("c",)),
        (Tuple(("x", "y"), 0, "rest"), ("y", "a"), [], (1, "a")),
        (Tuple(("x", "y"), 0, "rest"), ("rest", 1, "a"), [], (3, "a")),
        (Tuple(("x", "y"), 0, "rest"), (), [], ()),
        (Text(), ("a",), {}, ("a",)),
    ],
)
def test_places_are_those_in_the_authors_value(
    codec: Codec, tokens: tuple[str | int, ...], value: JsonValue, expected: tuple[str | int, ...]
) -> None:
    assert codec.located(tokens, value, {}) == expected


def test_no_json_forges_a_mark() -> None:
    forged = {"<codec>": "Text()", "type": "string", "properties": {"<codec>": {"type": "string"}}}

    assert codec_of(forged) is None
    assert stripped(forged) is forged


def test_marks_are_taken_off_at_every_level() -> None:
    inner = marked({"type": "string"}, Text())
    document = marked({"type": "object", "properties": {"a": inner}, "anyOf": [inner, True]}, Members())

    plain = {"type": "string"}
    assert stripped(document) == {"type": "object", "properties": {"a": plain}, "anyOf": [plain, True]}
    assert codec_of(document) == Members()
