import pytest

from schemaflow import Effect, Schema
from schemaflow_rules.collapse_combiners import collapse_combiners

STRING: Schema = {"type": "string"}
INTEGER: Schema = {"type": "integer"}


@pytest.mark.parametrize("null", [{"type": "null"}, {"type": ["null"]}, {"const": None}, {"enum": [None]}, False])
def test_what_only_null_or_nothing_matches_is_passed_over(null: Schema | bool) -> None:
    assert collapse_combiners({"anyOf": [null, STRING]}) == STRING


def test_null_stands_where_there_is_nothing_else() -> None:
    assert collapse_combiners({"anyOf": [{"type": "null"}]}) == {"type": "null"}


def test_a_member_that_allows_null_beside_others_is_not_null() -> None:
    assert collapse_combiners({"anyOf": [{"enum": [None, "a"]}, STRING]}) == {"enum": [None, "a"]}


def test_true_says_nothing() -> None:
    assert collapse_combiners({"title": "A", "anyOf": [True, STRING]}) == {"title": "A"}


def test_unions_within_the_member_go_too() -> None:
    document = {"anyOf": [{"anyOf": [{"oneOf": [STRING]}, INTEGER]}, {"type": "null"}]}

    assert collapse_combiners(document) == STRING


def test_both_unions_of_a_node_go() -> None:
    document = {"anyOf": [{"minLength": 1}, {"type": "null"}], "oneOf": [STRING, INTEGER]}

    assert collapse_combiners(document) == {"minLength": 1, "type": "string"}


@pytest.mark.parametrize("merge", [False, True])
def test_what_the_parent_declares_stays(merge: bool) -> None:
    document = {"properties": {"a": STRING}, "required": ["a"], "anyOf": [{"properties": {"b": {}}, "required": ["b"]}]}
    result = collapse_combiners(document, merge=merge)

    assert (list(result["properties"]), result["required"]) == (["a", "b"], ["a", "b"])


def test_what_the_member_replaces_is_named_as_lost() -> None:
    document = {"description": "A", "type": "string", "anyOf": [{"description": "B", "type": "string"}]}
    lost = collapse_combiners.bind().call(document).lost

    assert lost == {"description": "A", "anyOf": document["anyOf"]}


def test_definitions_around_the_member_stay() -> None:
    document = {"$defs": {"A": STRING}, "anyOf": [{"$ref": "#/$defs/A", "$defs": {"A": INTEGER, "B": INTEGER}}]}

    assert collapse_combiners(document) == {"$ref": "#/$defs/A", "$defs": {"A": STRING, "B": INTEGER}}


@pytest.mark.parametrize(
    ("schema", "effect"),
    [
        ({"anyOf": [STRING]}, Effect.EXACT),
        ({"anyOf": [STRING, False]}, Effect.EXACT),
        ({"description": "A", "anyOf": [STRING, {"type": "null"}]}, Effect.NARROWS),
        ({"oneOf": [STRING, INTEGER]}, Effect.NARROWS),
        ({"oneOf": [STRING, {"minLength": 1}]}, Effect.BOTH),
        ({"oneOf": [STRING, STRING]}, Effect.WIDENS),
        ({"anyOf": []}, Effect.WIDENS),
        ({"required": ["a"], "anyOf": [{"required": ["b"]}, {"required": ["c"]}]}, Effect.NARROWS),
        ({"minLength": 5, "anyOf": [{"minLength": 3}]}, Effect.BOTH),
        ({"properties": {"a": {}}, "additionalProperties": False, "anyOf": [{"properties": {"b": {}}}]}, Effect.BOTH),
    ],
)
def test_the_effect_is_that_of_the_case(schema: Schema, effect: Effect) -> None:
    assert collapse_combiners.bind().call(schema).effect is effect
