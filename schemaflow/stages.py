"""
Stages: what each step of a pipeline alone did to a document.

A plan fuses steps; here every step has a pass of its own, which by the definition of a
pipeline comes to the same.
"""

from collections.abc import Iterator, Sequence
from typing import Final

from attrs import evolve, field, frozen

from schemaflow.adapters import Adapter, Result, to_bytes
from schemaflow.codecs.marks import stripped
from schemaflow.effect import Effect
from schemaflow.fusion import PlannedStep
from schemaflow.intake import admit
from schemaflow.keywords import CHILDREN, Children, JsonValue, Schema
from schemaflow.origins import PassOrigins, Path, value_at
from schemaflow.plan import Plan, Run
from schemaflow.report import Finding, Report


@frozen(eq=False)
class Stage:
    """
    One step, the document before and after it, and its findings.

    `before` and `after` share what the step left alone, and must not be changed. The
    pointers of the findings are those of the whole report: in the author's document and in the result.
    """

    step: PlannedStep
    before: JsonValue
    after: JsonValue
    findings: tuple[Finding, ...] = ()
    _passes: tuple[PassOrigins, ...] = field(default=(), alias="passes")

    @property
    def changed(self) -> bool:
        """Whether the document after the step is another one, if only in the order of its keys."""
        return self.before is not self.after

    @property
    def effect(self) -> Effect:
        """What the step does to the accepted values."""
        effect = Effect.EXACT
        for finding in self.findings:
            effect |= finding.effect
        return effect

    def author(self, path: Path) -> Path:
        """Where the schema at a path after the step, or the one around it, comes from in the author's document."""
        path = _to_a_schema(self.after, path)
        for one in reversed(self._passes):
            path = one.back(path)
        return path

    def to_json(self) -> dict[str, JsonValue]:
        """The stage as JSON; `before` and `after` only where the step changed something."""
        told: dict[str, JsonValue] = {
            "number": self.step.number + 1,
            "step": self.step.id,
            "rule": self.step.bound.name,
            "changed": self.changed,
            "effect": self.effect.word,
            "findings": [finding.to_json() for finding in self.findings],
        }
        return {**told, "before": self.before, "after": self.after} if self.changed else told


@frozen(eq=False)
class Explanation:
    """Every step's stage, in order, and the result of them all, which is the one that `adapt` gives."""

    stages: tuple[Stage, ...]
    result: Result


def explain(adapter: Adapter, schema: Schema | bool | None) -> Explanation:
    """
    What each step of an adapter's pipeline does to a schema; no step runs for None, a tool without one.

    Raises InputError, as `Adapter.adapt` does.
    """
    if schema is None:
        return Explanation((), adapter.adapt(None))
    document, _ = admit(schema, adapter.plan.limits)
    # Ids need not be unique in a pipeline composed in Python: numbers are.
    numbered = tuple(evolve(step, id=str(step.number)) for step in adapter.plan.steps)
    run = Plan(adapter.plan.name, numbered, adapter.plan.limits).run_apart(document)
    report = Report(run)
    stages = tuple(_stages(adapter.plan.steps, run, report))
    findings = tuple(finding for stage in stages for finding in stage.findings)
    return Explanation(stages, Result(None, run.schema, (*adapter.findings, *findings)))


def _stages(steps: Sequence[PlannedStep], run: Run, report: Report) -> Iterator[Stage]:
    done: dict[int, list[PassOrigins]] = {}
    for one, before, traced in run.passes:
        # What references lead to may have been put out of a step's way in a pass of its own.
        done.setdefault(one.steps[0].number, []).append(PassOrigins(before, traced))
    found: dict[str, list[Finding]] = {}
    for finding in report:
        found.setdefault(finding.step, []).append(finding)
    current = run.document
    passes: tuple[PassOrigins, ...] = ()
    for step in steps:
        before = current
        for origins in done.get(step.number, ()):
            passes = (*passes, origins)
            current = origins.traced.schema
        own = tuple(evolve(finding, step=step.id) for finding in found.get(str(step.number), ()))
        shown = (stripped(before), stripped(current)) if run.plan.encodes else (before, current)
        is_same = current is before or to_bytes(shown[0]) == to_bytes(shown[1])
        yield Stage(step, shown[0], shown[0] if is_same else shown[1], own, passes)


def _to_a_schema(document: JsonValue, path: Path) -> Path:
    """As much of a path as leads from schema to schema."""
    end, node = 0, document
    while isinstance(node, dict) and end < len(path) and path[end] in CHILDREN:
        is_alone = CHILDREN[str(path[end])] in _ALONE and isinstance(node.get(path[end]), (dict, bool))
        length = 1 if is_alone else 2
        node = value_at(node, path[end : end + length])
        if end + length > len(path) or not isinstance(node, (dict, bool)):
            break
        end += length
    return path[:end]


_ALONE: Final = (Children.ONE, Children.ONE_OR_MANY)
"""How keywords hold a schema that is their value."""
