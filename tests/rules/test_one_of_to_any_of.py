import pytest

from schemaflow import Effect, Schema
from schemaflow_rules.one_of_to_any_of import one_of_to_any_of


@pytest.mark.parametrize(
    ("schema", "effect"),
    [
        ({"oneOf": [{"type": "string"}, {"type": "null"}]}, Effect.EXACT),
        ({"oneOf": [{"type": "string"}, {"type": "string"}]}, Effect.WIDENS),
        ({"oneOf": [{"type": "integer"}, {"type": "number"}]}, Effect.WIDENS),
        ({"oneOf": [{"type": "string"}, {"minimum": 1}]}, Effect.WIDENS),
        ({"oneOf": [{"type": "string"}, {"type": ["null"]}]}, Effect.WIDENS),
        ({"oneOf": [{"type": "string"}, True]}, Effect.WIDENS),
        ({"oneOf": [{"minimum": 1}, {"maximum": 2}], "unevaluatedProperties": False}, Effect.UNKNOWN),
        ({"oneOf": [{"type": "object"}, {"type": "null"}], "unevaluatedProperties": False}, Effect.EXACT),
    ],
)
def test_members_of_different_types_exclude_one_another(schema: Schema, effect: Effect) -> None:
    assert one_of_to_any_of.bind().call(schema).effect is effect


def test_a_second_any_of_has_no_place() -> None:
    document: Schema = {"items": {"oneOf": [{}], "anyOf": [{}]}}

    assert one_of_to_any_of.apply(document) is document
