"""
Reports: what a pipeline did to a document, and what each change does to the accepted values.

A report reads the trace of a run only when it is asked.
"""

from collections.abc import Iterator
from functools import cached_property

from attrs import frozen

from schemaflow.effect import Effect
from schemaflow.finding import Finding
from schemaflow.keywords import JsonValue
from schemaflow.plan import Run
from schemaflow.reckoning import Reckoning

__all__ = ["Finding", "Report"]


@frozen(eq=False, slots=False)
class Report:
    """Every finding of one run, in the order of the steps."""

    run: Run | None = None
    extra: tuple[Finding, ...] = ()

    @cached_property
    def findings(self) -> tuple[Finding, ...]:
        """The findings; those that concern the tool rather than its schema come first."""
        if self.run is None:
            return self.extra
        return (*self.extra, *Reckoning(self.run).findings())

    @property
    def effect(self) -> Effect:
        """What the whole run does to the accepted values: the findings joined, superseded ones left out."""
        effect = Effect.EXACT
        for finding in self.findings:
            if finding.counts:
                effect |= finding.effect
        return effect

    def beyond(self, tolerated: Effect) -> tuple[Finding, ...]:
        """The findings that count and do more to the accepted values than is tolerated."""
        return tuple(one for one in self.findings if one.counts and not one.effect.is_within(tolerated))

    def to_json(self) -> list[dict[str, JsonValue]]:
        """The findings as JSON."""
        return [finding.to_json() for finding in self.findings]

    def __iter__(self) -> Iterator[Finding]:
        return iter(self.findings)

    def __len__(self) -> int:
        return len(self.findings)

    def __str__(self) -> str:
        return "\n".join(map(str, self.findings)) or "nothing changed"
