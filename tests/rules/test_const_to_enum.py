import pytest

from schemaflow import JsonValue, Unsupported
from schemaflow_rules.const_to_enum import const_to_enum


@pytest.mark.parametrize("value", [None, False, 0, "", [], {}, {"const": 1}])
def test_any_value_will_do(value: JsonValue) -> None:
    assert const_to_enum({"const": value}) == {"enum": [value]}


def test_true_is_not_one() -> None:
    with pytest.raises(Unsupported):
        const_to_enum({"const": True, "enum": [1]})


def test_one_is_one_point_zero() -> None:
    assert const_to_enum({"const": 1.0, "enum": [1, 2]}) == {"enum": [1.0]}


def test_nothing_in_common_leaves_the_node_alone() -> None:
    document = {"properties": {"a": {"const": 1, "enum": [2]}}}

    assert const_to_enum.apply(document) is document


def test_a_stated_type_stays() -> None:
    assert const_to_enum({"type": "number", "const": 1}, add_type=True) == {"type": "number", "enum": [1]}


def test_goes_to_places_far_off() -> None:
    document = {"$defs": {"A": {"const": 1}}, "not": {"const": 2}, "dependentSchemas": {"a": {"const": 3}}}
    expected = {"$defs": {"A": {"enum": [1]}}, "not": {"enum": [2]}, "dependentSchemas": {"a": {"enum": [3]}}}

    assert const_to_enum.apply(document) == expected


def test_names_and_data_are_no_keywords() -> None:
    document = {"properties": {"const": {"default": {"const": 1}}}}

    assert const_to_enum.apply(document) is document
