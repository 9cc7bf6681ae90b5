"""What `unevaluated…` sees depends on which subschemas a value matches: the judge is jsonschema-rs."""

import pytest

from schemaflow import Effect, Rewrite, Schema
from schemaflow.validation import judge_of
from schemaflow_rules.fold_unevaluated import fold_unevaluated
from tests.algebra.related import SMALL_VALUES

A: Schema = {"properties": {"a": {"type": "integer"}}}
B: Schema = {"properties": {"b": True}, "required": ["b"]}
CLOSED: Schema = {"unevaluatedProperties": False}
ENDED: Schema = {"unevaluatedItems": False}


@pytest.mark.parametrize(
    "schema",
    [
        {**A, **CLOSED},
        {"patternProperties": {"^x-": True}, **CLOSED},
        {"allOf": [A, B], **CLOSED},
        {"allOf": [{"allOf": [A]}, {**B, **CLOSED}], "unevaluatedProperties": {"type": "string"}},
        {"anyOf": [A, B], **CLOSED},
        {"anyOf": [A, B, {"properties": {"x-a": True}, "required": ["x-a"]}], **CLOSED},
        {"oneOf": [A, B], **CLOSED},
        {"not": {**A, **B}, **CLOSED},
        {"if": B, "then": A, **CLOSED},
        {"if": B, "else": A, **CLOSED},
        {"dependentSchemas": {"b": A}, "properties": {"b": True}, **CLOSED},
        {"additionalProperties": {"type": "integer"}, **CLOSED},
        {"allOf": [{"additionalProperties": {"type": "integer"}}], **CLOSED},
        {"prefixItems": [True], **ENDED},
        {"allOf": [{"prefixItems": [True]}, {"prefixItems": [True, {"type": "string"}]}], **ENDED},
        {"anyOf": [{"prefixItems": [{"type": "integer"}]}, {"items": {"type": "string"}}], **ENDED},
        {"items": True, **ENDED},
        {"prefixItems": [True], "contains": {"type": "integer"}, "unevaluatedItems": {"type": "null"}},
        {"unevaluatedItems": {"type": "string"}, "unevaluatedProperties": {"type": "integer"}},
    ],
)
def test_it_is_said_by_what_is_evaluated(schema: Schema) -> None:
    answer = fold_unevaluated.bind().call(schema)
    before, after = judge_of(schema), judge_of(answer.schema)

    assert "unevaluated" not in str([*answer.schema])
    assert [after(value) for value in SMALL_VALUES] == [before(value) for value in SMALL_VALUES]


@pytest.mark.parametrize(
    "schema",
    [
        {"$ref": "#/$defs/A", **CLOSED},
        {"anyOf": [{"properties": {f"p{number}": True}} for number in range(12)], **CLOSED},
    ],
)
def test_what_cannot_be_told_is_lost(schema: Schema) -> None:
    answer = fold_unevaluated.bind().call(schema)

    assert isinstance(answer, Rewrite)
    assert (answer.effect, answer.lost) == (Effect.WIDENS, CLOSED)
    assert answer.schema == {word: value for word, value in schema.items() if word not in CLOSED}
