"""The laws of `resolve_refs`."""

import json
from collections.abc import Iterator
from typing import Any

import jsonschema_rs
from hypothesis import given, settings
from hypothesis import strategies as st

from schemaflow import Effect, JsonValue, Rewrite, Schema, Traced
from schemaflow.adapters import to_bytes
from schemaflow.drawing import schemas, values, values_near
from schemaflow.keywords import KEYWORDS, Polarity, subschemas
from schemaflow.references import DEFINITIONS, KEYS, References
from schemaflow.trace import keywords_above
from tests.inlining.calls import (
    traced,
)


def visited(document: JsonValue, passed_over: frozenset[str]) -> Iterator[Schema]:
    """Every schema object of a document but for what stands under some keywords of the root."""
    waiting = [document]
    seen: set[int] = set()
    while waiting:
        node = waiting.pop()
        if isinstance(node, dict) and id(node) not in seen:
            seen.add(id(node))
            yield node
            hidden = passed_over if node is document else frozenset()
            waiting.extend(child for keyword, _, child in subschemas(node) if keyword not in hidden)


MODES: list[dict[str, Any]] = [
    {},
    {"unroll": 0},
    {"siblings": "standard"},
    {"siblings": "drop"},
    {"last": "any"},
    {"unroll": 3, "depth": 1},
    {"last": "any", "unroll": 0, "depth": 1},
    {"keep": "cyclic"},
    {"keep": "resolvable", "inline_joint": True},
    {"keep": "resolvable"},
    {"keep": "resolvable", "inline_under": ["$defs"]},
    {"keep": "cyclic", "inline_under": ["properties", "then"]},
]


@settings(max_examples=300)
@given(options=st.sampled_from(MODES), document=schemas(malformed=True))
def test_no_reference_dangles(options: dict[str, Any], document: Schema) -> None:
    before = to_bytes(document)
    result = traced(document, **options).schema

    assert to_bytes(document) == before
    keeps = "keep" in options
    passed_over = DEFINITIONS & {*options.get("inline_under", ())} if keeps else DEFINITIONS
    references = References(result)
    for node in visited(result, passed_over):
        assert not any(keyword in node for keyword in KEYS if keyword != "$ref" or not keeps)
        if "$ref" in node:
            target = references.lookup(references.base, node["$ref"])

            assert node["$ref"].startswith("#")
            assert target is not None
            assert (target.note, target.is_visited) == ("", True)


def validator(schema: Schema | bool) -> Any:
    """A validator, None where the library takes the schema for wrong."""
    try:
        return jsonschema_rs.validator_for(schema, validate_formats=False)
    except (ValueError, jsonschema_rs.ReferencingError):
        return None


def claimed(done: Traced) -> Effect:
    """What the findings of a run say together."""
    effect = Effect.EXACT
    for event in done.events:
        assert isinstance(event.detail, Rewrite)
        assert event.detail.effect is not None
        one = event.detail.effect
        for keyword in keywords_above(event.link):
            one = one.seen_through(Polarity.MIXED if keyword == "contains" else KEYWORDS[keyword].polarity)
        effect |= one
    return effect


@settings(max_examples=300)
@given(options=st.sampled_from(MODES), data=st.data())
def test_the_claims_hold(options: dict[str, Any], data: st.DataObject) -> None:
    document = data.draw(schemas(drafts=["2020-12", "draft-07", "draft-04"]))
    done = traced(document, **options)
    before, after = validator(document), validator(done.schema)
    if before is None or done.schema is document:
        return

    assert after is not None
    effect = claimed(done)
    for _ in range(3):
        value = data.draw(values_near(document) | values())
        was, now = before.is_valid(value), after.is_valid(value)

        assert was is now or (effect.may_narrow if was else effect.may_widen), json.dumps(value)
