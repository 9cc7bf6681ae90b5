"""Effects: what a change does to the set of accepted values, as two independent facts."""

from enum import Flag

from schemaflow.errors import OptionError, suggestion
from schemaflow.keywords import Polarity


class Effect(Flag):
    """
    What a change may do to the set of values that a schema accepts.

    Two facts: it may accept more (`WIDENS`), it may accept less (`NARROWS`).
    Neither is `EXACT`, both are `BOTH`. `UNKNOWN` says that the direction could
    not be determined; it absorbs everything it is joined with.

    - `EXACT`: accepted after if and only if accepted before.
    - `WIDENS`: accepted before implies accepted after.
    - `NARROWS`: accepted after implies accepted before.
    - `BOTH`, `UNKNOWN`: no promise.

    Join effects with `|`.
    """

    EXACT = 0
    WIDENS = 1
    NARROWS = 2
    BOTH = 3
    UNKNOWN = 7

    @property
    def word(self) -> str:
        """The effect in one lower-case word, as reports and JSON spell it."""
        return _WORDS[self]

    @property
    def may_widen(self) -> bool:
        """Whether a value may be accepted after that was refused before."""
        return Effect.WIDENS in self

    @property
    def may_narrow(self) -> bool:
        """Whether a value may be refused after that was accepted before."""
        return Effect.NARROWS in self

    def is_within(self, tolerated: "Effect") -> bool:
        """Whether every fact of this effect is one of the tolerated effect's."""
        return self | tolerated == tolerated

    def flipped(self) -> "Effect":
        """The effect as seen from above a `not`: the two facts change places."""
        return _FLIPPED.get(self, self)

    def seen_through(self, polarity: Polarity) -> "Effect":
        """The effect on a schema of changing, so, a subschema of that polarity."""
        if polarity is Polarity.NONE or not self:
            return Effect.EXACT
        if polarity is Polarity.MIXED:
            return Effect.UNKNOWN
        return self.flipped() if polarity is Polarity.FLIPPED else self


_WORDS = {
    Effect.EXACT: "exact",
    Effect.WIDENS: "widens",
    Effect.NARROWS: "narrows",
    Effect.BOTH: "both",
    Effect.UNKNOWN: "unknown",
}


def tolerance(value: Effect | str) -> Effect:
    """
    What `tolerate` takes: an effect, or its word.

    Raises OptionError for anything else.
    """
    if isinstance(value, Effect):
        return value
    found = next((effect for effect, word in _WORDS.items() if word == value), None)
    if found is None:
        near = suggestion(str(value), WORDS)
        raise OptionError(f"tolerate must be one of {', '.join(WORDS)}, not {value!r}{near}", "tolerate")
    return found


WORDS = tuple(_WORDS.values())
"""The effects' words, from what promises most to what promises nothing."""

_FLIPPED = {Effect.WIDENS: Effect.NARROWS, Effect.NARROWS: Effect.WIDENS}
