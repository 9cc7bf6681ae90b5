import pytest

from schemaflow import Effect, Schema, Unsupported
from schemaflow_rules.merge_all_of import merge_all_of

STRING: Schema = {"type": "string"}
INTEGER: Schema = {"type": "integer"}


def test_inner_ones_go_first() -> None:
    document = {"allOf": [{"allOf": [{"minimum": 1}, {"allOf": [INTEGER]}]}, {"maximum": 5}]}
    result = merge_all_of.apply(document)

    assert result == {"minimum": 1, "maximum": 5, "type": "integer"}


def test_properties_of_one_name_are_intersected() -> None:
    document = {"properties": {"a": {**STRING, "minLength": 3}}, "allOf": [{"properties": {"a": {"maxLength": 5}}}]}

    assert merge_all_of.apply(document) == {"properties": {"a": {**STRING, "minLength": 3, "maxLength": 5}}}


@pytest.mark.parametrize("mode", ["intersect", "seed"])
def test_required_is_united(mode: str) -> None:
    document = {"required": ["a"], "allOf": [{"required": ["b", "a"]}]}

    assert merge_all_of.apply(document, mode=mode) == {"required": ["a", "b"]}


def test_what_is_left_out_is_noted() -> None:
    answer = merge_all_of.bind().call({"allOf": [{"pattern": "a"}, {"pattern": "b"}]})

    assert (answer.effect, answer.note) == (Effect.WIDENS, "left out pattern 'b'")


def test_nothing_is_lost_where_one_schema_can_hold_all() -> None:
    assert merge_all_of.bind().call({"allOf": [STRING, {"minLength": 1}]}).effect is Effect.EXACT


def test_nothing_can_match() -> None:
    assert merge_all_of({"allOf": [STRING, INTEGER]}) is False


def test_nothing_can_match_and_the_node_stays() -> None:
    with pytest.raises(Unsupported):
        merge_all_of({"allOf": [STRING, INTEGER]}, impossible="leave")


def test_the_seed_lays_its_members_over_each_other() -> None:
    document = {
        "title": "A",
        "type": "string",
        "properties": {"a": STRING, "b": STRING},
        "allOf": [{"title": "B", "minimum": 1, "properties": {"a": {}}}, {"minimum": 0, "type": "integer"}],
    }
    expected = {"title": "A", "type": "integer", "properties": {"a": {}, "b": STRING}, "minimum": 0}

    assert merge_all_of(document, mode="seed") == expected


def test_types_that_differ_are_an_object_to_the_seed() -> None:
    assert merge_all_of({"allOf": [STRING, INTEGER, STRING]}, mode="seed") == {"type": "object"}


@pytest.mark.parametrize("mode", ["intersect", "seed"])
def test_what_is_no_list_of_schemas_is_left_alone(mode: str) -> None:
    document = {"allOf": {"type": "string"}}

    assert merge_all_of(document, mode=mode) is document
