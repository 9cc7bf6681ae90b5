"""Arguments decoded: what is wrong with them, told in lines; and usual slips mended where asked."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import schemaflow
from schemaflow.adapters import Result
from schemaflow.decoding import MOST

CITY = {
    "type": "object",
    "properties": {"city": {"type": "string"}, "days": {"type": "integer", "enum": [1, 7]}},
    "required": ["city"],
    "additionalProperties": False,
}


def result_of(schema: Any) -> Result:
    return schemaflow.compose("own").adapt(schema)


def lines(schema: Any, arguments: Any) -> list[str]:
    return [str(error) for error in result_of(schema).decode(arguments).errors]


def test_valid_arguments_have_no_errors() -> None:
    decoded = result_of(CITY).decode({"city": "Riga", "days": 7})

    assert (decoded.ok, decoded.errors, decoded.arguments) == (True, (), {"city": "Riga", "days": 7})


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ({}, '(root): expected the property "city", got nothing'),
        ({"city": 5}, "/city: expected string, got integer 5"),
        ({"city": "x", "days": 2}, "/days: expected one of 1 or 7, got integer 2"),
        ([], "(root): expected object, got array []"),
    ],
)
def test_an_error_says_where_what_and_what_else(arguments: Any, expected: str) -> None:
    assert lines(CITY, arguments) == [expected]


def test_errors_are_short_and_few() -> None:
    schema = {"type": "array", "items": {"type": "integer"}}

    told = lines(schema, ["x\n" * 10_000] * 500)

    assert len(told) == MOST
    assert all(len(line) < 400 and "\n" not in line for line in told)


@pytest.mark.parametrize("text", ['{"city": "Riga"}', b'{"city": "Riga"}'])
def test_text_is_read_as_json(text: Any) -> None:
    assert result_of(CITY).decode(text).arguments == {"city": "Riga"}


@pytest.mark.parametrize("text", ["{", "city", b"\xff", "[" * 100_000, "NaN", "1" * 5000])
def test_text_that_is_no_json_is_one_error(text: Any) -> None:
    assert len(result_of(CITY).decode(text).errors) == 1


@pytest.mark.parametrize("nothing", [None, "", "null", "{}", b"", {}])
def test_a_tool_without_arguments_takes_nothing_in_any_spelling(nothing: Any) -> None:
    decoded = result_of({"type": "object", "properties": {}}).decode(nothing)

    assert (decoded.arguments, decoded.ok) == ({}, True)


def test_null_that_the_author_allows_stays() -> None:
    assert result_of({"type": ["object", "null"]}).decode("null").arguments is None


def test_a_schema_that_no_validator_reads_is_a_note() -> None:
    decoded = result_of({"$ref": "#/nowhere"}).decode({"a": 1})

    assert (decoded.ok, decoded.arguments, len(decoded.notes)) == (True, {"a": 1}, 1)


values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(st.characters(), max_size=4),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["city", "days", "z"]), inner),
    max_leaves=10,
)


@given(values | st.binary(max_size=20) | values.map(json.dumps), st.booleans())
def test_decode_never_raises_and_its_errors_are_lines(value: Any, repair: bool) -> None:
    for error in result_of(CITY).decode(value, repair=repair).errors:
        assert "\n" not in str(error)


@given(st.fixed_dictionaries({"city": st.text(max_size=4)}, optional={"days": st.sampled_from([1, 7])}))
def test_repair_leaves_what_is_valid(value: Any) -> None:
    decoded = result_of(CITY).decode(value, repair=True)

    assert (decoded.arguments, decoded.repairs) == (value, ())


OBJECT = {"type": "object", "properties": {"n": {"type": "integer"}}}


def holding(schema: Any, **more: Any) -> Any:
    return {"type": "object", "properties": {"p": schema}, **more}


@pytest.mark.parametrize(
    ("schema", "sent", "expected"),
    [
        (holding({"type": "number"}), {"p": "12.5"}, {"p": 12.5}),
        (holding({"type": "boolean"}), {"p": "true"}, {"p": True}),
        (holding({"type": ["integer", "null"]}), {"p": "null"}, {"p": None}),
        (holding({"type": "string"}), {"p": "12"}, {"p": "12"}),
        (holding(OBJECT), {"p": '{"n": "3"}'}, {"p": {"n": 3}}),
        (holding(OBJECT), {"p": '"{\\"n\\": 3}"'}, {"p": {"n": 3}}),
        (holding({"type": "array", "items": {"type": "integer"}}), {"p": 4}, {"p": [4]}),
        (holding({"type": "string"}), {"p": None}, {}),
        (holding({"type": "string"}, required=["p"]), {"p": None}, {"p": None}),
        (holding({"type": "string"}, additionalProperties=False), {"p": "a", "q": 1}, {"p": "a"}),
        ({"allOf": [holding(OBJECT)]}, {"p": '{"n": 1}'}, {"p": {"n": 1}}),
        ({"anyOf": [holding(OBJECT), holding({"type": "null"})]}, {"p": {"n": "1"}}, {"p": {"n": 1}}),
        (holding({"type": "array"}), {"p": "[1]"}, {"p": [1]}),
        (holding({"anyOf": [{"type": "array"}, {"type": "string"}]}), {"p": "[1]"}, {"p": "[1]"}),
        (OBJECT, json.dumps('{"n": 1}'), {"n": 1}),
    ],
)
def test_usual_slips_are_mended(schema: Any, sent: Any, expected: Any) -> None:
    before = json.dumps(sent)
    decoded = result_of(schema).decode(sent, repair=True)

    assert decoded.arguments == expected
    assert json.dumps(sent) == before


def test_each_repair_is_told() -> None:
    decoded = result_of(holding(OBJECT)).decode({"p": '{"n": "3"}'}, repair=True)

    assert list(map(str, decoded.repairs)) == ["/p: JSON text read as object", "/p/n: JSON text read as integer"]


def test_without_repair_nothing_is_mended() -> None:
    assert result_of(holding(OBJECT)).decode({"p": "{}"}).arguments == {"p": "{}"}
