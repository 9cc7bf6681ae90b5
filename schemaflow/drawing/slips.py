"""Drawing values: any, and such as meet a schema or nearly do."""

from typing import Final

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from schemaflow.drawing.seeking import Demand, Seeker, is_number
from schemaflow.drawing.vocabulary import ANY_NAMES, COIN, HOW_MANY, NAME, VALUES
from schemaflow.keywords import (
    JsonValue,
    Schema,
)
from schemaflow.references import References


@st.composite
def values(draw: DrawFn) -> JsonValue:
    """JSON values of the same small vocabulary: many objects, some of which look like schemas."""
    match draw(st.sampled_from(("one", "one", "members", "members", "items"))):
        case "members":
            return {name: draw(VALUES["any"]) for name in draw(ANY_NAMES)}
        case "items":
            return [draw(VALUES["any"]) for _ in range(draw(HOW_MANY))]
        case _:
            return draw(VALUES["any"])


def json_documents() -> SearchStrategy[JsonValue]:
    """Any JSON at all, integers beyond 64 bits and lone surrogates included; no NaN, no infinity."""
    text = st.text() | st.text(st.sampled_from("a\ud800\x00/~"), max_size=3)
    numbers = st.integers() | st.integers(min_value=2**64) | st.floats(allow_nan=False, allow_infinity=False)
    return st.recursive(
        st.none() | st.booleans() | numbers | text,
        lambda inner: st.lists(inner, max_size=4) | st.dictionaries(text, inner, max_size=4),
        max_leaves=20,
    )


def values_near(schema: Schema | bool) -> SearchStrategy[JsonValue]:
    """
    Values that meet a schema, or miss it by a slip or two.

    Types, constants, bounds, patterns, required names, closed objects, tuples and
    references are followed, and one branch of each union; `not` is not. It is a best
    effort: where a value can meet the schema, both verdicts nearly always come up.
    """
    return _near(schema, References(schema))


@st.composite
def _near(draw: DrawFn, schema: Schema | bool, references: References) -> JsonValue:
    value = Seeker(draw, references).meeting([Demand(schema, references.base)])
    for _ in range(draw(st.sampled_from((0, 0, 0, 1, 1, 2)))):
        value = _slipped(draw, value)
    return value


def _slipped(draw: DrawFn, value: JsonValue) -> JsonValue:
    """The value with one thing in it changed."""
    slip = draw(_SLIPS)
    if slip == "replace":
        return draw(VALUES["any"])
    if isinstance(value, dict):
        return _slipped_object(draw, value, slip)
    if isinstance(value, list) and value:
        return _slipped_array(draw, value, slip)
    if is_number(value):
        return draw(st.sampled_from((value + 1, value - 1, str(value))))
    return draw(VALUES["any"])


def _slipped_object(draw: DrawFn, value: Schema, slip: str) -> Schema:
    if slip == "add" or not value:
        return value | {draw(NAME): draw(VALUES["any"])}
    name = draw(st.sampled_from(list(value)))
    if slip == "drop":
        return {other: member for other, member in value.items() if other != name}
    return value | {name: _slipped(draw, value[name])}


def _slipped_array(draw: DrawFn, value: list[JsonValue], slip: str) -> list[JsonValue]:
    index = draw(st.integers(0, len(value) - 1))
    before, after = value[:index], value[index + 1 :]
    if slip == "drop":
        return before + after
    if slip == "add":
        return [*value, value[index] if draw(COIN) else draw(VALUES["any"])]
    return [*before, _slipped(draw, value[index]), *after]


_SLIPS: Final = st.sampled_from((*["within"] * 6, *["drop", "add"] * 2, "replace"))
