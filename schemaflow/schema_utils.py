"""
ADK-Rust's twelve schema utilities, under their own names, each for a whole document.

Each is one registered rule applied alone. A document goes in and a new one comes
out; the input is not changed. Source: the `schema_utils` module of ADK-Rust.
"""

from collections.abc import Iterable
from typing import Any

from schemaflow.keywords import JsonValue, Schema
from schemaflow.names import truncate_tool_name
from schemaflow.registry import installed


def _apply(rule: str, schema: Schema | bool, **options: Any) -> Any:
    return installed().rule(rule).apply(schema, **options)


def strip_schema_keyword(schema: Schema | bool) -> Any:
    """Drop `$schema` everywhere."""
    return _apply("strip_schema_keyword", schema)


def strip_conditional_keywords(schema: Schema | bool) -> Any:
    """Drop `if`, `then` and `else` everywhere."""
    return _apply("strip_conditional_keywords", schema)


def add_implicit_object_type(schema: Schema | bool) -> Any:
    """Say `type: object` wherever there are `properties` and no `type`."""
    return _apply("add_implicit_object_type", schema)


def convert_const_to_enum(schema: Schema | bool) -> Any:
    """Spell every `const` as a one-member `enum`."""
    return _apply("const_to_enum", schema)


def strip_unsupported_formats(schema: Schema | bool, allowed: Iterable[str]) -> Any:
    """Drop every `format` that is not in the allow-list."""
    return _apply("strip_unsupported_formats", schema, allowed=tuple(allowed))


def strip_null_from_enum(schema: Schema | bool) -> Any:
    """Drop null from every `enum`; an `enum` of nothing but null goes."""
    return _apply("strip_null_from_enum", schema)


def resolve_refs(schema: Schema | bool, *, unroll: int = 10) -> Any:
    """Put what they refer to in the place of all references; recursion is cut after `unroll` rounds."""
    return _apply("resolve_refs", schema, unroll=unroll)


def collapse_combiners(schema: Schema | bool) -> Any:
    """Put the first member that is not null in the place of every `anyOf` and `oneOf`."""
    return _apply("collapse_combiners", schema)


def merge_all_of(schema: Schema | bool) -> Any:
    """Merge every `allOf` into the schema that holds it."""
    return _apply("merge_all_of", schema)


def collapse_type_arrays(schema: Schema | bool) -> Any:
    """Put the first type that is not null in the place of every list of types."""
    return _apply("collapse_type_arrays", schema)


def enforce_nesting_depth(schema: Schema | bool, max_depth: int) -> Any:
    """Cut every object that lies more than `max_depth` objects deep to a bare `type: object`."""
    return _apply("enforce_nesting_depth", schema, depth=max_depth)


def is_null_schema(schema: JsonValue) -> bool:
    """Whether a schema says `type: null` and nothing but null can match it."""
    return isinstance(schema, dict) and schema.get("type") == "null"


__all__ = [
    "add_implicit_object_type", "collapse_combiners", "collapse_type_arrays", "convert_const_to_enum",
    "enforce_nesting_depth", "is_null_schema", "merge_all_of", "resolve_refs", "strip_conditional_keywords",
    "strip_null_from_enum", "strip_schema_keyword", "strip_unsupported_formats", "truncate_tool_name",
]  # fmt: skip
