import json

import pytest

from schemaflow import Schema
from schemaflow.laws.dangling import dangling
from schemaflow_rules.share_subtrees import share_subtrees

PORT: Schema = {"type": "string", "pattern": "^[A-Z]{3}$", "description": "An airport."}


def twice(part: Schema) -> Schema:
    return {"properties": {"a": part, "b": {"items": part}}}


def test_names_that_are_taken_are_not_taken_again() -> None:
    document = {**twice(PORT), "$defs": {"shared_1": {"type": "null"}}}
    shared = share_subtrees.apply(document, over=0, least=20)

    assert shared["$defs"] == {"shared_1": {"type": "null"}, "shared_2": PORT}
    assert dangling(shared) == []


def test_a_part_of_what_is_shared_is_no_definition_of_its_own() -> None:
    inner: Schema = {"type": "object", "properties": {"port": PORT}}
    shared = share_subtrees.apply(twice(inner), over=0, least=20)

    assert shared["$defs"] == {"shared_1": inner}


def test_doubling_is_undone() -> None:
    part: Schema = {"type": "string", "description": "x" * 100}
    for _ in range(12):
        part = {"type": "object", "properties": {"a": part, "b": part}}
    shared = share_subtrees.apply({"items": part})

    assert len(json.dumps(shared)) < 10_000


@pytest.mark.parametrize(
    "document",
    [
        twice({**PORT, "$id": "urn:x:a"}),
        twice({**PORT, "$anchor": "a"}),
        {**twice(PORT), "$defs": 5},
        {"enum": [PORT, PORT]},
        twice({"type": "string"}),
    ],
)
def test_what_must_stay_is_the_same_object(document: Schema) -> None:
    assert share_subtrees.apply(document, over=0, least=40) is document
