"""Koog's two generators: the shape of what they generate, what each loses, and generators of one's own."""

from typing import Any

import pytest
from hypothesis import given

from schemaflow import Effect, InputError, Schema, UnknownNameError, adapter, compose
from schemaflow.adapters import to_bytes
from schemaflow.koog import (
    AnyOf,
    Enum,
    Float,
    Integer,
    List,
    Object,
    OllamaToolDescriptorSchemaGenerator,
    OpenAICompatibleToolDescriptorSchemaGenerator,
    PipelineToolDescriptorSchemaGenerator,
    String,
    ToolDescriptor,
    ToolDescriptorSchemaGenerator,
    ToolParameterType,
)
from tests.koog.drawn import descriptors
from tests.koog.tools import OLLAMA, OPENAI, SIZE, parameter, tool

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
