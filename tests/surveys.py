"""
Surveys: one pipeline run over many schemas, and whatever went wrong there.

What comes out is checked without the engine's own knowledge: references are looked up
by `referencing`, values are judged by jsonschema-rs, and where subschemas stand is
written down here once more.
"""

import hashlib
import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from attrs import define, field

import schemaflow
from schemaflow import Adapter, InputError, NotASchemaError, Result
from schemaflow.adapters import to_bytes
from schemaflow.laws.dangling import dangling
from schemaflow.validation import judge_of
from tests import corpus_data
from tests.corpus_data import Entry
from tests.effort import TooMuchWorkError, at_most

PIPELINES: Final = schemaflow.providers()

CALLS: Final = 10_000_000
"""How much work one schema may be; the real ones that refer to themselves most are a tenth of that."""

PATIENCE: Final = 300.0
"""After how many seconds of a processor's time one schema counts as hanging, on any machine."""


def _tools() -> Iterator[Entry]:
    for name, tool in corpus_data.iter_server_tools():
        yield Entry(name, tool["inputSchema"], [], [])


def _cases() -> Iterator[Entry]:
    for case in corpus_data.iter_cases():
        schemas = schemas_of(case)
        for index, schema in enumerate(schemas):
            valid, invalid = (case.get(name, []) for name in ("valid_instances", "invalid_instances"))
            yield Entry(f"{case['id']}/{index}", schema, *((valid, invalid) if len(schemas) == 1 else ([], [])))


def schemas_of(case: dict[str, Any]) -> list[Any]:
    """The schemas of a case: its only one, or those of its tools."""
    if case["input_kind"] == "schema":
        return [case["input"]]
    tools = case["input"] if case["input_kind"] == "tools" else [case["input"]]
    return [tool.get("inputSchema") for tool in tools]


CORPORA: Final[dict[str, Callable[[], Iterable[Entry]]]] = {
    "own": lambda: corpus_data.OWN,
    "tools": _tools,
    "bench": corpus_data.iter_bench,
    "suite": corpus_data.iter_suite,
    "cases": _cases,
}


@define
class Survey:
    """How many schemas there were, the digest of all outputs, and where something went wrong, by what it was."""

    count: int = 0
    digest: str = ""
    wrongs: dict[str, list[str]] = field(factory=dict)

    def note(self, what: str, where: str) -> None:
        """Remember what went wrong at a schema."""
        self.wrongs.setdefault(what, []).append(where)


def survey(corpus: str, pipeline: str) -> Survey:
    """Run a pipeline over a corpus: each schema twice here, and once in another process."""
    found = Survey()
    adapter = schemaflow.adapter(pipeline)
    digest = hashlib.sha256()
    for entry in CORPORA[corpus]():
        found.count += 1
        try:
            with within(PATIENCE):
                digest.update(_surveyed(entry, adapter, found) + b"\n")
        except InputError as error:
            found.note("refused as input", f"{entry.id}: {error}")
        except TooMuchWorkError as error:
            found.note("too much work", f"{entry.id}: {error}")
        except Exception as error:
            found.note("an exception", f"{entry.id}: {error!r}")
    found.digest = digest.hexdigest()
    elsewhere = digest_elsewhere(corpus, pipeline)
    if elsewhere != found.digest:
        found.note("other bytes in another process", elsewhere)
    return found


def _surveyed(entry: Entry, adapter: Adapter, found: Survey) -> bytes:
    """The output for one schema, after all checks."""
    before = _as_bytes(entry.schema)
    with at_most(CALLS):
        result = adapter.adapt(entry.schema)
    text = to_bytes(result.schema)
    if not is_json(result.schema):
        found.note("not the same as JSON", entry.id)
    if to_bytes(adapter.adapt(entry.schema).schema) != text:
        found.note("other bytes the second time", entry.id)
    if _as_bytes(entry.schema) != before:
        found.note("a changed input", entry.id)
    if b'ef":' in text:
        for reference in dangling(result.schema):
            found.note("a dangling reference", f"{entry.id}: {reference}")
    for claim in belied(entry, result, adapter.pipeline.dialect):
        found.note("an instance that refutes the report", f"{entry.id}: {claim}")
    return text


def digest_of(corpus: str, pipeline: str) -> str:
    """The digest of all outputs alone, each schema run once."""
    adapter = schemaflow.adapter(pipeline)
    digest = hashlib.sha256()
    for entry in CORPORA[corpus]():
        try:
            digest.update(to_bytes(adapter.adapt(entry.schema).schema) + b"\n")
        except InputError:
            continue
    return digest.hexdigest()


def digest_elsewhere(corpus: str, pipeline: str) -> str:
    """The same digest from another process, which hashes strings otherwise; an error's text where that fails."""
    code = f"from tests.surveys import digest_of; print(digest_of({corpus!r}, {pipeline!r}))"
    seed = "2" if os.environ.get("PYTHONHASHSEED") == "1" else "1"
    finished = subprocess.run(
        [sys.executable, "-c", code],
        cwd=Path(__file__).parents[1],
        env={**os.environ, "PYTHONHASHSEED": seed},
        capture_output=True,
        text=True,
        check=False,
        timeout=1800,
    )
    return finished.stdout.strip() if finished.returncode == 0 else finished.stderr


@contextmanager
def within(seconds: float) -> Iterator[None]:
    """Raise TimeoutError in what takes more of the processor's time. For the main thread."""

    def stop(*_: Any) -> None:
        raise TimeoutError(f"more than {seconds:g} s")

    before = signal.signal(signal.SIGVTALRM, stop)
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


def _as_bytes(value: Any) -> bytes:
    """A value as bytes, JSON or not."""
    try:
        return to_bytes(value)
    except ValueError:
        return repr(value).encode("utf-8", "surrogatepass")


def is_json(value: Any) -> bool:
    """Whether a value, written as JSON and read again, is the same."""
    try:
        return bool(json.loads(json.dumps(value, allow_nan=False)) == value)
    except (TypeError, ValueError):
        return False


# --- values


def belied(entry: Entry, result: Result, dialect: str) -> Iterator[str]:
    """The instances for which the output does not do what the report says of it."""
    if not entry.valid and not entry.invalid:
        return
    effect = result.report.effect
    try:
        author, output = judge_of(entry.schema), judge_of(result.schema, dialect=dialect)
    except NotASchemaError:
        return
    for instance in [*entry.valid, *entry.invalid]:
        before, after = author(instance), output(instance)
        if before and not after and not effect.may_narrow:
            yield f"{effect.word}, but {instance!r} is refused"
        if after and not before and not effect.may_widen:
            yield f"{effect.word}, but {instance!r} is accepted"
