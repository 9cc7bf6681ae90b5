import pytest

from schemaflow import JsonValue, Schema
from schemaflow_rules.fold_dependencies import fold_dependencies


@pytest.mark.parametrize(
    "schema", [{"dependentRequired": 5}, {"dependentRequired": {"a": "b"}}, {"dependentSchemas": {"a": 1}}]
)
def test_what_is_misshapen_stays(schema: Schema) -> None:
    document = {"items": schema}

    assert fold_dependencies.apply(document) is document


@pytest.mark.parametrize(
    ("schema", "expected"),
    [
        ({"dependentSchemas": {"a": False}}, {"properties": {"a": False}}),
        ({"dependentSchemas": {"a": {"type": "string"}}}, {"properties": {"a": False}}),
        ({"dependentRequired": {}, "title": "T"}, {"title": "T"}),
        (
            {"dependentRequired": {"a": ["b"]}, "required": ["a"], "type": "object"},
            {"required": ["a", "b"], "type": "object"},
        ),
    ],
)
def test_cases_that_cannot_be_go(schema: Schema, expected: JsonValue) -> None:
    assert fold_dependencies.apply({"items": schema}) == {"items": expected}
