"""
Koog's tools: descriptors and their types, and what makes a provider's JSON Schema of them.

A descriptor is read from JSON, YAML or an MCP tool, and every adapter takes it wherever
it takes a tool. Koog's own two generators are the pipelines `koog/openai` and
`koog/ollama`.
"""

from schemaflow.koog.generators import (
    OllamaToolDescriptorSchemaGenerator,
    OpenAICompatibleToolDescriptorSchemaGenerator,
    PipelineToolDescriptorSchemaGenerator,
    ToolDescriptorSchemaGenerator,
)
from schemaflow.koog.mcp import DefaultMcpToolDescriptorParser, ParsedTool
from schemaflow.koog.model import (
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
    ToolParameterDescriptor,
    ToolParameterType,
)
from schemaflow.koog.reading import load_descriptors, parse_descriptors, read_descriptor
from schemaflow.koog.schema import descriptor_of

__all__ = [
    "TYPES", "AnyOf", "Boolean", "DefaultMcpToolDescriptorParser", "Enum", "Float", "Integer", "List", "Null", "Object",
    "OllamaToolDescriptorSchemaGenerator", "OpenAICompatibleToolDescriptorSchemaGenerator", "ParsedTool",
    "PipelineToolDescriptorSchemaGenerator", "String", "ToolDescriptor", "ToolDescriptorSchemaGenerator",
    "ToolParameterDescriptor", "ToolParameterType", "descriptor_of", "load_descriptors",
    "parse_descriptors", "read_descriptor",
]  # fmt: skip
