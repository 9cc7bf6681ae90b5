import pytest

from schemaflow import Effect, Schema
from schemaflow_rules.require_types import require_types


@pytest.mark.parametrize(
    ("members", "types"),
    [
        (["a", "b"], "string"),
        ([1, 2.0], "integer"),
        ([1, 2.5], "number"),
        ([True, None, {}, []], ["boolean", "null", "object", "array"]),
    ],
)
def test_an_enum_tells_its_types(members: list[object], types: object) -> None:
    assert require_types({"enum": members}, types=["object"])["type"] == types


def test_an_enum_tells_its_types_whatever_stands_beside_it() -> None:
    schema: Schema = {"enum": ["a"], "const": "b", "anyOf": [{}]}

    assert require_types(schema) == {**schema, "type": "string"}


@pytest.mark.parametrize(
    "schema",
    [
        {"type": "string", "enum": [1]},
        {"type": "string"},
        {"anyOf": []},
        {"oneOf": []},
        {"allOf": []},
        {"const": 1},
        {"$ref": "#"},
        {"type": None},
    ],
)
def test_what_may_say_its_types_is_left_alone(schema: Schema) -> None:
    assert require_types(schema) is schema


@pytest.mark.parametrize("schema", [{}, True, {"enum": []}, {"not": {"type": "null"}}])
def test_with_no_types_to_state_nothing_happens(schema: Schema | bool) -> None:
    assert require_types(schema, types=[]) is schema


def test_stating_fewer_types_narrows() -> None:
    assert require_types.bind().contract.effect is Effect.EXACT
    assert require_types.bind(types=["object"]).contract.effect is Effect.NARROWS
    assert require_types.bind(types=["object"]).call({"enum": [1]}).effect is Effect.EXACT
