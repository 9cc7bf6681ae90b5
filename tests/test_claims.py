"""What every registered pipeline claims of the accepted values is so."""

import pytest

import schemaflow
from schemaflow import Adapter, Effect, Schema, dropping
from schemaflow.validation import judge_of
from tests import corpus_data
from tests.claims import alone, judged, judged_by, refutations, suite
from tests.corpus_data import OWN, Entry
from tests.surveys import PIPELINES

DRAFT_7 = "http://json-schema.org/draft-07/schema#"

EXCUSED = {
    "dangling-bare-name": "its own reference leads nowhere: no validator reads it",
    "draft4/ref/12": "refers by draft 4's `id` and declares no draft: no validator reads it",
}
OUTSIDE = {"draft2020-12/vocabulary/0": "keeps a `$schema` that names a metaschema which only the suite has"}


@pytest.mark.parametrize("pipeline", PIPELINES)
def test_no_value_refutes_a_claim(pipeline: str) -> None:
    verdict = judged(OWN, pipeline)

    assert (list(map(str, verdict.refuted)), verdict.unjudged.keys() - EXCUSED) == ([], set())


@pytest.mark.corpus
@pytest.mark.parametrize("pipeline", PIPELINES)
def test_no_value_of_the_official_suite_refutes_a_claim(pipeline: str) -> None:
    verdict = judged((group for group in suite() if group.id not in OUTSIDE), pipeline)

    assert (list(map(str, verdict.refuted)), verdict.unjudged.keys() - EXCUSED) == ([], set())
    assert verdict.count > 900


@pytest.mark.corpus
@pytest.mark.parametrize("pipeline", PIPELINES)
def test_no_labelled_instance_refutes_a_claim(pipeline: str) -> None:
    verdict = judged(corpus_data.iter_bench(), pipeline)

    assert (list(map(str, verdict.refuted)), verdict.unjudged.keys() - EXCUSED) == ([], set())
    assert verdict.count > 700


STEPS = {key: step for pipeline in PIPELINES for key, step in alone(pipeline).items()}
"""Each different step of the pipelines, as a pipeline of its own."""


@pytest.mark.parametrize("step", STEPS.values(), ids=STEPS)
def test_no_value_refutes_the_claim_of_a_single_step(step: Adapter) -> None:
    verdict = judged_by(OWN, step)

    assert list(map(str, verdict.refuted)) == []


@pytest.mark.corpus
@pytest.mark.parametrize("step", STEPS.values(), ids=STEPS)
def test_no_value_of_the_suite_refutes_the_claim_of_a_single_step(step: Adapter) -> None:
    verdict = judged_by((group for group in suite() if group.id not in OUTSIDE), step)

    assert list(map(str, verdict.refuted)) == []


def test_a_false_claim_is_found() -> None:
    adapter = schemaflow.adapter("adk/openai")
    result = adapter.adapt({"type": "string"})
    result.schema = {"type": "integer"}

    assert [one.value for one in refutations(Entry("a", {"type": "string"}, [], []), result, adapter)] == [0]


@pytest.mark.parametrize(
    ("schema", "effect"),
    [
        ({"$schema": DRAFT_7, "$ref": "#/definitions/a"}, Effect.EXACT),
        ({"$schema": DRAFT_7, "$ref": "#/definitions/a", "title": "A"}, Effect.EXACT),
        ({"$schema": DRAFT_7, "$ref": "#/definitions/a", "minLength": 1}, Effect.NARROWS),
        ({"$schema": DRAFT_7, "not": {"$ref": "#/definitions/a", "minLength": 1}}, Effect.UNKNOWN),
        ({"$schema": DRAFT_7, "dependentRequired": {"a": ["b"]}}, Effect.NARROWS),
        ({"$schema": DRAFT_7, "contains": {}, "minContains": 0}, Effect.UNKNOWN),
        ({"$schema": "https://json-schema.org/draft/2020-12/schema", "$ref": "#", "minLength": 1}, Effect.EXACT),
        ({"$schema": DRAFT_7, "items": {"$dynamicRef": "#"}}, Effect.UNKNOWN),
        ({"$schema": "https://json-schema.org/draft/2020-12/schema", "$dynamicRef": "#"}, Effect.EXACT),
        ({"$schema": "https://json-schema.org/draft/2020-12/schema", "$recursiveRef": "#"}, Effect.UNKNOWN),
        ({"$schema": "https://example.com/own"}, Effect.UNKNOWN),
    ],
)
def test_dropping_a_draft_tells_what_counts_from_then_on(schema: Schema, effect: Effect) -> None:
    assert dropping(schema, ["$schema"]) is effect


@pytest.mark.parametrize(
    ("schema", "dialect", "accepted", "refused"),
    [
        ({"type": "STRING", "nullable": True}, "openapi-3.0", None, 1),
        ({"items": [{"type": "string"}]}, "json-schema", ["a"], [1]),
        ({"minimum": 1, "exclusiveMinimum": True}, "json-schema", 2, 1),
    ],
)
def test_older_spellings_are_read_as_what_they_say(
    schema: Schema, dialect: str, accepted: object, refused: object
) -> None:
    accepts = judge_of(schema, dialect=dialect)

    assert (accepts(accepted), accepts(refused)) == (True, False)


def test_what_a_sibling_above_leaves_unevaluated_is_unknown() -> None:
    """Dropping `items` below `allOf` leaves the items unevaluated for the schema that holds it."""
    schema = {"allOf": [{"items": {"type": "string"}}], "unevaluatedItems": False}
    result = schemaflow.compose("own", "single_items").adapt(schema)

    assert result.report.effect is Effect.UNKNOWN
