import pytest

from schemaflow import Schema
from schemaflow_rules.limit_enums import limit_enums


@pytest.mark.parametrize("members", [[1], ["a", None], [True], [["a"]], [{}]])
def test_an_enum_of_something_else_goes_whole(members: list[object]) -> None:
    assert limit_enums({"enum": members, "title": "T"}) == {"title": "T"}


@pytest.mark.parametrize("schema", [{"enum": []}, {"enum": ["a"]}, {"enum": "a"}])
def test_other_enums_stay(schema: Schema) -> None:
    assert limit_enums(schema) is schema


def test_every_integer_is_a_number() -> None:
    schema = {"enum": [1, 2.5]}

    assert limit_enums(schema, types=["number"]) is schema
    assert limit_enums(schema, types=["integer"]) == {}
