"""Which references are inlined: where recursion is cut, and what never stays."""

from typing import Any

import pytest
from hypothesis import given

from schemaflow import Schema, without
from schemaflow.adapters import to_bytes
from schemaflow.drawing import schemas
from schemaflow.references import DEFINITIONS
from schemaflow_rules.enforce_nesting_depth import enforce_nesting_depth
from schemaflow_rules.resolve_refs import resolve_refs
from tests.inlining.calls import ANY_OBJECT, INTEGER, STRING, TREE, findings, members, ref, resolved, traced


def unrolled(times: int) -> Schema:
    items = unrolled(times - 1) if times else ANY_OBJECT
    return {**members(v=STRING, kids={"type": "array", "items": items}), "required": ["v"]}


@pytest.mark.parametrize("unroll", [0, 1, 2, 10])
def test_recursion_is_unrolled(unroll: int) -> None:
    assert resolved(TREE, unroll=unroll) == {"properties": {"tree": unrolled(unroll)}}


def test_a_cut_widens_where_it_is() -> None:
    at = "/properties/tree/properties/kids/items"
    found = findings(TREE, unroll=0)

    assert found[at] == ("widens", "cut the recursion at '#/$defs/Tree'")
    assert found["/properties/tree"] == ("exact", "inlined '#/$defs/Tree'")


def test_a_node_in_which_one_stands_counts_as_entered() -> None:
    document = {"properties": {"a": {"type": "object", "items": {"$ref": "#/properties/a"}}}}

    assert resolved(document, unroll=0) == {"properties": {"a": {"type": "object", "items": ANY_OBJECT}}}


@pytest.mark.parametrize(
    ("target", "expected"),
    [
        ({"type": "array"}, {"type": "array"}),
        ({"type": ["object", "null"]}, {"type": ["object", "null"]}),
        ({"properties": {}}, {}),
        ({"allOf": [{"minProperties": 1}, ANY_OBJECT]}, ANY_OBJECT),
        ({"allOf": [ref("Base")]}, ANY_OBJECT),
        ({"anyOf": [ANY_OBJECT, {"type": "array"}]}, {"type": ["object", "array"]}),
        ({"anyOf": [ANY_OBJECT, {}]}, {}),
        ({"type": "any"}, {}),
    ],
)
def test_a_cut_leaves_the_types_of_the_target(target: Schema, expected: Schema) -> None:
    document = {"$defs": {"Base": ANY_OBJECT, "N": {**target, "items": ref("N")}}, "properties": {"x": ref("N")}}
    cut = resolved(document, unroll=0)["properties"]["x"]["items"]

    assert cut == expected


def test_what_stands_beside_a_cut_holds() -> None:
    node = {**ANY_OBJECT, "items": {**ref("N"), "title": "T", "minProperties": 1}}
    cut = resolved({"$defs": {"N": node}, **ref("N")}, unroll=0)["items"]

    assert cut == {"title": "T", "minProperties": 1, **ANY_OBJECT}


def test_mutual_recursion_is_cut_at_each_definition() -> None:
    document = {
        "$defs": {"list": {"type": "array", "items": ref("node")}, "node": members(list=ref("list"))},
        "properties": {"x": ref("list"), "y": ref("node")},
    }
    expected = {
        "x": {"type": "array", "items": members(list={"type": "array"})},
        "y": members(list={"type": "array", "items": ANY_OBJECT}),
    }

    assert resolved(document, unroll=0) == {"properties": expected}


def test_what_lies_beside_a_cycle_is_not_cut() -> None:
    document = {"$defs": {"L": {"items": ref("L"), "contains": ref("S")}, "S": STRING}, "items": ref("L")}
    inner = {"items": {}, "contains": STRING}

    assert resolved(document, unroll=1) == {"items": {"items": inner, "contains": STRING}}


@pytest.mark.parametrize(("last", "expected"), [("object", ANY_OBJECT), ("any", {})])
@pytest.mark.parametrize("name", ["left", "me"])
@pytest.mark.parametrize("options", [{}, {"keep": "cyclic"}, {"keep": "resolvable"}])
def test_references_that_lead_only_to_themselves(name: str, last: str, expected: Schema, options: Any) -> None:
    definitions = {"left": ref("right"), "right": ref("left"), "me": ref("me")}
    document = {"$defs": definitions, "properties": {"x": ref(name), "ok": STRING}}

    assert resolved(document, last=last, **options) == {"properties": {"x": expected, "ok": STRING}}


# --- joint references

NAMED: Schema = members(name=STRING)


@pytest.mark.parametrize(
    ("node", "expected"),
    [
        # Alone it stays, also where an allOf stands around it for the description's sake.
        ({"allOf": [ref("A")], "description": "D"}, {"allOf": [ref("A")], "description": "D"}),
        ({"anyOf": [ref("A"), {"type": "null"}]}, {"anyOf": [ref("A"), {"type": "null"}]}),
        ({"allOf": [ref("A"), {"properties": {"b": {}}}]}, {"allOf": [NAMED, {"properties": {"b": {}}}]}),
        ({"type": "object", "allOf": [ref("A")]}, {"type": "object", "allOf": [NAMED]}),
        ({"properties": {"b": {}}, "oneOf": [ref("A")]}, {"properties": {"b": {}}, "oneOf": [NAMED]}),
        ({**ref("A"), "properties": {"b": {}}}, {"type": "object", "properties": {"b": {}, "name": STRING}}),
        # What the target says of the same object, through references too, is put in its place.
        ({"allOf": [ref("B"), {"properties": {}}]}, {"allOf": [{"anyOf": [NAMED]}, {"properties": {}}]}),
    ],
)
def test_joint_references_do_not_stay(node: Schema, expected: Schema) -> None:
    document = {"$defs": {"A": NAMED, "B": {"anyOf": [ref("A")]}}, "items": node}

    assert resolved(document, keep="resolvable", inline_joint=True)["items"] == expected


@pytest.mark.parametrize("node", [{"allOf": [ref("A"), NAMED]}, members(a={"allOf": [ref("A"), NAMED]})])
def test_joint_references_that_lead_to_themselves_stay(node: Schema) -> None:
    document = {"$defs": {"A": node}, "properties": {"a": ref("A")}}

    assert traced(document, keep="resolvable", inline_joint=True).schema is document


def test_what_refers_into_a_joint_reference_leads_to_a_definition() -> None:
    place = {"items": {**ref("A"), "properties": {"b": {"properties": {"c": INTEGER}}}}}
    document = {"$defs": {"A": NAMED}, **place, "contains": {"$ref": "#/items/properties/b"}}
    result = traced(document, keep="resolvable", inline_joint=True).schema

    assert result["contains"] == ref("b")
    assert result["$defs"]["b"] == {"properties": {"c": INTEGER}}


# --- where recursion ends for a step that cuts


@pytest.mark.parametrize("depth", [0, 1, 2, 3])
@given(document=schemas(depth=4, drafts=["2020-12"]))
def test_a_later_cut_leaves_no_more_of_recursion_cut_at_its_depth(depth: int, document: Schema) -> None:
    cut = enforce_nesting_depth.bind(depth=depth)
    early = resolve_refs.bind(unroll=4, depth=depth).call(document).schema
    late = resolve_refs.bind(unroll=4).call(document).schema
    shown = [without(cut.call(one).schema, DEFINITIONS) if isinstance(one, dict) else one for one in (early, late)]

    assert to_bytes(shown[0]) == to_bytes(shown[1])


ENDLESS = {
    "members": members(a=ref("T"), b={"type": "array", "items": ref("T")}),
    "a map": {"type": "object", "additionalProperties": {"anyOf": [STRING, ref("T")]}},
    "lists": {"type": "array", "items": ref("T")},
    "all of": {"allOf": [members(a=ref("T")), {"properties": {"b": ref("U")}}]},
    "beside": {"properties": {"a": ref("T")}, "anyOf": [members(b=ref("T")), members(c=ref("U"))]},
    "no type": {"properties": {"a": ref("T")}},
}


@pytest.mark.parametrize("depth", [0, 1, 2, 3])
@pytest.mark.parametrize("name", ENDLESS)
def test_recursion_through_anything_is_cut_as_late(name: str, depth: int) -> None:
    document = {"$defs": {"T": ENDLESS[name], "U": members(t=ref("T"))}, **members(x=ref("T"), y=ref("U"))}
    cut = enforce_nesting_depth.bind(depth=depth)
    early, late = (traced(document, unroll=4, **more).schema for more in ({"depth": depth}, {}))

    assert cut.call(early).schema == cut.call(late).schema
