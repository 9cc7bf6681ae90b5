"""
The judge of claims: what a report says of the accepted values, held against the values.

A schema is adapted, and its values are judged before and after by validators that know
nothing of the engine. *Exact* is refuted by a value on which the two differ, *widens* by
one that is refused afterwards only, *narrows* by one that is accepted afterwards only.
"""

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Final

import jsonschema_rs
from attrs import asdict, define, evolve, field, frozen

import schemaflow
from schemaflow import Adapter, InputError, JsonValue, Result, Step
from schemaflow.cli.words import condition_words
from schemaflow.laws.judging import refutation
from schemaflow.validation import Judge, judge_of, registry_of
from tests import corpus_data
from tests.corpus_data import Entry, Group

ALSO: Final[list[JsonValue]] = [
    *(None, True, 0, 1, 1.5, -1, "", "a", [], [1], ["a", "a"], [1, "a", None], {}),
    *({"a": 1}, {"a": None}, {"foo": 1}, {"foo": "a", "bar": 2}, {"x": {}}, {"x": {"a": []}}),
]
"""What every schema is judged by beside its own values."""

URIS: Final = {
    "draft4": "http://json-schema.org/draft-04/schema#",
    "draft6": "http://json-schema.org/draft-06/schema#",
    "draft7": "http://json-schema.org/draft-07/schema#",
    "draft2019-09": "https://json-schema.org/draft/2019-09/schema",
}


@frozen
class Refuted:
    """A claim that a value refutes; `rules` are those that changed anything."""

    entry: str
    effect: str
    value: JsonValue
    accepted: bool
    rules: tuple[str, ...]

    def __str__(self) -> str:
        became = "accepted" if self.accepted else "refused"
        return f"{self.entry}: {self.effect}, but {self.value!r} is {became} afterwards ({', '.join(self.rules)})"


@define
class Verdict:
    """How many claims were judged, by their effect; which values refuted one; what could not be judged, and why."""

    effects: dict[str, int] = field(factory=dict)
    refuted: list[Refuted] = field(factory=list)
    unjudged: dict[str, str] = field(factory=dict)

    @property
    def count(self) -> int:
        """How many schemas were adapted."""
        return sum(self.effects.values())


def judged(entries: Iterable[Entry], pipeline: str) -> Verdict:
    """The claims of a pipeline for each of these schemas, judged by the schema's own values and a few more."""
    return judged_by(entries, schemaflow.adapter(pipeline))


def alone(pipeline: str) -> dict[str, Adapter]:
    """Each step of a pipeline as an adapter of its own, by what it does: in the whole, one's loss hides another's."""
    whole = schemaflow.adapter(pipeline).pipeline
    single = [(step, Adapter.of(evolve(whole, steps=(step,)))) for step in whole.steps]
    return {_spelled(step, adapter): adapter for step, adapter in single if adapter.plan.steps}


def _spelled(step: Step, adapter: Adapter) -> str:
    settled = adapter.plan.steps[0].bound.options
    options = "" if settled is None else " ".join(f"{name}={value}" for name, value in asdict(settled).items())
    conditions = condition_words(step.when, step.unless)
    return " ".join(filter(None, (step.name, options, conditions, adapter.pipeline.dialect)))


def judged_by(entries: Iterable[Entry], adapter: Adapter) -> Verdict:
    """The claims of an adapter for each of these schemas."""
    verdict = Verdict()
    for entry in entries:
        result = adapter.adapt(entry.schema)
        word = result.report.effect.word
        verdict.effects[word] = verdict.effects.get(word, 0) + 1
        try:
            verdict.refuted.extend(refutations(entry, result, adapter))
        except InputError as error:
            verdict.unjudged[entry.id] = str(error)
    return verdict


def refutations(entry: Entry, result: Result, adapter: Adapter) -> Iterator[Refuted]:
    """
    The values that refute what a report claims.

    No pipeline says yet that its root must be an object, so that every value counts.
    Raises InputError where the author's schema or the output cannot be judged.
    """
    effect = result.report.effect
    if effect.may_widen and effect.may_narrow:
        return
    before = author(entry)
    after = judge_of(result.schema, dialect=adapter.pipeline.dialect)
    coder = result.coder if result.needs_decode else None
    found = refutation(before, after, effect, [*entry.valid, *entry.invalid, *ALSO], coder=coder)
    if found is not None:
        rules = tuple(dict.fromkeys(one.step for one in result.report if not one.superseded and not one.refused))
        yield Refuted(entry.id, effect.word, found.value, found.accepted, rules)


@lru_cache
def _registry(draft: str) -> jsonschema_rs.Registry:
    """The suite's remote documents for one of its drafts: those in other drafts' folders may be broken there."""
    others = re.compile(rf"//[^/]*/(?!{draft}/)(draft[^/]*|v1)/")
    known = re.compile(r"//json-schema.org/draft")
    documents = {
        uri: schema
        for uri, schema in corpus_data.suite_remotes().items()
        if not others.search(uri) or (isinstance(schema, dict) and known.search(schema.get("$schema", "")))
    }
    return registry_of(documents, draft=URIS.get(draft))


def author(entry: Entry) -> Judge:
    """The judge of what the author wrote, which may refer to the suite's remote documents."""
    return judge_of(entry.schema, documents=_registry(entry.draft) if isinstance(entry, Group) else None)


def suite() -> Iterator[Group]:
    """The groups of the official suite, once more with their draft declared where they declare none."""
    for group in corpus_data.iter_suite():
        yield group
        if group.draft in URIS and isinstance(group.schema, dict) and "$schema" not in group.schema:
            declared = {"$schema": URIS[group.draft], **group.schema}
            yield evolve(group, id=f"{group.id}/declared", schema=declared)
