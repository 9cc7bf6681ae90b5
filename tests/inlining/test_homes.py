"""Which references stay, and where they lead."""

import pytest

from schemaflow import Schema
from tests.inlining.calls import ANY_OBJECT, INTEGER, STRING, TREE, members, ref, traced


def test_references_to_a_cycle_stay() -> None:
    document = {**TREE, "items": ref("A"), "$defs": {**TREE["$defs"], "A": members(tree=ref("Tree"))}}
    result = traced(document, keep="cyclic").schema

    assert result == {**document, "items": members(tree=ref("Tree"))}


@pytest.mark.parametrize("keep", ["cyclic", "resolvable"])
def test_what_resolves_by_itself_is_left_alone(keep: str) -> None:
    document = {"$id": "http://x.example", "properties": {"a": {"items": {"$ref": "#/properties/a"}, "title": "A"}}}

    assert traced(document, keep=keep).schema is document


@pytest.mark.parametrize(
    ("definition", "reference", "expected"),
    [
        ({"$anchor": "a"}, "#a", "#/$defs/x%20y"),
        ({"$id": "http://x.example/a"}, "http://x.example/a", "#/$defs/x%20y"),
        ({}, "x y", "#/$defs/x%20y"),
        ({}, "#/definitions/x y", "#/$defs/x%20y"),
        ({}, "#/$defs/x y", "#/$defs/x y"),
        ({}, "#/%24defs/x%20y", "#/%24defs/x%20y"),
    ],
)
def test_what_stays_is_a_pointer_from_the_root(definition: Schema, reference: str, expected: str) -> None:
    document = {"$defs": {"x y": {**definition, "items": STRING}}, "properties": {"a": {"$ref": reference}}}
    result = traced(document, keep="resolvable").schema

    assert result == {"$defs": {"x y": {"items": STRING}}, "properties": {"a": {"$ref": expected}}}


def test_references_inside_an_embedded_schema_are_pointers_from_the_root() -> None:
    inner = {"$id": "http://x.example/a", "$defs": {"B": STRING}, "items": ref("B")}
    result = traced({"$defs": {"A": inner}, "items": {"$ref": "http://x.example/a"}}, keep="resolvable").schema
    expected = {"$defs": {"B": STRING}, "items": {"$ref": "#/$defs/A/$defs/B"}}

    assert result == {"$defs": {"A": expected}, "items": ref("A")}


@pytest.mark.parametrize("keyword", ["$recursiveRef", "$dynamicRef"])
def test_dynamic_references_stay_as_plain_ones(keyword: str) -> None:
    document = {"properties": {"next": {keyword: "#", "title": "Next"}}}

    assert traced(document, keep="cyclic").schema == {"properties": {"next": {"$ref": "#", "title": "Next"}}}


def test_targets_that_no_traversal_reaches_move_to_the_definitions() -> None:
    models = {"Item": members(tag={"$ref": "#/components/schemas/Tag"}, gone=ref("Gone")), "Tag": STRING}
    document = {"components": {"schemas": models}, "items": {"$ref": "#/components/schemas/Item"}}
    result = traced(document, keep="resolvable").schema

    assert result == {
        "components": {"schemas": models},
        "items": ref("Item"),
        "$defs": {"Item": members(tag=ref("Tag"), gone=ANY_OBJECT), "Tag": STRING},
    }


def test_a_moved_definition_takes_a_free_name() -> None:
    document = {"$defs": {"s": INTEGER}, "entities": {"s": STRING}, "items": {"$ref": "#/entities/s"}}
    result = traced(document, keep="resolvable").schema

    assert (result["items"], result["$defs"]) == (ref("s_2"), {"s": INTEGER, "s_2": STRING})


def test_a_target_inside_a_node_that_is_replaced_moves() -> None:
    holder = {**ref("A"), "properties": {"n": {"items": {"$ref": "#/properties/x/properties/n"}}}}
    document = {"$defs": {"A": members(a=STRING)}, "properties": {"x": holder}}
    result = traced(document, keep="cyclic").schema

    assert result["$defs"]["n"] == {"items": ref("n")}
    assert result["properties"]["x"]["properties"] == {"n": {"items": ref("n")}, "a": STRING}


@pytest.mark.parametrize("keep", ["cyclic", "resolvable"])
def test_references_to_what_a_later_step_drops_never_stay(keep: str) -> None:
    document = {
        "then": {"properties": {"a": STRING}},
        "properties": {"x": {"$ref": "#/then/properties/a"}, "y": {"$ref": "#/properties/y"}, "then": TREE},
    }
    result = traced({**document, **TREE}, keep=keep, inline_under=["then"]).schema

    assert result["properties"]["tree"] == ref("Tree")
    result = traced(document, keep=keep, inline_under=["then"]).schema
    assert result["properties"]["x"] == STRING


def test_a_property_called_like_a_keyword_is_none() -> None:
    document = {"properties": {"then": STRING, "x": {"$ref": "#/properties/then"}}}

    assert traced(document, keep="resolvable", inline_under=["then"]).schema is document


def test_recursion_below_a_keyword_that_goes_is_cut() -> None:
    document = {"then": {"items": {"$ref": "#/then"}, "type": "array"}, "contains": {"$ref": "#/then"}}
    result = traced(document, keep="cyclic", inline_under=["then"], unroll=0).schema

    assert result["contains"] == {"items": {"type": "array"}, "type": "array"}
