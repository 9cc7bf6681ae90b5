import pytest

from schemaflow import Effect, Schema
from schemaflow_rules.one_of_to_any_of import one_of_to_any_of


def tagged(name: str) -> Schema:
    """An object of a kind that it names."""
    return {"type": "object", "properties": {"kind": {"const": name}}, "required": ["kind"]}


@pytest.mark.parametrize(
    ("schema", "effect"),
    [
        ({"oneOf": [{"type": "string"}, {"type": "null"}]}, Effect.EXACT),
        ({"oneOf": [{"type": "string"}, {"type": "string"}]}, Effect.WIDENS),
        ({"oneOf": [{"type": "integer"}, {"type": "number"}]}, Effect.WIDENS),
        ({"oneOf": [{"type": "string"}, {"minimum": 1}]}, Effect.WIDENS),
        ({"oneOf": [{"type": "string"}, {"type": ["null"]}]}, Effect.EXACT),
        ({"oneOf": [{"const": 1}, {"enum": [2, 3]}]}, Effect.EXACT),
        ({"oneOf": [{"const": 1}, {"enum": [2, 1.0]}]}, Effect.WIDENS),
        ({"oneOf": [tagged("a"), tagged("b")]}, Effect.EXACT),
        ({"oneOf": [{**tagged(name), "required": []} for name in "ab"]}, Effect.WIDENS),
        ({"oneOf": [{"type": "string"}, True]}, Effect.WIDENS),
        ({"oneOf": [{"minimum": 1}, {"maximum": 2}], "unevaluatedProperties": False}, Effect.UNKNOWN),
        ({"oneOf": [{"type": "object"}, {"type": "null"}], "unevaluatedProperties": False}, Effect.EXACT),
    ],
)
def test_members_that_exclude_one_another_are_told(schema: Schema, effect: Effect) -> None:
    assert one_of_to_any_of.bind().call(schema).effect is effect


def test_a_second_any_of_has_no_place() -> None:
    document: Schema = {"items": {"oneOf": [{}], "anyOf": [{}]}}

    assert one_of_to_any_of.apply(document) is document
