"""The model: Koog's classes, their defaults, and what they refuse."""

from typing import Any

import pytest

from schemaflow import NotASchemaError
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
    ToolParameterDescriptor,
    ToolParameterType,
)

A = ToolParameterDescriptor("a", "First.", String())
B = ToolParameterDescriptor("b", "Second.", Integer())


def test_there_are_nine_types_under_koogs_own_words() -> None:
    expected = {
        String: "STRING",
        Integer: "INT",
        Float: "FLOAT",
        Boolean: "BOOLEAN",
        Null: "NULL",
        Enum: "ENUM",
        List: "ARRAY",
        Object: "OBJECT",
        AnyOf: "ANYOF",
    }

    assert {kind: kind.name for kind in TYPES} == expected
    assert all(issubclass(kind, ToolParameterType) for kind in TYPES)


def test_a_descriptor_may_be_without_parameters() -> None:
    descriptor = ToolDescriptor("ping", "Ping.")

    assert (descriptor.required_parameters, descriptor.optional_parameters) == ((), ())


def test_required_parameters_come_first() -> None:
    assert ToolDescriptor("t", "", [B], [A]).parameters == (B, A)


def test_an_object_says_nothing_more_than_its_properties() -> None:
    plain = Object([A])

    assert plain.properties == (A,)
    assert plain.required_properties == ()
    assert plain.additional_properties is None
    assert plain.additional_properties_type is None


def test_models_are_values() -> None:
    assert List(Enum(["x"])) == List(Enum(("x",)))
    assert len({String(), String(), Integer()}) == 2
    with pytest.raises(AttributeError):
        A.name = "other"  # type: ignore[misc]


def test_one_string_is_one_entry() -> None:
    assert Enum("red").entries == ("red",)


@pytest.mark.parametrize(("required", "optional"), [([A, A], []), ([A], [A]), ([], [A, A])])
def test_two_parameters_of_one_name_are_refused(required: Any, optional: Any) -> None:
    with pytest.raises(NotASchemaError, match="tool 't': two parameters are called 'a'"):
        ToolDescriptor("t", "", required, optional)


def test_two_properties_of_one_name_are_refused() -> None:
    with pytest.raises(NotASchemaError, match="two properties of an object are called 'a'"):
        Object([A, A])


def test_members_of_a_union_need_no_names() -> None:
    nameless = ToolParameterDescriptor("", "", String())

    assert AnyOf([nameless, nameless]).types == (nameless, nameless)


@pytest.mark.parametrize(
    "make",
    [
        lambda: ToolDescriptor(5, ""),  # type: ignore[arg-type]
        lambda: ToolDescriptor("t", None),  # type: ignore[arg-type]
        lambda: ToolDescriptor("t", "", [String()]),  # type: ignore[list-item]
        lambda: ToolParameterDescriptor("a", "", "string"),  # type: ignore[arg-type]
        lambda: List(None),  # type: ignore[arg-type]
        lambda: Enum([1]),  # type: ignore[list-item]
        lambda: Object([A], [1]),  # type: ignore[list-item]
        lambda: Object([A], [], "yes"),  # type: ignore[arg-type]
        lambda: Object([A], [], True, "string"),  # type: ignore[arg-type]
        lambda: AnyOf([String()]),  # type: ignore[list-item]
    ],
)
def test_what_is_no_model_is_refused(make: Any) -> None:
    with pytest.raises(TypeError):
        make()
