"""Scalars mean the same in pipelines as in schemas and tools."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from schemaflow import InputError, JsonValue
from schemaflow.loading.yaml_nodes import read_nodes
from schemaflow.reading.scalars import ScalarError, kind_of, value_of
from schemaflow.reading.yaml_values import parse_yaml

REFUSED = object()


def in_pipeline(text: str) -> object:
    root, problems = read_nodes(f"a: {text}", "x.yaml")
    assert root is not None
    return REFUSED if problems else root.value["a"].value


def in_tool(text: str) -> object:
    try:
        value: dict[str, JsonValue] = parse_yaml(f"a: {text}", "x.yaml")
    except InputError:
        return REFUSED
    return value["a"]


@given(
    st.from_regex(r"[-+.0-9a-fxoeE_nNuUlLtTrRsSiI]{1,8}", fullmatch=True).filter(lambda text: text not in ("-", "---"))
)
@example("1e999")
@example("-.INF")
@example(".NaN")
@example("0o17")
@example("-0x1")
@example("1.")
@example(".")
@example("Null")
@example("nULL")
def test_both_readers_agree(text: str) -> None:
    value = in_pipeline(text)

    assert value == in_tool(text)
    assert type(value) is type(in_tool(text))


@pytest.mark.parametrize(
    ("kind", "text", "value"),
    [("int", "0x1F", 31), ("float", "5", 5.0), ("str", "5", "5"), ("null", "~", None), ("bool", "TRUE", True)],
)
def test_a_tag_says_what_a_scalar_is(kind: str, text: str, value: JsonValue) -> None:
    assert value_of(kind, text) == value
    assert type(value_of(kind, text)) is type(value)


@pytest.mark.parametrize("text", [".5", "5.", "+1.e-3", "-.5E+2"])
def test_a_number_with_a_point_or_an_exponent_is_a_float(text: str) -> None:
    assert kind_of(text) == "float"
    assert value_of("float", text) == float(text)


@pytest.mark.parametrize(("kind", "text"), [("int", "1_0"), ("float", "inf"), ("bool", "yes"), ("null", "none")])
def test_what_only_python_reads_is_refused(kind: str, text: str) -> None:
    with pytest.raises(ScalarError, match=f"cannot be read as !!{kind}"):
        value_of(kind, text)
