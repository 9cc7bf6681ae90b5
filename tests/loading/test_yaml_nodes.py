"""The strict corner of YAML that pipelines are written in."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from schemaflow.errors import PipelineError
from schemaflow.loading import read_pipeline
from schemaflow.loading.yaml_nodes import MAX_BYTES, plain, read_nodes
from schemaflow.registry import Registry
from tests.effort import at_most

from .test_reading import FULL


def value(text: str) -> object:
    root, found = read_nodes(text, "x.yaml")
    assert root is not None
    assert found == []
    return plain(root, found)


def problem(text: str) -> str:
    try:
        _, found = read_nodes(text, "x.yaml")
    except PipelineError as error:
        return str(error)
    return "\n".join(map(str, found))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("yes", "yes"),
        ("off", "off"),
        ("true", True),
        ("FALSE", False),
        ("~", None),
        ("null", None),
        ("'null'", "null"),
        ('"1"', "1"),
        ("12", 12),
        ("-12", -12),
        ("012", 12),
        ("0o14", 12),
        ("0xC", 12),
        ("1_000", "1_000"),
        ("1.5e3", 1500.0),
        (".5", 0.5),
        ("2026-11-30", "2026-11-30"),
        ("1:30", "1:30"),
        ("{a: [1, {b: c}]}", {"a": [1, {"b": "c"}]}),
        ("|\n  a\n  b\n", "a\nb\n"),
    ],
)
def test_scalars_are_those_of_the_core_schema(text: str, expected: object) -> None:
    assert value(text) == expected
    assert type(value(text)) is type(expected)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a: 1\na: 2\n", "x.yaml:2:1: duplicate key 'a': it stands in line 1 already"),
        ("1: a", "x.yaml:1:1: a key must be a string, not 1: put it in quotes"),
        ("true: a", "x.yaml:1:1: a key must be a string, not true: put it in quotes"),
        ("? [a]\n: b", "x.yaml:1:3: a key must be a string, not a list: put it in quotes"),
        ("a: &x 1\nb: *x\n", "x.yaml:1:4: anchor &x: anchors are not read\nx.yaml:2:4: alias *x: write the value out"),
        ("<<: {a: 1}", "x.yaml:1:1: merge keys are not read: write the fields out"),
        (
            "a: !!python/object/apply:os.system [x]",
            "x.yaml:1:4: unknown tag 'tag:yaml.org,2002:python/object/apply:os.system': "
            "a pipeline has !literal, !merge, !option, !optional",
        ),
        ("a: .nan", "x.yaml:1:4: .nan is not a JSON number"),
        ("a: -.inf", "x.yaml:1:4: -.inf is not a JSON number"),
        ("a: 1e999", "x.yaml:1:4: a number too large for JSON"),
        ("a: 1\n---\nb: 2\n", "x.yaml:2:1: a pipeline file holds one document: remove the second one"),
    ],
)
def test_what_is_not_read(text: str, expected: str) -> None:
    assert problem(text) == expected


@pytest.mark.parametrize("text", ["a: [", "a: 'x", "\t- a", "a: b: c", "\x00", "%YAML 9.9 x\n---\n"])
def test_what_is_no_yaml_is_said_at_its_place(text: str) -> None:
    assert problem(text).startswith("x.yaml:")
    assert "not YAML" in problem(text)


@pytest.mark.parametrize("opening", ["[", "{a: ", "- "])
def test_depth_is_bounded(opening: str) -> None:
    with at_most(calls=5_000):
        told = problem(opening * 100_000)

    assert "nest" in told


def test_size_is_bounded() -> None:
    assert problem("a" * (MAX_BYTES + 1)) == f"x.yaml:1:1: larger than {MAX_BYTES} bytes"


def test_a_bomb_of_aliases_is_told_apart_without_growing() -> None:
    lines = ["a0: &a0 [x, x]", *(f"a{n}: &a{n} [*a{n - 1}, *a{n - 1}]" for n in range(1, 30))]

    assert problem("\n".join(lines)).count("alias") == 58


@given(st.text())
def test_any_text_is_read_or_refused(text: str) -> None:
    try:
        read_nodes(text, "x.yaml")
    except PipelineError as error:
        assert error.problems  # noqa: PT017 -- most texts are no error


@given(data=st.data())
def test_a_damaged_pipeline_is_read_or_refused(data: st.DataObject, registry: Registry) -> None:
    start = data.draw(st.integers(0, len(FULL)))
    end = data.draw(st.integers(start, min(len(FULL), start + 30)))
    text = FULL[:start] + data.draw(st.text(max_size=12)) + FULL[end:]

    try:
        read_pipeline(text, source="acme.yaml", registry=registry)
    except PipelineError as error:
        assert all(one.line > 0 for one in error.problems)  # noqa: PT017 -- some damage does no harm
