"""Our own corpus says what it means: each label is what an independent validator says too."""

import json
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import jsonschema_rs
import pytest

from schemaflow.keywords import KEYWORDS, JsonValue, subschemas
from tests import corpus_data
from tests.corpus_data import OWN, Entry

JUDGED = [entry for entry in OWN if entry.valid or entry.invalid]
UNJUDGED = [entry for entry in OWN if not entry.valid and not entry.invalid]


def name_of(entry: Entry) -> str:
    return entry.id


def judge(entry: Entry) -> jsonschema_rs.Validator:
    return jsonschema_rs.validator_for(entry.schema, validate_formats=False, offline=True)


def keywords_in(schema: JsonValue) -> Iterator[str]:
    if isinstance(schema, dict):
        yield from schema
        for _, _, child in subschemas(schema):
            yield from keywords_in(child)


@pytest.mark.parametrize("entry", JUDGED, ids=name_of)
def test_labels_are_right(entry: Entry) -> None:
    judged = judge(entry)
    valid = [instance for instance in entry.valid if not judged.is_valid(instance)]
    invalid = [instance for instance in entry.invalid if judged.is_valid(instance)]

    assert (valid, invalid) == ([], [])


@pytest.mark.parametrize("entry", UNJUDGED, ids=name_of)
def test_only_what_no_validator_takes_is_without_instances(entry: Entry) -> None:
    with pytest.raises((jsonschema_rs.ValidationError, jsonschema_rs.ReferencingError)):
        judge(entry)


def test_most_entries_have_instances_of_both_kinds() -> None:
    both = [entry for entry in OWN if entry.valid and entry.invalid]

    assert len(both) > 0.95 * len(OWN)


def test_there_are_some_two_hundred_entries() -> None:
    assert len(OWN) >= 200


def test_ids_are_unique() -> None:
    repeated = [name for name, count in Counter(entry.id for entry in OWN).items() if count > 1]

    assert repeated == []


def test_ids_are_kebab_case() -> None:
    odd = [entry.id for entry in OWN if not re.fullmatch("[a-z0-9]+(-[a-z0-9]+)*", entry.id)]

    assert odd == []


def test_schemas_are_distinct() -> None:
    repeated = [text for text, count in Counter(json.dumps(entry.schema) for entry in OWN).items() if count > 1]

    assert repeated == []


def test_every_keyword_occurs() -> None:
    occurring = {keyword for entry in OWN for keyword in keywords_in(entry.schema)}

    assert KEYWORDS.keys() - occurring == set()


def test_without_a_folder_the_big_corpora_are_empty(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("SCHEMAFLOW_CORPUS", raising=False)

    assert [*corpus_data.iter_server_tools(), *corpus_data.iter_cases(), *corpus_data.iter_suite()] == []


def test_big_corpora_are_read_from_the_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "corpus" / "tools").mkdir(parents=True)
    (tmp_path / "corpus" / "tools" / "loom.json").write_text('{"tools": [{"name": "weave"}]}')
    row = {"id": "a", "schema": True, "tests": [{"valid": False, "data": 1}, {"valid": True, "data": "é"}]}
    (tmp_path / "corpus" / "jsonschemabench.jsonl").write_text(json.dumps(row) + "\n")
    monkeypatch.setenv("SCHEMAFLOW_CORPUS", str(tmp_path))

    assert list(corpus_data.iter_server_tools()) == [("loom/weave", {"name": "weave"})]
    assert list(corpus_data.iter_bench()) == [Entry("a", True, ["é"], [1])]


@pytest.mark.corpus
def test_big_corpora_are_whole() -> None:
    tools = dict(corpus_data.iter_server_tools())
    groups = {group.id: group for group in corpus_data.iter_suite()}
    answers = dict(corpus_data.iter_adk_native())

    assert len(tools) > 2000
    assert len(groups) > 900
    assert answers.keys() <= tools.keys()
    assert len(list(corpus_data.iter_cases())) > 100
    assert sum(bool(entry.valid or entry.invalid) for entry in corpus_data.iter_bench()) > 600
    assert "http://localhost:1234/integer.json" in corpus_data.suite_remotes()
