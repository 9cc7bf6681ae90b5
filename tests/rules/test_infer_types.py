import pytest

from schemaflow import Effect, Schema, compose
from schemaflow_rules.infer_types import infer_types

S: Schema = {"type": "string"}
NULL: Schema = {"type": "null"}


@pytest.mark.parametrize(
    ("schema", "types"),
    [
        ({"enum": ["a", "b"]}, "string"),
        ({"enum": ["a", None]}, ["string", "null"]),
        ({"enum": [1, 1.5]}, "number"),
        ({"enum": [1.0, 2]}, "integer"),
        ({"enum": [True, 1]}, ["boolean", "integer"]),
        ({"const": {"a": 1}}, "object"),
        ({"const": None, "enum": [None, 1]}, "null"),
    ],
)
def test_values_have_types(schema: Schema, types: str | list[str]) -> None:
    assert infer_types.apply({"items": schema}) == {"items": {**schema, "type": types}}


@pytest.mark.parametrize(
    ("schema", "types"),
    [
        ({"type": "number", "multipleOf": 2}, "integer"),
        ({"type": "number", "multipleOf": 2.0}, "integer"),
        ({"type": ["integer", "number", "null"], "multipleOf": 2}, ["integer", "null"]),
    ],
)
def test_multiples_of_whole_numbers_are_whole(schema: Schema, types: str | list[str]) -> None:
    assert infer_types(schema, whole_numbers=True) == {**schema, "type": types}


@pytest.mark.parametrize(
    ("schema", "types"),
    [
        ({"anyOf": [S, NULL]}, ["string", "null"]),
        ({"oneOf": [{"type": ["string", "integer"]}, {"type": "number"}]}, ["string", "number"]),
        ({"anyOf": [{"type": "string", "nullable": True}]}, ["string", "null"]),
        ({"anyOf": [{"enum": ["a"]}, {"enum": ["b"], "minLength": 1}]}, "string"),
        ({"anyOf": [{"anyOf": [S, NULL]}, S]}, ["string", "null"]),
    ],
)
def test_members_of_unions_have_types(schema: Schema, types: str | list[str]) -> None:
    assert infer_types.apply(schema, beside_unions=True)["type"] == types


@pytest.mark.parametrize("options", [{}, {"beside_unions": True, "whole_numbers": True}])
@pytest.mark.parametrize(
    "schema",
    [
        *({"items": S}, {"minLength": 1}, {"properties": {"a": S}}, {"enum": []}, {"enum": 5}, {"multipleOf": 2}),
        *({"type": "number", "multipleOf": 0.5}, {"type": "number", "multipleOf": 1e300}),
        *({"type": "number", "multipleOf": True}, {"type": "string", "multipleOf": 2}, {"type": "string", "enum": [1]}),
        *({"anyOf": [S, {"minLength": 1}]}, {"anyOf": [S, True]}, {"anyOf": 5}, {"anyOf": []}),
        *({"type": ["number", []], "multipleOf": 2}, {"anyOf": [{"type": [[]]}]}),
    ],
)
def test_what_implies_no_type_is_the_same_object(schema: Schema, options: dict[str, bool]) -> None:
    document = {"contains": schema}

    assert infer_types.apply(document, **options) is document


def test_a_constant_that_the_draft_does_not_know_says_nothing() -> None:
    schema = {"$schema": "http://json-schema.org/draft-04/schema#", "const": "a"}
    result = compose("mine", "infer_types").adapt(schema)

    assert result.schema == {**schema, "type": "string"}
    assert result.report.effect is Effect.UNKNOWN


def test_a_number_may_be_whole_for_two_reasons() -> None:
    assert infer_types({"enum": [2, 0.5], "multipleOf": 1}, whole_numbers=True)["type"] == "integer"
