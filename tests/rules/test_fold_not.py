import pytest

from schemaflow import JsonValue, Schema
from schemaflow_rules.fold_not import fold_not


@pytest.mark.parametrize(
    ("schema", "expected"),
    [
        ({"not": True}, False),
        ({"not": {}}, False),
        ({"not": False, "title": "T"}, {"title": "T"}),
        ({"not": {"type": "string"}, "type": "string"}, False),
        ({"type": "integer", "not": {"type": "number", "minimum": 3}}, {"type": "integer", "maximum": 2}),
        ({"enum": [1, 2, 3], "not": {"enum": [2, 1.0]}}, {"enum": [3]}),
    ],
)
def test_what_is_left_is_said_outright(schema: Schema, expected: JsonValue) -> None:
    assert fold_not.apply({"items": schema}) == {"items": expected}


@pytest.mark.parametrize(
    "schema",
    [{"not": 5}, {"not": {"pattern": "a"}, "type": "string"}, {"not": {"$ref": "#/$defs/A"}}, {"not": {"enum": [1]}}],
)
def test_what_has_no_opposite_is_the_same_object(schema: Schema) -> None:
    document = {"items": schema}

    assert fold_not.apply(document) is document


def test_texts_below_a_not_say_nothing() -> None:
    assert fold_not.apply({"not": {"const": 1, "title": "One"}}) == {"not": {"const": 1}}
