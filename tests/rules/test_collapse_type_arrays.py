import pytest

from schemaflow import Effect, JsonValue, Unsupported
from schemaflow_rules.collapse_type_arrays import collapse_type_arrays


@pytest.mark.parametrize("types", [[], [None], [1]])
def test_a_list_that_names_no_type_is_left_alone(types: JsonValue) -> None:
    with pytest.raises(Unsupported):
        collapse_type_arrays({"type": types})


def test_the_list_is_named_as_lost() -> None:
    assert collapse_type_arrays.bind().call({"type": ["string", "null"]}).lost == {"type": ["string", "null"]}


@pytest.mark.parametrize(
    ("types", "effect"), [(["string"], Effect.EXACT), (["string", "null"], Effect.NARROWS), (["null"], Effect.EXACT)]
)
def test_a_list_of_one_loses_nothing(types: JsonValue, effect: Effect) -> None:
    assert collapse_type_arrays.bind().call({"type": types}).effect is effect
