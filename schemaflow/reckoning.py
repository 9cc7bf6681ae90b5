"""
Reckonings: the trace of a run read step by step, each change with its places and its effect on the whole.
"""

import math
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from functools import cached_property

from attrs import frozen

from schemaflow.algebra import exclusive
from schemaflow.contract import Order
from schemaflow.drafts import Age, age_of
from schemaflow.effect import Effect
from schemaflow.errors import Unsupported
from schemaflow.families import annotations_changed, dropping
from schemaflow.finding import Finding
from schemaflow.fusion import PlannedPass, PlannedStep
from schemaflow.hearing import Hearing, has_inner_drafts, is_heard
from schemaflow.keywords import ANNOTATIONS, JsonValue, Schema, pointer
from schemaflow.origins import PassOrigins, Path, value_at
from schemaflow.plan import Run
from schemaflow.rule import Rewrite
from schemaflow.standing import Standings, evaluates_alike, seen
from schemaflow.trace import Entry, Event, Link, TellsMore, tokens


@frozen(eq=False, slots=False)
class Reckoning:
    """A run being read: its passes with their origins."""

    run: Run

    @cached_property
    def origins(self) -> list[PassOrigins]:
        return [PassOrigins(document, traced) for _, document, traced in self.run.passes]

    def findings(self) -> Iterator[Finding]:
        for index, (one, _, traced) in enumerate(self.run.passes):
            steps = {step.number: step for step in one.steps}
            # Within a pass the events come node by node; a report reads step by step.
            found = [
                (step.number, self._finding(index, step, event, lost))
                for event in traced.told(self._tells_more(index))
                for step, lost in _owners(one.steps, steps[event.step], event)
            ]
            yield from (finding for _, finding in sorted(found, key=lambda entry: entry[0]))

    def _finding(self, index: int, step: PlannedStep, event: Event, lost: dict[str, JsonValue]) -> Finding:
        author, output, superseded = self._places(index, event)
        refused = isinstance(event.detail, Unsupported)
        effect = Effect.EXACT if refused else _effect(step, event, lost)
        if not effect and not step.contract.only_drops and not _names_its_loss(event):
            # An exact rewrite says the same in other words: nothing is lost with the old ones.
            lost = {}
        if not refused and not step.is_document and self._hearings[index].misheard(step.number, event, step.contract):
            effect = Effect.UNKNOWN
        alike = refused or step.contract.keeps_evaluation or evaluates_alike(event.before, event.after)
        effect = seen(effect, self._standings[index].views(event.link), evaluates_alike=alike)
        return Finding(
            rule=step.bound.name,
            step=step.id,
            pointer=pointer(author),
            output=None if output is None else pointer(output),
            effect=effect,
            annotation=not refused and _annotates(step, event, lost),
            lost=lost,
            note=str(event.detail) if refused else event.detail.note if isinstance(event.detail, Rewrite) else "",
            refused=refused,
            superseded=superseded,
        )

    @cached_property
    def _hearings(self) -> list[Hearing]:
        """For each pass, the drafts that its input declares, and the step that took the root's `$schema` away."""
        found: list[Hearing] = []
        has_inner = has_inner_drafts(self.run.document)
        for _, document, traced in self.run.passes:
            gone = (event.step for event in traced.distinct if event.link is None and _undeclares(event))
            found.append(Hearing(document, traced.schema, min(gone, default=math.inf), has_inner))
        return found

    @cached_property
    def _standings(self) -> list[Standings]:
        """For each pass, how the places that its events speak of count for the whole document."""
        found: list[Standings] = []
        for (one, document, traced), origins in zip(self.run.passes, self.origins, strict=True):
            if _speaks_of_input(one):
                # What becomes of the members of a union is not known there.
                found.append(Standings(document))
            else:
                found.append(Standings(traced.schema, _stays_exclusive(origins)))
        return found

    @cached_property
    def _inputs(self) -> list[Standings]:
        """For each pass, what its input says."""
        return [Standings(document) for _, document, _ in self.run.passes]

    def _tells_more(self, index: int) -> TellsMore:
        """
        Whether what was done at a shared node is worth telling for one more of its places.

        It is not where the node means the same: it has the same origin and polarity as
        at a place told before, and the same becomes of it later.
        """
        told: dict[int, set[Hashable]] = {}

        def tells_more(link: Link, start: Link, entries: tuple[Entry, ...]) -> bool:
            if id(entries) not in told:
                told[id(entries)] = {self._standing(index, start)}
            standing = self._standing(index, link)
            if standing in told[id(entries)]:
                return False
            told[id(entries)].add(standing)
            return True

        return tells_more

    def _standing(self, index: int, link: Link) -> Hashable:
        """All that decides what a finding at a place says, but for where it is in the result."""
        path: Path = tuple(tokens(link))
        becomes: list[int] = []
        for origins, place in self._afterwards(index, path):
            becomes.append(id(None) if place is None else id(value_at(origins.traced.schema, place)))
        return (self._standings[index].views(link), self._author(index, path), *becomes)

    def _places(self, index: int, event: Event) -> tuple[Path, Path | None, bool]:
        """Where a change is in the author's document, where in the result, and whether it was dropped on the way."""
        path: Path = tuple(tokens(event.link))
        above: Path = () if event.link is None else tuple(tokens(event.link[0]))
        below = path[len(above) :]
        output: Path | None = path
        if _speaks_of_input(self.run.passes[index][0]):
            author = self._author(index, path)
            output = self.origins[index].forth_to(event.after, above, below)
        else:
            author = self._earlier(index, self.origins[index].back_from(event.before, above, below))
        counts_at = self._taken_over(index, path) if output is None else output
        was_copied = False
        for later in range(index + 1, len(self.origins)):
            if counts_at is None:
                break
            was_copied = was_copied or self._copies(later, counts_at)
            place = self.origins[later].forth(counts_at)
            output = None if output is None else place
            counts_at = self._taken_over(later, counts_at) if place is None else place
        return author, output, counts_at is None and not was_copied

    def _copies(self, index: int, path: Path) -> bool:
        """Whether a pass may have put a place of its input elsewhere: where references stood, or into another shape."""
        one = self.run.passes[index][0]
        return one.is_document and (one.steps[0].contract.encodes or self._inputs[index].is_reached(path))

    def _taken_over(self, index: int, path: Path) -> Path | None:
        """
        Where that which a pass took away may count now, None where nowhere.

        A rule that looks at everything in a child may have put its keywords into another node.
        """
        steps = {step.number: step for step in self.run.passes[index][0].steps if not step.is_document}
        event = self.origins[index].taken_by(path)
        if event is None:
            return () if any(step.contract.takes_over for step in steps.values()) else None
        if event.step not in steps or not steps[event.step].contract.takes_over:
            return None
        place = tuple(tokens(event.link))
        if not _speaks_of_input(self.run.passes[index][0]):
            return place
        return self.origins[index].forth(place) or ()

    def _author(self, index: int, path: Path) -> Path:
        """The place in the author's document of a place that a pass speaks of."""
        if not _speaks_of_input(self.run.passes[index][0]):
            path = self.origins[index].back(path)
        return self._earlier(index, path)

    def _earlier(self, index: int, path: Path) -> Path:
        """The place in the author's document of a place in a pass's input."""
        for origins in reversed(self.origins[:index]):
            path = origins.back(path)
        return path

    def _afterwards(self, index: int, path: Path) -> Iterator[tuple[PassOrigins, Path | None]]:
        """What becomes of a place that a pass speaks of, pass by pass."""
        place: Path | None = path
        for origins in self.origins[index if _speaks_of_input(self.run.passes[index][0]) else index + 1 :]:
            place = None if place is None else origins.forth(place)
            yield origins, place


def _undeclares(event: Event) -> bool:
    after = event.after if isinstance(event.after, dict) else {}
    return isinstance(event.before, dict) and "$schema" in event.before and "$schema" not in after


def _stays_exclusive(origins: PassOrigins) -> Callable[[Schema], bool]:
    """
    Whether no value can match two members of a schema object's `oneOf`, neither before a pass nor after it.

    Then what becomes of one member does not change what the others are worth.
    """
    known: dict[int, bool] = {}
    document = origins.document
    age = age_of(document)
    is_foreign = age is None and isinstance(document, dict) and "$schema" in document

    def is_read(schema: Schema) -> bool:
        """Whether all that the members say is read before the pass."""
        if is_foreign or has_inner_drafts(document):
            return False
        return is_heard(schema, Age.DRAFT_2020 if age is None else age)

    def is_exclusive(schema: Schema) -> bool:
        if id(schema) not in known:
            before = origins.source(schema)
            both = isinstance(before, dict) and is_read(before) and exclusive(before.get("oneOf"))
            known[id(schema)] = both and (before is schema or exclusive(schema.get("oneOf")))
        return known[id(schema)]

    return is_exclusive


def _speaks_of_input(one: PlannedPass) -> bool:
    """A children-first pass names places as they were, the others as they come out."""
    return not one.is_document and one.order is Order.CHILDREN_FIRST


def _owners(
    steps: Sequence[PlannedStep], step: PlannedStep, event: Event
) -> Iterable[tuple[PlannedStep, dict[str, JsonValue]]]:
    """The steps that an event belongs to, each with what it dropped: folded drops are told apart again."""
    lost = _lost(event)
    if not step.contract.only_drops or step.guard is not None:
        return [(step, lost)]
    shares: dict[int, dict[str, JsonValue]] = {}
    folded = list(_folded_from(steps, step))
    for name, value in lost.items():
        owner = next(index for index, one in enumerate(folded) if one.contract.trigger.fires({name: value}))
        shares.setdefault(owner, {})[name] = value
    return [(folded[index], share) for index, share in sorted(shares.items())]


def _folded_from(steps: Sequence[PlannedStep], first: PlannedStep) -> Iterator[PlannedStep]:
    for step in steps:
        if step.number < first.number:
            continue
        if not step.contract.only_drops or step.guard is not None:
            return
        yield step


def _names_its_loss(event: Event) -> bool:
    return isinstance(event.detail, Rewrite) and bool(event.detail.lost)


def _lost(event: Event) -> dict[str, JsonValue]:
    if isinstance(event.detail, Rewrite) and event.detail.lost is not None:
        return dict(event.detail.lost)
    if not isinstance(event.before, dict):
        return {}
    after = event.after if isinstance(event.after, dict) else {}
    return {name: value for name, value in event.before.items() if name not in after}


def _annotates(step: PlannedStep, event: Event, lost: dict[str, JsonValue]) -> bool:
    if step.contract.only_drops:
        return not ANNOTATIONS.isdisjoint(lost)
    return annotations_changed(event.before, event.after)


def _effect(step: PlannedStep, event: Event, lost: dict[str, JsonValue]) -> Effect:
    if isinstance(event.detail, Rewrite) and event.detail.effect is not None:
        return event.detail.effect
    if step.contract.effect is not None:
        return step.contract.effect
    return dropping(event.before, lost)
