"""The laws of pipelines: every registered one keeps them, and each of them finds a pipeline that does not."""

import ast
import json
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from attrs import evolve

import schemaflow
from schemaflow import Adapter, JsonValue, UnknownNameError, adapter_from_file, compose
from schemaflow.adapters import to_bytes
from schemaflow.drawing import DRAFTS
from schemaflow.laws import (
    PROMISES,
    Failure,
    check_case,
    check_pipeline,
    fuzz_pipeline,
    order_matters,
    regression_test,
)
from schemaflow.laws.dangling import nodes
from schemaflow.laws.judging import judge_or_none
from schemaflow.laws.pipelines import LAWS
from schemaflow.laws.reducing import reduced
from schemaflow.laws.regression import literal
from schemaflow.laws.sampling import samples
from schemaflow.registry import Plugin, Registry, installed
from tests.surveys import PIPELINES

SAMPLES = Path(__file__).with_name("samples")

NOT_IDEMPOTENT = {
    **dict.fromkeys(
        ("adk/anthropic", "adk/generic", "adk/openai", "default"),
        "what stands beside a reference to the schema itself is united with it once, and the copy has none beside it",
    ),
    "normalize": "a definition that was recursive may not be so any more, and is put in its place only then",
    "adk/openai-strict": "what is told of others' properties is an object only then, after implicit types were added",
    **dict.fromkeys(
        ("koog/descriptor", "koog/ollama", "koog/openai"),
        "a bare `nullable` becomes a list of types where such lists were made unions before; an empty enum goes late",
    ),
}
"""The pipelines that are not idempotent, each with the reason: the seeds' pipelines go by a single round."""


@pytest.fixture
def faulty(monkeypatch: pytest.MonkeyPatch) -> Registry:
    """The installed registry, and a plug-in `faulty`."""
    monkeypatch.syspath_prepend(str(SAMPLES))
    return Registry.of([*installed().plugins.values(), Plugin("faulty", "faulty_rules")])


@pytest.fixture
def sample(faulty: Registry) -> Callable[[str], Adapter]:
    return lambda name: adapter_from_file(SAMPLES / f"{name}.yaml", registry=faulty)


def of_rules(registry: Registry, *names: str) -> Adapter:
    return compose("mine", *(registry.rule(name) for name in names))


# --- every registered pipeline


def keeps_every_law(pipeline: str, examples: int, seed: int) -> None:
    check_pipeline(
        schemaflow.adapter(pipeline),
        examples=examples,
        seed=seed,
        exempt={"idempotent"} if pipeline in NOT_IDEMPOTENT else (),
        drafts=DRAFTS,
    )


@pytest.mark.parametrize("pipeline", PIPELINES)
def test_registered_pipelines_keep_every_law(pipeline: str) -> None:
    keeps_every_law(pipeline, 100, 0)


@pytest.mark.corpus
@pytest.mark.parametrize("pipeline", PIPELINES)
def test_registered_pipelines_keep_every_law_on_more(pipeline: str) -> None:
    keeps_every_law(pipeline, 250, 1)


# --- faults that have to be found within 500 examples


def test_a_step_that_loses_what_a_later_one_needs_is_found(sample: Callable[[str], Adapter]) -> None:
    (found,) = fuzz_pipeline(sample("lossy_too_early"))

    assert (found.law, found.step, found.is_warning) == ("order", "drop_keywords", True)
    assert "drop_keywords loses `allOf` before merge_all_of, which needs it: move it after" in found.problem
    assert len(to_bytes(found.schema)) < 60


def test_a_false_effect_is_found(sample: Callable[[str], Adapter]) -> None:
    (found,) = fuzz_pipeline(sample("false_effect"), laws=["claim"])

    assert (found.law, found.step, found.has_value) == ("claim", "faulty/forgets_pattern", True)
    assert "the report says exact, but the value was refused before and is accepted after" in found.problem
    assert len(to_bytes(found.schema)) < 40


def test_a_step_that_raises_is_found(sample: Callable[[str], Adapter]) -> None:
    found = fuzz_pipeline(sample("raises"))[0]

    assert (found.law, found.step, found.output) == ("raises", "faulty/first_type", None)
    assert found.problem == "it raises KeyError('type')"
    assert found.schema == {"items": {}}


@pytest.mark.parametrize(
    ("rules", "law", "step"),
    [
        (["const_to_enum", "faulty/writes_into"], "untouched", "writes_into"),
        (["faulty/writes_into", "strip_schema_keyword"], "untouched", "writes_into"),
        (["strip_schema_keyword", "faulty/turns_over"], "deterministic", "turns_over"),
        (["drop_titles", "faulty/hides_its_peek"], "fused", "hides_its_peek"),
        (["const_to_enum", "faulty/loses_anchors"], "references", "loses_anchors"),
        (["faulty/adds_up", "const_to_enum"], "idempotent", "adds_up"),
    ],
)
def test_every_law_is_caught_when_broken(faulty: Registry, rules: list[str], law: str, step: str) -> None:
    steps = [
        ("drop_keywords", {"keywords": ["title"]}) if name == "drop_titles" else faulty.rule(name) for name in rules
    ]
    found = fuzz_pipeline(compose("mine", *steps), laws=[law])

    assert [(one.law, one.step) for one in found] == [(law, step)]


def test_what_the_author_left_dangling_is_not_the_pipelines_fault() -> None:
    check_case(compose("mine", "const_to_enum"), "references", {"$ref": "#/nowhere", "const": 1})


def test_the_same_seed_finds_the_same(sample: Callable[[str], Adapter]) -> None:
    first, again = (fuzz_pipeline(sample("false_effect"), seed=7, laws=["claim"]) for _ in range(2))

    assert first == again != []


def test_progress_is_told_for_each_law() -> None:
    told: list[tuple[str, int, int]] = []
    fuzz_pipeline(
        compose("mine", "const_to_enum"),
        examples=20,
        laws=["claim", "raises"],
        progress=lambda *step: told.append(step),
    )

    assert {law for law, _, _ in told} == {"raises", "claim"}
    assert [done for law, done, _ in told if law == "claim"] == sorted({done for _, done, _ in told})
    assert 10 < told[-1][1] <= told[-1][2] == 20


def test_nothing_is_printed(sample: Callable[[str], Adapter], capsys: pytest.CaptureFixture[str]) -> None:
    fuzz_pipeline(sample("false_effect"), examples=100)

    assert capsys.readouterr() == ("", "")


def test_a_law_that_there_is_not_is_told() -> None:
    with pytest.raises(ValueError, match="no such law: clams"):
        fuzz_pipeline(compose("mine"), laws=["clams"])
    with pytest.raises(ValueError, match="no such law: clams"):
        check_pipeline(compose("mine"), exempt={"clams"})


def test_every_law_has_a_promise() -> None:
    assert LAWS.keys() == PROMISES.keys()


# --- in a suite


def test_a_pipeline_that_breaks_a_law_fails_a_check(sample: Callable[[str], Adapter]) -> None:
    said = "pipeline 'false_effect': the law 'claim' is broken by step 'faulty/forgets_pattern': the report says exact"

    with pytest.raises(AssertionError, match=said):
        check_pipeline(sample("false_effect"))
    check_pipeline(sample("false_effect"), exempt={"claim"})


def test_a_failure_that_is_null_has_a_value() -> None:
    failure = Failure("claim", {}, "a", "wrong", has_value=True)

    assert "value: null" in str(failure)
    assert "value" not in str(evolve(failure, has_value=False))


def test_a_regression_test_fails_until_the_fault_is_mended(tmp_path: Path) -> None:
    path = tmp_path / "mine.yaml"
    path.write_text(
        "provider: mine\nsteps:\n  - rule: drop_keywords\n    with: {keywords: [allOf]}\n  - merge_all_of\n"
    )
    (failure,) = fuzz_pipeline(adapter_from_file(path), laws=["order"])
    test = tmp_path / "test_mine.py"
    test.write_text(regression_test(failure, path))

    assert (run(test), formatted(test)) == (1, True)

    path.write_text(
        "provider: mine\nsteps:\n  - merge_all_of\n  - rule: drop_keywords\n    with: {keywords: [allOf]}\n"
    )
    assert run(test) == 0


def run(test: Path) -> int:
    """Which code pytest ends with."""
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-c", "/dev/null", str(test)]
    return subprocess.run(command, capture_output=True, check=False).returncode


def formatted(test: Path) -> bool:
    command = [sys.executable, "-m", "ruff", "format", "--isolated", "--line-length=100", "--check", str(test)]
    return subprocess.run(command, capture_output=True, check=False).returncode == 0


def test_a_regression_test_of_a_claim_names_the_value_and_the_registered_pipeline() -> None:
    failure = Failure("claim", {"type": ["null", "string"]}, "a", "wrong", value=None, has_value=True)
    text = regression_test(failure, "adk/openai-strict")

    ast.parse(text)
    assert "def test_adk_openai_strict_claim() -> None:" in text
    assert '    schema = {"type": ["null", "string"]}\n    value = None\n' in text
    assert '    pipeline = adapter("adk/openai-strict")\n' in text
    assert '    check_case(pipeline, "claim", schema, [value])\n' in text


ODD: list[JsonValue] = [
    *(None, True, 1e300, -1e-7, 2**70, 1.0, "", "\n\t\x00\x7f", "🐝é\u2028", "\ud800", 'say "a"', "it's", "a\\b"),
    {"true": [False, None, {}, []], "null": "null", 'e+"': "1e+5"},
    {"properties": {str(number): {"type": "string", "enum": ["a", "b"]} for number in range(9)}},
]


@pytest.mark.parametrize("value", ODD, ids=json.dumps)
def test_values_are_written_as_python(value: JsonValue, tmp_path: Path) -> None:
    text = literal(value)
    source = tmp_path / "value.py"
    source.write_text(f"value = {text}\n", encoding="utf-8")

    assert ast.literal_eval(text) == value
    assert formatted(source)


# --- orders


def test_steps_whose_order_matters_are_told_with_the_smallest_schema() -> None:
    mine = compose("mine", ("drop_keywords", {"keywords": ["allOf"]}), "merge_all_of")
    found = order_matters(mine, "drop_keywords", "merge_all_of")

    assert isinstance(found, dict)
    assert found.keys() == {"allOf"}
    assert len(to_bytes(found)) < 40


def test_steps_that_may_change_places_are_told() -> None:
    mine = compose("mine", "const_to_enum", ("drop_keywords", {"keywords": ["title"]}))

    assert order_matters(mine, "const_to_enum", "drop_keywords", examples=100) is None


def test_a_step_that_is_not_there_is_told() -> None:
    with pytest.raises(UnknownNameError, match="const_to_enums"):
        order_matters(compose("mine", "const_to_enum"), "const_to_enum", "const_to_enums")


# --- what is drawn


def test_samples_are_distinct_and_the_same_for_the_same_seed() -> None:
    first, again, other = (list(samples(60, seed)) for seed in (1, 1, 2))

    assert first == again != other
    assert len({json.dumps(one) for one in first}) == len(first) > 40


def test_most_samples_have_values_of_both_verdicts() -> None:
    """Measured, of those whose schema a validator reads: 54 % have both, 32 % only values that are refused."""
    judged = [(judge_or_none(schema, "json-schema"), values) for schema, values in samples(300, 0)]
    verdicts = Counter(frozenset(map(judge, values)) for judge, values in judged if judge is not None)
    total = sum(verdicts.values())

    assert total > 0.7 * len(judged)
    assert verdicts[frozenset({True, False})] > 0.45 * total
    assert verdicts[frozenset({False})] < 0.4 * total


COMBINERS: frozenset[str] = frozenset({"allOf", "anyOf", "oneOf"})
ODD_ONES: dict[str, Callable[[dict[str, Any]], bool]] = {
    "a not": lambda node: "not" in node,
    "a condition": lambda node: "if" in node and not {"then", "else"}.isdisjoint(node),
    "unevaluated": lambda node: "unevaluatedProperties" in node or "unevaluatedItems" in node,
    "a combiner in a combiner": lambda node: any(
        not COMBINERS.isdisjoint(one) for word in COMBINERS & node.keys() for one in node[word] if isinstance(one, dict)
    ),
    "a reference": lambda node: "$ref" in node,
    "a boolean schema": lambda node: any(isinstance(node.get(word), bool) for word in ("items", "not", "contains")),
    "an odd name": lambda node: not {"", "$ref", "a/b", "m~n", "🐝"}.isdisjoint(node.get("properties", ())),
    "a big number": lambda node: any(abs(node.get(word, 0)) > 2**64 for word in ("minimum", "maximum")),
}


@pytest.mark.parametrize("name", ODD_ONES)
def test_what_is_odd_is_judged_with_values_of_both_verdicts(name: str) -> None:
    found = [schema for schema in told_apart() if any(map(ODD_ONES[name], nodes(schema)))]

    assert len(found) >= 5


@cache
def told_apart() -> list[JsonValue]:
    """The schemas among the samples of a seed that some drawn values meet, and some do not."""
    return [
        schema
        for schema, values in samples(800, 3, drafts=["2020-12"])
        if (judge := judge_or_none(schema, "json-schema")) and len(set(map(judge, values))) == 2
    ]


# --- making it small


def test_what_is_reduced_is_still_wrong_and_has_nothing_to_spare() -> None:
    document = {"a": [{"x": 1}, {"b": {"c": {"wanted": "long text"}, "d": 5}}], "e": {"f": [1, 2, 3]}}

    assert reduced(document, lambda one: "wanted" in json.dumps(one)) == {"wanted": ""}
    assert document["e"] == {"f": [1, 2, 3]}


def test_reducing_comes_to_an_end() -> None:
    asked: list[JsonValue] = []

    def is_wrong(value: JsonValue) -> bool:
        asked.append(value)
        return False

    assert reduced([[0] * 50] * 50, is_wrong, most=30) == [[0] * 50] * 50
    assert len(asked) == 30
