"""What is tolerated: which conversions raise, what the error says, and where the tolerance comes from."""

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given

import schemaflow
from schemaflow import (
    Adapter,
    Effect,
    LossyConversion,
    OptionError,
    Order,
    Pipeline,
    PipelineError,
    Rewrite,
    SchemaflowError,
    Unsupported,
    adapter_from_file,
    compose,
    node_rule,
)
from schemaflow.drawing import schemas
from schemaflow.effect import WORDS

DROP = ("drop_keywords", {"keywords": ["pattern"]})
SCHEMAS: dict[str, Any] = {
    "exact": {"title": "T"},
    "widens": {"pattern": "^x"},
    "narrows": {"not": {"pattern": "^x"}},
    "unknown": {"if": {"pattern": "^x"}, "then": {"maxLength": 3}},
}
PASSES = {
    "exact": {"exact"},
    "widens": {"exact", "widens"},
    "narrows": {"exact", "narrows"},
    "both": {"exact", "widens", "narrows", "both"},
    "unknown": set(WORDS),
}


def acme(**fields: Any) -> Adapter:
    return compose("acme", DROP, **fields)


def raised(call: Callable[[], Any]) -> LossyConversion:
    with pytest.raises(LossyConversion) as caught:
        call()
    return caught.value


# --- what is within what


@pytest.mark.parametrize("tolerated", WORDS)
@pytest.mark.parametrize("effect", WORDS)
def test_an_effect_is_tolerated_where_its_facts_are(effect: str, tolerated: str) -> None:
    is_within = schemaflow.Effect[effect.upper()].is_within(Effect[tolerated.upper()])

    assert is_within == (effect in PASSES[tolerated])


@pytest.mark.parametrize("tolerated", WORDS)
@pytest.mark.parametrize("effect", SCHEMAS)
def test_a_conversion_beyond_what_is_tolerated_raises(effect: str, tolerated: str) -> None:
    adapter, schema = acme(), SCHEMAS[effect]
    assert adapter.adapt(schema).report.effect.word == effect

    if effect in PASSES[tolerated]:
        assert adapter.adapt(schema, tolerate=tolerated).schema == adapter.adapt(schema).schema
    else:
        assert raised(lambda: adapter.adapt(schema, tolerate=tolerated)).tolerated.word == tolerated


@given(schemas(depth=2))
def test_what_raises_are_exactly_the_findings_that_go_beyond(schema: Any) -> None:
    adapter = schemaflow.adapter("default")
    report = adapter.adapt(schema).report

    for tolerated in map(Effect.__getitem__, map(str.upper, WORDS)):
        beyond = [
            one
            for one in report
            if not one.superseded and not one.refused and one.effect.word not in PASSES[tolerated.word]
        ]
        if beyond:
            assert raised(partial(adapter.adapt, schema, tolerate=tolerated)).findings == tuple(beyond)
        else:
            adapter.adapt(schema, tolerate=tolerated)
        # The whole is within exactly where all its findings are.
        assert report.effect.is_within(tolerated) == (not beyond)


@node_rule(on={"pattern"}, writes={"pattern"}, introduces=(), order=Order.CHILDREN_FIRST, effect=Effect.WIDENS)
def drops_or_refuses(schema: Any) -> Any:
    if "enum" in schema:
        raise Unsupported("it has an enum")
    return Rewrite({name: value for name, value in schema.items() if name != "pattern"}, note="gone")


def test_what_was_refused_or_superseded_does_not_count() -> None:
    adapter = compose("acme", drops_or_refuses, ("drop_keywords", {"keywords": ["items"]}))
    schema = {"pattern": "x", "enum": ["x"], "items": {"not": {"pattern": "y"}}}

    report = adapter.adapt(schema, tolerate="widens").report

    assert [(one.pointer, one.effect, one.refused, one.superseded) for one in report] == [
        ("/items/not", Effect.NARROWS, False, True),
        ("", Effect.EXACT, True, False),
        ("", Effect.WIDENS, False, False),
    ]


# --- where the tolerance comes from


def test_without_a_word_everything_is_tolerated_and_reported() -> None:
    assert acme().adapt(SCHEMAS["unknown"]).report.effect is Effect.UNKNOWN


def test_a_call_has_the_last_word() -> None:
    strict, lax = acme(tolerate="exact"), acme(tolerate="widens")
    schema = SCHEMAS["widens"]

    assert raised(lambda: strict.adapt(schema)).tolerated is Effect.EXACT
    assert strict.adapt(schema, tolerate=Effect.WIDENS).schema == {}
    assert lax.adapt(schema).schema == {}
    assert raised(lambda: lax.adapt(schema, tolerate="narrows")).tolerated is Effect.NARROWS


@pytest.mark.parametrize(
    "convert",
    [
        lambda adapter, schema: adapter.adapt(schema, tolerate="exact"),
        lambda adapter, schema: adapter.normalize_schema(schema, tolerate="exact"),
        lambda adapter, schema: adapter.adapt_tool({"name": "t", "inputSchema": schema}, tolerate="exact"),
        lambda adapter, schema: adapter.tolerating("exact").adapt(schema),
    ],
    ids=["adapt", "normalize_schema", "adapt_tool", "tolerating"],
)
def test_every_way_to_convert_minds_it(convert: Callable[[Adapter, Any], Any]) -> None:
    assert len(raised(lambda: convert(acme(), SCHEMAS["widens"])).findings) == 1


def test_an_adapter_of_a_registered_pipeline_may_tolerate_less() -> None:
    strict = schemaflow.adapter("adk/gemini", tolerate="exact")

    assert raised(lambda: strict.adapt(SCHEMAS["narrows"])).pipeline == "adk/gemini"
    assert schemaflow.adapter("adk/gemini").pipeline.tolerate is Effect.UNKNOWN


def test_a_cache_keeps_no_conversion_that_went_beyond() -> None:
    cache = schemaflow.SchemaCache(acme(tolerate="exact"))

    for _ in range(2):
        raised(lambda: cache.adapt(SCHEMAS["widens"]))
    assert len(cache) == 0


def test_a_tool_without_a_schema_loses_nothing() -> None:
    assert acme().adapt(None, tolerate="exact").schema == {"type": "object", "properties": {}}


@pytest.mark.parametrize("word", ["wide", "EXACT", "", None, 1])
def test_what_is_no_effect_is_refused(word: Any) -> None:
    with pytest.raises(OptionError, match="tolerate must be one of exact, widens, narrows, both, unknown, not "):
        acme().tolerating(word)


# --- in a pipeline file


def written(folder: Path, name: str, text: str) -> Path:
    path = folder / f"{name}.yaml"
    path.write_text(
        f"provider: acme\n{text}\nsteps: [{{rule: drop_keywords, id: {name}, with: {{keywords: [{name}]}}}}]"
    )
    return path


def test_a_pipeline_file_may_tolerate_less_and_its_children_inherit_that(tmp_path: Path) -> None:
    parent = written(tmp_path, "pattern", "tolerate: widens")
    child = written(tmp_path, "minLength", "extends: pattern")
    other = written(tmp_path, "format", "extends: pattern\ntolerate: both")

    tolerated = [adapter_from_file(path).pipeline.tolerate for path in (parent, child, other)]

    assert tolerated == [Effect.WIDENS, Effect.WIDENS, Effect.BOTH]
    assert adapter_from_file(parent, tolerate="exact").pipeline.tolerate is Effect.EXACT


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ("wide", "acme.yaml:2:11: must be exact or widens or narrows or both or unknown, not 'wide'"),
        ("true", "acme.yaml:2:11: must be exact or widens or narrows or both or unknown, not true"),
        ("[exact]", "acme.yaml:2:11: must be exact or widens or narrows or both or unknown, not a list"),
    ],
)
def test_another_word_in_a_file_is_a_problem_at_its_place(tmp_path: Path, value: str, message: str) -> None:
    with pytest.raises(PipelineError) as caught:
        adapter_from_file(written(tmp_path, "acme", f"tolerate: {value}"))

    assert str(caught.value).removeprefix(f"{tmp_path}/").startswith(message)


# --- the error


@node_rule(on={"pattern"}, writes={"pattern"}, introduces=(), effect=Effect.WIDENS)
def drop_pattern(schema: Any) -> Any:
    return {name: value for name, value in schema.items() if name != "pattern"}


def test_the_error_names_every_finding_on_a_line() -> None:
    adapter = compose("acme", drop_pattern)
    schema = {"properties": {"code": {"pattern": "^[A-Z]{3}$"}, "a": {"not": {"pattern": "^x"}}}}

    error = raised(lambda: adapter.adapt(schema, tolerate="exact"))

    assert str(error).splitlines() == [
        "acme: 2 findings go beyond the tolerated 'exact'",
        '  /properties/code   drop_pattern  widens   dropped "^[A-Z]{3}$"',
        '  /properties/a/not  drop_pattern  narrows  dropped "^x"',
    ]


def test_the_error_has_the_findings_and_the_whole_report() -> None:
    adapter = compose("acme", "const_to_enum", DROP)

    error = raised(
        lambda: adapter.adapt_tool({"name": "t", "inputSchema": {"const": 1, "pattern": "x"}}, tolerate="exact")
    )

    assert isinstance(error, SchemaflowError)
    assert (error.pipeline, error.tool, error.tolerated) == ("acme", "t", Effect.EXACT)
    assert [one.step for one in error.findings] == ["drop_keywords"]
    assert [one.step for one in error.report] == ["const_to_enum", "drop_keywords"]
    assert str(error).startswith(
        "acme: tool 't': 1 finding goes beyond the tolerated 'exact'\n  (root)  drop_keywords  widens"
    )


def test_long_and_odd_values_stay_on_their_lines() -> None:
    schema = {"properties": {"a\nb": {"pattern": "\ud800\n" * 100}, "c": {"pattern": [[]] * 50}}}

    lines = str(raised(lambda: acme().adapt(schema, tolerate="exact"))).splitlines()

    assert len(lines) == 3
    assert lines[1].startswith('  /properties/a\\nb  drop_keywords  widens  dropped pattern "\\ud800\\n')
    assert all(line.endswith(" ...") and len(line) < 300 and line.isprintable() for line in lines[1:])


def test_pipelines_differ_by_what_they_tolerate() -> None:
    assert Pipeline("a", tolerate="exact") == Pipeline("a", tolerate=Effect.EXACT) != Pipeline("a")
