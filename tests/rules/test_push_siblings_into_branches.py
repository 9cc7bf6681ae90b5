import pytest

from schemaflow import Effect, JsonValue, Schema, compose
from schemaflow.validation import judge_of
from schemaflow_rules.push_siblings_into_branches import push_siblings_into_branches


@pytest.mark.parametrize(
    ("schema", "expected"),
    [
        ({"type": ["string"]}, {"type": "string"}),
        ({"type": ["integer", "number"]}, {"type": "number"}),
        ({"anyOf": [{"type": "string"}]}, {"type": "string"}),
        ({"anyOf": [{"type": "string"}, {"type": "string", "minLength": 1}]}, {"type": "string"}),
        ({"anyOf": [{"type": "string"}, True], "title": "T"}, {"title": "T"}),
        ({"anyOf": [False, False]}, False),
        ({"type": "object", "anyOf": [{"type": "string"}, {"required": ["a"]}]}, {"type": "object", "required": ["a"]}),
    ],
)
def test_a_union_of_one_is_none(schema: Schema, expected: JsonValue) -> None:
    assert push_siblings_into_branches.apply({"items": schema}) == {"items": expected}


@pytest.mark.parametrize(
    "schema",
    [
        {"anyOf": 5},
        {"anyOf": [1]},
        {"anyOf": []},
        {"type": ["strange", "string"]},
        {"anyOf": [{"$ref": "#/$defs/A"}]},
        {"anyOf": [{"properties": {"a": {}}}, {"properties": {"b": {}}}], "unevaluatedProperties": False},
    ],
)
def test_what_cannot_be_divided_is_the_same_object(schema: Schema) -> None:
    document = {"items": schema}

    assert push_siblings_into_branches.apply(document) is document


def test_what_a_branch_evaluated_may_not_be_so_any_more() -> None:
    """The second branch holds the first, but evaluates nothing."""
    schema = {
        "type": "object",
        "allOf": [{"anyOf": [{"properties": {"a": True}, "required": ["a"]}, {"required": ["a"]}]}],
        "unevaluatedProperties": False,
    }
    result = compose("mine", "push_siblings_into_branches").adapt(schema)

    assert (judge_of(schema)({"a": 1}), judge_of(result.schema)({"a": 1})) == (True, False)
    assert result.report.effect is Effect.UNKNOWN
