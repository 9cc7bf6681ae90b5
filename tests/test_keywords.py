"""The keyword table says what the official metaschemas say, and JSON values are compared as JSON Schema means it."""

import json
from collections.abc import Iterator
from typing import Any

import jsonschema_rs
import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema_specifications import REGISTRY  # type: ignore[import-untyped]

from schemaflow import JsonValue, json_equal, json_key, json_type
from schemaflow.drawing import json_documents, values
from schemaflow.keywords import ANNOTATIONS, CHILDREN, KEYWORDS, READERS, Children, Polarity, Role, pointer, subschemas

DRAFT_2020 = "https://json-schema.org/draft/2020-12/"
VOCABULARIES = "core applicator unevaluated validation meta-data format-annotation content".split()
OLDER = [
    *(f"https://json-schema.org/draft/2019-09/meta/{name}" for name in "core applicator validation content".split()),
    *(f"http://json-schema.org/draft-0{number}/schema#" for number in (4, 6, 7)),
]


# --- the table


def declared(uri: str) -> dict[str, Any]:
    """The keywords that a metaschema declares, and what it says of their values."""
    properties: dict[str, Any] = REGISTRY.contents(uri).get("properties", {})
    return properties


def declared_2020() -> dict[str, Any]:
    found = declared(f"{DRAFT_2020}schema")
    for name in VOCABULARIES:
        found |= declared(f"{DRAFT_2020}meta/{name}")
    return found


def children_by(says: Any) -> Children:
    """How the metaschema of 2020-12 says that a keyword holds subschemas."""
    if not isinstance(says, dict):
        return Children.NONE
    if says.get("$dynamicRef") == "#meta":
        return Children.ONE
    if says.get("$ref") == "#/$defs/schemaArray":
        return Children.MANY
    if "anyOf" in says.get("additionalProperties", {}):
        return Children.NAMED_OR_NAMES
    return Children.NAMED if says.get("additionalProperties") == {"$dynamicRef": "#meta"} else Children.NONE


def test_every_keyword_of_2020_12_is_in_the_table() -> None:
    assert declared_2020().keys() - KEYWORDS.keys() == set()


@pytest.mark.parametrize("uri", OLDER)
def test_every_keyword_of_older_drafts_is_in_the_table(uri: str) -> None:
    assert declared(uri).keys() - KEYWORDS.keys() == set()


def test_keywords_hold_subschemas_as_the_metaschema_of_2020_12_says() -> None:
    # A list in `items` is the spelling of older drafts.
    expected = {name: children_by(says) for name, says in declared_2020().items()} | {"items": Children.ONE_OR_MANY}

    assert {name: KEYWORDS[name].children for name in expected} == expected


def test_annotations_are_those_of_the_metadata_and_content_vocabularies_and_openapi() -> None:
    said = declared(f"{DRAFT_2020}meta/meta-data").keys() | declared(f"{DRAFT_2020}meta/content").keys()
    openapi = {"example", "discriminator", "xml", "externalDocs"}

    assert (said - {"contentSchema"}) | openapi | {"$comment"} == ANNOTATIONS


def test_a_keyword_holds_data_or_subschemas_or_neither() -> None:
    both = [row.name for row in KEYWORDS.values() if row.data and row.children is not Children.NONE]

    assert both == []
    assert {row.name for row in KEYWORDS.values() if row.data} == {"enum", "const", "default", "examples", "example"}


def test_children_are_the_rows_that_hold_some() -> None:
    assert {row.name: row.children for row in KEYWORDS.values() if row.children is not Children.NONE} == CHILDREN


def test_readers_are_the_other_side_of_reads() -> None:
    expected = {(name, reader) for reader, row in KEYWORDS.items() for name in row.reads}

    assert {(name, reader) for name, readers in READERS.items() for reader in readers} == expected


@pytest.mark.parametrize(
    ("keyword", "reader"),
    [
        ("properties", "additionalProperties"),
        ("patternProperties", "additionalProperties"),
        ("prefixItems", "items"),
        ("items", "additionalItems"),
        ("minContains", "contains"),
        ("maxContains", "contains"),
        ("if", "then"),
        ("if", "else"),
        ("allOf", "unevaluatedProperties"),
        ("contains", "unevaluatedItems"),
        ("$ref", "unevaluatedItems"),
        ("maximum", "exclusiveMaximum"),
    ],
)
def test_who_reads_whom(keyword: str, reader: str) -> None:
    assert reader in READERS[keyword]


@pytest.mark.parametrize(
    ("polarity", "keywords"),
    [
        (Polarity.FLIPPED, "not"),
        (Polarity.MIXED, "oneOf if $defs definitions"),
        (Polarity.NONE, "contentSchema"),
        (
            Polarity.SAME,
            "allOf anyOf then else prefixItems items additionalItems contains unevaluatedItems properties "
            "patternProperties propertyNames additionalProperties unevaluatedProperties dependentSchemas dependencies",
        ),
    ],
)
def test_polarities(polarity: Polarity, keywords: str) -> None:
    assert {name for name in CHILDREN if KEYWORDS[name].polarity is polarity} == set(keywords.split())


def test_the_table_cannot_be_changed() -> None:
    with pytest.raises(TypeError):
        KEYWORDS["new"] = KEYWORDS["type"]  # type: ignore[index]


def test_definitions_and_references_have_roles_of_their_own() -> None:
    found = {role: [row.name for row in KEYWORDS.values() if row.role is role] for role in Role}

    assert found[Role.DEFINITIONS] == ["$defs", "definitions"]
    assert found[Role.REFERENCE] == ["$ref", "$dynamicRef", "$recursiveRef"]


# --- subschemas


def test_subschemas_are_found_in_order_with_their_tokens() -> None:
    schema = {
        "items": [True, {"a": 1}],
        "not": {"b": 2},
        "properties": {"not": {"c": 3}, "enum": False},
        "dependencies": {"x": ["y"], "z": {"d": 4}},
        "contains": False,
    }
    expected = [
        ("items", 0, True),
        ("items", 1, {"a": 1}),
        ("not", None, {"b": 2}),
        ("properties", "not", {"c": 3}),
        ("properties", "enum", False),
        ("dependencies", "z", {"d": 4}),
        ("contains", None, False),
    ]

    assert list(subschemas(schema)) == expected


@pytest.mark.parametrize(
    "schema",
    [
        {"enum": [{"not": {}}], "const": {"not": {}}, "default": {"not": {}}, "examples": [{"not": {}}]},
        {"x-extension": {"not": {}}, "discriminator": {"mapping": {}}, "required": ["a"]},
        {"properties": [{}], "allOf": {"a": {}}, "not": [{}], "prefixItems": True, "anyOf": [1, "a", None, [{}]]},
        {"properties": {"a": [], "b": 1, "c": None}, "items": "string", "additionalProperties": None},
        {"$defs": True, "definitions": [], "patternProperties": "^a", "if": 1, "contains": None},
    ],
)
def test_data_and_what_is_no_schema_are_no_subschemas(schema: dict[str, Any]) -> None:
    assert list(subschemas(schema)) == []


# --- JSON values

SMALL = values() | st.sampled_from([True, False, 0, 1, 0.0, 1.0, -0.0, None, [], {}, [0], [False], {"a": 0}])


@given(json_documents())
def test_a_value_equals_its_copy(value: JsonValue) -> None:
    copy = json.loads(json.dumps(value))

    assert json_equal(value, copy)
    assert json_key(value) == json_key(copy)
    assert hash(json_key(value)) == hash(json_key(copy))


@given(SMALL, SMALL)
def test_equality_goes_both_ways_and_keys_agree(left: JsonValue, right: JsonValue) -> None:
    equal = json_equal(left, right)

    assert json_equal(right, left) is equal
    assert (json_key(left) == json_key(right)) is equal


def test_keys_of_deep_values_need_no_recursion() -> None:
    def nested(inmost: JsonValue) -> JsonValue:
        value = inmost
        for _ in range(50_000):
            value = {"a": [value]}
        return value

    keys = {json_key(nested(inmost)) for inmost in (1, 1.0, True)}

    assert len(keys) == 2
    assert json_key(nested(True)) in keys


@given(SMALL, SMALL)
def test_equality_is_what_a_validator_means_by_const(left: JsonValue, right: JsonValue) -> None:
    judge = jsonschema_rs.validator_for({"const": left})

    assert json_equal(left, right) is judge.is_valid(right)


@given(SMALL, SMALL)
def test_equal_values_have_the_same_type(left: JsonValue, right: JsonValue) -> None:
    assert not json_equal(left, right) or json_type(left) == json_type(right)


@pytest.mark.parametrize(
    ("left", "right", "equal"),
    [
        (1, 1.0, True),
        (0.0, -0.0, True),
        (10**400, 10**400, True),
        (2**53 + 1, float(2**53), False),
        (True, 1, False),
        (False, 0, False),
        (None, False, False),
        ([True], [1], False),
        ({"a": 1, "b": [2]}, {"b": [2.0], "a": 1}, True),
        ({"a": None}, {}, False),
        ([], {}, False),
        ("1", 1, False),
        ("é", "e\u0301", False),
        (["boolean", True], True, False),
        ([1, 2], [2, 1], False),
    ],
)
def test_what_is_equal(left: JsonValue, right: JsonValue, equal: bool) -> None:
    assert json_equal(left, right) is equal
    assert (json_key(left) == json_key(right)) is equal


def test_equality_needs_no_stack() -> None:
    def nested() -> JsonValue:
        value: JsonValue = []
        for _ in range(100_000):
            value = [value]
        return value

    left, right = nested(), nested()

    assert json_equal(left, right)


@given(json_documents())
def test_the_type_of_a_value_is_the_one_that_a_validator_knows(value: JsonValue) -> None:
    try:
        judge = jsonschema_rs.validator_for({"type": json_type(value)})
        valid = judge.is_valid(value)
    except (ValueError, UnicodeEncodeError):
        # A lone surrogate, which the validator does not take.
        return

    assert valid


@pytest.mark.parametrize("value", [{1}, b"", object()])
def test_what_is_not_json_has_no_type(value: object) -> None:
    with pytest.raises(TypeError, match="is not a JSON value"):
        json_type(value)


def test_a_tuple_is_the_list_that_encoders_write_for_it() -> None:
    assert json_type((1, 2)) == "array"
    assert json_equal({"a": ((1,), 2)}, {"a": [[1], 2]})
    assert not json_equal((1,), (True,))
    assert json_key(((1,), 2)) == json_key([[1], 2])


# --- pointers


@pytest.mark.parametrize(
    ("tokens", "expected"),
    [
        ((), ""),
        (("",), "/"),
        (("properties", "a"), "/properties/a"),
        (("anyOf", 0), "/anyOf/0"),
        (("a/b", "m~n", "~1"), "/a~1b/m~0n/~01"),
        ((" ", '"', "é"), '/ /"/é'),
    ],
)
def test_pointers_are_written_as_rfc_6901_says(tokens: tuple[str | int, ...], expected: str) -> None:
    assert pointer(tokens) == expected


@given(st.lists(st.text()))
def test_tokens_can_be_read_from_a_pointer(tokens: list[str]) -> None:
    def read(text: str) -> Iterator[str]:
        return (part.replace("~1", "/").replace("~0", "~") for part in text.split("/")[1:])

    assert list(read(pointer(tokens))) == tokens
