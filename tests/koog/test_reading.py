"""Descriptors as JSON and YAML: read as they are written, and each mistake told by file, tool and pointer."""

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given

from schemaflow import InputError, NotASchemaError
from schemaflow.koog import (
    TYPES,
    AnyOf,
    Enum,
    Float,
    Integer,
    List,
    Null,
    Object,
    String,
    ToolDescriptor,
    ToolParameterDescriptor,
    load_descriptors,
    parse_descriptors,
    read_descriptor,
)
from tests.koog.drawn import descriptors

YAML = """\
name: book_table
description: Book a table.
requiredParameters:
  - {name: guests, description: How many come., type: Integer}
optionalParameters:
  - name: wishes
    type: {type: List, itemsType: {type: Enum, entries: [quiet, window]}}
"""
JSON = """\
{"name": "book_table", "description": "Book a table.",
 "requiredParameters": [{"name": "guests", "description": "How many come.", "type": {"type": "INT"}}],
 "optionalParameters": [{"name": "wishes", "description": "",
   "type": {"type": "ARRAY", "itemsType": {"type": "ENUM", "entries": ["quiet", "window"]}}}]}
"""
BOOK_TABLE = ToolDescriptor(
    "book_table",
    "Book a table.",
    [ToolParameterDescriptor("guests", "How many come.", Integer())],
    [ToolParameterDescriptor("wishes", "", List(Enum(["quiet", "window"])))],
)


@pytest.mark.parametrize("text", [YAML, JSON, YAML.encode()])
def test_json_and_yaml_say_the_same(text: str | bytes) -> None:
    assert parse_descriptors(text) == [BOOK_TABLE]


def test_a_file_may_hold_several(tmp_path: Path) -> None:
    path = tmp_path / "tools.json"
    path.write_text(f'[{JSON}, {{"name": "ping", "requiredParameters": []}}]')

    assert load_descriptors(path) == [BOOK_TABLE, ToolDescriptor("ping", "")]


@given(descriptors())
def test_what_is_written_is_read_back(descriptor: ToolDescriptor) -> None:
    assert read_descriptor(descriptor.to_json()) == descriptor


def test_defaults_are_not_written() -> None:
    descriptor = ToolDescriptor("t", "", [ToolParameterDescriptor("a", "", Object([]))])
    expected = {
        "name": "t",
        "description": "",
        "requiredParameters": [{"name": "a", "description": "", "type": {"type": "Object", "properties": []}}],
        "optionalParameters": [],
    }

    assert descriptor.to_json() == expected


def typed(written: Any) -> Any:
    """A type as it is read."""
    return read_descriptor({"name": "t", "requiredParameters": [{"name": "a", "type": written}]}).parameters[0].type


@pytest.mark.parametrize("kind", TYPES[:5])
def test_a_simple_type_is_a_word(kind: Any) -> None:
    words = [kind.__name__, kind.name, kind.__name__.lower()]

    assert [typed(word) for word in words] == [kind()] * 3
    assert typed({"type": kind.name}) == kind()


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ({"type": "Enum", "entries": ["a"]}, Enum(["a"])),
        ({"type": "List", "itemsType": {"type": "List", "itemsType": "Float"}}, List(List(Float()))),
        (
            {
                "type": "Object",
                "properties": [{"name": "x", "description": "X", "type": "String"}],
                "requiredProperties": ["x"],
                "additionalProperties": True,
                "additionalPropertiesType": "Null",
            },
            Object([ToolParameterDescriptor("x", "X", String())], ["x"], True, Null()),
        ),
        (
            {"type": "Object", "properties": [], "additionalProperties": None, "additionalPropertiesType": None},
            Object([]),
        ),
        (
            {"type": "AnyOf", "types": [{"name": "", "type": "String"}, {"name": "", "type": "Null"}]},
            AnyOf([ToolParameterDescriptor("", "", String()), ToolParameterDescriptor("", "", Null())]),
        ),
    ],
)
def test_a_type_with_parts_is_an_object(written: Any, expected: Any) -> None:
    assert typed(written) == expected


def with_type(written: Any) -> Any:
    return {"name": "t", "optionalParameters": [{"name": "a", "type": written}]}


TYPE = "/optionalParameters/0/type"


@pytest.mark.parametrize(
    ("written", "place", "said"),
    [
        (5, "", "a ToolDescriptor is an object, not integer"),
        ({"requiredParameters": []}, "", "ToolDescriptor needs 'name'"),
        ({"name": 5}, "/name", "name must not be integer"),
        ({"name": ""}, "/name", "must be a string that is not empty"),
        ({"name": "t", "description": None}, "/description", "description must not be null"),
        ({"name": "t", "requiredParams": []}, "/requiredParams", "did you mean 'requiredParameters'?"),
        ({"name": "t", "inputSchema": {}}, "/inputSchema", "there are: description, name, optionalParameters"),
        ({"name": "t", "requiredParameters": {}}, "/requiredParameters", "a list of parameters, not object"),
        ({"name": "t", "requiredParameters": ["a"]}, "/requiredParameters/0", "is an object, not string"),
        ({"name": "t", "requiredParameters": [{"type": "String"}]}, "/requiredParameters/0", "needs 'name'"),
        ({"name": "t", "requiredParameters": [{"name": "a"}]}, "/requiredParameters/0", "needs 'type'"),
        (
            {"name": "t", "requiredParameters": [{"name": "a", "type": "INT"}], **with_type("INT")},
            "/optionalParameters/0/name",
            "a second parameter called 'a'",
        ),
        (with_type("Strin"), TYPE, "did you mean 'String'?"),
        (with_type(5), TYPE, "there are String, Integer, Float, Boolean, Null, Enum, List, Object, AnyOf"),
        (with_type({"entries": []}), TYPE, "None is no type of Koog's"),
        (with_type({"type": "Lst"}), f"{TYPE}/type", "did you mean 'List'?"),
        (with_type({"type": "String", "entries": []}), f"{TYPE}/entries", "String has no 'entries'"),
        (with_type("Enum"), TYPE, "Enum needs 'entries'"),
        (with_type({"type": "Enum", "entries": "a"}), f"{TYPE}/entries", "entries must not be string"),
        (with_type({"type": "Enum", "entries": ["a", 1]}), f"{TYPE}/entries/1", "entries are strings, not integer"),
        (with_type({"type": "List"}), TYPE, "List needs 'itemsType'"),
        (with_type({"type": "List", "itemsType": None}), f"{TYPE}/itemsType", "None is no type"),
        (
            with_type({"type": "Object", "properties": [], "additionalProperties": "no"}),
            f"{TYPE}/additionalProperties",
            "must not be string",
        ),
        (
            with_type({"type": "Object", "properties": [{"name": "x", "type": "INT"}, {"name": "x", "type": "INT"}]}),
            f"{TYPE}/properties/1/name",
            "a second parameter called 'x'",
        ),
    ],
)
def test_a_mistake_is_told_by_its_pointer(written: Any, place: str, said: str) -> None:
    with pytest.raises(NotASchemaError) as raised:
        read_descriptor(written, "/tools/2")

    assert raised.value.pointer == f"/tools/2{place}"
    assert said in raised.value.problem


def test_a_mistake_is_told_with_the_tools_name() -> None:
    with pytest.raises(NotASchemaError) as raised:
        read_descriptor({"name": "sail", "requiredParameters": 5})

    assert raised.value.tool == "sail"


def test_a_file_with_a_mistake_is_named(tmp_path: Path) -> None:
    path = tmp_path / "tools.yaml"
    path.write_text("- {name: ping, requiredParameters: []}\n- {name: pong, requiredParameters: 5}\n")

    with pytest.raises(InputError) as raised:
        load_descriptors(path)
    assert str(raised.value) == (
        f"{path}: tool 'pong': /1/requiredParameters: requiredParameters is a list of parameters, not integer"
    )


def test_a_file_that_is_no_json_is_told_with_its_line() -> None:
    with pytest.raises(InputError, match=r"tools\.json:1:10: not JSON"):
        parse_descriptors('{"name": }', "tools.json")
