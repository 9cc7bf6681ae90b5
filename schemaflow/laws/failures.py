"""What a pipeline does that it should not, as a value."""

from collections.abc import Mapping
from typing import Final

from attrs import field, frozen

from schemaflow.keywords import JsonValue
from schemaflow.laws.breaches import shortened

PROMISES: Final[Mapping[str, str]] = {
    "raises": "a schema is adapted, or refused with an InputError that says why",
    "untouched": "the author's schema stays as it was",
    "deterministic": "the same schema gets the same output, to the byte",
    "fused": "the plan gives what its steps give one after the other",
    "references": "no reference is left without what it refers to",
    "claim": "what the report says of the accepted values is so",
    "idempotent": "an output adapted again stays as it is",
    "order": "no step loses what a later step could have used",
}
"""The laws of a pipeline, each as what it promises."""

WARNINGS: Final = frozenset({"idempotent", "order"})
"""The laws that a pipeline may break on purpose."""


@frozen
class Failure:
    """
    A law that a pipeline breaks, at the smallest schema found.

    `value` is what refutes a claim, where `has_value` says that there is one: null is a
    value like any other. `step` is the id of the step to blame, empty where none can be
    told. `problem` says in plain words what happened, `output` what came out, None where
    nothing did.
    """

    law: str
    schema: JsonValue
    step: str
    problem: str
    output: JsonValue = field(default=None, kw_only=True)
    value: JsonValue = field(default=None, kw_only=True)
    has_value: bool = field(default=False, kw_only=True)

    @property
    def is_warning(self) -> bool:
        """
        Whether a pipeline may do so on purpose.

        Some outputs are no inputs by their nature: types in capitals, definitions
        unrolled so many times. And a pipeline may keep an order that loses more than
        it has to, since it copies another's.
        """
        return self.law in WARNINGS

    def __str__(self) -> str:
        lines = [f"the law {self.law!r} is broken{f' by step {self.step!r}' if self.step else ''}: {self.problem}"]
        lines.append(f"  schema: {shortened(self.schema)}")
        if self.has_value:
            lines.append(f"  value: {shortened(self.value)}")
        if self.output is not None:
            lines.append(f"  output: {shortened(self.output)}")
        return "\n".join(lines)
