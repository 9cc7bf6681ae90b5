"""Drawn descriptors."""

from typing import Any

from hypothesis import strategies as st

from schemaflow.koog import (
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

# Names that are keywords of JSON Schema, too: a parameter may be called anything.
NAMES = st.sampled_from(["a", "b", "type", "required", "description", "title", "$ref", "x/y~z", ""])
TEXTS = st.sampled_from(["", "What it is.", "Grüße"])
SIMPLE = st.sampled_from([String(), Integer(), Float(), Boolean(), Null()])
ENUMS = st.lists(st.sampled_from(["red", "1", "", "null"]), max_size=3).map(Enum)


def _parameters(types: st.SearchStrategy[ToolParameterType], **limits: Any) -> st.SearchStrategy[Any]:
    one = st.builds(ToolParameterDescriptor, NAMES, TEXTS, types)
    return st.lists(one, max_size=3, **limits)


def _named(types: st.SearchStrategy[ToolParameterType]) -> st.SearchStrategy[Any]:
    return _parameters(types, unique_by=lambda one: one.name)


def _inner(types: st.SearchStrategy[ToolParameterType]) -> st.SearchStrategy[ToolParameterType]:
    # Where nothing else may be there, a type of it says nothing and is not kept.
    others = st.one_of(
        st.tuples(st.sampled_from([None, True, False]), st.none()),
        st.tuples(st.sampled_from([None, True]), types),
    )
    objects = st.builds(
        lambda properties, required, other: Object(properties, required, *other),
        _named(types),
        st.lists(NAMES, max_size=2),
        others,
    )
    return st.one_of(types.map(List), objects, _parameters(types).map(AnyOf))


TYPES: st.SearchStrategy[ToolParameterType] = st.recursive(st.one_of(SIMPLE, ENUMS), _inner, max_leaves=6)


@st.composite
def descriptors(draw: st.DrawFn) -> ToolDescriptor:
    """A descriptor with parameters of any type."""
    parameters = draw(_named(TYPES))
    cut = draw(st.integers(0, len(parameters)))
    return ToolDescriptor("tool", draw(TEXTS), parameters[:cut], parameters[cut:])
