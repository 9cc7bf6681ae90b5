"""Findings: one change, or one refusal to change, and what it does to the accepted values."""

from attrs import field, frozen

from schemaflow.effect import Effect
from schemaflow.keywords import JsonValue


@frozen
class Finding:
    """
    One change, or one refusal to change.

    `pointer` is the place in the author's document, `output` in the result (None
    where a later step took that part away). With `superseded` that step dropped the
    part, and has a finding of its own that speaks for the whole of it. `lost` holds the dropped keywords and their
    values. `annotation` says that text for people or models changed. With `refused`
    the rule left the node as it was; `note` says why.
    """

    rule: str
    step: str
    pointer: str
    output: str | None
    effect: Effect
    annotation: bool = False
    lost: dict[str, JsonValue] = field(factory=dict)
    note: str = ""
    refused: bool = False
    superseded: bool = False

    @property
    def counts(self) -> bool:
        """Whether it is a change that the result shows: neither refused nor superseded."""
        return not (self.refused or self.superseded)

    def to_json(self) -> dict[str, JsonValue]:
        """The finding as JSON, its effect as one word."""
        return {
            "rule": self.rule,
            "step": self.step,
            "pointer": self.pointer,
            "output": self.output,
            "effect": self.effect.word,
            "annotation": self.annotation,
            "lost": self.lost,
            "note": self.note,
            "refused": self.refused,
            "superseded": self.superseded,
        }

    def __str__(self) -> str:
        words = f"{self.pointer or '/'}  {self.step}  {self.effect.word}"
        detail = self.note or (f"dropped {', '.join(self.lost)}" if self.lost else "")
        return f"{words}  {detail}" if detail else words
