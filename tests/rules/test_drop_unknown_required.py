import pytest

from schemaflow import Schema
from schemaflow_rules.drop_unknown_required import drop_unknown_required


@pytest.mark.parametrize("schema", [{"required": ["a"]}, {"required": [["a"], 5], "properties": {"a": {}}}])
def test_what_is_not_declared_goes(schema: Schema) -> None:
    assert drop_unknown_required(schema) == {**schema, "required": []}


def test_what_was_required_is_named_as_lost() -> None:
    answer = drop_unknown_required.bind().call({"required": ["b", "a"], "properties": {"a": {}}})

    assert answer.lost == {"required": ["b", "a"]}


def test_a_mere_flag_is_left_alone() -> None:
    schema = {"required": True}

    assert drop_unknown_required(schema) is schema
