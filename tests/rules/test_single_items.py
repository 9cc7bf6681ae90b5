import pytest

from schemaflow import Effect, Schema
from schemaflow_rules.single_items import single_items


@pytest.mark.parametrize("tuple_", [{"items": []}, {"prefixItems": []}, {}])
def test_an_array_that_says_nothing_of_its_items_holds_strings(tuple_: Schema) -> None:
    assert single_items({"type": "array", **tuple_}) == {"type": "array", "items": {"type": "string"}}


def test_the_first_member_also_stands_for_the_rest() -> None:
    schema = {"type": "array", "prefixItems": [{"type": "number"}], "items": {"type": "string"}}

    assert single_items(schema) == {"type": "array", "items": {"type": "number"}}


@pytest.mark.parametrize(
    ("schema", "effect"),
    [
        ({"type": "string", "items": {"type": "string"}}, Effect.EXACT),
        ({"items": {"type": "string"}}, Effect.WIDENS),
        ({"type": "array"}, Effect.NARROWS),
        ({"type": "array", "unevaluatedItems": False}, Effect.BOTH),
        ({"type": "array", "items": [{}, {"type": "string"}]}, Effect.BOTH),
    ],
)
def test_the_effect_is_that_of_the_case(schema: Schema, effect: Effect) -> None:
    assert single_items.bind().call(schema).effect is effect


def test_the_tuple_is_named_as_lost() -> None:
    schema = {"type": "array", "items": [{"type": "number"}, {"type": "string"}]}

    assert single_items.bind().call(schema).lost == {"items": schema["items"]}
