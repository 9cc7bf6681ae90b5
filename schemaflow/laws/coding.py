"""
The laws of codecs: values go out and come back, and what comes in is what the author allows.

*Complete* (exact, widens): what is valid before can be encoded, is valid after, and comes back
as it was. *Sound* (exact, narrows): what is valid after is, decoded, valid before. `decode`
never raises, whatever the claim.
"""

from collections.abc import Iterable
from typing import NamedTuple

from schemaflow.adapters import Result
from schemaflow.effect import Effect
from schemaflow.keywords import JsonValue, Schema
from schemaflow.laws.judging import refutation
from schemaflow.validation import Judge, judge_of


class Broken(NamedTuple):
    """A value that breaks a law: which law, the value, and what became of it."""

    law: str
    value: JsonValue
    became: str


def broken_on_the_way_out(
    schema: Schema | bool, result: Result, values: Iterable[JsonValue], *, before: Judge | None = None
) -> Broken | None:
    """The first of the author's values that is lost, where the report says that none is."""
    if result.report.effect.may_narrow:
        return None
    return _broken("complete", Effect.WIDENS, schema, result, values, before)


def broken_on_the_way_back(
    schema: Schema | bool, result: Result, values: Iterable[JsonValue], *, before: Judge | None = None
) -> Broken | None:
    """The first of a model's values that is valid after and, decoded, not before, where the report denies that."""
    known = list(values)
    for value in known:
        result.decode_value(value)
    if result.report.effect.may_widen:
        return None
    return _broken("sound", Effect.NARROWS, schema, result, known, before)


def _broken(
    law: str, claimed: Effect, schema: Schema | bool, result: Result, values: Iterable[JsonValue], before: Judge | None
) -> Broken | None:
    after = judge_of(result.schema, dialect=result.dialect)
    found = refutation(before or judge_of(schema), after, claimed, values, coder=result.coder)
    return None if found is None else Broken(law, found.value, found.words)
