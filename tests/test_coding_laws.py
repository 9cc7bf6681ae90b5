"""The laws read through codecs: a right codec keeps them, wrong ones are found on drawn schemas."""

from typing import Any

import pytest

import schemaflow
from schemaflow.codecs import Codec, Pairs, marked
from schemaflow.effect import Effect
from schemaflow.keywords import JsonValue, Schema
from schemaflow.laws.judging import refutation
from schemaflow.laws.pipelines import fuzz_pipeline
from schemaflow.pipeline import Condition, Step
from schemaflow.validation import judge_of

ENTRY = {
    "type": "object",
    "properties": {"key": {"type": "string"}, "value": {}},
    "required": ["key", "value"],
    "additionalProperties": False,
}


class LosesDuplicates(Pairs):
    """Drops members whose values were there before."""

    def encode(self, value: JsonValue, node: Schema) -> JsonValue:
        pairs: Any = super().encode(value, node)
        return [
            pair for index, pair in enumerate(pairs) if pair["value"] not in [one["value"] for one in pairs[:index]]
        ]


class DropsNulls(Pairs):
    """Takes an allowed null for a member that was left out."""

    def decode(self, value: JsonValue, raw: JsonValue, node: Schema) -> JsonValue:
        found = super().decode(value, raw, node)
        return {k: v for k, v in found.items() if v is not None} if isinstance(found, dict) else found


class SwapsBooleans(Pairs):
    """Reads true for false, and false for true."""

    def decode(self, value: JsonValue, raw: JsonValue, node: Schema) -> JsonValue:
        found = super().decode(value, raw, node)
        if not isinstance(found, dict):
            return found
        return {k: (not v if isinstance(v, bool) else v) for k, v in found.items()}


def adapter_with(codec: Codec) -> schemaflow.Adapter:
    @schemaflow.node_rule(on={"type"}, writes=schemaflow.EVERYTHING, spawns=True, effect=Effect.WIDENS, encodes=True)
    def maps_to_pairs(schema: Schema) -> Schema:
        """Write an object as a list of pairs; what its members are is no longer said."""
        if schema.get("type") != "object" or "nullable" in schema:
            return schema
        return marked({"type": "array", "items": ENTRY}, codec)

    return schemaflow.compose("own", Step(maps_to_pairs, when=Condition(at_root=True)))


VALUES: list[JsonValue] = [{}, {"a": 1}, {"a": 1, "b": 1}, {"a": None}, {"a": True}, [], [{"key": "a", "value": 1}]]


def refuted(codec: Codec) -> Any:
    schema = {"type": "object"}
    result = adapter_with(codec).adapt(schema)
    return refutation(judge_of(schema), judge_of(result.schema), Effect.EXACT, VALUES, coder=result.coder)


@pytest.mark.parametrize(
    ("codec", "value"),
    [(LosesDuplicates(), {"a": 1, "b": 1}), (DropsNulls(), {"a": None}), (SwapsBooleans(), {"a": True})],
)
def test_a_codec_that_loses_a_value_is_refuted_by_it(codec: Codec, value: JsonValue) -> None:
    assert refuted(codec).value == value


def test_a_right_codec_is_not_refuted() -> None:
    assert refuted(Pairs()) is None


@pytest.mark.parametrize("codec", [LosesDuplicates(), DropsNulls(), SwapsBooleans()], ids=repr)
def test_fuzz_finds_a_codec_that_loses_a_value(codec: Codec) -> None:
    failures = fuzz_pipeline(adapter_with(codec), examples=1000, seed=0, laws=["claim"])

    assert [failure.law for failure in failures] == ["claim"]


def test_fuzz_finds_nothing_at_a_right_codec() -> None:
    assert fuzz_pipeline(adapter_with(Pairs()), examples=300, seed=0, laws=["claim"]) == []
