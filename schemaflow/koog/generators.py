"""
Generators: what makes a provider's JSON Schema of a descriptor.

A generator is anything with the one method `generate`. Koog's own two are pipelines;
one of your own is a pipeline too, or a class.
"""

from collections.abc import Mapping
from functools import lru_cache
from typing import Any, Protocol

from schemaflow.adapters import Adapter, ToolResult, adapter
from schemaflow.intake import plain_copy
from schemaflow.keywords import Schema
from schemaflow.koog.model import ToolDescriptor


class ToolDescriptorSchemaGenerator(Protocol):
    """What Koog's clients take as their `toolsConverter`."""

    def generate(self, descriptor: ToolDescriptor) -> Schema:
        """The schema that goes to the provider."""
        ...


class PipelineToolDescriptorSchemaGenerator:
    """
    A generator that is a pipeline: a registered one by name, with values for its options, or an adapter.

    Raises UnknownNameError for a name that nothing is registered under.
    """

    def __init__(self, pipeline: str | Adapter, **options: Any) -> None:
        self.adapter = pipeline if isinstance(pipeline, Adapter) else _adapter(pipeline, tuple(options.items()))

    def generate(self, descriptor: ToolDescriptor) -> Schema:
        """The schema that goes to the provider, sharing nothing. Raises InputError, naming the tool."""
        result = self.adapt(descriptor)
        schema: Schema = plain_copy(_at_field(self.adapter, result))
        return schema

    def adapt(self, descriptor: ToolDescriptor) -> ToolResult:
        """The whole tool for the provider, with the report. Raises InputError, naming the tool."""
        return self.adapter.adapt_tool(descriptor.to_tool())


class OpenAICompatibleToolDescriptorSchemaGenerator(PipelineToolDescriptorSchemaGenerator):
    """
    Koog's generator for OpenAI-compatible providers; the pipeline `koog/openai`.

    With `faithful` it keeps what the descriptor says and Koog's own loses: which nested
    properties are required, what undeclared ones are, the names of union members.
    """

    def __init__(self, *, faithful: bool = False) -> None:
        super().__init__("koog/openai", faithful=faithful)


class OllamaToolDescriptorSchemaGenerator(PipelineToolDescriptorSchemaGenerator):
    """
    Koog's generator for Ollama; the pipeline `koog/ollama`.

    With `faithful` it keeps what the descriptor says and Koog's own loses: whether there
    may be undeclared properties and what they are, the names of union members.
    """

    def __init__(self, *, faithful: bool = False) -> None:
        super().__init__("koog/ollama", faithful=faithful)


@lru_cache(maxsize=64)
def _adapter(name: str, options: tuple[tuple[str, Any], ...]) -> Adapter:
    return adapter(name, fallback=False, **dict(options))


def _at_field(one: Adapter, result: ToolResult) -> Any:
    """What the provider's envelope has under its field for the schema; the schema where it has no such field."""
    waiting = [(one.pipeline.envelope, result.tool)]
    while waiting:
        spec, wire = waiting.pop()
        if not isinstance(spec, Mapping):
            continue
        if one.parameters_field in spec:
            return wire[one.parameters_field]
        waiting.extend((spec[key], wire[key]) for key in spec if key in wire)
    return result.schema
