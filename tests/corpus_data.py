"""
The corpora that tests run on: our own small one, and the big ones where they are at hand.

`OWN` is in the repository. The big corpora lie in the folder that the environment
variable SCHEMAFLOW_CORPUS names, which holds `corpus/` and `cases/`; where it names
none, their iterators are empty. What uses them is marked `corpus`.
"""

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from attrs import frozen

from schemaflow.keywords import JsonValue, Schema

_OWN: Final = Path(__file__).parent / "corpus"


@frozen
class Entry:
    """A schema, with instances that it accepts and instances that it refuses; formats are annotations."""

    id: str
    schema: Schema | bool
    valid: list[JsonValue]
    invalid: list[JsonValue]


@frozen
class Group(Entry):
    """A group of the official test suite, which is about one draft."""

    draft: str
    is_optional: bool


def _own() -> Iterator[Entry]:
    for path in sorted(_OWN.glob("*.json")):
        for entry in json.loads(path.read_text(encoding="utf-8")):
            yield Entry(**entry)


OWN: Final[list[Entry]] = list(_own())
"""Our own corpus, by the names of its files and in their order."""


# --- the big corpora


def iter_server_tools() -> Iterator[tuple[str, dict[str, Any]]]:
    """The tools of real servers, each under `server/tool`."""
    for path in _files("corpus/tools/*.json"):
        for tool in json.loads(path.read_text(encoding="utf-8"))["tools"]:
            yield f"{path.stem}/{tool['name']}", tool


def iter_bench() -> Iterator[Entry]:
    """The schemas of JSONSchemaBench, with labelled instances; some labels there depend on formats."""
    for row in _rows("jsonschemabench"):
        yield Entry(row["id"], row["schema"], *_labelled(row["tests"]))


def iter_suite() -> Iterator[Group]:
    """The groups of the official test suite, each under `draft/file/index`."""
    for row in _rows("test-suite"):
        name = f"{row['draft']}/{row['file'].removesuffix('.json')}/{row['index']}"
        yield Group(name, row["schema"], *_labelled(row["tests"]), row["draft"], row["optional"])


def suite_remotes() -> dict[str, Schema | bool]:
    """The documents that the official test suite refers to, by their URIs."""
    return {row["uri"]: row["schema"] for row in _rows("test-suite-remotes")}


def iter_cases() -> Iterator[dict[str, Any]]:
    """Reported failures of other adapters: `id input_kind input expect` and more."""
    for path in _files("cases/*.json"):
        yield json.loads(path.read_text(encoding="utf-8"))


def iter_adk_native() -> Iterator[tuple[str, dict[str, Schema | None]]]:
    """What ADK-Rust's native adapters answer for a tool, by `server/tool` and the adapter; None where nothing came."""
    for row in _rows("adk-native"):
        yield row["id"], {name: answer for name, answer in row.items() if name != "id"}


def _files(pattern: str) -> list[Path]:
    folder = os.environ.get("SCHEMAFLOW_CORPUS")
    return sorted(Path(folder).glob(pattern)) if folder else []


def _rows(name: str) -> Iterator[dict[str, Any]]:
    for path in _files(f"corpus/{name}.jsonl"):
        with path.open(encoding="utf-8") as lines:
            yield from map(json.loads, lines)


def _labelled(tests: list[dict[str, Any]]) -> tuple[list[JsonValue], list[JsonValue]]:
    """The data of tests, the valid ones and the others."""
    valid, invalid = [[test["data"] for test in tests if test["valid"] is wanted] for wanted in (True, False)]
    return valid, invalid
