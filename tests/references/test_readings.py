"""What references mean that the standard does not resolve."""

import pytest

from schemaflow import JsonValue, Schema
from schemaflow.keywords import Token
from schemaflow.references import References

STRING: Schema = {"type": "string"}
INTEGER: Schema = {"type": "integer"}


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
