import pytest

from schemaflow import Effect, Schema
from schemaflow_rules.strip_null_from_enum import strip_null_from_enum


@pytest.mark.parametrize(
    ("around", "effect"),
    [
        ({}, Effect.NARROWS),
        ({"type": ["string", "null"]}, Effect.NARROWS),
        ({"type": "string", "nullable": True}, Effect.NARROWS),
        ({"type": "string"}, Effect.EXACT),
        ({"type": ["string", "integer"]}, Effect.EXACT),
    ],
)
def test_null_is_lost_only_where_the_type_let_it_through(around: Schema, effect: Effect) -> None:
    assert strip_null_from_enum.bind().call({**around, "enum": ["a", None]}).effect is effect


def test_an_enum_of_null_alone_forbids_nothing_any_more() -> None:
    assert strip_null_from_enum.bind().call({"enum": [None]}).effect is Effect.WIDENS


def test_what_is_falsy_is_not_null() -> None:
    assert strip_null_from_enum({"enum": [0, "", False, None, [], {}]}) == {"enum": [0, "", False, [], {}]}
