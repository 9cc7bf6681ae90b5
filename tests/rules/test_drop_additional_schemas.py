import pytest

from schemaflow import Effect, Schema
from schemaflow_rules.drop_additional_schemas import drop_additional_schemas


@pytest.mark.parametrize(("held", "effect"), [({}, Effect.EXACT), ({"type": "string"}, Effect.WIDENS)])
def test_what_was_asked_of_other_properties_is_named_as_lost(held: Schema, effect: Effect) -> None:
    answer = drop_additional_schemas.bind().call({"additionalProperties": held})

    assert (answer.schema, answer.lost, answer.effect) == (
        {"additionalProperties": True},
        {"additionalProperties": held},
        effect,
    )
