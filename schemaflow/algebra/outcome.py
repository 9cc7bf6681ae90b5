"""What an operation of the algebra comes to, and the ledger that is kept on the way there."""

from collections.abc import Sequence
from typing import Final, NamedTuple

from attrs import define, field, frozen

from schemaflow.effect import Effect
from schemaflow.keywords import Schema, Token, pointer

BUDGET: Final = 100_000
"""How many members the subschemas of one result may be made of. See `Ledger.spend`."""

UNIONS: Final = 80
"""The same where unions are distributed, which make more of less."""


NOTED: Final = 1_000
"""Where there are so many notes already, those of work that is not done again are not made again."""


class TooMuch(Exception):  # noqa: N818 -- a signal, not an error
    """Distributing unions would cost more than the budget: say it another way."""


@frozen
class Outcome:
    """
    The result of an operation.

    `effect` compares the schema with the true result: `EXACT`, or `WIDENS` where a
    schema that accepts more had to do. `notes` say, in order, where nothing can match
    and what was left out; a note about a subschema begins with its JSON Pointer.
    """

    schema: Schema | bool
    effect: Effect = Effect.EXACT
    notes: tuple[str, ...] = ()


class Note(NamedTuple):
    """A note, and the place that it is about."""

    path: tuple[Token, ...]
    text: str

    def __str__(self) -> str:
        return f"{pointer(self.path)}: {self.text}" if self.path else self.text


@define
class Ledger:
    """
    What has been said and lost so far, and where the work stands.

    `residual`: whether a result may hold an `allOf` for what one node cannot say;
    `distributes`: whether what stands beside an `anyOf` goes into its members.
    `only_whether`: nothing but whether anything can match is asked for, so that a
    union need not be told to its end. `losses` counts what was left out.
    """

    residual: bool
    distributes: bool = False
    only_whether: bool = False
    effect: Effect = Effect.EXACT
    notes: list[Note] = field(factory=list)
    path: list[Token] = field(factory=list)
    spent: int = 0
    losses: int = 0

    def note(self, text: str) -> None:
        """Say something about the place where the work stands."""
        self.notes.append(Note(tuple(self.path), text))

    def leave_out(self, lost: Schema) -> None:
        """Say that a condition is not in the result, which therefore accepts more."""
        self.effect |= Effect.WIDENS
        self.losses += 1
        self.note(f"left out {_spelled(lost)}")

    def spend(self, members: Sequence[Schema | bool]) -> bool:
        """
        Whether the budget still allows to work on these members.

        Sides with `properties` and `additionalProperties` at every level have as many
        combinations as there are paths, which can be exponentially many. Raises TooMuch
        where unions are distributed.
        """
        self.spent += len(members)
        if self.distributes and self.spent > UNIONS:
            raise TooMuch
        return self.spent <= BUDGET


def _spelled(lost: Schema) -> str:
    """The keywords of a condition; the value too where it is one short text."""
    if len(lost) == 1:
        keyword, value = next(iter(lost.items()))
        if isinstance(value, str) and len(value) <= 80:
            return f"{keyword} {value!r}"
    return ", ".join(lost)
