"""Turn any tool's JSON Schema into what an LLM provider accepts, and say what that cost."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from schemaflow.adapters import Adapter as Adapter
    from schemaflow.adapters import Result as Result
    from schemaflow.adapters import adapter as adapter
    from schemaflow.adapters import adapter_from_file as adapter_from_file
    from schemaflow.adapters import compose as compose
    from schemaflow.adapters import providers as providers
    from schemaflow.cache import SchemaCache as SchemaCache
    from schemaflow.contract import BOOLEAN as BOOLEAN
    from schemaflow.contract import EVERY as EVERY
    from schemaflow.contract import EVERYTHING as EVERYTHING
    from schemaflow.contract import Order as Order
    from schemaflow.decoding import ArgumentError as ArgumentError
    from schemaflow.decoding import Decoded as Decoded
    from schemaflow.effect import Effect as Effect
    from schemaflow.errors import ContractError as ContractError
    from schemaflow.errors import InputError as InputError
    from schemaflow.errors import LimitError as LimitError
    from schemaflow.errors import LossyConversion as LossyConversion
    from schemaflow.errors import NotASchemaError as NotASchemaError
    from schemaflow.errors import NotJsonError as NotJsonError
    from schemaflow.errors import OptionError as OptionError
    from schemaflow.errors import PipelineError as PipelineError
    from schemaflow.errors import PluginError as PluginError
    from schemaflow.errors import SchemaflowError as SchemaflowError
    from schemaflow.errors import UnknownNameError as UnknownNameError
    from schemaflow.errors import Unsupported as Unsupported
    from schemaflow.families import dropping as dropping
    from schemaflow.families import without as without
    from schemaflow.intake import Limits as Limits
    from schemaflow.keywords import JsonValue as JsonValue
    from schemaflow.keywords import Schema as Schema
    from schemaflow.keywords import json_equal as json_equal
    from schemaflow.keywords import json_key as json_key
    from schemaflow.keywords import json_type as json_type
    from schemaflow.options import option as option
    from schemaflow.pipeline import Pipeline as Pipeline
    from schemaflow.pipeline import Step as Step
    from schemaflow.registry import Registry as Registry
    from schemaflow.report import Finding as Finding
    from schemaflow.report import Report as Report
    from schemaflow.rule import Rewrite as Rewrite
    from schemaflow.rule import Rule as Rule
    from schemaflow.rule import document_rule as document_rule
    from schemaflow.rule import node_rule as node_rule
    from schemaflow.tool import Tool as Tool
    from schemaflow.tool import read_tools as read_tools
    from schemaflow.trace import Traced as Traced
    from schemaflow.visitor import Below as Below
    from schemaflow.visitor import Parts as Parts
    from schemaflow.visitor import inherit as inherit

_HOMES = {
    "adapters": "Adapter Result adapter adapter_from_file compose providers",
    "cache": "SchemaCache",
    "decoding": "ArgumentError Decoded",
    "effect": "Effect",
    "errors": (
        "ContractError InputError LimitError LossyConversion NotASchemaError NotJsonError OptionError PipelineError "
        "PluginError SchemaflowError UnknownNameError Unsupported"
    ),
    "intake": "Limits",
    "keywords": "JsonValue Schema json_equal json_key json_type",
    "options": "option",
    "pipeline": "Pipeline Step",
    "registry": "Registry",
    "report": "Finding Report",
    "families": "dropping without",
    "contract": "BOOLEAN EVERY EVERYTHING Order",
    "rule": "Rewrite Rule document_rule node_rule",
    "tool": "Tool read_tools",
    "trace": "Traced",
    "visitor": "Below Parts inherit",
}
_HOME_OF = {name: module for module, names in _HOMES.items() for name in names.split()}

__all__ = sorted(_HOME_OF)  # noqa: PLE0605 -- derived from the table above


def __getattr__(name: str) -> Any:
    module = _HOME_OF.get(name)
    if module is None:
        raise AttributeError(f"module 'schemaflow' has no attribute {name!r}")
    value = getattr(import_module(f"schemaflow.{module}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *_HOME_OF})
