import pytest

from schemaflow import JsonValue, Schema
from schemaflow_rules.fold_if import fold_if


@pytest.mark.parametrize(
    "schema",
    [
        {"if": {"type": "null"}, "then": 5},
        {"if": "a", "then": {}},
        {"if": {"type": "null"}, "then": False, "unevaluatedProperties": False},
    ],
)
def test_what_cannot_be_said_stays(schema: Schema) -> None:
    assert fold_if.apply({"items": schema}) == {"items": schema}


@pytest.mark.parametrize(
    ("schema", "expected"),
    [
        ({"if": {"type": "null"}}, {}),
        ({"else": {"type": "null"}, "title": "T"}, {"title": "T"}),
        ({"if": True, "then": {"type": "null"}, "else": False}, {"type": "null"}),
        ({"if": False, "then": False, "else": {"type": "null"}}, {"type": "null"}),
        ({"if": {"type": "null"}, "else": False}, {"type": "null"}),
    ],
)
def test_a_case_that_cannot_be_goes(schema: Schema, expected: JsonValue) -> None:
    assert fold_if.apply({"items": schema}) == {"items": expected}
