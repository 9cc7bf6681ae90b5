"""What references lead to, by the standard."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from referencing import Registry
from referencing.jsonschema import DRAFT202012

from schemaflow import JsonValue, Schema
from schemaflow.drawing import json_documents, schemas
from schemaflow.keywords import Token
from schemaflow.origins import nodes
from schemaflow.references import Nowhere, References, Target, fragment

STRING: Schema = {"type": "string"}
DRAFT_4 = "http://json-schema.org/draft-04/schema#"
DRAFT_7 = "http://json-schema.org/draft-07/schema#"
DRAFT_2019 = "https://json-schema.org/draft/2019-09/schema"


def found(document: JsonValue, ref: JsonValue, base: str | None = None) -> tuple[Token, ...] | None:
    """Where a reference leads, None for nowhere."""
    references = References(document)
    target = references.lookup(references.base if base is None else base, ref)
    return None if target is None else target.tokens


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
