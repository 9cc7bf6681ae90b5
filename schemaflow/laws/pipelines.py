"""The laws of pipelines: each as a check of one pipeline at one schema, and all of them on drawn ones."""

import json
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import Any, Final, TypeAlias

from schemaflow.adapters import Adapter, Result, to_bytes
from schemaflow.codecs.walking import Coder
from schemaflow.drawing import DRAFTS
from schemaflow.errors import InputError
from schemaflow.intake import admit
from schemaflow.keywords import JsonValue
from schemaflow.laws import reference
from schemaflow.laws.dangling import dangling
from schemaflow.laws.failures import PROMISES, Failure
from schemaflow.laws.judging import Refutation, is_unreadable, judge_or_none, refutation
from schemaflow.laws.orders import lost_too_early
from schemaflow.laws.reducing import reduced
from schemaflow.laws.sampling import USUAL, samples
from schemaflow.laws.stages import Stage, Subject, adapted

Law: TypeAlias = Callable[[Subject, Any, Sequence[JsonValue]], Failure | None]
Progress: TypeAlias = Callable[[str, int, int], None]


def _raises(subject: Subject, schema: Any, values: Sequence[JsonValue]) -> Failure | None:
    try:
        subject.adapter.adapt(schema)
    except InputError:
        # It refuses what came in, and says why.
        return None
    except Exception as error:
        blamed = next((stage for stage in subject.stages(schema) if stage.error is not None), None)
        said = error if blamed is None or blamed.error is None else blamed.error
        return Failure("raises", schema, blamed.step if blamed else "", f"it raises {said!r}")
    return None


def _untouched(subject: Subject, schema: Any, values: Sequence[JsonValue]) -> Failure | None:
    before = to_bytes(schema)
    given = json.loads(before)
    output = subject.adapter.adapt(given).schema
    if to_bytes(given) == before:
        return None
    problem = f"the author's schema was changed to {to_bytes(given).decode()}"
    return Failure("untouched", schema, _first(subject, schema, _changes_its_input), problem, output=output)


def _changes_its_input(single: Adapter, stage: Stage) -> bool:
    given = json.loads(to_bytes(stage.before))
    single.adapt(given)
    return to_bytes(given) != to_bytes(stage.before)


def _deterministic(subject: Subject, schema: Any, values: Sequence[JsonValue]) -> Failure | None:
    first = subject.adapter.adapt(schema).schema
    second = subject.adapter.adapt(schema).schema
    if to_bytes(first) == to_bytes(second):
        return None
    problem = f"adapted once more it becomes {to_bytes(second).decode()}"
    return Failure("deterministic", schema, _first(subject, schema, _answers_otherwise), problem, output=first)


def _answers_otherwise(single: Adapter, stage: Stage) -> bool:
    answers = {to_bytes(single.adapt(stage.before).schema) for _ in range(2)}
    return answers != {to_bytes(stage.after)}


def _first(subject: Subject, schema: Any, is_to_blame: Callable[[Adapter, Stage], bool]) -> str:
    """The first step that is to blame, empty where none is by itself."""
    stages = subject.stages(json.loads(to_bytes(schema)))
    pairs = zip(subject.singles, stages, strict=False)
    return next((step for (step, single), stage in pairs if not stage.error and is_to_blame(single, stage)), "")


def _fused(subject: Subject, schema: Any, values: Sequence[JsonValue]) -> Failure | None:
    output = subject.adapter.adapt(schema).schema
    expected = _by_reference(subject.adapter, schema)
    if to_bytes(output) == expected:
        return None
    blamed = next((step for step, prefix in subject.prefixes if not _agrees(prefix, schema)), "")
    problem = f"its steps one after the other give {expected.decode()}: a contract promises what is not so"
    return Failure("fused", schema, blamed, problem, output=output)


def _by_reference(adapter: Adapter, schema: Any) -> bytes:
    """What the steps one after the other give; where one raises, on a part that the plan never looks at, how."""
    document, _ = admit(schema, adapter.plan.limits)
    try:
        return to_bytes(reference.run(adapter.plan.steps, document).document)
    except Exception as error:
        return repr(error).encode()


def _agrees(adapter: Adapter, schema: Any) -> bool:
    result = adapted(adapter, schema)
    return result is None or to_bytes(result.schema) == _by_reference(adapter, schema)


def _references(subject: Subject, schema: Any, values: Sequence[JsonValue]) -> Failure | None:
    """What the author left dangling is not the pipeline's fault."""
    output = subject.adapter.adapt(schema).schema
    if output is schema or b'ef":' not in to_bytes(output) or dangling(schema):
        return None
    lost = dangling(output)
    if not lost:
        return None
    blamed = next((stage.step for stage in subject.stages(schema) if dangling(stage.after)), "")
    return Failure("references", schema, blamed, f"{lost[0]} leads nowhere in what comes out", output=output)


def _idempotent(subject: Subject, schema: Any, values: Sequence[JsonValue]) -> Failure | None:
    once = subject.adapter.adapt(schema).schema
    again = adapted(subject.adapter, once)
    if again is None:
        blamed = next((stage.step for stage in subject.stages(once) if stage.error is not None), "")
        return Failure(
            "idempotent", schema, blamed, "adapted again the output is refused, or a step raises", output=once
        )
    twice = again.schema
    if to_bytes(twice) == to_bytes(once):
        return None
    changing = (stage.step for stage in subject.stages(once) if to_bytes(stage.after) != to_bytes(stage.before))
    problem = f"adapted again the output becomes {to_bytes(twice).decode()}"
    return Failure("idempotent", schema, next(changing, ""), problem, output=once)


def _claim(subject: Subject, schema: Any, values: Sequence[JsonValue]) -> Failure | None:
    before = judge_or_none(schema, "json-schema")
    if before is None:
        return None
    result = subject.adapter.adapt(schema)
    if result.schema is schema:
        return None
    after = judge_or_none(result.schema, subject.dialect)
    if after is None:
        return _unreadable(subject, schema, result.schema)
    effect = result.report.effect
    found = refutation(before, after, effect, [*values, *USUAL], coder=_coder(result))
    if found is None:
        return None
    step, problem = _blamed(subject, schema, found)
    problem = f"the report says {effect.word}, but {found.words}{problem}"
    return Failure("claim", schema, step, problem, output=result.schema, value=found.value, has_value=True)


def _coder(result: Result) -> Coder | None:
    return result.coder if result.needs_decode else None


def _unreadable(subject: Subject, schema: Any, output: Any) -> Failure | None:
    """An output that no validator reads, though one reads what came in."""
    if not is_unreadable(schema, output) or dangling(output):
        return None
    unread = (
        stage.step
        for stage in subject.stages(schema)
        if stage.error or judge_or_none(stage.after, subject.dialect) is None
    )
    return Failure("claim", schema, next(unread, ""), "no validator can read what comes out", output=output)


def _blamed(subject: Subject, schema: Any, found: Refutation) -> tuple[str, str]:
    """The step whose own claim is refuted; where none is, the step with which the whole becomes false."""
    dialect = "json-schema"
    # A step alone may stand on the codecs of those before it.
    for stage in () if subject.adapter.plan.encodes else subject.stages(schema):
        if stage.error is not None:
            break
        before, after = judge_or_none(stage.before, dialect), judge_or_none(stage.after, subject.dialect)
        dialect = subject.dialect
        if before and after and refutation(before, after, stage.effect, [found.value]):
            return stage.step, f" (that step alone claims {stage.effect.word})"
    author = judge_or_none(schema, "json-schema")
    for step, prefix in subject.prefixes:
        result = adapted(prefix, schema)
        after = None if result is None else judge_or_none(result.schema, subject.dialect)
        if author is None or result is None or after is None:
            continue
        if refutation(author, after, result.report.effect, [found.value], coder=_coder(result)):
            if subject.adapter.plan.encodes:
                return step, " (from this step on)"
            return step, " (each step's own claim holds: together they do not)"
    return "", ""


LAWS: Final[Mapping[str, Law]] = {
    "raises": _raises,
    "untouched": _untouched,
    "deterministic": _deterministic,
    "fused": _fused,
    "references": _references,
    "claim": _claim,
    "idempotent": _idempotent,
    "order": lambda subject, schema, values: lost_too_early(subject, schema),
}
"""Each law by its name, in the order in which they are tried."""


def fuzz_pipeline(
    adapter: Adapter,
    *,
    examples: int = 500,
    seed: int | None = None,
    laws: Collection[str] | None = None,
    progress: Progress | None = None,
    found: Callable[[Failure], None] | None = None,
    drafts: Collection[str] = DRAFTS,
) -> list[Failure]:
    """
    Try the laws of a pipeline on so many drawn schemas and values; each law's first failure, made small.

    `laws` are the names of those to try, without it all. A law that failed is not tried
    on. The same `seed` draws the same examples, none counts as 0. `progress` is called with
    a law, how many examples it has been tried on, and how many there will be; `found` with
    each failure as soon as there is one, and once more when it is small. `drafts` are the
    spellings of the schemas (see `drawing.schemas`). Nothing is printed. A failure that
    `is_warning` is for the author to judge. Raises ValueError for a law that there is not.
    """
    trying = {name: LAWS[name] for name in _named(laws)}
    subject = Subject(adapter)
    tell = found or (lambda failure: None)
    failures: dict[str, Failure] = {}
    for done, (schema, values) in enumerate(samples(examples, seed or 0, subject.focuses, drafts), 1):
        for law in trying.keys() - failures.keys():
            failure = _tried(law, subject, schema, values)
            if failure is not None:
                tell(failure)
                failures[law] = _smallest(subject, failure, values)
                tell(failures[law])
        if progress is not None:
            for law in trying:
                progress(law, done, examples)
        if len(failures) == len(trying):
            break
    return [failures[law] for law in trying if law in failures]


def _named(laws: Collection[str] | None) -> Collection[str]:
    names = list(PROMISES) if laws is None else list(laws)
    unknown = [name for name in names if name not in LAWS]
    if unknown:
        raise ValueError(f"no such law: {', '.join(unknown)} (there are {', '.join(LAWS)})")
    return [name for name in LAWS if name in names]


def _tried(law: str, subject: Subject, schema: Any, values: Sequence[JsonValue]) -> Failure | None:
    """What a law says of a pipeline at a schema; nothing where it raises, which is a law of its own."""
    if law == "raises":
        return LAWS[law](subject, schema, values)
    try:
        return LAWS[law](subject, schema, values)
    except Exception:
        if _raises(subject, schema, values) is None and not _refuses(subject, schema):
            raise
        return None


def _refuses(subject: Subject, schema: Any) -> bool:
    try:
        subject.adapter.adapt(schema)
    except InputError:
        return True
    return False


def _smallest(subject: Subject, failure: Failure, values: Sequence[JsonValue]) -> Failure:
    """The same law broken by the same step, at a smaller schema and by a smaller value."""
    law, step = failure.law, failure.step
    is_readable = judge_or_none(failure.schema, "json-schema") is not None

    def at(schema: Any, value: Any) -> Failure | None:
        if not isinstance(schema, (dict, bool)) or (is_readable and judge_or_none(schema, "json-schema") is None):
            return None
        found = _tried(law, subject, schema, [value] if failure.has_value else values)
        return found if found is not None and found.step == step and found.has_value == failure.has_value else None

    schema = reduced(failure.schema, lambda one: at(one, failure.value) is not None)
    if not failure.has_value:
        return at(schema, None) or failure
    value = reduced(failure.value, lambda one: at(schema, one) is not None)
    # A smaller value may need less of the schema.
    schema = reduced(schema, lambda one: at(one, value) is not None)
    return at(schema, value) or failure


def check_pipeline(
    adapter: Adapter,
    *,
    examples: int = 200,
    seed: int | None = None,
    exempt: Collection[str] = (),
    drafts: Collection[str] = DRAFTS,
) -> None:
    """
    Every law of a pipeline, for a test suite.

    `exempt` names the laws that the pipeline does not keep, for a reason that the test
    gives: one that writes types in capitals, or unrolls what refers to itself, is not
    idempotent. `drafts` are the spellings of the schemas. Whether another order would
    lose less is not asked: see `fuzz_pipeline`.
    Raises AssertionError with the failures in words, ValueError for a law that there is not.
    """
    asked = set(_named(None)) - {"order"} - set(_named(exempt))
    failures = fuzz_pipeline(adapter, examples=examples, seed=seed, laws=asked, drafts=drafts)
    if failures:
        raise AssertionError("\n".join(f"pipeline {adapter.name!r}: {failure}" for failure in failures))


def check_case(adapter: Adapter, law: str, schema: Any, values: Sequence[JsonValue] = ()) -> None:
    """
    One law of a pipeline at one schema, with the values that a claim is judged by: a regression test.

    Raises AssertionError with the failure in words, ValueError for a law that there is not.
    """
    (name,) = _named([law])
    failure = _tried(name, Subject(adapter), schema, values)
    if failure is not None:
        raise AssertionError(f"pipeline {adapter.name!r}: {failure}")


def failures_at(adapter: Adapter, schema: Any, values: Sequence[JsonValue] = ()) -> Iterator[Failure]:
    """Every law that a pipeline breaks at one schema."""
    subject = Subject(adapter)
    for law in LAWS:
        failure = _tried(law, subject, schema, values)
        if failure is not None:
            yield failure
