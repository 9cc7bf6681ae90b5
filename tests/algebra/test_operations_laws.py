"""The operations agree with the verdicts on their operands. The judge is jsonschema-rs, by draft 2020-12."""

from collections.abc import Callable

from hypothesis import assume, given, settings
from hypothesis import strategies as st

from schemaflow import Effect, JsonValue, NotASchemaError, Schema
from schemaflow.adapters import to_bytes
from schemaflow.algebra import Outcome, complement, disjoint, intersect, is_empty, unite
from schemaflow.algebra.distribution import is_distributed
from schemaflow.algebra.types import TYPES
from schemaflow.drawing import schemas, values_near
from schemaflow.validation import Judge, judge_of
from tests.algebra.related import SMALL_VALUES, related

PLAIN = schemas(depth=2, references=False, drafts=["2020-12"])
RELATED = related(count=2)
MANY = settings(max_examples=300, deadline=None)


def judge(schema: Schema | bool) -> Judge:
    try:
        return judge_of(schema)
    except NotASchemaError:
        assume(False)
        raise


def judged(schema: Schema | bool, values: list[JsonValue]) -> list[bool]:
    return list(map(judge(schema), values))


def near(data: st.DataObject, *schemas_: Schema | bool) -> list[JsonValue]:
    """Small values, and such as nearly meet these schemas."""
    return [*SMALL_VALUES, *(data.draw(values_near(schema)) for schema in schemas_ for _ in range(2))]


@MANY
@given(PLAIN | RELATED.map(lambda pair: pair[0]), st.data())
def test_a_complement_accepts_what_is_refused(schema: Schema, data: st.DataObject) -> None:
    outcome = complement(schema)
    values = near(data, schema, outcome.schema)

    assert outcome.effect is Effect.EXACT
    assert judged(outcome.schema, values) == [not verdict for verdict in judged(schema, values)]


@MANY
@given(PLAIN, st.data())
def test_the_complement_of_a_complement_accepts_what_the_schema_accepts(schema: Schema, data: st.DataObject) -> None:
    twice = complement(complement(schema).schema).schema
    values = near(data, schema, twice)

    assert judged(twice, values) == judged(schema, values)


@MANY
@given(st.tuples(PLAIN, PLAIN) | RELATED, st.data())
def test_a_conjunction_accepts_what_both_accept(pair: tuple[Schema, Schema], data: st.DataObject) -> None:
    left, right = pair[:2]
    outcome = intersect(left, right, distribute=True)
    values = near(data, left, right, outcome.schema)

    assert outcome.effect is Effect.EXACT
    assert judged(outcome.schema, values) == judged({"allOf": [left, right]}, values)


@MANY
@given(st.lists(PLAIN | RELATED.map(lambda pair: pair[0]), max_size=4), st.data())
def test_a_union_accepts_what_any_accepts(parts: list[Schema], data: st.DataObject) -> None:
    outcome = unite(parts)
    values = near(data, *parts, outcome.schema)

    assert outcome.effect is Effect.EXACT
    assert judged(outcome.schema, values) == judged({"anyOf": parts} if parts else False, values)


@MANY
@given(st.tuples(PLAIN, PLAIN) | RELATED, st.data())
def test_what_is_said_to_be_disjoint_or_empty_is_so(pair: tuple[Schema, Schema], data: st.DataObject) -> None:
    left, right = pair[:2]
    values = near(data, left, right)
    if disjoint(left, right):
        assert not any(judged({"allOf": [left, right]}, values))
    if is_empty(left):
        assert not any(judged(left, values))


def same(one: Schema | bool, other: Schema | bool, data: st.DataObject) -> bool:
    values = near(data, one, other)
    return judged(one, values) == judged(other, values)


def meet(left: Schema | bool, right: Schema | bool) -> Schema | bool:
    return intersect(left, right, distribute=True).schema


def join(left: Schema | bool, right: Schema | bool) -> Schema | bool:
    return unite([left, right]).schema


@settings(max_examples=150, deadline=None)
@given(PLAIN, PLAIN, PLAIN, st.sampled_from([meet, join]), st.data())
def test_the_order_and_the_grouping_of_operands_do_not_matter(
    one: Schema, two: Schema, three: Schema, operation: Callable[..., Schema | bool], data: st.DataObject
) -> None:
    assert same(operation(one, two), operation(two, one), data)
    assert same(operation(operation(one, two), three), operation(one, operation(two, three)), data)
    assert same(operation(one, one), one, data)


@MANY
@given(st.tuples(PLAIN, PLAIN) | RELATED)
def test_operations_are_deterministic_and_leave_their_operands_alone(pair: tuple[Schema, Schema]) -> None:
    left, right = pair[:2]
    before = to_bytes([left, right])
    operations: list[Callable[[], Outcome]] = [
        lambda: complement(left),
        lambda: intersect(left, right, distribute=True),
        lambda: unite([left, right]),
    ]

    for operation in operations:
        assert to_bytes(operation().schema) == to_bytes(operation().schema)
    assert to_bytes([left, right]) == before


@MANY
@given(PLAIN)
def test_a_conjunction_that_is_worked_out_stays_as_it_is(schema: Schema) -> None:
    once = intersect(schema, True, distribute=True).schema
    assert to_bytes(intersect(once, True, distribute=True).schema) == to_bytes(once)


TYPED = st.sampled_from([*TYPES, "integer", "text"]).flatmap(
    lambda name: st.one_of(st.just({"type": name}), PLAIN.map(lambda schema: {**schema, "type": name}))
)
UNIONS = st.builds(
    lambda members, beside: {**beside, "anyOf": members},
    st.lists(TYPED | PLAIN, min_size=1, max_size=3),
    st.sampled_from([{}, {"title": "A"}, {"$defs": {"A": {}}}, {"minimum": 1}, {"$anchor": "a"}]),
)


@MANY
@given(UNIONS)
def test_nothing_becomes_of_a_union_that_is_seen_to_be_distributed(schema: Schema) -> None:
    """With a second member it is not looked at that way."""
    assert not is_distributed(schema) or intersect(schema, True, distribute=True).schema is schema


def test_a_union_of_different_types_is_seen_to_be_distributed() -> None:
    assert is_distributed({"title": "A", "anyOf": [{"type": "string", "minLength": 1}, {"type": "null"}]})
