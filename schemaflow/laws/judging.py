"""
Judging claims: what a report says of the accepted values, held against values.

The judges come from `validation`, formats off, and know nothing of the engine. *Exact* is
refuted by a value on which the two differ, *widens* by one that is refused afterwards
only, *narrows* by one that is accepted afterwards only.

With codecs a claim is about the way out and back. *Complete* (exact, widens): what is
accepted before can be encoded, is accepted after, and comes back as it was. *Sound*
(exact, narrows): what is accepted after is, decoded, accepted before.
"""

from collections.abc import Iterable
from typing import Any, Final

from attrs import frozen

from schemaflow.adapters import to_bytes
from schemaflow.codecs.walking import Coder
from schemaflow.effect import Effect
from schemaflow.errors import InputError, NotEncodable
from schemaflow.keywords import JsonValue, json_equal
from schemaflow.laws.breaches import shortened
from schemaflow.validation import Judge, judge_of


@frozen
class Refutation:
    """A value that refutes a claim, and whether it is accepted afterwards."""

    value: JsonValue
    accepted: bool
    why: str = ""

    @property
    def words(self) -> str:
        """What happens to the value."""
        if self.why:
            return self.why
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
    before: Judge, after: Judge, effect: Effect, values: Iterable[JsonValue], coder: Coder | None = None
) -> Refutation | None:
    """The first value that refutes the claim of an effect, None where it stands; `coder` is that of the output."""
    if effect.may_widen and effect.may_narrow:
        return None
    for value in values:
        if coder is not None:
            found = None if effect.may_narrow or not before(value) else _lost(after, coder, value)
            found = found or (None if effect.may_widen or not after(value) else _gained(before, coder, value))
            if found is not None:
                return found
            continue
        was, becomes = before(value), after(value)
        if (becomes and not was and not effect.may_widen) or (was and not becomes and not effect.may_narrow):
            return Refutation(value, becomes)
    return None


def _lost(after: Judge, coder: Coder, value: JsonValue) -> Refutation | None:
    """How an accepted value is lost on its way out and back, None where it is not."""
    try:
        encoded = coder.encode(value)
    except NotEncodable as failure:
        return Refutation(value, False, f"the value is accepted before and cannot be encoded: {failure}")
    if not after(encoded):
        return Refutation(value, False, f"the value is accepted before, and refused after as {shortened(encoded)}")
    decoded = coder.decode(encoded)
    if not json_equal(decoded, value):
        return Refutation(value, False, f"the value comes back as another one, as {shortened(decoded)}")
    return None


def _gained(before: Judge, coder: Coder, value: JsonValue) -> Refutation | None:
    """Whether what is accepted after is refused before, decoded."""
    decoded = coder.decode(value)
    if before(decoded):
        return None
    return Refutation(value, True, f"the value is accepted after, and refused before as {shortened(decoded)}")


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
