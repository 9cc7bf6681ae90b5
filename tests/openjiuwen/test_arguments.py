"""Arguments of a call: text repaired where that is safe, defaults filled in, nulls taken out."""

from typing import Any

import pytest
from pydantic import BaseModel, Field

from schemaflow import InputError, LimitError, NotASchemaError, NotJsonError
from schemaflow.openjiuwen import fill_arguments, parse_arguments, remove_nulls

CREW = {
    "type": "object",
    "properties": {
        "name": {"type": "string", "default": "Mate", "minLength": 1},
        "age": {"type": "integer", "default": 18, "minimum": 0, "maximum": 150},
        "on_board": {"type": "boolean", "default": True},
        "skills": {"type": "array", "items": {"type": "string"}, "default": ["knots"], "minItems": 1},
        "notes": {"type": "object", "additionalProperties": True, "default": {}},
        "nickname": {"type": "string"},
        "watch": {"type": ["integer", "null"]},
    },
    "required": ["name", "age"],
}


class Boat(BaseModel):
    sails: int = 2


class Crew(BaseModel):
    name: str = Field("Mate", min_length=1)
    age: int = Field(18, ge=0, le=150)
    skills: list[str] = Field(default_factory=lambda: ["knots"])
    boat: Boat = Field(default_factory=Boat)


# --- text


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('{"knots": 5}', {"knots": 5}),
        ("[1]", [1]),
        ("", {}),
        ("  \n", {}),
        ('{"a": [1, 2', {"a": [1, 2]}),
        ('{"a": {"b": "c"', {"a": {"b": "c"}}),
        ('{"a": [1, 2], "b": {"c": [', {"a": [1, 2], "b": {"c": []}}),
        ('{"a": "]}', None),
        ('{"a": "open', None),
        ('{"a": "ends with \\', None),
        ('{"a": "quoted \\" {"', {"a": 'quoted " {'}),
        ('{"a": [1}', None),
        ('{"a": 1}}', None),
        ("]", None),
        ('{"a": bare}', None),
        ('{"a": bare', None),
        ('{"a":', None),
        ('{"a": NaN}', None),
        ('{"a": 1e999}', None),
        ("[" * 100_000, None),
        ("1" * 5000, None),
    ],
    ids=lambda value: repr(value)[:30],
)
def test_text_is_read_and_closed_or_refused_with_the_text(text: str, expected: Any) -> None:
    if expected is not None:
        assert parse_arguments(text) == expected
        return
    with pytest.raises(NotJsonError) as raised:
        parse_arguments(text)

    assert "the arguments are not JSON" in raised.value.problem
    assert raised.value.problem.endswith(repr(text))


@pytest.mark.parametrize("arguments", [{"knots": 5}, None, [1]])
def test_what_is_no_text_comes_back_as_it_is(arguments: Any) -> None:
    assert parse_arguments(arguments) is arguments


# --- defaults


def test_defaults_stand_in_for_what_is_absent() -> None:
    filled = fill_arguments({"name": "Jane", "age": 25}, CREW)

    assert filled == {"name": "Jane", "age": 25, "on_board": True, "skills": ["knots"]}


def test_defaults_stand_in_for_what_is_required_too() -> None:
    filled = fill_arguments({}, CREW)

    assert (filled["name"], filled["age"]) == ("Mate", 18)


def test_given_values_stay() -> None:
    given = {"name": "Ann", "age": 42, "on_board": False, "skills": ["cook"], "notes": {"since": "2024"}}

    assert fill_arguments(given, CREW) == given


def test_a_default_is_a_copy() -> None:
    filled = fill_arguments({}, CREW, keep_nulls=True)
    filled["skills"].append("songs")
    filled["notes"]["x"] = 1

    assert fill_arguments({}, CREW, keep_nulls=True)["skills"] == ["knots"]
    assert CREW["properties"]["notes"]["default"] == {}  # type: ignore[index]


def test_the_given_arguments_are_not_changed() -> None:
    given = {"name": "Ann", "nickname": None, "notes": {"a": [None]}}

    fill_arguments(given, CREW)

    assert given == {"name": "Ann", "nickname": None, "notes": {"a": [None]}}


def test_a_model_class_fills_and_checks_by_itself() -> None:
    assert fill_arguments({"name": "Jane"}, Crew) == {
        "name": "Jane",
        "age": 18,
        "skills": ["knots"],
        "boat": {"sails": 2},
    }


def test_arguments_that_the_schema_does_not_know_are_kept() -> None:
    assert fill_arguments({"knots": 5}, {"type": "object", "properties": {}}) == {"knots": 5}


@pytest.mark.parametrize("parameters", [None, {}, {"type": "object"}, {"properties": {"a": True}}])
def test_without_defaults_nothing_is_filled(parameters: Any) -> None:
    assert fill_arguments({"knots": 5}, parameters) == {"knots": 5}


@pytest.mark.parametrize("arguments", [None, [], "knots", 5])
@pytest.mark.parametrize("parameters", [CREW, Crew])
def test_arguments_must_be_an_object(arguments: Any, parameters: Any) -> None:
    with pytest.raises(NotASchemaError, match="arguments are an object, not "):
        fill_arguments(arguments, parameters)


@pytest.mark.parametrize(
    ("arguments", "pointer"),
    [
        ({"name": ""}, "/name"),
        ({"age": 200}, "/age"),
        ({"age": "25"}, "/age"),
        ({"skills": [5]}, "/skills/0"),
        ({"name": None}, "/name"),
    ],
)
def test_arguments_that_do_not_fit_are_refused_with_their_pointer(arguments: Any, pointer: str) -> None:
    with pytest.raises(InputError) as raised:
        fill_arguments(arguments, CREW)

    assert raised.value.pointer == pointer


@pytest.mark.parametrize("arguments", [{"name": ""}, {"age": 200}])
def test_a_model_class_refuses_in_its_own_words(arguments: Any) -> None:
    with pytest.raises(InputError, match="the arguments do not fit Crew: "):
        fill_arguments(arguments, Crew)


def test_a_required_argument_without_a_default_is_missed() -> None:
    with pytest.raises(InputError, match="required"):
        fill_arguments({}, {"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a"]})


def test_the_check_can_be_left_out() -> None:
    assert fill_arguments({"age": 200}, CREW, validate=False)["age"] == 200


def test_parameters_that_are_no_schema_are_told() -> None:
    with pytest.raises(NotASchemaError, match="no JSON Schema to check against"):
        fill_arguments({}, {"type": "text"})


@pytest.mark.parametrize("value", [{1, 2}, float("nan"), object()])
def test_arguments_that_are_not_json_are_refused(value: Any) -> None:
    with pytest.raises(NotJsonError) as raised:
        fill_arguments({"a": [value]}, {})

    assert raised.value.pointer == "/a/0"


# --- nulls


def test_nulls_pass_the_check_and_go() -> None:
    filled = fill_arguments({"nickname": None, "on_board": None, "watch": None}, CREW)

    assert filled == {"name": "Mate", "age": 18, "skills": ["knots"]}


def test_nulls_can_be_kept() -> None:
    filled = fill_arguments({"watch": None}, CREW, keep_nulls=True)

    assert filled["watch"] is None
    assert filled["notes"] == {}


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ({"a": None, "b": 1}, {"b": 1}),
        ({"a": [None, 1, None, 2]}, {"a": [1, 2]}),
        ({"filter": {}, "list": []}, {}),
        ({"a": {"b": {"c": None}}}, {}),
        ({"a": [[None], {}, [0]]}, {"a": [[0]]}),
        ({"a": 0, "b": False, "c": ""}, {"a": 0, "b": False, "c": ""}),
        ({}, {}),
    ],
)
def test_nulls_go_with_all_that_they_empty(arguments: Any, expected: Any) -> None:
    assert remove_nulls(arguments) == expected


def test_order_is_kept() -> None:
    assert list(remove_nulls({"b": 1, "x": None, "a": 2})) == ["b", "a"]


def test_no_depth_hurts() -> None:
    deep: Any = None
    for _ in range(150):
        deep = {"a": deep} if isinstance(deep, list) else [deep]

    assert remove_nulls({"deep": deep, "b": 1})["b"] == 1
    for _ in range(100_000):
        deep = [deep]
    with pytest.raises(LimitError):
        remove_nulls({"deep": deep})
