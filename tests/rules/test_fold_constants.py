import pytest

from schemaflow import Effect, JsonValue, Schema, compose
from schemaflow.validation import judge_of
from schemaflow_rules.fold_constants import fold_constants
from tests.algebra.related import SMALL_VALUES

S: Schema = {"type": "string"}


@pytest.mark.parametrize(
    ("schema", "expected"),
    [
        ({"allOf": [True, {}]}, {}),
        ({"allOf": [True, S]}, {"allOf": [S]}),
        ({"allOf": [S, False]}, False),
        ({"anyOf": [S, True], "title": "T"}, {"title": "T"}),
        ({"anyOf": [S, False]}, {"anyOf": [S]}),
        ({"anyOf": [False]}, False),
        ({"oneOf": [S, False]}, {"oneOf": [S]}),
        ({"oneOf": [False, {}]}, {}),
        ({"oneOf": [True, True, S]}, False),
        ({"not": {}}, False),
        ({"not": True}, False),
        ({"not": False}, {}),
        ({"if": True, "then": S, "else": False}, {"allOf": [S]}),
        ({"if": {}, "else": S}, {}),
        ({"if": False, "then": S, "else": {"minimum": 1}, "allOf": [S]}, {"allOf": [S, {"minimum": 1}]}),
        ({"if": False, "else": False}, False),
        ({"then": S, "else": S}, {}),
        ({"enum": []}, False),
        ({"enum": [1, 2], "const": 3}, False),
        ({"enum": [1, 2], "const": 2.0}, {"const": 2.0}),
        (
            {"enum": ["a", "abc", 1], "type": "string", "maxLength": 2},
            {"enum": ["a"], "type": "string", "maxLength": 2},
        ),
        ({"type": "null", "enum": [None]}, {"type": "null"}),
        ({"type": "null", "enum": [0]}, False),
        ({"type": "boolean", "enum": [True, False, 0]}, {"type": "boolean"}),
        ({"type": "boolean", "enum": [True]}, {"type": "boolean", "enum": [True]}),
        ({"type": "string", "minLength": 5, "maxLength": 2}, False),
        (
            {"type": ["string", "null"], "minLength": 5, "maxLength": 2},
            {"type": "null", "minLength": 5, "maxLength": 2},
        ),
        ({"type": "integer", "exclusiveMinimum": 1, "exclusiveMaximum": 2}, False),
        ({"type": "array", "items": False, "minItems": 1}, False),
        ({"type": "array", "contains": False}, False),
        ({"type": "object", "minProperties": 1, "maxProperties": 0}, False),
        ({"type": "object", "required": ["a"], "properties": {"a": {"enum": []}}}, False),
        ({"type": "object", "required": ["a"], "additionalProperties": False}, False),
    ],
)
def test_what_is_decided_at_once_is_folded(schema: Schema, expected: JsonValue) -> None:
    assert fold_constants.apply({"items": schema}) == {"items": expected}


@pytest.mark.parametrize(
    "schema",
    [
        {"minLength": 5, "maxLength": 2},
        {"required": ["a"], "properties": {"a": False}},
        {"type": "number", "exclusiveMinimum": 1, "exclusiveMaximum": 2},
        {"type": "strange", "enum": ["a"]},
        {"anyOf": [{"properties": {"a": True}}, True]},
        {"anyOf": []},
        {"type": "object", "required": [[]], "additionalProperties": False},
        {"anyOf": [1, True]},
        {"allOf": 5, "oneOf": {}, "not": 1, "enum": "a"},
        {"if": False, "else": S, "allOf": 5},
        {"if": {"minLength": 1}, "then": S},
        {"type": "integer", "enum": [1.0]},
    ],
)
def test_what_is_not_decided_is_the_same_object(schema: Schema) -> None:
    document = {"items": schema}

    assert fold_constants.apply(document) is document


def test_what_stands_beside_a_reference_is_left_alone() -> None:
    """Drafts before 2019-09 do not hear it."""
    document = {"items": {"$ref": "#/$defs/A", "enum": []}, "$defs": {"A": S}}

    assert fold_constants.apply(document) is document


def test_a_node_stays_that_others_refer_to() -> None:
    node = {"$anchor": "a", "enum": []}

    assert fold_constants(node) is node
    assert fold_constants.apply({"items": node, "contains": {"$ref": "#a"}}) == {
        "items": False,
        "contains": {"$ref": "#/$defs/items"},
        "$defs": {"items": False},
    }


def test_what_is_evaluated_stays_so() -> None:
    schema = {
        "type": "object",
        "allOf": [True, {"anyOf": [{"properties": {"a": True}}, True, False]}],
        "unevaluatedProperties": False,
    }
    result = compose("mine", "fold_constants").adapt(schema)
    before, after = judge_of(schema), judge_of(result.schema)

    assert result.schema["allOf"] == [{"anyOf": [{"properties": {"a": True}}, True]}]
    assert result.report.effect is Effect.EXACT
    assert [after(value) for value in SMALL_VALUES] == [before(value) for value in SMALL_VALUES]


def test_why_nothing_can_match_is_told() -> None:
    result = compose("mine", "fold_constants").adapt({"items": {"type": "string", "minLength": 5, "maxLength": 2}})

    assert [finding.note for finding in result.report] == ["nothing can match: minLength 5 and maxLength 2"]
