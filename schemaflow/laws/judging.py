"""
Judging claims: what a report says of the accepted values, held against values.

The judges come from `validation`, formats off, and know nothing of the engine. *Exact* is
refuted by a value on which the two differ, *widens* by one that is refused afterwards
only, *narrows* by one that is accepted afterwards only.
"""

from collections.abc import Iterable
from typing import Any

from attrs import frozen

from schemaflow.effect import Effect
from schemaflow.errors import InputError
from schemaflow.keywords import JsonValue
from schemaflow.validation import Judge, judge_of


@frozen
class Refutation:
    """A value that refutes a claim, and whether it is accepted afterwards."""

    value: JsonValue
    accepted: bool

    @property
    def words(self) -> str:
        """What happens to the value."""
        if self.accepted:
            return "the value was refused before and is accepted after"
        return "the value was accepted before and is refused after"


def judge_or_none(schema: Any, dialect: str) -> Judge | None:
    """The judge of a schema, None where no validator reads it."""
    try:
        return judge_of(schema, dialect=dialect)
    except InputError:
        return None


def refutation(before: Judge, after: Judge, effect: Effect, values: Iterable[JsonValue]) -> Refutation | None:
    """The first value that refutes the claim of an effect, None where it stands."""
    if effect.may_widen and effect.may_narrow:
        return None
    for value in values:
        was, becomes = before(value), after(value)
        if (becomes and not was and not effect.may_widen) or (was and not becomes and not effect.may_narrow):
            return Refutation(value, becomes)
    return None


def is_readable_as_latest(schema: Any) -> bool:
    """Whether a validator reads a schema without its `$schema` too: what one draft ignores, another may refuse."""
    if isinstance(schema, dict):
        schema = {keyword: value for keyword, value in schema.items() if keyword != "$schema"}
    return judge_or_none(schema, "json-schema") is not None
