"""What is inlined, and what becomes of references that lead nowhere."""

from typing import Any

import pytest

from schemaflow import JsonValue, Schema
from tests.inlining.calls import ANY_OBJECT, DRAFT_7, STRING, findings, members, ref, resolved, traced


def test_properties_and_data_called_ref_are_left_alone() -> None:
    data = {"$ref": "#/nowhere"}
    document = {
        "$defs": {"S": STRING},
        "properties": {"default": ref("S"), "$ref": STRING, "x": {"default": data, "enum": [data], "const": data}},
    }

    assert resolved(document) == {"properties": {**document["properties"], "default": STRING}}


def test_every_copy_is_the_same_below_its_top() -> None:
    document = {"$defs": {"A": members(b=ref("B")), "B": STRING}, "properties": {"x": ref("A"), "y": ref("A")}}
    properties = resolved(document)["properties"]

    assert properties["x"]["properties"] is properties["y"]["properties"]


def test_what_holds_no_reference_stays_the_same_object() -> None:
    document = {"properties": {"a": members(b=STRING), "x": {"$ref": "#/properties/a"}}}

    assert resolved(document)["properties"]["a"] is document["properties"]["a"]


def test_a_root_that_is_a_reference() -> None:
    document = {"$schema": DRAFT_7, "$ref": "#/$defs/A", "$defs": {"A": members(a=STRING)}, "x-note": 1}

    assert resolved(document) == {"$schema": DRAFT_7, **members(a=STRING), "x-note": 1}


@pytest.mark.parametrize(("target", "expected"), [(True, {}), (False, {"not": {}})])
def test_a_root_that_refers_to_a_boolean(target: bool, expected: Schema) -> None:
    assert resolved({"$ref": "#/$defs/A", "$defs": {"A": target}}) == expected


def test_booleans_elsewhere() -> None:
    document = {"$defs": {"no": False, "yes": True}, "properties": {"a": ref("no"), "b": ref("yes")}}

    assert resolved(document) == {"properties": {"a": False, "b": True}}


def test_a_copy_goes_without_names_and_definitions() -> None:
    inner = {"$id": "http://x.example/a", "$anchor": "a", "$schema": DRAFT_7, "$defs": {"B": STRING}}
    document = {"$defs": {"A": {**inner, "items": ref("B")}}, "properties": {"x": {"$ref": "http://x.example/a"}}}

    assert resolved(document) == {"properties": {"x": {"items": STRING}}}


def test_the_document_itself_is_inlined_without_its_definitions() -> None:
    document = {"$defs": {"A": STRING}, "title": "T", "properties": {"next": {"$ref": "#"}, "a": ref("A")}}
    once = {"title": "T", "properties": {"next": {}, "a": STRING}}

    assert resolved(document, unroll=0) == {**once, "properties": {"next": {}, "a": STRING}}
    assert resolved(document)["properties"]["next"] == once


def test_definitions_in_a_node_are_resolved_too() -> None:
    document = {"$defs": {"S": STRING}, "properties": {"a": {"items": ref("F"), "$defs": {"F": {"items": ref("S")}}}}}
    inner = {"items": STRING}

    assert resolved(document) == {"properties": {"a": {"items": inner, "$defs": {"F": inner}}}}


def test_several_references_beside_one_another_all_hold() -> None:
    document = {"$defs": {"A": {"minimum": 1}, "B": {"maximum": 5}}, **ref("A"), "$dynamicRef": "#/$defs/B"}

    assert resolved(document) == {"minimum": 1, "maximum": 5}


@pytest.mark.parametrize(("first", "expected"), [(True, STRING), (False, False)])
def test_one_of_several_targets_is_a_boolean(first: bool, expected: Any) -> None:
    document = {"$defs": {"A": first, "B": STRING}, "items": {**ref("A"), "$dynamicRef": "#/$defs/B"}}

    assert resolved(document) == {"items": expected}


@pytest.mark.parametrize("options", [{}, {"keep": "cyclic"}, {"keep": "resolvable"}])
def test_a_document_without_references_is_returned_as_it_is(options: Any) -> None:
    document = {"$id": "http://x.example", "properties": {"a": {"$anchor": "a"}}, "$defs": {"A": STRING}}

    assert traced(document, **options).schema is document


@pytest.mark.parametrize("document", [True, False, {}, []])
def test_what_is_no_schema_object_is_returned_as_it_is(document: JsonValue) -> None:
    assert traced(document).schema is document


# --- what leads nowhere


WRONG = [5, None, {"type": "string"}, "", "#/%zz", "http://[", "#/$defs/Gone", "https://x.example/schema"]


@pytest.mark.parametrize("wrong", WRONG)
@pytest.mark.parametrize("keep", ["none", "cyclic", "resolvable"])
def test_what_leads_nowhere_becomes_any_object(wrong: JsonValue, keep: str) -> None:
    document = {"properties": {"a": {"$ref": wrong}, "b": {"$ref": wrong, "title": "B"}}}
    expected = {"properties": {"a": ANY_OBJECT, "b": {**ANY_OBJECT, "title": "B"}}}

    assert resolved(document, keep=keep) == expected
    assert findings(document)["/properties/a"] == ("both", f"{wrong!r} leads nowhere")


def test_anything_may_stand_for_what_leads_nowhere() -> None:
    document = {"properties": {"a": ref("Gone")}}

    assert resolved(document, last="any") == {"properties": {"a": {}}}
    assert findings(document, last="any")["/properties/a"][0] == "widens"


def test_what_stands_beside_says_more_than_a_last_resort() -> None:
    document = {"properties": {"a": {**ref("Gone"), **STRING, "description": "An a."}}}

    assert resolved(document) == {"properties": {"a": {**STRING, "description": "An a."}}}
    assert findings(document)["/properties/a"][0] == "widens"


def test_the_seed_drops_what_stands_beside() -> None:
    assert resolved({"items": {**ref("Gone"), **STRING}}, siblings="drop") == {"items": ANY_OBJECT}


def test_a_lenient_reading_is_reported() -> None:
    document = {"definitions": {"A/B": STRING}, "items": {"$ref": "#/definitions/A/B"}}

    assert findings(document) == {
        "/items": ("exact", "inlined '#/definitions/A/B' read as '#/definitions/A~1B'"),
    }
