import pytest

from schemaflow import Effect, JsonValue, Schema, compose
from schemaflow.validation import judge_of
from schemaflow_rules.simplify import simplify
from tests.algebra.related import SMALL_VALUES

S: Schema = {"type": "string"}
NULL: Schema = {"type": "null"}
DEAD: Schema = {
    "type": "object",
    "required": ["a"],
    "properties": {"a": {"type": "integer", "minimum": 3, "maximum": 1}},
}


@pytest.mark.parametrize(
    ("schema", "expected"),
    [
        ({"type": "string", "minimum": 5}, S),
        ({"type": "integer", "minimum": 5, "minLength": 1}, {"type": "integer", "minimum": 5}),
        ({"type": ["string", "null"], "items": S, "minLength": 1}, {"type": ["string", "null"], "minLength": 1}),
        ({"type": "array", "unevaluatedProperties": False, "allOf": [S]}, {"type": "array", "allOf": [S]}),
        ({"anyOf": [S]}, S),
        ({"oneOf": [S]}, S),
        ({"type": ["boolean"], "anyOf": [{"maximum": 0}]}, {"type": ["boolean"]}),
        ({"anyOf": [{"minLength": 1, "anyOf": [S, NULL]}]}, {"minLength": 1, "anyOf": [S, NULL]}),
        ({"anyOf": [{"type": "string", "title": "A"}], "title": "B"}, {"type": "string", "title": "B"}),
        ({"type": "object", "anyOf": [{"required": ["a"]}]}, {"type": "object", "required": ["a"]}),
        ({"anyOf": [{"anyOf": [S, {"anyOf": [NULL]}]}, NULL]}, {"anyOf": [S, NULL]}),
        ({"anyOf": [S, NULL, {"type": "string"}]}, {"anyOf": [S, NULL]}),
        ({"anyOf": [DEAD, S]}, S),
        ({"anyOf": [DEAD, DEAD]}, False),
        ({"type": "object", "required": ["b"], "properties": {"b": DEAD}}, False),
        ({"anyOf": [{"enum": ["a"]}, S]}, S),
        (
            {"anyOf": [{"const": 4}, {"type": "number", "minimum": 2}, NULL]},
            {"anyOf": [{"type": "number", "minimum": 2}, NULL]},
        ),
        (
            {"anyOf": [{"type": "object", "required": ["b", "a"]}, {"type": "object", "required": ["a"]}]},
            {"type": "object", "required": ["a"]},
        ),
        (
            {"anyOf": [{"type": "string", "minLength": 3}, {"type": "string", "minLength": 2}]},
            {"type": "string", "minLength": 2},
        ),
    ],
)
def test_what_says_nothing_goes(schema: Schema, expected: JsonValue) -> None:
    assert simplify.apply({"items": schema}) == {"items": expected}


@pytest.mark.parametrize(
    "schema",
    [
        {"minimum": 5, "minLength": 1},
        {"type": "strange", "minimum": 5},
        {"anyOf": [{"type": {}}, {"type": []}]},
        {"anyOf": [S, {"type": "number"}]},
        {"anyOf": [{"$ref": "#/$defs/A"}]},
        {"anyOf": [{"$anchor": "a", "type": "string"}]},
        {"anyOf": [{"type": "string", "minLength": 1}, {"type": "string", "maxLength": 3}]},
        {"anyOf": [{"enum": ["a"]}, {"type": "string", "format": "email"}]},
        {"anyOf": [{"pattern": "a"}], "pattern": "b"},
        {"anyOf": [{"properties": {"a": S}}], "additionalProperties": False, "unevaluatedItems": False},
        {"type": "string", "contentSchema": S},
    ],
)
def test_what_cannot_be_said_more_simply_is_the_same_object(schema: Schema) -> None:
    document = {"items": schema}

    assert simplify.apply(document) is document


def test_a_member_stays_that_evaluates_more_than_the_one_that_holds_it() -> None:
    schema = {
        "type": "object",
        "allOf": [{"anyOf": [{"required": ["a"], "properties": {"a": True}}, {"required": ["a"]}]}],
        "unevaluatedProperties": False,
    }
    result = compose("mine", "simplify").adapt(schema)

    assert result.schema is schema


@pytest.mark.parametrize(
    "schema",
    [
        {"properties": {"a": {"anyOf": [S]}}, "additionalProperties": False},
        {"additionalProperties": False, "anyOf": [{"properties": {"a": S}}]},
        {"anyOf": [{"additionalProperties": {"type": "null"}}], "properties": {"a": S}},
        {"contains": {"type": "integer"}, "anyOf": [{"minContains": 2}]},
    ],
)
def test_the_only_member_of_a_union_says_the_same_in_its_place(schema: Schema) -> None:
    result = compose("mine", "simplify").adapt(schema)
    before, after = judge_of(schema), judge_of(result.schema)

    assert result.schema is not schema
    assert result.report.effect is Effect.EXACT
    assert [after(value) for value in SMALL_VALUES] == [before(value) for value in SMALL_VALUES]


def test_a_long_union_is_only_read_for_repetitions() -> None:
    members = [{"type": "string", "minLength": number} for number in range(40)]

    assert simplify({"anyOf": [*members, members[0]]}) == {"anyOf": members}
