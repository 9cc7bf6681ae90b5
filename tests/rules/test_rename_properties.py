from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from schemaflow import Effect, OptionError, Schema
from schemaflow.codecs import Absence, Members, codec_of, marked
from schemaflow.drawing import schemas
from schemaflow.errors import NotEncodable
from schemaflow_rules.rename_properties import rename_properties
from tests.codec_laws import adapted, broken_on_either_way
from tests.codec_schemas import NAMES, documents, objects, simple, unions

STEP = "rename_properties"
SHORT = (STEP, {"pattern": "[a-z_]", "max_bytes": 4, "reserved": ["class", "b"]})


def closed(*names: str, **beside: Any) -> Schema:
    properties: Schema = {name: {"type": "integer"} for name in names}
    return {"type": "object", "properties": properties, "additionalProperties": False, **beside}


@pytest.mark.parametrize("step", [STEP, SHORT])
@pytest.mark.parametrize(
    "drawn",
    [
        documents(),
        unions(objects(simple)),
        objects(objects(simple)),
        schemas(depth=2, drafts=["2020-12"], focus=["properties", "additionalProperties"]),
    ],
    ids=["normal", "unions", "objects", "any"],
)
def test_the_laws_of_codecs_hold(step: Any, drawn: st.SearchStrategy[Schema]) -> None:
    @settings(max_examples=80)
    @given(drawn, st.data())
    def law(schema: Schema, data: st.DataObject) -> None:
        assert broken_on_either_way(data, schema, adapted(schema, step)) is None

    law()


@given(st.lists(NAMES, unique=True), st.randoms(use_true_random=False))
def test_names_do_not_depend_on_the_order_of_properties(names: list[str], chance: Any) -> None:
    shuffled = chance.sample(names, len(names))

    one, other = (rename_properties(closed(*order)) for order in (names, shuffled))

    assert one["properties"].keys() == other["properties"].keys()
    assert getattr(codec_of(one), "names", {}) == getattr(codec_of(other), "names", {})


@pytest.mark.parametrize(
    ("options", "names", "expected"),
    [
        ({}, ["$top", "top"], ["_top", "top"]),
        ({}, ["a b", "a/b", "a_b"], ["a_b_2", "a_b_3", "a_b"]),
        ({}, ["é", ""], ["__2", "_"]),
        ({"max_bytes": 5}, ["options_a", "options_b"], ["optio", "opt_2"]),
        ({"first": "[A-Za-z]"}, ["$a", "1", "a"], ["x_a", "x1", "a"]),
        ({"reserved": ["class"]}, ["class", "class_2"], ["class_3", "class_2"]),
        ({"pattern": "[a-z]"}, ["a.b"], ["axb"]),
        ({"pattern": "[^\\s]", "max_bytes": 3}, ["éé"], ["é"]),
    ],
)
def test_refused_names_get_others(options: Schema, names: list[str], expected: list[str]) -> None:
    result = adapted(closed(*names), (STEP, options))

    assert list(result.schema["properties"]) == expected
    assert result.report.effect is Effect.EXACT


def test_a_name_is_the_same_everywhere_and_comes_back_at_every_level() -> None:
    inner = closed("@x", "x", required=["@x"])
    schema = {
        "type": "object",
        "properties": {"@x": inner, "list": {"type": "array", "items": inner}},
        "additionalProperties": False,
        "dependentRequired": {"@x": ["list"], "list": ["@x"]},
    }

    result = adapted(schema, STEP)

    value = {"@x": {"@x": 1, "x": 2}, "list": [{"@x": 3}]}
    assert result.encode(value) == {"_x": {"_x": 1, "x": 2}, "list": [{"_x": 3}]}
    assert result.decode_value(result.encode(value)) == value
    assert result.schema["dependentRequired"] == {"_x": ["list"], "list": ["_x"]}
    assert result.schema["properties"]["_x"]["required"] == ["_x"]


@pytest.mark.parametrize(("beside", "effect"), [({}, Effect.NARROWS), ({"minProperties": 1}, Effect.BOTH)])
def test_an_open_object_loses_undeclared_members_of_these_names(beside: Schema, effect: Effect) -> None:
    result = adapted({"type": "object", "properties": {"$a": {"type": "integer"}}, **beside}, STEP)

    assert result.report.effect is effect
    assert result.decode_value({"$a": "no integer", "b": 1}) == {"b": 1}
    with pytest.raises(NotEncodable, match="name"):
        result.encode({"_a": 1})


def test_beside_an_open_object_nothing_is_known() -> None:
    schema = {"anyOf": [closed("$a"), {"type": "object"}]}

    assert adapted(schema, STEP).report.effect is Effect.BOTH


def test_what_is_known_of_the_members_stays() -> None:
    known = Members(
        names={"wire a": "a"}, absent=frozenset({"a", "$b"}), nullable={"$b": Absence.NULL}, extra="all others"
    )
    node = closed("wire a", "$b", "c")
    node["properties"]["all others"] = {"type": "array"}

    codec = codec_of(rename_properties(marked(node, known)))

    names = {"wire_a": "a", "_b": "$b"}
    assert codec == Members(names, known.absent, known.nullable, "all_others")
    assert isinstance(codec, Members)
    assert codec.names == names


@pytest.mark.parametrize(
    "schema",
    [
        closed("a", "b.c"),
        {"properties": {"$a": {}}},
        {**closed("$a"), "patternProperties": {"a": {}}},
        {**closed("$a"), "propertyNames": {"pattern": "a"}},
        {"not": closed("$a")},
        {"oneOf": [closed("$a")]},
        {**closed("b"), "required": ["$a"]},
    ],
)
def test_names_stay_where_no_codec_may_stand_or_none_is_met(schema: Schema) -> None:
    assert adapted(schema, STEP).schema is schema


def test_a_name_that_no_spelling_fits_stays() -> None:
    schema = closed("$", "%", "&")

    result = adapted(schema, (STEP, {"pattern": "[x]", "max_bytes": 1}))

    assert list(result.schema["properties"]) == ["x", "%", "&"]


def test_a_broken_class_is_a_mistake_that_is_named() -> None:
    with pytest.raises(OptionError, match=r"'\[a' is no character class"):
        rename_properties.apply(closed("a"), pattern="[a")


@pytest.mark.parametrize("word", ["properties", "required", "dependentRequired", "additionalProperties", "type"])
@pytest.mark.parametrize("value", [None, 1, "x", [], {}, [1, None, []], {"$a": 1}, {"a": ["$a", 1]}, True])
def test_values_of_the_wrong_kind_are_left_alone(word: str, value: Any) -> None:
    adapted({**closed("$a"), word: value}, STEP)
