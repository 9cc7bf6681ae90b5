"""ADK-Rust's twelve utilities, each alone: its documented rule, and the right answer where the seed's was a fault."""

from collections.abc import Callable
from typing import Any

import pytest

from schemaflow import InputError, JsonValue, Schema, json_equal, schema_utils
from schemaflow.adapters import to_bytes
from schemaflow.schema_utils import (
    add_implicit_object_type,
    collapse_combiners,
    collapse_type_arrays,
    convert_const_to_enum,
    enforce_nesting_depth,
    is_null_schema,
    merge_all_of,
    resolve_refs,
    strip_conditional_keywords,
    strip_null_from_enum,
    strip_schema_keyword,
    strip_unsupported_formats,
    truncate_tool_name,
)

STRING: Schema = {"type": "string"}
INTEGER: Schema = {"type": "integer"}
NULL: Schema = {"type": "null"}


def _without_formats(schema: Schema | bool) -> Any:
    return strip_unsupported_formats(schema, ["date"])


def _depth_of_two(schema: Schema | bool) -> Any:
    return enforce_nesting_depth(schema, 2)


Utility = Callable[[Schema | bool], Any]

# Each utility with the smallest schema that it changes, and what becomes of it.
EACH: list[tuple[Utility, Schema, JsonValue]] = [
    (strip_schema_keyword, {"$schema": "x", "type": "string"}, STRING),
    (strip_conditional_keywords, {"if": True, "then": STRING, "else": INTEGER}, {}),
    (add_implicit_object_type, {"properties": {}}, {"properties": {}, "type": "object"}),
    (convert_const_to_enum, {"const": 1}, {"enum": [1]}),
    (_without_formats, {"format": "hostname"}, {}),
    (strip_null_from_enum, {"enum": [1, None]}, {"enum": [1]}),
    (collapse_combiners, {"anyOf": [NULL, STRING]}, STRING),
    (merge_all_of, {"allOf": [STRING, {"minLength": 1}]}, {"type": "string", "minLength": 1}),
    (collapse_type_arrays, {"type": ["null", "string"]}, STRING),
]
NAMES = [utility.__name__ for utility, _, _ in EACH]


# Places for a subschema, each made of one.
VISITED_BY_THE_SEED: dict[str, Callable[[JsonValue], Schema]] = {
    "properties": lambda child: {"type": "object", "properties": {"a": child}},
    "patternProperties": lambda child: {"patternProperties": {"^a": child}},
    "additionalProperties": lambda child: {"additionalProperties": child},
    "items": lambda child: {"items": child},
    "items as a list": lambda child: {"items": [child]},
    "prefixItems": lambda child: {"prefixItems": [child]},
    "not": lambda child: {"not": child},
}
MISSED_BY_THE_SEED: dict[str, Callable[[JsonValue], Schema]] = {
    "$defs": lambda child: {"$defs": {"a": child}},
    "definitions": lambda child: {"definitions": {"a": child}},
    "contains": lambda child: {"contains": child},
    "propertyNames": lambda child: {"propertyNames": child},
    "dependentSchemas": lambda child: {"dependentSchemas": {"a": child}},
    "dependencies": lambda child: {"dependencies": {"a": child, "b": ["c"]}},
    "additionalItems": lambda child: {"additionalItems": child},
    "unevaluatedItems": lambda child: {"unevaluatedItems": child},
    "unevaluatedProperties": lambda child: {"unevaluatedProperties": child},
    "contentSchema": lambda child: {"contentSchema": child},
}
PLACES = VISITED_BY_THE_SEED | MISSED_BY_THE_SEED


@pytest.mark.parametrize(("utility", "given", "expected"), EACH, ids=NAMES)
def test_the_root_is_rewritten(utility: Utility, given: Schema, expected: JsonValue) -> None:
    assert to_bytes(utility(given)) == to_bytes(expected)


@pytest.mark.parametrize("place", VISITED_BY_THE_SEED)
@pytest.mark.parametrize(("utility", "given", "expected"), EACH, ids=NAMES)
def test_every_place_for_a_schema_is_reached(utility: Utility, given: Schema, expected: JsonValue, place: str) -> None:
    assert to_bytes(utility(PLACES[place](given))) == to_bytes(PLACES[place](expected))


@pytest.mark.parametrize("place", MISSED_BY_THE_SEED)
@pytest.mark.parametrize(("utility", "given", "expected"), EACH, ids=NAMES)
def test_fault_of_the_seed_no_place_for_a_schema_is_left_out(
    utility: Utility, given: Schema, expected: JsonValue, place: str
) -> None:
    assert to_bytes(utility(PLACES[place](given))) == to_bytes(PLACES[place](expected))


@pytest.mark.parametrize("data", ["enum", "const", "default", "examples"])
@pytest.mark.parametrize(("utility", "given", "_"), EACH, ids=NAMES)
def test_data_that_looks_like_a_schema_is_data(utility: Utility, given: Schema, _: JsonValue, data: str) -> None:
    document = {"type": "object", "properties": {"a": {data: [given], "type": "array"}}}

    assert to_bytes([given]) in to_bytes(utility(document))


@pytest.mark.parametrize("boolean", [True, False])
@pytest.mark.parametrize("utility", [utility for utility, _, _ in EACH] + [resolve_refs, _depth_of_two])
def test_a_boolean_schema_stays(utility: Utility, boolean: bool) -> None:
    assert utility(boolean) is boolean


@pytest.mark.parametrize(("utility", "given", "_"), EACH, ids=NAMES)
def test_the_input_is_left_as_it_was(utility: Utility, given: Schema, _: JsonValue) -> None:
    document = {"properties": {"a": {"items": given}}}
    before = to_bytes(document)
    utility(document)

    assert to_bytes(document) == before


@pytest.mark.parametrize("utility", [utility for utility, _, _ in EACH] + [resolve_refs, _depth_of_two])
@pytest.mark.parametrize("given", [None, 1, "string", [], {"type": {1}}])
def test_what_is_no_schema_is_an_error(utility: Utility, given: Any) -> None:
    with pytest.raises(InputError):
        utility(given)


def test_the_twelve_are_there_and_the_test_for_null() -> None:
    twelve = {
        "strip_schema_keyword", "strip_conditional_keywords", "add_implicit_object_type", "convert_const_to_enum",
        "strip_unsupported_formats", "strip_null_from_enum", "truncate_tool_name", "resolve_refs",
        "collapse_combiners", "merge_all_of", "collapse_type_arrays", "enforce_nesting_depth",
    }  # fmt: skip

    assert {*schema_utils.__all__} == twelve | {"is_null_schema"}


# --- strip_conditional_keywords


def test_a_lone_then_goes_too() -> None:
    assert strip_conditional_keywords({"type": "string", "then": {"maxLength": 1}}) == STRING


# --- add_implicit_object_type


@pytest.mark.parametrize(
    "schema", [{}, {"required": ["a"]}, {"properties": {}, "type": ["object", "null"]}, {"additionalProperties": False}]
)
def test_no_type_is_implied(schema: Schema) -> None:
    assert add_implicit_object_type(schema) is schema


def test_the_type_is_implied_under_not_and_if() -> None:
    implied = {"properties": {}, "type": "object"}

    assert add_implicit_object_type({"not": {"properties": {}}, "if": {"properties": {}}}) == {
        "not": implied,
        "if": implied,
    }


# --- convert_const_to_enum


@pytest.mark.parametrize("value", [None, False, True, 0, 1.5, "", "x", [], [1], {}, {"const": 1}])
def test_const_of_any_json_value(value: JsonValue) -> None:
    assert to_bytes(convert_const_to_enum({"const": value})) == to_bytes({"enum": [value]})


def test_const_beside_an_enum_that_holds_it() -> None:
    assert convert_const_to_enum({"enum": ["a", "b"], "const": "b"}) == {"enum": ["b"]}


def test_fault_of_the_seed_const_beside_an_enum_without_it_does_not_make_the_impossible_possible() -> None:
    schema = {"enum": ["a"], "const": "b"}

    assert convert_const_to_enum(schema) is schema


# --- strip_unsupported_formats


def test_the_list_says_which_formats_stay() -> None:
    document = {"items": {"format": "date"}, "contains": {"format": "uuid"}, "not": {"format": "hostname"}}
    expected = {"items": {"format": "date"}, "contains": {"format": "uuid"}, "not": {}}

    assert strip_unsupported_formats(document, ["uuid", "date"]) == expected


def test_no_format_at_all_may_stay() -> None:
    assert strip_unsupported_formats({"format": "date"}, []) == {}


@pytest.mark.parametrize("value", [1, None, ["date"], {"a": 1}])
def test_a_format_that_is_no_string_stays(value: JsonValue) -> None:
    schema = {"format": value}

    assert strip_unsupported_formats(schema, []) is schema


def test_formats_may_come_from_any_iterable() -> None:
    assert strip_unsupported_formats({"format": "date"}, (name for name in ["date"])) == {"format": "date"}


# --- strip_null_from_enum


def test_an_enum_of_nothing_but_null_goes() -> None:
    assert strip_null_from_enum({"type": "string", "enum": [None, None]}) == STRING


@pytest.mark.parametrize("enum", [["null"], [0, False, ""], [[None]], [{"a": None}], []])
def test_what_is_not_null_stays(enum: JsonValue) -> None:
    schema = {"enum": enum}

    assert strip_null_from_enum(schema) is schema


# --- truncate_tool_name


@pytest.mark.parametrize(
    ("name", "limit", "expected"),
    [
        ("abc", 3, "abc"),
        ("abcd", 3, "abc"),
        ("€" * 22, 64, "€" * 21),
        ("aé", 2, "a"),
        ("🐝🐝", 7, "🐝"),
        ("🐝", 3, ""),
        ("abc", 0, ""),
        ("", 64, ""),
        ("e\u0301", 1, "e"),
    ],
)
def test_names_are_cut_between_characters(name: str, limit: int, expected: str) -> None:
    assert truncate_tool_name(name, limit) == expected


def test_a_name_is_cut_to_64_bytes_unless_told_otherwise() -> None:
    assert truncate_tool_name("x" * 100) == "x" * 64


def test_a_name_short_enough_is_the_same_object() -> None:
    name = "".join(["read", "_file"])

    assert truncate_tool_name(name) is name


def test_a_lone_surrogate_in_a_name_does_not_stop_the_cut() -> None:
    assert truncate_tool_name("\ud800ab", 4) == "\ud800a"


def test_a_negative_limit_is_an_error() -> None:
    with pytest.raises(ValueError, match="negative"):
        truncate_tool_name("abc", -1)


# --- resolve_refs

DEFINED: Schema = {"$defs": {"A": STRING}}


def _resolved(schema: Schema) -> Any:
    """The resolved schema without the definitions, which stay for whoever wants them."""
    result = resolve_refs(schema)
    return {name: value for name, value in result.items() if name not in ("$defs", "definitions")}


@pytest.mark.parametrize("definitions", ["$defs", "definitions"])
def test_a_reference_is_replaced_by_its_definition(definitions: str) -> None:
    assert _resolved({"items": {"$ref": f"#/{definitions}/A"}, definitions: {"A": STRING}}) == {"items": STRING}


def test_definitions_may_refer_to_definitions() -> None:
    assert _resolved({"items": {"$ref": "#/$defs/B"}, "$defs": {"A": STRING, "B": {"$ref": "#/$defs/A"}}}) == {
        "items": STRING
    }


def test_a_root_that_is_a_reference() -> None:
    assert _resolved({"$ref": "#/$defs/A", **DEFINED}) == STRING


@pytest.mark.parametrize("ref", ["#/$defs/Gone", "#nowhere", "https://example.com/a.json", "other.json#/a"])
def test_a_reference_that_leads_nowhere_is_an_object(ref: str) -> None:
    assert _resolved({"items": {"$ref": ref}, **DEFINED}) == {"items": {"type": "object"}}


def test_fault_of_the_seed_what_stands_beside_a_reference_is_kept() -> None:
    result = _resolved({"items": {"$ref": "#/$defs/A", "description": "Mine.", "maxLength": 3}, **DEFINED})

    assert result == {"items": {"description": "Mine.", "maxLength": 3, "type": "string"}}


def test_fault_of_the_seed_same_names_in_both_maps_of_definitions_are_two() -> None:
    document = {
        "prefixItems": [{"$ref": "#/$defs/A"}, {"$ref": "#/definitions/A"}],
        "$defs": {"A": STRING},
        "definitions": {"A": INTEGER},
    }

    assert _resolved(document) == {"prefixItems": [STRING, INTEGER]}


@pytest.mark.parametrize(
    "ref",
    ["#/properties/a", "#/$defs/x~1y", "#/$defs/x%20%7By%7D", "#anchor", "#/$defs/O/properties/deep", "#/$defs/m~0n"],
)
def test_fault_of_the_seed_every_standard_form_of_a_reference_resolves(ref: str) -> None:
    document = {
        "properties": {"a": STRING, "b": {"$ref": ref}},
        "$defs": {
            "x/y": STRING,
            "x {y}": STRING,
            "m~n": STRING,
            "N": {"$anchor": "anchor", "type": "string"},
            "O": {"properties": {"deep": STRING}},
        },
    }

    assert _resolved(document)["properties"]["b"] == STRING


def test_fault_of_the_seed_recursive_arrays_leave_no_reference() -> None:
    result = _resolved({"$ref": "#/$defs/L", "$defs": {"L": {"type": "array", "items": {"$ref": "#/$defs/L"}}}})

    assert (to_bytes(result).count(b"array"), to_bytes(result).count(b"$ref")) == (12, 0)


@pytest.mark.parametrize(("unroll", "copies"), [(0, 2), (1, 3), (4, 6)])
def test_how_often_recursion_is_unrolled_is_the_callers_choice(unroll: int, copies: int) -> None:
    document = {"items": {"$ref": "#/$defs/L"}, "$defs": {"L": {"type": "array", "items": {"$ref": "#/$defs/L"}}}}
    result = resolve_refs(document, unroll=unroll)["items"]

    assert to_bytes(result).count(b"array") == copies


def test_fault_of_the_seed_three_references_to_itself_do_not_take_for_ever() -> None:
    knot = {"type": "object", "properties": {name: {"$ref": "#/$defs/K"} for name in "abc"}}
    result = _resolved({"$ref": "#/$defs/K", "$defs": {"K": knot}})

    assert b"$ref" not in to_bytes(result)


def test_definitions_that_only_lead_to_each_other_become_objects() -> None:
    document = {"items": {"$ref": "#/$defs/A"}, "$defs": {"A": {"$ref": "#/$defs/B"}, "B": {"$ref": "#/$defs/A"}}}

    assert _resolved(document) == {"items": {"type": "object"}}


def test_references_in_places_for_data_and_names_are_none() -> None:
    document = {"properties": {"$ref": STRING}, "default": {"$ref": "#/$defs/A"}, **DEFINED}

    assert resolve_refs(document) is document


# --- collapse_combiners


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ({"anyOf": [STRING, INTEGER]}, STRING),
        ({"oneOf": [NULL, INTEGER]}, INTEGER),
        ({"anyOf": [NULL, {"type": "null", "title": "B"}]}, NULL),
        ({"title": "A", "description": "A", "anyOf": [{"title": "B"}]}, {"title": "B", "description": "A"}),
        ({"properties": {"a": {"anyOf": [STRING, INTEGER]}}}, {"properties": {"a": STRING}}),
        ({"type": "string", "anyOf": []}, STRING),
        ({"title": "A", "anyOf": [True, STRING]}, {"title": "A"}),
    ],
)
def test_the_first_member_that_is_not_null_takes_over(given: Schema, expected: Schema) -> None:
    assert collapse_combiners(given) == expected


def test_fault_of_the_seed_a_list_of_null_alone_is_null() -> None:
    assert collapse_combiners({"anyOf": [{"type": ["null"]}, STRING]}) == STRING


def test_fault_of_the_seed_unions_in_unions_go_and_twice_is_once() -> None:
    once = collapse_combiners({"anyOf": [{"anyOf": [STRING, INTEGER]}, NULL]})

    assert (once, collapse_combiners(once)) == (STRING, STRING)


def test_fault_of_the_seed_a_node_with_both_unions_loses_both() -> None:
    assert collapse_combiners({"anyOf": [{"minLength": 1}], "oneOf": [STRING]}) == {"minLength": 1, "type": "string"}


def test_fault_of_the_seed_properties_and_required_are_united() -> None:
    document = {
        "description": "Root.",
        "properties": {"a": STRING},
        "required": ["a"],
        "anyOf": [{"description": "Branch.", "properties": {"b": INTEGER}, "required": ["b"]}, NULL],
    }
    expected = {"description": "Branch.", "properties": {"a": STRING, "b": INTEGER}, "required": ["a", "b"]}

    assert collapse_combiners(document) == expected


# --- merge_all_of


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        (
            {"allOf": [{"properties": {"a": STRING}}, {"properties": {"b": INTEGER}}]},
            {"properties": {"a": STRING, "b": INTEGER}},
        ),
        ({"required": ["a"], "allOf": [{"required": ["b"]}, {"required": ["a", "c"]}]}, {"required": ["a", "b", "c"]}),
        ({"title": "Mine", "allOf": [{"title": "Its"}]}, {"title": "Mine"}),
        ({"properties": {"a": {"allOf": [STRING]}}}, {"properties": {"a": STRING}}),
        ({"type": "string", "allOf": []}, STRING),
    ],
)
def test_all_members_become_one_schema(given: Schema, expected: Schema) -> None:
    assert json_equal(merge_all_of(given), expected)


@pytest.mark.parametrize(
    ("members", "expected"),
    [
        ([{"minimum": 5}, {"minimum": 0}], {"minimum": 5}),
        ([{"maxLength": 5}, {"maxLength": 9}], {"maxLength": 5}),
        ([{"enum": ["a", "b"]}, {"enum": ["b", "c"]}], {"enum": ["b"]}),
        ([INTEGER, {"type": "number"}], INTEGER),
        ([{"type": ["string", "null"]}, STRING], STRING),
        ([STRING, True], STRING),
    ],
)
def test_fault_of_the_seed_members_are_intersected_and_not_laid_over_each_other(
    members: list[JsonValue], expected: Schema
) -> None:
    assert merge_all_of({"allOf": members}) == expected


@pytest.mark.parametrize("members", [[STRING, INTEGER], [STRING, False], [{"enum": ["a"]}, {"enum": ["b"]}]])
def test_fault_of_the_seed_what_nothing_can_match_is_not_an_object(members: list[JsonValue]) -> None:
    assert merge_all_of({"allOf": members}) is False


def test_fault_of_the_seed_a_property_keeps_what_both_sides_say() -> None:
    document = {"properties": {"a": {**STRING, "minLength": 3}}, "allOf": [{"properties": {"a": {"maxLength": 5}}}]}

    assert merge_all_of(document) == {"properties": {"a": {"type": "string", "minLength": 3, "maxLength": 5}}}


def test_fault_of_the_seed_an_all_of_within_a_member_is_merged_too() -> None:
    assert merge_all_of({"allOf": [{"allOf": [STRING, {"allOf": [{"minLength": 1}]}]}]}) == {
        "type": "string",
        "minLength": 1,
    }


# --- collapse_type_arrays


@pytest.mark.parametrize(
    ("types", "expected"),
    [
        (["string"], "string"),
        (["null", "integer"], "integer"),
        (["string", "integer", "null"], "string"),
        (["null"], "null"),
    ],
)
def test_the_first_type_that_is_not_null_stands_for_all(types: list[str], expected: str) -> None:
    assert collapse_type_arrays({"type": types, "title": "A"}) == {"type": expected, "title": "A"}


@pytest.mark.parametrize("schema", [{"type": []}, {"type": "string"}, {"type": 5}, {}])
def test_what_is_no_list_of_types_stays(schema: Schema) -> None:
    assert collapse_type_arrays(schema) is schema


# --- enforce_nesting_depth


def _nested(objects: int, **innermost: JsonValue) -> Schema:
    schema: Schema = {"type": "object", **innermost}
    for _ in range(objects - 1):
        schema = {"type": "object", "properties": {"a": schema}}
    return schema


def test_five_keep_five_and_the_sixth_is_cut_with_all_it_says() -> None:
    assert enforce_nesting_depth(_nested(6, description="A", required=["b"]), 5) == _nested(6)


def test_a_document_that_is_shallow_enough_is_the_same_object() -> None:
    document = _nested(5, description="A")

    assert enforce_nesting_depth(document, 5) is document


def test_nothing_is_left_of_a_root_at_depth_zero() -> None:
    assert enforce_nesting_depth(_nested(3), 0) == {"type": "object"}


def test_properties_alone_make_an_object() -> None:
    assert enforce_nesting_depth({"properties": {"a": {"properties": {"b": STRING}}}}, 1) == {
        "properties": {"a": {"type": "object"}}
    }


def test_arrays_do_not_count() -> None:
    document: Schema = {"type": "string"}
    for _ in range(20):
        document = {"type": "array", "items": document}

    assert enforce_nesting_depth(document, 0) is document


@pytest.mark.parametrize("place", PLACES)
def test_objects_are_found_in_every_place(place: str) -> None:
    document = {"type": "object", **PLACES[place](_nested(1, description="A"))}

    assert enforce_nesting_depth(document, 1) == {"type": "object", **PLACES[place](_nested(1))}


# --- is_null_schema


@pytest.mark.parametrize(
    ("schema", "expected"),
    [
        (NULL, True),
        ({"type": "null", "title": "A"}, True),
        ({"type": ["null"]}, False),
        ({"type": "string"}, False),
        ({}, False),
        (True, False),
        (None, False),
        ("null", False),
    ],
)
def test_null_is_what_says_so_in_one_word(schema: JsonValue, expected: bool) -> None:
    assert is_null_schema(schema) is expected
