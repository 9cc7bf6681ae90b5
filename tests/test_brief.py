"""JSON in few characters: whole, cut, or given up, without reading more than is written."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from schemaflow.brief import cut, on_a_line, whole

VALUES: st.SearchStrategy[Any] = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(allow_nan=False, allow_infinity=False), st.text()),
    lambda inner: st.one_of(st.lists(inner), st.dictionaries(st.text(), inner)),
    max_leaves=10,
)


@given(VALUES, st.integers(5, 60))
def test_what_is_short_enough_is_json_and_the_rest_its_beginning(value: Any, most: int) -> None:
    text = json.dumps(value, ensure_ascii=False)

    if len(text) <= most:
        assert (whole(value, most), cut(value, most)) == (text, text)
    else:
        assert (whole(value, most), cut(value, most)) == (None, f"{text[: most - 4]} ...")


def nested(levels: int) -> Any:
    value: Any = []
    for _ in range(levels):
        value = [value]
    return value


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (nested(100_000), "[[[[[[ ..."),
        ([0] * 1_000_000, "[0, 0, ..."),
        (10**5000, "0x31e2 ..."),
        ({"a": 10**5000}, '{"a":  ...'),
        ((1, [2]), "[1, [2]]"),
    ],
    ids=["deep", "long", "a huge number", "a huge number inside", "a tuple"],
)
def test_whatever_it_is_only_its_beginning_is_written(value: Any, text: str) -> None:
    assert cut(value, 10) == text


def test_a_line_has_no_line_ends_nor_what_a_terminal_obeys() -> None:
    assert on_a_line("a\nb\x1b[1m é \ud800") == "a\\nb\\x1b[1m é \\ud800"
