import pytest

from schemaflow import Schema
from schemaflow_rules.close_objects import close_objects


@pytest.mark.parametrize("schema", [{"type": ["object", "null"]}, {"properties": {}}, {"type": "object"}])
def test_whatever_may_be_an_object_is_closed(schema: Schema) -> None:
    assert close_objects(schema) == {**schema, "additionalProperties": False}


def test_what_is_replaced_is_named_as_lost() -> None:
    answer = close_objects.bind(replace=True).call({"type": "object", "additionalProperties": True})

    assert answer.lost == {"additionalProperties": True}


def test_a_closed_object_is_left_alone() -> None:
    schema = {"type": "object", "additionalProperties": False}

    assert close_objects(schema, replace=True) is schema
