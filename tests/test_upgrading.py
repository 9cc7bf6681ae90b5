"""`schemaflow.upgrading`: the quick way for documents that only declare a draft, against the whole way."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from schemaflow import Rewrite, Schema
from schemaflow.drafts import LATEST
from schemaflow.drawing import schemas
from schemaflow.trace import Traced
from schemaflow.upgrading import Terms
from schemaflow.upgrading.declarations import declared_alone
from schemaflow.upgrading.run import Run
from tests.claims import URIS

DECLARED = [uri for draft, uri in URIS.items() if draft != "draft4"] + [LATEST]
PLAIN = {"type": "object", "properties": {"id": {"type": "integer"}, "name": {"type": ["string", "null"]}}}


def said(traced: Traced) -> list[object]:
    found: list[object] = [traced.schema]
    for one in traced.events:
        assert isinstance(one.detail, Rewrite)
        found.append((one.link, one.before, one.after, one.detail.effect, one.detail.note, one.detail.lost))
    return found


@settings(max_examples=400, deadline=None)
@given(schemas(), st.sampled_from(DECLARED))
def test_the_quick_way_says_what_the_whole_way_says(schema: Schema, uri: str) -> None:
    document = {**schema, "$schema": uri}

    quick = declared_alone(document)

    assert quick is None or said(quick) == said(Run(document, Terms()).traced())


@pytest.mark.parametrize("uri", DECLARED)
def test_a_plain_schema_takes_the_quick_way(uri: str) -> None:
    assert declared_alone({"$schema": uri, **PLAIN}) is not None


@pytest.mark.parametrize(
    "more",
    [
        {"const": 1, "$schema": URIS["draft4"]},
        {"items": [{}]},
        {"exclusiveMinimum": True},
        {"properties": {"a": {"$schema": URIS["draft7"]}}},
        {"minimum": 2**70},
        {"dependentRequired": {"a": ["b"]}},
        {"$ref": "#"},
    ],
)
def test_what_needs_a_look_takes_the_whole_way(more: Schema) -> None:
    assert declared_alone({"$schema": URIS["draft7"], **more}) is None
