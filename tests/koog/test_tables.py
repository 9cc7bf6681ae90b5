"""Koog's two generators: every type in every place, byte for byte."""

from collections.abc import Callable

import pytest

from schemaflow import Schema
from schemaflow.adapters import to_bytes
from schemaflow.koog import (
    TYPES,
    AnyOf,
    Boolean,
    Enum,
    Float,
    Integer,
    List,
    Null,
    Object,
    String,
    ToolDescriptor,
    ToolDescriptorSchemaGenerator,
    ToolParameterType,
)
from tests.koog.tools import OLLAMA, OPENAI, SIZE, parameter, tool

KINDS: list[tuple[ToolParameterType, Schema, Schema]] = [
    # The type; its keywords for OpenAI; its keywords for Ollama.
    (String(), {"type": "string"}, {"type": "string"}),
    (Integer(), {"type": "integer"}, {"type": "integer"}),
    (Float(), {"type": "number"}, {"type": "number"}),
    (Boolean(), {"type": "boolean"}, {"type": "boolean"}),
    (Null(), {"type": "null"}, {"type": "null"}),
    (Enum(["x", "1"]), {"type": "string", "enum": ["x", "1"]}, {"type": "string", "enum": ["x", "1"]}),
    (List(Float()), {"type": "array", "items": {"type": "number"}}, {"type": "array", "items": {"type": "number"}}),
    (
        List(List(Enum(["x"]))),
        {"type": "array", "items": {"type": "array", "items": {"type": "string", "enum": ["x"]}}},
        {"type": "array", "items": {"type": "array", "items": {"type": "string", "enum": ["x"]}}},
    ),
    (
        Object([SIZE, parameter("name", String())], ["size"]),
        {
            "type": "object",
            "properties": {
                "size": {"type": "integer", "description": "The size."},
                "name": {"type": "string", "description": "The name."},
            },
        },
        {
            "type": "object",
            "properties": {
                "size": {"type": "integer", "description": "The size."},
                "name": {"type": "string", "description": "The name."},
            },
            "required": ["size"],
        },
    ),
    (
        Object([]),
        {"type": "object", "properties": {}},
        {"type": "object", "properties": {}, "required": []},
    ),
    *(
        (
            Object([], [], allowed, others),
            {"type": "object", "additionalProperties": allowed, "properties": {}},
            {"type": "object", "properties": {}, "required": []},
        )
        for allowed in (True, False)
        for others in (None, String())
    ),
    (
        Object([], [], None, String()),
        {"type": "object", "properties": {}},
        {"type": "object", "properties": {}, "required": []},
    ),
    (
        AnyOf([parameter("text", String()), parameter("", Null(), "")]),
        {"anyOf": [{"description": "The text.", "type": "string"}, {"description": "", "type": "null"}]},
        {"anyOf": [{"type": "string", "description": "The text."}, {"type": "null", "description": ""}]},
    ),
]

Place = Callable[[ToolParameterType], ToolDescriptor]
Around = Callable[[Schema], Schema]


def first(description: str, schema: Schema) -> Schema:
    return {"description": description, **schema}


def last(description: str, schema: Schema) -> Schema:
    return {**schema, "description": description}


PLACES: dict[str, tuple[Place, Around, Around]] = {
    # How a type gets there; what stands around its keywords for OpenAI, and for Ollama.
    "top level": (
        lambda kind: tool(parameter("p", kind)),
        lambda schema: first("The p.", schema),
        lambda schema: last("The p.", schema),
    ),
    "nested property": (
        lambda kind: tool(parameter("p", Object([parameter("q", kind)]))),
        lambda schema: first("The p.", {"type": "object", "properties": {"q": last("The q.", schema)}}),
        lambda schema: last("The p.", {"type": "object", "properties": {"q": last("The q.", schema)}, "required": []}),
    ),
    "list item": (
        lambda kind: tool(parameter("p", List(kind))),
        lambda schema: first("The p.", {"type": "array", "items": schema}),
        lambda schema: last("The p.", {"type": "array", "items": schema}),
    ),
    "union member": (
        lambda kind: tool(parameter("p", AnyOf([parameter("m", kind)]))),
        lambda schema: first("The p.", {"anyOf": [first("The m.", schema)]}),
        lambda schema: last("The p.", {"anyOf": [last("The m.", schema)]}),
    ),
    "member of a union below an object in a list": (
        lambda kind: tool(parameter("p", List(Object([parameter("q", AnyOf([parameter("m", kind)]))])))),
        lambda schema: first(
            "The p.",
            {
                "type": "array",
                "items": {"type": "object", "properties": {"q": last("The q.", {"anyOf": [first("The m.", schema)]})}},
            },
        ),
        lambda schema: last(
            "The p.",
            {
                "type": "array",
                "items": {
                    "type": "object",
                    "properties": {"q": last("The q.", {"anyOf": [last("The m.", schema)]})},
                    "required": [],
                },
            },
        ),
    ),
}


def test_every_type_is_in_the_table() -> None:
    assert {type(kind) for kind, _, _ in KINDS} == {*TYPES}


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize(("kind", "openai", "ollama"), KINDS)
def test_every_type_in_every_place(kind: ToolParameterType, openai: Schema, ollama: Schema, place: str) -> None:
    put, around_openai, around_ollama = PLACES[place]
    descriptor = put(kind)
    for_openai = {"type": "object", "properties": {"p": around_openai(openai)}, "required": ["p"]}
    for_ollama = {
        "title": "go",
        "description": "Go.",
        "type": "object",
        "properties": {"p": around_ollama(ollama)},
        "required": ["p"],
    }

    assert to_bytes(OPENAI.generate(descriptor)) == to_bytes(for_openai)
    assert to_bytes(OLLAMA.generate(descriptor)) == to_bytes(for_ollama)


# --- what Koog's own tests expect, on tools of ours


def test_a_list_of_objects_with_a_list_of_objects() -> None:
    leg = Object([parameter("from", String()), parameter("to", String()), parameter("km", Float())], ["from", "to"])
    day = Object([parameter("date", String()), parameter("legs", List(leg))], ["date", "legs"])
    schema = OLLAMA.generate(tool(parameter("days", List(day))))
    days = schema["properties"]["days"]

    assert (schema["title"], schema["description"], schema["required"]) == ("go", "Go.", ["days"])
    assert days["items"]["required"] == ["date", "legs"]
    assert days["items"]["properties"]["legs"]["items"]["required"] == ["from", "to"]
    assert days["items"]["properties"]["legs"]["description"] == "The legs."


def test_a_parameter_that_is_null() -> None:
    assert OLLAMA.generate(tool(parameter("nothing", Null())))["properties"] == {
        "nothing": {"type": "null", "description": "The nothing."}
    }


def test_a_union_of_text_and_number_with_a_description_each() -> None:
    either = AnyOf([parameter("", String(), "In words."), parameter("", Float(), "In figures.")])

    assert OLLAMA.generate(tool(parameter("amount", either)))["properties"]["amount"] == {
        "anyOf": [
            {"type": "string", "description": "In words."},
            {"type": "number", "description": "In figures."},
        ],
        "description": "The amount.",
    }


@pytest.mark.parametrize("generator", [OPENAI, OLLAMA])
def test_three_simple_parameters_and_an_optional_number(generator: ToolDescriptorSchemaGenerator) -> None:
    descriptor = tool(
        parameter("street", String()),
        parameter("number", Integer()),
        parameter("express", Boolean()),
        optional=(parameter("weight", Float()),),
    )
    schema = generator.generate(descriptor)

    assert {name: one["type"] for name, one in schema["properties"].items()} == {
        "street": "string",
        "number": "integer",
        "express": "boolean",
        "weight": "number",
    }
    assert schema["required"] == ["street", "number", "express"]


@pytest.mark.parametrize("generator", [OPENAI, OLLAMA])
def test_an_enum(generator: ToolDescriptorSchemaGenerator) -> None:
    schema = generator.generate(tool(parameter("colour", Enum(["RED", "GREEN"]))))

    assert schema["properties"]["colour"] == {
        "type": "string",
        "enum": ["RED", "GREEN"],
        "description": "The colour.",
    }


@pytest.mark.parametrize("generator", [OPENAI, OLLAMA])
def test_an_optional_list_requires_nothing(generator: ToolDescriptorSchemaGenerator) -> None:
    schema = generator.generate(tool(optional=(parameter("tags", List(String())),)))

    assert schema["properties"]["tags"]["items"] == {"type": "string"}
    assert schema["required"] == []
