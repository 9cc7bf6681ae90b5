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
from schemaflow.errors import NotEncodable
from schemaflow.keywords import JsonValue, Schema, json_equal
from schemaflow.validation import Judge, judge_of


class Broken(NamedTuple):
    """A value that breaks a law: which law, the value, and what became of it."""

    law: str
    value: JsonValue
    became: object


def broken_on_the_way_out(
    schema: Schema | bool, result: Result, values: Iterable[JsonValue], *, before: Judge | None = None
) -> Broken | None:
    """The first of the author's values that is lost, where the report says that none is."""
    if result.report.effect not in (Effect.EXACT, Effect.WIDENS):
        return None
    before = before or judge_of(schema)
    after = judge_of(result.schema, dialect=result.dialect)
    for value in filter(before, values):
        try:
            encoded = result.encode(value)
        except NotEncodable as failure:
            return Broken("complete: encode refuses a valid value", value, str(failure))
        if not after(encoded):
            return Broken("complete: what is encoded is not valid after", value, encoded)
        if not json_equal(result.decode_value(encoded), value):
            return Broken("complete: what comes back is another value", value, result.decode_value(encoded))
    return None


def broken_on_the_way_back(
    schema: Schema | bool, result: Result, values: Iterable[JsonValue], *, before: Judge | None = None
) -> Broken | None:
    """The first of a model's values that is valid after and, decoded, not before, where the report denies that."""
    before = before or judge_of(schema)
    after = judge_of(result.schema, dialect=result.dialect)
    claims = result.report.effect in (Effect.EXACT, Effect.NARROWS)
    for value in values:
        decoded = result.decode_value(value)
        if claims and after(value) and not before(decoded):
            return Broken("sound: what is valid after is not valid before, decoded", value, decoded)
    return None
