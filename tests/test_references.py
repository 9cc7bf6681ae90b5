"""References: what they lead to, by the standard and otherwise, and who refers to whom."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from referencing import Registry
from referencing.jsonschema import DRAFT202012

from schemaflow import JsonValue, Schema
from schemaflow.drawing import json_documents, schemas
from schemaflow.keywords import Token
from schemaflow.origins import nodes
from schemaflow.references import Nowhere, References, Steps, Target, Uses, exceeds, fragment

STRING: Schema = {"type": "string"}
INTEGER: Schema = {"type": "integer"}
DRAFT_4 = "http://json-schema.org/draft-04/schema#"
DRAFT_7 = "http://json-schema.org/draft-07/schema#"
DRAFT_2019 = "https://json-schema.org/draft/2019-09/schema"


def found(document: JsonValue, ref: JsonValue, base: str | None = None) -> tuple[Token, ...] | None:
    """Where a reference leads, None for nowhere."""
    references = References(document)
    target = references.lookup(references.base if base is None else base, ref)
    return None if target is None else target.tokens


def note(document: Schema, ref: str) -> str:
    """How a reference was read."""
    target = References(document).lookup("", ref)
    assert target is not None
    return target.note


# --- by the standard


@pytest.mark.parametrize(
    ("ref", "tokens"),
    [
        ("#", ()),
        ("#/$defs/A", ("$defs", "A")),
        ("#/%24defs/A", ("$defs", "A")),
        ("#/$defs/A/items/1", ("$defs", "A", "items", 1)),
        ("#/$defs/m~1n", ("$defs", "m/n")),
        ("#/$defs/m~01n", ("$defs", "m~1n")),
        ("#/$defs/%7Bid%7D", ("$defs", "{id}")),
        ("#/$defs/%F0%9F%90%9D", ("$defs", "🐝")),
        ("#/$defs/50%2525", ("$defs", "50%25")),
        ("#/$defs/", ("$defs", "")),
        ("#/properties/a", ("properties", "a")),
        ("#/properties/$ref", ("properties", "$ref")),
        ("#/entities/s", ("entities", "s")),
        ("#/components/schemas/X", ("components", "schemas", "X")),
        ("#/default", ("default",)),
        ("#anchored", ("$defs", "anchored")),
        ("#dynamic", ("$defs", "dynamic")),
    ],
)
def test_references_within_a_document(ref: str, tokens: tuple[Token, ...]) -> None:
    names = "m/n m~1n {id} 🐝 50%25".split()
    document = {
        "$defs": {
            "A": {"items": [{}, STRING]},
            **dict.fromkeys(names, STRING),
            "": STRING,
            "anchored": {"$anchor": "anchored"},
            "dynamic": {"$dynamicAnchor": "dynamic"},
        },
        "properties": {"a": True, "$ref": STRING},
        "entities": {"s": STRING},
        "components": {"schemas": {"X": STRING}},
        "default": {"type": "object"},
    }

    assert found(document, ref) == tokens


EMBEDDED: Schema = {
    "$id": "http://x.example/root.json",
    "$defs": {
        "part": {
            "$id": "folder/part.json",
            "$defs": {"inner": STRING, "deep": {"$id": "deep.json", "$anchor": "here"}},
        },
        "urn": {"$id": "urn:x:y", "$anchor": "here"},
    },
}


@pytest.mark.parametrize(
    ("base", "ref", "tokens"),
    [
        ("http://x.example/root.json", "folder/part.json", ("$defs", "part")),
        ("http://x.example/root.json", "folder/part.json#/$defs/inner", ("$defs", "part", "$defs", "inner")),
        ("http://x.example/folder/part.json", "#/$defs/inner", ("$defs", "part", "$defs", "inner")),
        ("http://x.example/folder/part.json", "deep.json#here", ("$defs", "part", "$defs", "deep")),
        ("http://x.example/folder/part.json", "../root.json", ()),
        ("http://x.example/root.json", "urn:x:y#here", ("$defs", "urn")),
        ("http://x.example/root.json", "http://x.example/root.json#/$defs/urn", ("$defs", "urn")),
        ("http://x.example/root.json", "#/$defs/part/$defs/inner", ("$defs", "part", "$defs", "inner")),
    ],
)
def test_references_between_embedded_schemas(base: str, ref: str, tokens: tuple[Token, ...]) -> None:
    assert found(EMBEDDED, ref, base) == tokens


def test_the_base_inside_a_target_is_its_own() -> None:
    target = References(EMBEDDED).lookup("http://x.example/root.json", "folder/part.json#/$defs/deep")

    assert target is not None
    assert target.base == "http://x.example/folder/deep.json"


@pytest.mark.parametrize(
    ("dialect", "schema", "ref", "leads"),
    [
        (DRAFT_4, {"id": "#E"}, "#E", True),
        (DRAFT_4, {"id": "other.json"}, "other.json", True),
        (DRAFT_4, {"$id": "other.json"}, "other.json", False),
        (DRAFT_7, {"$id": "#E"}, "#E", True),
        (DRAFT_7, {"id": "other.json"}, "other.json", False),
        (DRAFT_7, {"$anchor": "E"}, "#E", False),
        (DRAFT_2019, {"$anchor": "E"}, "#E", True),
        (DRAFT_7, {"$id": "other.json", "$ref": "#"}, "other.json", False),
        ("http://unknown.example/dialect", {"$anchor": "E"}, "#E", True),
        ("https://json-schema.org/draft/2020-12/schema", {"id": "other.json"}, "other.json", False),
    ],
)
def test_each_draft_names_schemas_in_its_own_way(dialect: str, schema: Schema, ref: str, leads: bool) -> None:
    document = {"$schema": dialect, "definitions": {"e": schema}}

    assert found(document, ref) == (("definitions", "e") if leads else None)


def test_a_property_called_id_names_nothing() -> None:
    document = {"$schema": DRAFT_4, "properties": {"id": {"type": "string"}, "$id": {"enum": ["#E"]}}}

    assert References(document).base == ""
    assert found(document, "#E") is None


def test_names_in_data_name_nothing() -> None:
    data = {"$id": "http://x.example/data", "$anchor": "data"}
    document = {"enum": [data], "const": data, "default": data, "examples": [data]}

    assert [found(document, ref) for ref in ("http://x.example/data", "#data")] == [None, None]


@pytest.mark.parametrize(
    "ref",
    [
        5, None, True, [], {}, "", "#/%zz", "#/$defs/Gone", "#gone", "http://[", "http://[/#/$defs/A", "gone.json",
        "http://json-schema.org/draft-07/schema#", "https://json-schema.org/draft/2020-12/schema", "#/$defs",
        "#/$defs/A/items/-1", "#/$defs/A/items/01", "#/$defs/A/items/" + "9" * 5000, "#/$defs/A/type/0", "#/\ud800",
        "//", "#/" + "/" * 3000, "#/$defs/B", "\x00",
    ],
)  # fmt: skip
def test_what_leads_nowhere(ref: JsonValue) -> None:
    document = {"$defs": {"A": {"items": [{}], "type": "string"}, "B": "no schema"}}
    expected = ("$defs",) if ref == "#/$defs" else None

    assert found(document, ref) == expected


@pytest.mark.parametrize("wrong", [5, None, [], {}, "http://[", "#", "\ud800", ["a"]])
@pytest.mark.parametrize("keyword", ["$id", "id", "$schema", "$anchor", "$dynamicAnchor", "$recursiveAnchor"])
def test_malformed_names_do_no_harm(keyword: str, wrong: JsonValue) -> None:
    document = {keyword: wrong, "$defs": {"A": {keyword: wrong}}, "properties": [1], "items": ["string"]}

    assert found(document, "#/$defs/A") == ("$defs", "A")
    assert found(document, "#no-such-anchor") is None


@given(json_documents(), st.text())
def test_no_document_and_no_reference_raises(document: JsonValue, ref: str) -> None:
    references = References(document)
    targets = [references.lookup(references.base, text) for text in (ref, f"#{ref}", f"#/{ref}")]

    assert all(target is None or isinstance(target.schema, dict | bool) for target in targets)


@given(schemas(depth=3, drafts=["2020-12"]))
def test_pointers_lead_where_the_library_says(document: Schema) -> None:
    references = References(document)
    resource = DRAFT202012.create_resource(document)
    resolver = Registry().with_resource(references.base, resource).resolver(references.base)
    for path, node in nodes(document):
        target = references.lookup(references.base, fragment(path))

        assert target is not None
        assert target.schema is node is resolver.lookup(fragment(path)).contents


# --- dynamic references


def test_a_dynamic_reference_without_other_anchors_is_a_plain_one() -> None:
    document = {"$defs": {"n": {"$dynamicAnchor": "node"}}}

    assert followed(document, "$dynamicRef", "#node") == ("$defs", "n")


def followed(document: Schema, keyword: str, ref: str, base: str = "") -> tuple[Token, ...] | Nowhere:
    target = References(document).follow(keyword, ref, base)
    return target.tokens if isinstance(target, Target) else target


def test_the_dynamic_anchor_of_the_document_is_the_outermost() -> None:
    document = {
        "$dynamicAnchor": "node",
        "$defs": {"tree": {"$id": "http://x.example/tree", "$dynamicAnchor": "node"}},
    }

    assert followed(document, "$dynamicRef", "#node", "http://x.example/tree") == ()
    assert followed(document, "$ref", "#node", "http://x.example/tree") == ("$defs", "tree")


def test_several_dynamic_anchors_elsewhere_make_a_guess() -> None:
    trees = {name: {"$id": f"http://x.example/{name}", "$dynamicAnchor": "node"} for name in "ab"}
    target = References({"$defs": trees}).follow("$dynamicRef", "#node", "http://x.example/a")

    assert isinstance(target, Target)
    assert (target.tokens, target.is_guess) == (("$defs", "a"), True)


@pytest.mark.parametrize(("anchor", "tokens"), [(True, ()), (False, ("$defs", "tree"))])
def test_recursive_references(anchor: bool, tokens: tuple[Token, ...]) -> None:
    document = {
        "$schema": DRAFT_2019,
        "$recursiveAnchor": anchor,
        "$defs": {"tree": {"$id": "http://x.example/tree", "$recursiveAnchor": True}},
    }

    assert followed(document, "$recursiveRef", "#", "http://x.example/tree") == tokens


# --- what authors write


@pytest.mark.parametrize(
    ("document", "ref", "tokens"),
    [
        # A slash in a name, as it is.
        ({"definitions": {"A/B Model": STRING}}, "#/definitions/A/B Model", ("definitions", "A/B Model")),
        ({"$defs": {"a/b": {"properties": {"c/d": STRING}}}}, "#/$defs/a/b/properties/c/d", None),
        # A percent sign in a name, as it is.
        ({"$defs": {"100%": STRING}}, "#/$defs/100%", ("$defs", "100%")),
        ({"$defs": {"a%20b": STRING}}, "#/$defs/a%20b", ("$defs", "a%20b")),
        ({"$defs": {"a~1b": STRING}}, "#/$defs/a~1b", ("$defs", "a~1b")),
        # The name alone, or under another keyword.
        ({"$defs": {"Foo": STRING}}, "Foo", ("$defs", "Foo")),
        ({"$defs": {"Foo": STRING}}, "#Foo", ("$defs", "Foo")),
        ({"$defs": {"Foo": STRING}}, "#/Foo", ("$defs", "Foo")),
        ({"$defs": {"Foo": STRING}}, "#/definitions/Foo", ("$defs", "Foo")),
        ({"definitions": {"Foo": STRING}}, "#/$defs/Foo", ("definitions", "Foo")),
        ({"$defs": {"Foo": STRING}}, "#/components/schemas/Foo", ("$defs", "Foo")),
        ({"components": {"schemas": {"Foo": STRING}}}, "#/$defs/Foo", ("components", "schemas", "Foo")),
        ({"$defs": {"Foo": {"items": STRING}}}, "#/definitions/Foo/items", ("$defs", "Foo", "items")),
        # Definitions planted inside a node.
        (
            {"properties": {"a": {"$defs": {"Foo": STRING}}}},
            "#/$defs/Foo",
            ("properties", "a", "$defs", "Foo"),
        ),
        ({"$defs": {"A": {"$defs": {"Foo": STRING}}}}, "#/definitions/Foo", ("$defs", "A", "$defs", "Foo")),
        # The way older drafts name schemas.
        ({"$defs": {"old": {"$id": "#legacy"}}}, "#legacy", ("$defs", "old")),
    ],
)
def test_the_only_possible_meaning(document: Schema, ref: str, tokens: tuple[Token, ...] | None) -> None:
    if tokens is None:
        tokens = ("$defs", "a/b", "properties", "c/d")

    assert found(document, ref) == tokens


@pytest.mark.parametrize(
    ("document", "ref"),
    [
        ({"$defs": {"Foo": STRING}, "definitions": {"Foo": INTEGER}}, "#/components/schemas/Foo"),
        ({"properties": {"a": {"$defs": {"Foo": STRING}}, "b": {"$defs": {"Foo": INTEGER}}}}, "#/$defs/Foo"),
        ({"$defs": {"a/b": {"c": STRING}, "a": {"b/c": INTEGER}}}, "#/$defs/a/b/c"),
        ({"$defs": {"Foo": STRING}}, "http://x.example/Foo"),
        ({"$defs": {"Foo": STRING}}, "models/Foo"),
        ({"$defs": {"Foo": STRING}}, "other.json#/$defs/Foo"),
        ({"properties": {"Foo": STRING}}, "#/Foo"),
    ],
)
def test_several_meanings_are_none(document: Schema, ref: str) -> None:
    assert found(document, ref) is None


def test_the_root_comes_before_what_is_nested() -> None:
    document = {"definitions": {"Foo": STRING}, "properties": {"a": {"$defs": {"Foo": INTEGER}}}}

    assert found(document, "#/$defs/Foo") == ("definitions", "Foo")


def test_equal_definitions_are_one_meaning() -> None:
    document = {"properties": {"a": {"$defs": {"Foo": STRING}}, "b": {"$defs": {"Foo": {**STRING}}}}}

    assert found(document, "#/$defs/Foo") == ("properties", "a", "$defs", "Foo")


def test_a_pointer_inside_an_embedded_schema_may_mean_the_document() -> None:
    document = {"$defs": {"Foo": STRING}, "properties": {"a": {"$id": "http://x.example/a"}}}

    assert found(document, "#/$defs/Foo", "http://x.example/a") == ("$defs", "Foo")


def test_a_lenient_reading_says_so() -> None:
    document = {"$defs": {"a/b": STRING}}

    assert note(document, "#/$defs/a/b") == "'#/$defs/a/b' read as '#/$defs/a~1b'"
    assert note(document, "#/$defs/a~1b") == ""


# --- chains and cycles


def test_a_chain_of_references_leads_to_its_end() -> None:
    chain = {str(number): {"$ref": f"#/$defs/{number + 1}"} for number in range(50_000)}
    document = {"$defs": {**chain, "50000": STRING}}

    assert followed(document, "$ref", "#/$defs/0") == ("$defs", "50000")


def test_a_chain_remembers_how_each_of_its_links_was_read() -> None:
    document = {"$defs": {"a": {"$ref": "#/definitions/b"}, "b": {"$ref": "#/$defs/c"}, "c": STRING}}
    references = References(document)
    notes = [references.follow("$ref", ref, "") for ref in ("#/$defs/a", "#/$defs/b", "a")]

    assert [target.note for target in notes if isinstance(target, Target)] == [
        "'#/definitions/b' read as '#/$defs/b'",
        "",
        "'a' read as '#/$defs/a'; '#/definitions/b' read as '#/$defs/b'",
    ]


@pytest.mark.parametrize("ref", ["#/$defs/left", "#/$defs/right", "#/$defs/me", "#/$defs/in"])
def test_references_that_lead_only_to_themselves(ref: str) -> None:
    refs = {"left": "right", "right": "left", "me": "me", "in": "left"}
    document = {"$defs": {name: {"$ref": f"#/$defs/{other}"} for name, other in refs.items()}}

    assert followed(document, "$ref", ref) is Nowhere.LOOP


def cyclic(document: Schema) -> set[str]:
    """The places that lie on a cycle."""
    uses = Uses(References(document))
    targets = [uses.units[index].target for index in uses.cyclic]
    return {fragment(target.tokens) if target else "#" for target in targets}


@pytest.mark.parametrize(
    ("document", "expected"),
    [
        ({"$defs": {"A": {"items": {"$ref": "#/$defs/B"}}, "B": STRING}}, set()),
        ({"properties": {"next": {"$ref": "#"}}}, {"#"}),
        ({"properties": {"a": {"items": {"$ref": "#/properties/a"}}}}, {"#/properties/a"}),
        (
            {"$defs": {name: {"items": {"$ref": f"#/$defs/{other}"}} for name, other in ("ab", "ba", "ca")}},
            {"#/$defs/a", "#/$defs/b"},
        ),
        (
            {"properties": {"a": {"items": {"$ref": "#"}}}, "items": {"$ref": "#/properties/a"}},
            {"#", "#/properties/a"},
        ),
        ({"$defs": {"A": {"$ref": "#/$defs/A", "minLength": 1}}}, {"#/$defs/A"}),
        ({"enum": [{"$ref": "#"}], "properties": {"$ref": {"type": "string"}}}, set()),
        # A definition is no part of an inlined copy of the document that holds it.
        ({"$defs": {"A": {"items": {"$ref": "#"}}}, "type": "object"}, set()),
    ],
)
def test_cycles(document: Schema, expected: set[str]) -> None:
    assert cyclic(document) == expected


def test_long_cycles_need_no_recursion() -> None:
    count = 5_000
    ring = {str(number): {"items": {"$ref": f"#/$defs/{(number + 1) % count}"}} for number in range(count)}

    assert len(cyclic({"$defs": ring})) == count


# --- counting


def no_limits(uses: Uses) -> Any:
    steps: Steps[int] = Steps(by_reference=lambda index, route: route, in_place=lambda index, route: route)
    return uses.extent(0, steps)


def test_an_expansion_is_counted_without_building_it() -> None:
    document = {
        "$defs": {"A": {"items": {"$ref": "#/$defs/B"}}, "B": STRING},
        "properties": {"x": {"$ref": "#/$defs/A"}, "y": {"$ref": "#/$defs/A"}},
    }
    extent = no_limits(Uses(References(document), definitions=False))

    # The document, x and y; for each A, its items, and B.
    assert (extent.nodes, extent.levels, extent.steps) == (3 + 2 * 3, 3, 5)


def test_an_expansion_beyond_the_limit_is_not_counted_out() -> None:
    levels = {str(level): {"anyOf": [{"$ref": f"#/$defs/{level + 1}"}] * 2} for level in range(90)}

    assert no_limits(Uses(References({"$ref": "#/$defs/0", "$defs": {**levels, "90": STRING}}))) is None


def test_a_large_document_may_grow_more() -> None:
    small = Uses(References({"items": STRING})).limit
    large = Uses(References({"properties": {str(number): STRING for number in range(20_000)}})).limit

    assert exceeds(large, small)
