"""The door: JSON within limits comes in as it is, other spellings of it as plain copies, and nothing else."""

import math
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, date, datetime
from enum import Enum, IntEnum, StrEnum
from typing import Any
from uuid import UUID

import orjson
import pytest
from hypothesis import given

from schemaflow import JsonValue, LimitError, Limits, NotASchemaError, NotJsonError, Schema
from schemaflow.adapters import to_bytes
from schemaflow.drawing import json_documents, schemas
from schemaflow.intake import admit, plain_copy
from tests.effort import at_most


class Word(str):
    """A string that is no plain one."""

    __slots__ = ()


class Odd(Enum):
    """Members that JSON has no word for, whatever their values are."""

    A = "a"


class Spelled(StrEnum):
    """Members that are strings."""

    A = "a"


class Mixed(str, Enum):  # noqa: UP042 -- what everyone wrote before StrEnum
    """Members that are strings, and show themselves as something else."""

    A = "a"


class Counted(IntEnum):
    """Members that are integers."""

    ONE = 1


@dataclass
class Record:
    """Its fields look like an object's members."""

    a: int = 1


def plainness(value: JsonValue) -> bool:
    """Whether a value is made of the plain types alone."""
    if isinstance(value, dict):
        return type(value) is dict and all(type(key) is str and plainness(member) for key, member in value.items())
    if isinstance(value, list):
        return type(value) is list and all(map(plainness, value))
    return type(value) in (str, int, float, bool, type(None))


def nested(levels: int, keyword: str = "not") -> Schema:
    """That many schemas below one another."""
    schema: Schema = {}
    for _ in range(levels - 1):
        schema = {keyword: schema}
    return schema


# --- what comes in


@given(schemas())
def test_a_schema_comes_in_as_it_is(schema: Schema) -> None:
    document, raw = admit(schema)

    # Without bytes it is a copy: it holds an integer of more than 64 bits.
    assert document is schema or raw is None
    assert to_bytes(document) == to_bytes(schema)
    assert raw in (to_bytes(schema), None)


@pytest.mark.parametrize("schema", [True, False])
def test_a_boolean_is_a_schema(schema: bool) -> None:
    assert admit(schema) == (schema, to_bytes(schema))


@given(json_documents())
def test_whatever_a_keyword_says_comes_in_unchanged(value: JsonValue) -> None:
    document, _ = admit({"default": value})

    assert to_bytes(document) == to_bytes({"default": value})


@given(schemas(malformed=True))
def test_subclasses_come_in_as_a_plain_copy(schema: Schema) -> None:
    document, raw = admit(OrderedDict(schema) | {"title": Word("é")})

    assert plainness(document)
    assert raw is None
    assert to_bytes(document) == to_bytes(schema | {"title": "é"})


@pytest.mark.parametrize("value", [2**64, -(2**64), 10**400, "\ud800", {"\udfff": 1}, {"a": [Word("b")]}])
def test_what_orjson_refuses_comes_in_without_bytes(value: JsonValue) -> None:
    document, raw = admit({"default": value, "properties": {"a": {}}})

    assert raw is None
    assert document == {"default": value, "properties": {"a": {}}}
    assert plainness(document)


@pytest.mark.parametrize(
    ("value", "expected"),
    [(Spelled.A, "a"), (Mixed.A, "a"), (Counted.ONE, 1), ({Mixed.A: [Spelled.A]}, {"a": ["a"]})],
)
def test_members_that_are_strings_or_integers_come_in_as_these(value: Any, expected: JsonValue) -> None:
    document, _ = admit({"default": value, "properties": {"b": {"const": value}}})

    assert to_bytes(document) == to_bytes({"default": expected, "properties": {"b": {"const": expected}}})
    assert plainness(document)


def test_null_is_no_missing_number() -> None:
    schema = {"enum": [None, "null", 1], "default": None}

    assert admit(schema) == (schema, b'{"enum":[null,"null",1],"default":null}')


# --- what does not


@pytest.mark.parametrize("document", [None, 1, "true", [], (), [{}], b"{}"])
def test_a_root_that_is_no_schema_is_refused(document: Any) -> None:
    with pytest.raises(NotASchemaError, match="a schema is an object or a boolean, not"):
        admit(document)


@pytest.mark.parametrize(
    "value",
    [
        *(math.nan, math.inf, -math.inf, {1}, b"x", object(), 1j, Odd.A, UUID(int=1), orjson.Fragment(b"1"), Record()),
        *(date(2026, 1, 2), datetime(2026, 1, 2, tzinfo=UTC)),
    ],
    ids=lambda value: type(value).__name__,
)
@pytest.mark.parametrize(
    ("place", "pointer"),
    [
        (lambda value: {"minimum": value}, "/minimum"),
        (lambda value: {"enum": [1, value]}, "/enum/1"),
        (lambda value: {"properties": {"a/b": {"default": {"~": [value]}}}}, "/properties/a~1b/default/~0/0"),
        (lambda value: {"x": 2**65, "anyOf": [True, {"const": value}]}, "/anyOf/1/const"),
        (lambda value: {"default": None, "const": value}, "/const"),
    ],
)
def test_what_is_not_json_is_refused_by_pointer(value: Any, place: Any, pointer: str) -> None:
    with pytest.raises(NotJsonError) as raised:
        admit(place(value))

    assert raised.value.pointer == pointer


@pytest.mark.parametrize("key", [1, None, True, (), b"a", Odd.A, Counted.ONE])
def test_a_key_that_is_no_string_is_refused_by_pointer(key: Any) -> None:
    with pytest.raises(NotJsonError) as raised:
        admit({"properties": {"a": {key: 1}}})

    assert raised.value.pointer == "/properties/a"


def test_an_integer_that_python_does_not_write_is_refused_by_pointer() -> None:
    with pytest.raises(NotJsonError, match="more than 4300 digits") as raised:
        admit({"properties": {"a": {"maximum": 10**4300}}})

    assert raised.value.pointer == "/properties/a/maximum"
    assert admit({"maximum": 10**4299})[0] == {"maximum": 10**4299}


@pytest.mark.parametrize(
    ("value", "advice"),
    [(Odd.A, "write the member's value"), (UUID(int=1), "write it as a string"), ({1}, "make it a list")],
)
def test_what_is_refused_is_told_with_what_to_do(value: Any, advice: str) -> None:
    with pytest.raises(NotJsonError, match=f"/const: a Python {type(value).__name__} is not a JSON value: {advice}"):
        admit({"const": value})


# --- limits


@pytest.mark.parametrize("keyword", ["not", "items"])
@pytest.mark.parametrize("levels", [1, 2, 7, 100])
def test_so_many_levels_come_in_and_no_more(levels: int, keyword: str) -> None:
    limits = Limits(levels=levels)

    assert admit(nested(levels, keyword), limits)[0] == nested(levels, keyword)
    with pytest.raises(LimitError, match=f"more than {levels} schema levels deep") as raised:
        admit(nested(levels + 1, keyword), limits)
    assert raised.value.pointer == f"/{keyword}" * levels


@pytest.mark.parametrize("levels", [1, 2, 7])
def test_levels_are_counted_alike_when_read_slowly(levels: int) -> None:
    limits = Limits(levels=levels)
    slow = {"x-big": 2**65}

    assert admit(nested(levels) | slow, limits)[1] is None
    with pytest.raises(LimitError):
        admit(nested(levels + 1) | slow, limits)


def test_names_and_data_are_no_levels() -> None:
    schema = {"properties": {"not": {"default": {"not": {"not": {}}}}, "items": {"enum": [{"items": {}}]}}}

    assert admit(schema, Limits(levels=2))[0] is schema


def test_lists_of_schemas_are_one_level_with_their_members() -> None:
    schema = {"anyOf": [{"prefixItems": [{"type": "null"}]}]}

    assert admit(schema, Limits(levels=3))[0] is schema
    with pytest.raises(LimitError) as raised:
        admit(schema, Limits(levels=2))
    assert raised.value.pointer == "/anyOf/0/prefixItems/0"


def test_data_may_nest_as_deep_as_json_encoders_carry() -> None:
    value: JsonValue = 1
    for _ in range(249):
        value = [value]

    assert admit({"default": value})[0] == {"default": value}
    with pytest.raises(LimitError, match="more than 250 containers deep"):
        admit({"default": [value]})


def test_a_document_inside_itself_is_refused() -> None:
    document: Schema = {}
    document["properties"] = {"a": document}

    with pytest.raises(LimitError):
        admit(document)


@pytest.mark.parametrize("keyword", ["not", "default", "x-more"])
def test_a_hundred_thousand_levels_are_refused_after_the_first_few_hundred(keyword: str) -> None:
    document = nested(100_000, keyword)

    with pytest.raises(LimitError), at_most(calls=20_000):
        admit(document)


def test_nodes_are_counted() -> None:
    document: Schema = {"anyOf": [{}, {}, {"default": {}}]}

    assert admit(document, Limits(nodes=5))[0] is document
    with pytest.raises(LimitError, match="more than 4 objects"):
        admit(document, Limits(nodes=4))


def test_bytes_are_counted() -> None:
    document = {"title": "é"}

    assert admit(document, Limits(bytes=14))[0] is document
    with pytest.raises(LimitError, match="14 bytes are over the limit of 13"):
        admit(document, Limits(bytes=13))


def test_bytes_are_counted_when_read_slowly() -> None:
    with pytest.raises(LimitError, match="more than 100 bytes"):
        admit({"title": "x" * 1000, "x-big": 2**65}, Limits(bytes=100))


def test_lists_inside_lists_do_not_multiply_when_read_slowly() -> None:
    value: JsonValue = [2**65]
    for _ in range(60):
        value = [value, value]

    with pytest.raises(LimitError):
        admit({"default": value}, Limits(bytes=10_000))


def doubled(double: Callable[[JsonValue], JsonValue], times: int = 40) -> JsonValue:
    """A value that holds the one below it twice, and so on."""
    value: JsonValue = {"type": "string"}
    for _ in range(times):
        value = double(value)
    return value


DOUBLES: dict[str, Callable[[JsonValue], JsonValue]] = {
    "schemas": lambda value: {"properties": {"a": value, "b": value}},
    "data": lambda value: {"a": value, "b": value},
    "lists": lambda value: [value, value],
    "tuples": lambda value: (value, value),
    "longer tuples": lambda value: (value, *range(300), value),
    "ordered": lambda value: OrderedDict(a=value, b=value),
    "in turns": lambda value: {"a": [value], "b": (0, value)},
}


@pytest.mark.parametrize("beside", [{}, {"x-big": 2**70}, {"x-nothing": None, "minimum": -1.5}], ids=repr)
@pytest.mark.parametrize("kind", DOUBLES)
def test_parts_that_stand_in_many_places_are_counted_before_they_are_written_out(kind: str, beside: Schema) -> None:
    value = doubled(DOUBLES[kind])

    with pytest.raises(LimitError, match="more than") as raised, at_most(calls=100_000):
        admit({"properties": {"a": {"default": value}}, **beside})
    assert raised.value.pointer.startswith("/properties/a/default/")


@pytest.mark.parametrize("kind", DOUBLES)
def test_parts_that_stand_in_a_few_places_come_in(kind: str) -> None:
    document = {"default": doubled(DOUBLES[kind], 3)}

    assert to_bytes(admit(document)[0]) == to_bytes(document)


@pytest.mark.parametrize("beside", [{}, {"x-big": 2**70}], ids=repr)
@pytest.mark.parametrize("text", ["x" * 10**6, 10**4000], ids=["text", "number"])
def test_long_values_that_stand_in_many_places_are_counted_too(text: JsonValue, beside: Schema) -> None:
    with pytest.raises(LimitError, match="more than 67108864 bytes") as raised:
        admit({"enum": [text] * 50_000, **beside})

    assert raised.value.pointer == "/enum"


def test_a_document_inside_itself_is_refused_however_often_it_is() -> None:
    document: Schema = {"default": doubled(DOUBLES["lists"], 10)}
    document["allOf"] = [document, document]
    document["anyOf"] = [{"not": document}]

    with pytest.raises(LimitError, match="inside itself"), at_most(calls=100_000):
        admit(document)


def test_the_same_schema_in_several_places_is_no_copy() -> None:
    text = {"type": "string"}
    document = {"properties": {"a": text, "b": text}, "required": ["a"]}

    assert admit(document)[0] is document


# --- copies


@given(json_documents())
def test_a_plain_copy_is_the_same_json(value: JsonValue) -> None:
    assert to_bytes(plain_copy(value)) == to_bytes(value)


@given(schemas())
def test_a_plain_copy_shares_nothing(schema: Schema) -> None:
    shared: Schema = {"allOf": [schema, schema], "default": schema}
    containers = list(_containers(plain_copy(shared)))
    before = {id(one) for one in _containers(shared)}

    assert len({id(one) for one in containers}) == len(containers)
    assert before.isdisjoint(id(one) for one in containers)


def _containers(value: JsonValue) -> Any:
    if isinstance(value, (dict, list)):
        yield value
        for member in value.values() if isinstance(value, dict) else value:
            yield from _containers(member)
