from typing import Any

import pytest

from schemaflow import Schema
from schemaflow_rules.enforce_nesting_depth import enforce_nesting_depth


def _nested(objects: int) -> Schema:
    schema: Schema = {"type": "object", "description": "Innermost."}
    for _ in range(objects - 1):
        schema = {"type": "object", "properties": {"a": schema}}
    return schema


def _innermost(schema: Any) -> Any:
    while "properties" in schema:
        schema = schema["properties"]["a"]
    return schema


def test_as_many_objects_as_the_depth_stay() -> None:
    document = _nested(5)

    assert enforce_nesting_depth.apply(document, depth=5) is document


def test_the_next_is_cut() -> None:
    assert _innermost(enforce_nesting_depth.apply(_nested(6), depth=5)) == {"type": "object"}


def test_no_depth_at_all_cuts_the_root() -> None:
    assert enforce_nesting_depth.apply(_nested(2), depth=0) == {"type": "object"}


def test_arrays_do_not_count() -> None:
    document = {"type": "object", "properties": {"a": {"type": "array", "items": {"items": {"items": _nested(1)}}}}}

    assert enforce_nesting_depth.apply(document, depth=2) is document


@pytest.mark.parametrize("keyword", ["prefixItems", "allOf", "anyOf"])
def test_lists_of_schemas_are_entered(keyword: str) -> None:
    document = {"type": "object", keyword: [_nested(2)]}

    assert enforce_nesting_depth.apply(document, depth=1) == {"type": "object", keyword: [{"type": "object"}]}


@pytest.mark.parametrize("keyword", ["then", "contains", "propertyNames", "not", "additionalProperties"])
def test_every_place_of_a_schema_is_entered(keyword: str) -> None:
    document = {"type": "object", keyword: _nested(2)}

    assert enforce_nesting_depth.apply(document, depth=1) == {"type": "object", keyword: {"type": "object"}}


def test_a_boolean_document_is_no_object() -> None:
    assert enforce_nesting_depth.apply(True, depth=0) is True
