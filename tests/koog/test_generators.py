"""Koog's two generators: every type in every place, byte for byte, and what each of them loses."""

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given

from schemaflow import Effect, InputError, Schema, UnknownNameError, adapter, compose
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
    OllamaToolDescriptorSchemaGenerator,
    OpenAICompatibleToolDescriptorSchemaGenerator,
    PipelineToolDescriptorSchemaGenerator,
    String,
    ToolDescriptor,
    ToolDescriptorSchemaGenerator,
    ToolParameterDescriptor,
    ToolParameterType,
)
from tests.koog.drawn import descriptors

OPENAI = OpenAICompatibleToolDescriptorSchemaGenerator()
OLLAMA = OllamaToolDescriptorSchemaGenerator()


def parameter(name: str, kind: ToolParameterType, description: str | None = None) -> ToolParameterDescriptor:
    return ToolParameterDescriptor(name, f"The {name}." if description is None else description, kind)


def tool(*required: ToolParameterDescriptor, optional: tuple[ToolParameterDescriptor, ...] = ()) -> ToolDescriptor:
    return ToolDescriptor("go", "Go.", required, optional)


# --- every type in every place

SIZE = parameter("size", Integer())
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


# --- the envelope


@pytest.mark.parametrize("faithful", [False, True])
def test_a_tool_without_parameters(faithful: bool) -> None:
    empty = b'"type":"object","properties":{},"required":[]}'

    assert to_bytes(OpenAICompatibleToolDescriptorSchemaGenerator(faithful=faithful).generate(tool())) == b"{" + empty
    assert to_bytes(OllamaToolDescriptorSchemaGenerator(faithful=faithful).generate(tool())) == (
        b'{"title":"go","description":"Go.",' + empty
    )


@pytest.mark.parametrize("generator", [OPENAI, OLLAMA])
def test_parameters_stand_in_order_the_required_ones_first(generator: ToolDescriptorSchemaGenerator) -> None:
    b, a, d, c = (parameter(name, String()) for name in "badc")
    schema = generator.generate(tool(b, a, optional=(d, c)))

    assert list(schema["properties"]) == ["b", "a", "d", "c"]
    assert schema["required"] == ["b", "a"]


@pytest.mark.parametrize("generator", [OPENAI, OLLAMA])
def test_parameters_may_be_called_like_keywords(generator: ToolDescriptorSchemaGenerator) -> None:
    names = ["required", "description", "title", "type", "properties", "additionalProperties", "enum", "$ref"]
    inner = Object([parameter(name, String()) for name in names], names)
    schema = generator.generate(tool(*(parameter(name, inner) for name in names)))

    assert list(schema["properties"]) == names
    assert all(list(one["properties"]) == names for one in schema["properties"].values())


def test_the_whole_tool_on_the_wire() -> None:
    function = {"name": "go", "description": "Go.", "parameters": OLLAMA.generate(tool(SIZE))}

    assert OLLAMA.adapt(tool(SIZE)).tool == {"type": "function", "function": function}


@given(descriptors())
def test_whatever_a_descriptor_says_is_generated_with_every_name(descriptor: ToolDescriptor) -> None:
    for generator in (OPENAI, OLLAMA):
        schema = generator.generate(descriptor)
        assert list(schema["properties"]) == [one.name for one in descriptor.parameters]
        assert schema["required"] == [one.name for one in descriptor.required_parameters]


def test_what_is_generated_is_the_callers() -> None:
    descriptor = tool(SIZE)
    OPENAI.generate(descriptor)["properties"]["size"]["type"] = "changed"

    assert OPENAI.generate(descriptor)["properties"]["size"]["type"] == "integer"


# --- what is lost, and what `faithful` keeps

LOSING = tool(
    parameter("o", Object([SIZE], ["size"], True, Float())),
    parameter("u", AnyOf([parameter("m", Object([], [], None, Integer()))])),
    parameter("e", Enum(["x"])),
)


def told(generator: PipelineToolDescriptorSchemaGenerator) -> list[tuple[str, str, dict[str, Any]]]:
    """What the report says is lost: the places, the effects, the keywords."""
    report = generator.adapt(LOSING).report
    return [(one.pointer, one.effect.word, one.lost) for one in report if one.lost]


def test_what_openai_does_not_get_is_told() -> None:
    assert told(OPENAI) == [
        ("/properties/o", "widens", {"required": ["size"]}),
        ("/properties/u/anyOf/0", "widens", {"unevaluatedProperties": {"type": "integer"}}),
        ("/properties/o", "widens", {"additionalProperties": {"type": "number"}}),
        ("/properties/u/anyOf/0", "exact", {"title": "m"}),
    ]


def test_what_ollama_does_not_get_is_told() -> None:
    assert told(OLLAMA) == [
        ("/properties/o", "widens", {"additionalProperties": {"type": "number"}}),
        ("/properties/u/anyOf/0", "widens", {"unevaluatedProperties": {"type": "integer"}}),
        ("/properties/u/anyOf/0", "exact", {"title": "m"}),
    ]


def test_faithful_openai_loses_nothing() -> None:
    generator = OpenAICompatibleToolDescriptorSchemaGenerator(faithful=True)
    expected = {
        "o": {
            "description": "The o.",
            "type": "object",
            "additionalProperties": {"type": "number"},
            "properties": {"size": {"type": "integer", "description": "The size."}},
            "required": ["size"],
        },
        "u": {
            "description": "The u.",
            "anyOf": [
                {
                    "title": "m",
                    "description": "The m.",
                    "type": "object",
                    "additionalProperties": {"type": "integer"},
                    "properties": {},
                }
            ],
        },
        "e": {"description": "The e.", "type": "string", "enum": ["x"]},
    }

    assert to_bytes(generator.generate(LOSING)["properties"]) == to_bytes(expected)
    assert told(generator) == []
    assert generator.adapt(LOSING).report.effect is Effect.EXACT


def test_faithful_ollama_loses_nothing() -> None:
    generator = OllamaToolDescriptorSchemaGenerator(faithful=True)
    expected = {
        "o": {
            "type": "object",
            "properties": {"size": {"type": "integer", "description": "The size."}},
            "required": ["size"],
            "additionalProperties": {"type": "number"},
            "description": "The o.",
        },
        "u": {
            "anyOf": [
                {
                    "title": "m",
                    "type": "object",
                    "properties": {},
                    "required": [],
                    "additionalProperties": {"type": "integer"},
                    "description": "The m.",
                }
            ],
            "description": "The u.",
        },
        "e": {"type": "string", "enum": ["x"], "description": "The e."},
    }

    assert to_bytes(generator.generate(LOSING)["properties"]) == to_bytes(expected)
    assert told(generator) == []
    assert generator.adapt(LOSING).report.effect is Effect.EXACT


@given(descriptors())
def test_faithful_generators_are_exact(descriptor: ToolDescriptor) -> None:
    for name in ("koog/openai", "koog/ollama"):
        report = PipelineToolDescriptorSchemaGenerator(name, faithful=True).adapt(descriptor).report
        assert report.effect is Effect.EXACT
        assert not any(one.refused for one in report)


# --- a generator of one's own


class Loud(OpenAICompatibleToolDescriptorSchemaGenerator):
    """A generator that shouts."""

    def generate(self, descriptor: ToolDescriptor) -> Schema:
        schema = super().generate(descriptor)
        return {**schema, "title": descriptor.name.upper()}


def test_a_generator_of_ones_own_is_a_subclass() -> None:
    assert Loud().generate(tool()) == {**OPENAI.generate(tool()), "title": "GO"}


class Bare:
    """A generator that needs none of ours."""

    def generate(self, descriptor: ToolDescriptor) -> Schema:
        return {"names": [one.name for one in descriptor.parameters]}


def test_or_anything_with_the_one_method() -> None:
    generator: ToolDescriptorSchemaGenerator = Bare()

    assert generator.generate(tool(SIZE)) == {"names": ["size"]}


def test_or_a_pipeline() -> None:
    mine = compose("mine", ("drop_keywords", {"keywords": ["description"]}))
    generator = PipelineToolDescriptorSchemaGenerator(mine)

    assert generator.generate(tool(SIZE)) == {
        "type": "object",
        "properties": {"size": {"type": "integer"}},
        "required": ["size"],
    }


def test_or_any_registered_pipeline() -> None:
    generator = PipelineToolDescriptorSchemaGenerator("adk/vertex", depth=1)

    assert generator.generate(tool(parameter("p", Object([])))) == adapter("adk/vertex", depth=1).normalize_schema(
        tool(parameter("p", Object([]))).to_schema()
    )


def test_a_pipeline_that_nobody_registered_is_an_error() -> None:
    with pytest.raises(UnknownNameError, match="did you mean 'koog/openai'"):
        PipelineToolDescriptorSchemaGenerator("koog/openia")


def test_what_is_too_deep_is_refused_by_name() -> None:
    kind: ToolParameterType = String()
    for _ in range(200):
        kind = List(kind)

    with pytest.raises(InputError, match="tool 'go'"):
        OPENAI.generate(tool(parameter("p", kind)))


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
