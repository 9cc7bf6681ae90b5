import pytest

from schemaflow import Effect, Schema, Unsupported, compose
from schemaflow_rules.type_to_any_of import type_to_any_of


def test_each_keyword_goes_to_the_types_that_it_speaks_of() -> None:
    schema: Schema = {
        "title": "T",
        "type": ["integer", "number", "object", "array", "boolean"],
        "minimum": 1,
        "properties": {"a": {}},
        "required": ["a"],
        "items": {"type": "string"},
        "format": "int32",
        "default": 3,
    }
    expected = {
        "title": "T",
        "anyOf": [
            {"type": "integer", "minimum": 1},
            {"type": "number", "minimum": 1},
            {"type": "object", "properties": {"a": {}}, "required": ["a"]},
            {"type": "array", "items": {"type": "string"}},
            {"type": "boolean"},
        ],
        "format": "int32",
        "default": 3,
    }

    assert type_to_any_of(schema) == expected
    assert list(type_to_any_of(schema)) == list(expected)


@pytest.mark.parametrize(
    ("schema", "expected"),
    [
        ({"type": ["number", "string"], "enum": [1, 2.5, "a"]}, [[1, 2.5], ["a"]]),
        ({"type": ["boolean", "integer"], "enum": [True, 1]}, [[True], [1]]),
        ({"type": ["string", "null"], "enum": ["a", None]}, [["a"], None]),
        ({"type": ["string", "null"], "enum": ["a"]}, [["a"]]),
    ],
)
def test_an_enum_is_divided(schema: Schema, expected: list[object]) -> None:
    assert [branch.get("enum") for branch in type_to_any_of(schema)["anyOf"]] == expected


def test_a_type_named_twice_counts_once() -> None:
    assert type_to_any_of({"type": ["string", "string"]}) == {"type": "string"}


def test_unevaluated_properties_stay_above_what_they_must_see() -> None:
    schema = {"type": ["object", "null"], "properties": {"a": {}}, "unevaluatedProperties": False}
    branches = [{"type": "object", "properties": {"a": {}}}, {"type": "null"}]

    assert type_to_any_of(schema) == {"anyOf": branches, "unevaluatedProperties": False}


@pytest.mark.parametrize(
    ("rest", "why"),
    [
        ({"anyOf": [{}]}, "anyOf stands beside"),
        ({"nullable": True}, "nullable stands beside"),
        ({"enum": [1.5]}, "no value of the enum has one of the types"),
    ],
)
def test_what_cannot_be_divided_is_left_alone(rest: Schema, why: str) -> None:
    with pytest.raises(Unsupported, match=why):
        type_to_any_of({"type": ["string", "integer"], **rest})


@pytest.mark.parametrize("types", [[], [1, "string"], [["string"]]])
def test_what_is_no_list_of_types_is_left_alone(types: list[object]) -> None:
    schema = {"type": types}

    assert type_to_any_of(schema) is schema


def test_values_without_a_type_are_divided_once_their_types_are_written() -> None:
    result = compose("mine", "infer_types", "type_to_any_of").adapt({"enum": ["auto", 1, 2.5, None]})
    expected = {
        "anyOf": [
            {"type": "string", "enum": ["auto"]},
            {"type": "number", "enum": [1, 2.5]},
            {"type": "null"},
        ]
    }

    assert result.schema == expected
    assert result.report.effect is Effect.EXACT
