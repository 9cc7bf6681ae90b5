"""What `resolve_refs` makes of references, beside what its docstring shows."""

import json
from collections.abc import Iterator
from typing import Any

import jsonschema_rs
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from schemaflow import Effect, JsonValue, LimitError, Rewrite, Schema, Traced, without
from schemaflow.adapters import to_bytes
from schemaflow.drawing import schemas, values, values_near
from schemaflow.keywords import KEYWORDS, Polarity, pointer, subschemas
from schemaflow.references import DEFINITIONS, EXPANSION_BYTES, EXPANSION_NODES, KEYS, LEVELS, References, weigh
from schemaflow.trace import keywords_above, tokens
from schemaflow.visitor import measure
from schemaflow_rules.enforce_nesting_depth import enforce_nesting_depth
from schemaflow_rules.resolve_refs import resolve_refs

STRING: Schema = {"type": "string"}
INTEGER: Schema = {"type": "integer"}
ANY_OBJECT: Schema = {"type": "object"}
DRAFT_4 = "http://json-schema.org/draft-04/schema#"
DRAFT_7 = "http://json-schema.org/draft-07/schema#"


def ref(name: str) -> Schema:
    return {"$ref": f"#/$defs/{name}"}


def members(**properties: Any) -> Schema:
    return {"type": "object", "properties": properties}


def traced(document: JsonValue, **options: Any) -> Traced:
    answer: Traced = resolve_refs.bind(**options).call(document)
    return answer


def resolved(document: Schema, **options: Any) -> Any:
    """The resolved document without its definitions."""
    result = traced(document, **options).schema
    return {keyword: value for keyword, value in result.items() if keyword not in DEFINITIONS}


def findings(document: Schema, **options: Any) -> dict[str, tuple[str, str]]:
    """The effect and the note of what was done at each place last."""
    found = {}
    for event in traced(document, **options).events:
        assert isinstance(event.detail, Rewrite)
        found[pointer(tokens(event.link))] = ((event.detail.effect or Effect.EXACT).word, event.detail.note)
    return found


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


# --- what is inlined


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


# --- what is cut


TREE: Schema = {
    "$defs": {"Tree": {**members(v=STRING, kids={"type": "array", "items": ref("Tree")}), "required": ["v"]}},
    "properties": {"tree": ref("Tree")},
}


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


# --- what stands beside a reference


def test_the_text_of_the_use_wins_in_its_place() -> None:
    definition = {"description": "Generic.", **members(id=INTEGER), "title": "T"}
    document = {"$defs": {"A": definition}, "items": {"title": "Mine", **ref("A"), "description": "Use."}}

    assert list(resolved(document)["items"].items()) == [
        ("title", "Mine"),
        *members(id=INTEGER).items(),
        ("description", "Use."),
    ]


def test_what_is_said_beside_a_reference_holds_too() -> None:
    document = {"$defs": {"A": {**STRING, "maxLength": 9}}, "items": {**ref("A"), "minLength": 1, "maxLength": 5}}

    assert resolved(document) == {"items": {**STRING, "minLength": 1, "maxLength": 5}}
    assert findings(document)["/items"][0] == "exact"


def test_nothing_may_be_left() -> None:
    assert resolved({"$defs": {"A": STRING}, "items": {**ref("A"), **INTEGER}}) == {"items": False}


@pytest.mark.parametrize(
    ("siblings", "dialect", "expected", "effect"),
    [
        ("intersect", None, {**STRING, "minLength": 1}, "exact"),
        ("intersect", DRAFT_7, {**STRING, "minLength": 1}, "narrows"),
        ("standard", None, {**STRING, "minLength": 1}, "exact"),
        ("standard", DRAFT_7, STRING, "exact"),
        ("drop", None, STRING, "widens"),
        ("drop", DRAFT_7, STRING, "exact"),
    ],
)
def test_siblings(siblings: str, dialect: str | None, expected: Schema, effect: str) -> None:
    declared = {} if dialect is None else {"$schema": dialect}
    document = {**declared, "$defs": {"A": STRING}, "items": {**ref("A"), "minLength": 1}}

    assert resolved(document, siblings=siblings) == {**declared, "items": expected}
    assert findings(document, siblings=siblings)["/items"][0] == effect


def test_unevaluated_properties_see_the_target() -> None:
    target = members(a=STRING)
    document = {"$defs": {"A": target}, **ref("A"), "properties": {"b": STRING}, "unevaluatedProperties": False}
    expected = {"properties": {"b": STRING}, "unevaluatedProperties": False, "allOf": [target]}

    assert resolved(document) == expected


def test_drafts_without_boolean_schemas_get_none() -> None:
    document = {"$schema": DRAFT_4, "definitions": {"A": STRING}, "items": {"$ref": "#/definitions/A", **INTEGER}}

    assert resolved(document) == {"$schema": DRAFT_4, "items": {**INTEGER, "allOf": [STRING]}}


@pytest.mark.parametrize("siblings", ["intersect", "drop"])
def test_what_stands_beside_a_reference_that_stays_does_too(siblings: str) -> None:
    document = {"$schema": DRAFT_7, "$defs": {"A": STRING}, "items": {**ref("A"), "minLength": 1}}

    assert traced(document, keep="resolvable", siblings=siblings).schema is document


def test_where_the_draft_ignores_it_it_may_be_dropped() -> None:
    document = {"$schema": DRAFT_7, "$defs": {"A": STRING}, "items": {**ref("A"), "minLength": 1}}
    expected = ("exact", "dropped what stood beside: minLength")

    assert traced(document, keep="resolvable", siblings="standard").schema["items"] == ref("A")
    assert findings(document, keep="resolvable", siblings="standard")["/items"] == expected


def test_nullable_goes_with_the_type_of_the_target() -> None:
    document = {"$defs": {"E": {**STRING, "enum": ["x"]}}, "items": {**ref("E"), "nullable": True}}

    assert resolved(document) == {"items": {**STRING, "enum": ["x"], "nullable": True}}


def test_references_beside_a_reference_are_resolved() -> None:
    document = {"$defs": {"A": members(a={}), "S": STRING}, "items": {**ref("A"), "properties": {"a": ref("S")}}}

    assert resolved(document) == {"items": {"type": "object", "properties": {"a": STRING}}}


def test_the_effect_inside_counts_where_the_target_is_merged() -> None:
    document = {"$defs": {"L": {"items": ref("L")}}, "properties": {"x": {"not": {**ref("L"), "minItems": 1}}}}

    assert findings(document, unroll=0)["/properties/x/not"][0] == "widens"


def test_a_draft_that_does_not_know_the_keyword() -> None:
    document = {"$schema": DRAFT_7, "$defs": {"n": STRING}, "items": {"$dynamicRef": "#/$defs/n"}}
    effect, note = findings(document)["/items"]

    assert (effect, note) == ("both", "inlined '#/$defs/n'; this draft ignores $dynamicRef")


# --- what stays


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


def test_over_budget_all_that_may_stay_does() -> None:
    document = bomb(depth=25, width=2)

    assert traced(document, keep="cyclic").schema is document


# --- what speaks of an object together with other schemas

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


def test_joint_references_that_go_on_for_ever_stay() -> None:
    document = {"$defs": {"A": {"allOf": [ref("A"), NAMED]}}, "properties": {"a": ref("A")}}
    result = traced(document, keep="resolvable", inline_joint=True, unroll=1).schema

    assert result == {"$defs": {"A": {"allOf": [{"allOf": [ref("A"), NAMED]}, NAMED]}}, "properties": {"a": ref("A")}}


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


def test_a_depth_bounds_what_is_inlined_whatever_the_ways() -> None:
    # Every way through eight definitions, ten times each: without a depth, beyond any budget.
    document = {**all_to_all(8), "type": "array"}
    done = traced(document, unroll=10, depth=3)
    notes = [event.detail.note for event in done.distinct if isinstance(event.detail, Rewrite)]

    assert not any("budget" in note for note in notes)
    assert len(done.log) < 500


# --- budgets


def bomb(depth: int, width: int, holder: str = "properties") -> Schema:
    """Definitions each of which refers to the next one several times."""

    def level(number: int) -> Schema:
        below = [ref(f"D{number + 1}")] * width
        return {holder: {f"p{index}": one for index, one in enumerate(below)} if holder == "properties" else below}

    levels = {f"D{number}": level(number) for number in range(depth)}
    return {"$defs": {**levels, f"D{depth}": STRING}, "properties": {"x": ref("D0")}}


def all_to_all(count: int) -> Schema:
    names = [f"D{number}" for number in range(count)]
    return {"$defs": {name: members(**{one: ref(one) for one in names}) for name in names}, "items": ref("D0")}


STAR: Schema = {
    "$defs": {
        "E": {"anyOf": [ref(f"X{number}") for number in range(60)]},
        **{f"X{number}": members(left=ref("E"), right=ref("E")) for number in range(60)},
    },
    "items": ref("E"),
}

BOMBS = {
    "25x2": bomb(25, 2),
    "25x2 anyOf": bomb(25, 2, "anyOf"),
    "8x8": bomb(8, 8),
    "8x24": bomb(8, 24),
    "all to all": all_to_all(8),
    "20 to all": all_to_all(20),
    "star": STAR,
    "three": {"$defs": {"D": members(a=ref("D"), b=ref("D"), c=ref("D"))}, "items": ref("D")},
    "ring": {"$defs": {f"D{n}": members(n=ref(f"D{(n + 1) % 150}")) for n in range(150)}, "items": ref("D0")},
    "fat": {
        "$defs": {"A": {"description": "x" * 100_000}},
        "properties": {str(number): ref("A") for number in range(100)},
    },
}


@pytest.mark.parametrize("name", BOMBS)
@pytest.mark.parametrize("unroll", [0, 1, 10**9])
def test_bombs_stay_within_the_budget(name: str, unroll: int) -> None:
    done = traced(BOMBS[name], unroll=unroll)
    shown = {keyword: value for keyword, value in done.schema.items() if keyword != "$defs"}
    size = measure(shown, weigh)

    assert size.nodes <= EXPANSION_NODES
    assert size.levels <= LEVELS
    assert size.weight <= EXPANSION_BYTES
    # The work is what was logged: far less than the tree that it stands for.
    assert len(done.log) <= 15_000


@pytest.mark.parametrize("name", ["25x2", "8x8", "8x24", "all to all", "fat"])
def test_what_is_over_budget_says_so(name: str) -> None:
    notes = {event.detail.note for event in traced(BOMBS[name]).distinct if isinstance(event.detail, Rewrite)}

    assert any(note.startswith("expansion over budget: cut '#/$defs/") for note in notes)


def test_as_much_is_inlined_as_fits() -> None:
    shown = resolved(bomb(25, 2))

    assert EXPANSION_NODES // 2 < measure(shown).nodes <= EXPANSION_NODES


def test_a_reference_many_times_used_costs_once() -> None:
    count = 10_000
    properties = {str(number): ref("A") for number in range(count)}
    done = traced({"$defs": {"A": members(a=members(b=STRING))}, "properties": properties})

    assert len(done.log) == count
    assert len({id(node["properties"]) for node in done.schema["properties"].values()}) == 1


@pytest.mark.parametrize("link", [{}, {"title": "T"}, {"minLength": 1}])
@pytest.mark.parametrize("options", [{}, {"keep": "cyclic"}, {"keep": "resolvable"}])
def test_a_long_chain_needs_no_recursion(link: Schema, options: Any) -> None:
    count = 3_000
    chain = {f"D{number}": {**ref(f"D{number + 1}"), **link} for number in range(count)}
    document = {"$defs": {**chain, f"D{count}": STRING}, "properties": {"x": ref("D0")}}
    result = traced(document, **options)

    assert measure(result.schema).levels <= LEVELS
    assert len(result.log) <= count + 2


@pytest.mark.parametrize("keep", ["cyclic", "resolvable"])
def test_definitions_that_a_later_step_drops_are_passed_over(keep: str) -> None:
    count = 5_000
    chain = {f"D{number}": members(a=ref(f"D{number + 1}")) for number in range(count)}
    document = {"$defs": {**chain, f"D{count}": STRING}, "properties": {"x": ref("D0")}}
    done = traced(document, keep=keep, inline_under=["$defs"])

    assert done.schema["$defs"] is document["$defs"]
    assert len(done.log) <= LEVELS
    assert any("over budget" in note for _, note in findings(document, keep=keep, inline_under=["$defs"]).values())


def test_a_long_chain_of_objects_is_cut_at_the_deepest_level() -> None:
    chain = {f"D{number}": members(a=ref(f"D{number + 1}")) for number in range(5_000)}
    shown = resolved({"$defs": {**chain, "D5000": STRING}, "properties": {"x": ref("D0")}})

    assert measure(shown).levels == LEVELS


def test_a_document_too_deep_by_itself_is_refused() -> None:
    deep: Schema = ref("A")
    for _ in range(5 * LEVELS):
        deep = {"items": deep}

    with pytest.raises(LimitError):
        traced({**deep, "$defs": {"A": STRING}})


# --- laws


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
