import pytest

from schemaflow import Schema
from schemaflow_rules.normalize_type_names import normalize_type_names


@pytest.mark.parametrize("name", ["String", "NUMBER", "Integer", "BOOLEAN", "Object", "ARRAY", "Null"])
def test_every_type_may_be_in_capitals(name: str) -> None:
    assert normalize_type_names({"type": name}) == {"type": name.lower()}


def test_enum_in_capitals_is_meant_too() -> None:
    assert normalize_type_names({"type": "ENUM", "enum": ["a"]}) == {"enum": ["a"]}


@pytest.mark.parametrize("schema", [{"type": "enum"}, {"type": "int"}, {"type": 5}, {"type": [5]}, {"type": "string"}])
def test_what_nobody_knows_is_left_alone(schema: Schema) -> None:
    assert normalize_type_names(schema) is schema
