"""
Judging claims: what a report says of the accepted values, held against values.

The judges come from `validation`, formats off, and know nothing of the engine. *Exact* is
refuted by a value on which the two differ, *widens* by one that is refused afterwards
only, *narrows* by one that is accepted afterwards only. Where there are codecs a value is
read through them: *exact* and *widens* are refuted by a value that does not come back as it
was (complete), *exact* and *narrows* by one that is accepted afterwards and, decoded, refused
before (sound).
"""

from collections.abc import Iterable
from typing import Any, Final

from attrs import frozen

from schemaflow.adapters import to_bytes
from schemaflow.codecs.walking import Coder
from schemaflow.effect import Effect
from schemaflow.errors import InputError, NotEncodable
from schemaflow.keywords import JsonValue, json_equal
from schemaflow.validation import Judge, judge_of


@frozen
class Refutation:
    """A value that refutes a claim, and whether it is accepted afterwards."""

    value: JsonValue
    accepted: bool
    coded: str = ""
    """What becomes of the value on its way through codecs."""

    @property
    def words(self) -> str:
        """What happens to the value."""
        if self.coded:
            return self.coded
        if self.accepted:
            return "the value was refused before and is accepted after"
        return "the value was accepted before and is refused after"


def judge_or_none(schema: Any, dialect: str) -> Judge | None:
    """
    The judge of a schema, None where no validator reads it.

    No draft has both the old words for arrays and references and the new ones: what
    one part of such a schema says depends on what another spells.
    """
    text = to_bytes(schema)
    if any(word in text for word in _OLD) and any(word in text for word in _NEW):
        return None
    try:
        return judge_of(schema, dialect=dialect)
    except InputError:
        return None


_OLD: Final = (b'"items":[', b'"$recursive')
_NEW: Final = (b'"prefixItems":', b'"$dynamic')


def refutation(
    before: Judge, after: Judge, effect: Effect, values: Iterable[JsonValue], *, coder: Coder | None = None
) -> Refutation | None:
    """
    The first value that refutes the claim of an effect, None where it stands.

    With a coder that has something to do, values are written and read by it.
    """
    if effect.may_widen and effect.may_narrow:
        return None
    if coder is not None and coder.is_needed:
        return _refuted_by_codecs(before, after, effect, values, coder)
    for value in values:
        was, becomes = before(value), after(value)
        if (becomes and not was and not effect.may_widen) or (was and not becomes and not effect.may_narrow):
            return Refutation(value, becomes)
    return None


def _refuted_by_codecs(
    before: Judge, after: Judge, effect: Effect, values: Iterable[JsonValue], coder: Coder
) -> Refutation | None:
    for value in values:
        if not effect.may_narrow and before(value):
            lost = _lost(value, after, coder)
            if lost:
                return Refutation(value, False, lost)
        if not effect.may_widen and after(value) and not before(coder.decode(value)):
            return Refutation(value, True, "the value is accepted after and, decoded, was refused before")
    return None


def _lost(value: JsonValue, after: Judge, coder: Coder) -> str:
    """How a value is lost on its way out and back; nothing where it is not."""
    try:
        encoded = coder.encode(value)
    except NotEncodable as error:
        return f"the value was accepted before and cannot be encoded ({error})"
    if not after(encoded):
        return "the value was accepted before and, encoded, is refused after"
    return "" if json_equal(coder.decode(encoded), value) else "the value comes back as another one"


def is_unreadable(schema: Any, output: Any) -> bool:
    """
    Whether no validator reads an output as 2020-12, though one reads the schema so, whatever they declare.

    What one draft ignores another may refuse: that is not the fault of who drops `$schema`.
    """
    return _latest(schema) is not None and _latest(output) is None


def _latest(schema: Any) -> Judge | None:
    if isinstance(schema, dict):
        schema = {keyword: value for keyword, value in schema.items() if keyword != "$schema"}
    # What says these is read as 2019-09, which does not look into `prefixItems`.
    return None if b'"$recursive' in to_bytes(schema) else judge_or_none(schema, "openapi-3.0")
