"""What the tests of generators share: both of them, and short ways to write a tool."""

from schemaflow.koog import (
    Integer,
    OllamaToolDescriptorSchemaGenerator,
    OpenAICompatibleToolDescriptorSchemaGenerator,
    ToolDescriptor,
    ToolParameterDescriptor,
    ToolParameterType,
)

OPENAI = OpenAICompatibleToolDescriptorSchemaGenerator()
OLLAMA = OllamaToolDescriptorSchemaGenerator()


def parameter(name: str, kind: ToolParameterType, description: str | None = None) -> ToolParameterDescriptor:
    return ToolParameterDescriptor(name, f"The {name}." if description is None else description, kind)


def tool(*required: ToolParameterDescriptor, optional: tuple[ToolParameterDescriptor, ...] = ()) -> ToolDescriptor:
    return ToolDescriptor("go", "Go.", required, optional)


SIZE = parameter("size", Integer())
