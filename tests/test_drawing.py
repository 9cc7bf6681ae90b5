"""What is drawn is legal, odd and often met: checked against the table, the metaschemas and a validator."""

import json
from collections.abc import Callable, Iterator
from functools import cache, partial
from random import Random
from typing import Any

import jsonschema_rs
import pytest
from hypothesis import HealthCheck, Phase, find, given, seed, settings
from hypothesis import strategies as st
from hypothesis.errors import NoSuchExample
from hypothesis.strategies import DataObject, SearchStrategy

from schemaflow.drawing import DRAFTS, json_documents, schemas, values, values_near
from schemaflow.keywords import CHILDREN, KEYWORDS, JsonValue, Role, Schema, json_equal, subschemas
from tests.corpus_data import OWN, Entry

ONLY_DRAWING = settings(phases=[Phase.generate], database=None, deadline=None, suppress_health_check=list(HealthCheck))
DECLARING = [draft for draft in DRAFTS if draft not in ("mixed", "openapi-3.0")]
REFERRING = [row.name for row in KEYWORDS.values() if row.role is Role.REFERENCE]


def drawn(strategy: SearchStrategy[Any], count: int) -> list[Any]:
    """So many examples, the same ones in each run."""
    examples: list[Any] = []

    @settings(ONLY_DRAWING, max_examples=10)
    @given(strategy)
    def collect(example: Any) -> None:
        examples.append(example)

    # After ten examples Hypothesis goes on with mutations of what it has, which are much alike.
    for number in range(count // 10):
        seed(number)(collect)()
    return examples


@cache
def sample() -> list[Schema]:
    return drawn(schemas(), 500)


@cache
def malformed_sample() -> list[Schema]:
    return drawn(schemas(malformed=True, drafts=["2020-12"]), 300)


def comes_up(strategy: SearchStrategy[JsonValue], wanted: Callable[[JsonValue], bool], *, within: int = 200) -> bool:
    try:
        find(strategy, wanted, settings=settings(ONLY_DRAWING, max_examples=within), random=Random(0))
    except NoSuchExample:
        return False
    return True


def nodes(schema: Schema | bool) -> Iterator[Schema | bool]:
    yield schema
    if isinstance(schema, dict):
        for _, _, child in subschemas(schema):
            yield from nodes(child)


def objects(schema: Schema | bool) -> Iterator[Schema]:
    return (node for node in nodes(schema) if isinstance(node, dict))


def all_objects() -> Iterator[Schema]:
    return (node for schema in sample() for node in objects(schema))


def malformed_objects() -> Iterator[Schema]:
    return (node for schema in malformed_sample() for node in objects(schema))


def depth(schema: Schema | bool) -> int:
    children = [child for _, _, child in subschemas(schema)] if isinstance(schema, dict) else []
    return 1 + max(map(depth, children), default=-1)


def judge(schema: Schema | bool) -> jsonschema_rs.Validator | None:
    try:
        return jsonschema_rs.validator_for(schema, validate_formats=False, offline=True)
    except (ValueError, jsonschema_rs.ReferencingError):  # a ValidationError is a ValueError
        return None


def conforms(schema: Schema) -> bool:
    """Whether a schema is well-formed by the metaschema that it names."""
    return jsonschema_rs.meta.is_valid(schema)


# --- schemas


def test_every_keyword_is_drawn() -> None:
    missing = KEYWORDS.keys() - {word for node in all_objects() for word in node}

    assert {word for word in missing if not comes_up(schemas(), partial(says, word=word), within=1000)} == set()


def says(schema: Schema, word: str) -> bool:
    return any(word in node for node in objects(schema))


def test_every_subschema_keyword_holds_objects_and_booleans() -> None:
    missing = {(word, kind) for word in CHILDREN for kind in (dict, bool)} - {
        (word, type(child)) for node in all_objects() for word, _, child in subschemas(node)
    }

    assert {rare for rare in missing if not comes_up(schemas(), partial(holds, rare=rare), within=1000)} == set()


def holds(schema: Schema, rare: tuple[str, type]) -> bool:
    return any(rare == (word, type(child)) for node in objects(schema) for word, _, child in subschemas(node))


def test_schemas_are_json() -> None:
    for schema in sample():
        assert json_equal(json.loads(json.dumps(schema, allow_nan=False)), schema)


def test_properties_have_odd_names() -> None:
    names = {name for node in all_objects() for name in node.get("properties", ())}

    assert names >= {"a", "b", "c", "$ref", "properties", "type", "", "a/b", "m~n", "%41", "🐝"}


def test_every_type_and_lists_of_types_are_stated() -> None:
    stated = {json.dumps(node["type"]) for node in all_objects() if "type" in node}

    assert stated >= {f'"{name}"' for name in ("null", "boolean", "integer", "number", "string", "array", "object")}
    assert any(text.startswith("[") for text in stated)


def test_numbers_are_big_and_fractional_and_whole_floats() -> None:
    bounds = [node[word] for node in all_objects() for word in ("minimum", "maximum") if word in node]

    assert any(abs(bound) > 2**64 for bound in bounds)
    assert any(bound % 1 for bound in bounds)
    assert any(isinstance(bound, float) and bound.is_integer() for bound in bounds)


@pytest.mark.parametrize("keyword", [row.name for row in KEYWORDS.values() if row.data])
def test_data_looks_like_schemas(keyword: str) -> None:
    texts = [json.dumps(node[keyword]) for node in all_objects() if keyword in node]

    assert any('"$ref": "#' in text for text in texts)
    assert any('"properties": {' in text or '"allOf": [{' in text for text in texts)


@pytest.mark.parametrize(
    "reference",
    ["#", "#/$defs/", "#/definitions/", "#/properties/", "~1", "~0", "%2541", "#leaf", "#node", "urn:x:part"],
)
def test_references_are_of_every_form(reference: str) -> None:
    assert any(reference in node.get("$ref", "") for node in all_objects())


def test_definitions_refer_to_themselves_and_to_each_other() -> None:
    referring = {
        (name, node["$ref"].removeprefix("#/$defs/"))
        for schema in sample()
        for name, definition in schema.get("$defs", {}).items()
        for node in objects(definition)
        if node.get("$ref", "").startswith("#/$defs/")
    }

    assert any(name == target for name, target in referring)
    assert any(name != target for name, target in referring)


def test_spellings_of_old_drafts_are_drawn() -> None:
    everything = list(all_objects())

    assert any(isinstance(node.get("items"), list) for node in everything)
    assert any(isinstance(node.get("exclusiveMinimum"), bool) for node in everything)
    assert any(isinstance(needed, list) for node in everything for needed in node.get("dependencies", {}).values())


@pytest.mark.parametrize("draft", DECLARING)
def test_schemas_conform_to_the_metaschema_of_their_draft(draft: str) -> None:
    wrong = [schema for schema in drawn(schemas(drafts=[draft]), 80) if not conforms(schema)]

    assert wrong == []


def test_validators_take_nearly_all_schemas() -> None:
    taken = [judge(schema) is not None for schema in drawn(schemas(drafts=["2020-12"]), 100)]

    assert sum(taken) > 0.9 * len(taken)


def test_references_and_booleans_can_be_left_out() -> None:
    plain = drawn(schemas(references=False, booleans=False), 100)

    assert [node for schema in plain for node in nodes(schema) if isinstance(node, bool)] == []
    assert [node for schema in plain for node in objects(schema) if not node.keys().isdisjoint(REFERRING)] == []


@pytest.mark.parametrize("most", [0, 1, 2])
def test_depth_is_kept(most: int) -> None:
    depths = {depth(schema) for schema in drawn(schemas(depth=most, references=False), 60)}

    assert max(depths) == most


@pytest.mark.parametrize("word", ["pattern", "unevaluatedItems", "if", "multipleOf"])
def test_what_is_in_focus_is_drawn_more_often(word: str) -> None:
    plain, focused = (
        sum(word in node for schema in drawn(schemas(focus=focus), 300) for node in objects(schema))
        for focus in ([], [word])
    )

    assert focused > 1.5 * plain


def test_roots_are_of_any_type_where_that_is_asked() -> None:
    stated = [json.dumps(schema.get("type")) for schema in drawn(schemas(roots="any"), 200)]

    assert {'"string"', '"array"', '"integer"', '"null"', '"object"'} <= set(stated)
    assert sum(text == '"object"' for text in stated) < 0.3 * len(stated)


def test_references_dangle_now_and_then() -> None:
    lost = {"#/$defs/nowhere", "#/components/schemas/A", "A", "#lost"}

    def is_lost(schema: Schema) -> bool:
        return any(node.get("$ref") in lost for node in objects(schema))

    assert any(map(is_lost, sample())) or comes_up(schemas(), is_lost, within=1000)


def test_malformed_schemas_are_malformed_now_and_then() -> None:
    bent = [not conforms(schema) for schema in malformed_sample()]

    assert 0.3 * len(bent) < sum(bent) < len(bent)


@pytest.mark.parametrize(
    ("keyword", "right"),
    [
        *((keyword, (str,)) for keyword in ("$ref", "pattern", "title", "format")),
        *((keyword, (int, float)) for keyword in ("minimum", "maxLength", "minItems")),
        *((keyword, (dict,)) for keyword in ("properties", "$defs", "patternProperties")),
        *((keyword, (list,)) for keyword in ("required", "enum", "anyOf", "allOf")),
        *((keyword, (dict, bool)) for keyword in ("items", "additionalProperties", "not")),
        ("type", (str, list)),
    ],
)
def test_malformed_keywords_have_values_of_another_type(keyword: str, right: tuple[type, ...]) -> None:
    said = [node[keyword] for node in malformed_objects() if keyword in node]

    assert not all(isinstance(value, right) for value in said)
    assert any(isinstance(value, right) for value in said)


@pytest.mark.parametrize("keyword", ["properties", "$defs", "anyOf", "allOf"])
def test_malformed_keywords_hold_what_is_no_schema(keyword: str) -> None:
    held = [node[keyword] for node in malformed_objects() if isinstance(node.get(keyword), (dict, list))]
    members = [member for value in held for member in (value.values() if isinstance(value, dict) else value)]

    assert not all(isinstance(member, (dict, bool)) for member in members)


def test_each_schema_is_a_copy_of_its_own() -> None:
    before = json.dumps(drawn(schemas(), 40))
    for schema in drawn(schemas(), 40):
        empty(schema)

    assert json.dumps(drawn(schemas(), 40)) == before


def empty(value: JsonValue) -> None:
    """Take everything out of a document, the innermost first."""
    if isinstance(value, (dict, list)):
        for member in list(value.values() if isinstance(value, dict) else value):
            empty(member)
        value.clear()


# --- values


def test_drawn_schemas_are_often_met_and_often_missed() -> None:
    @st.composite
    def verdicts(draw: st.DrawFn) -> set[bool]:
        schema = draw(schemas(drafts=["2020-12"]))
        judged, near = judge(schema), values_near(schema)
        return {judged.is_valid(draw(near)) for _ in range(8)} if judged else set()

    seen = drawn(verdicts(), 100)

    assert sum(True in verdict for verdict in seen) > 0.5 * len(seen)
    assert sum(len(verdict) == 2 for verdict in seen) > 0.3 * len(seen)


@pytest.mark.parametrize(
    "entry", [entry for entry in OWN if entry.valid and entry.invalid][::5], ids=lambda entry: entry.id
)
def test_values_near_our_own_schemas_meet_and_miss_them(entry: Entry) -> None:
    judged = judge(entry.schema)
    near = values_near(entry.schema)

    assert judged is not None
    assert comes_up(near, judged.is_valid)
    assert comes_up(near, lambda value: not judged.is_valid(value))


@given(schemas(malformed=True), st.data())
def test_values_near_malformed_schemas_are_json(schema: Schema, data: DataObject) -> None:
    value = data.draw(values_near(schema))

    assert json_equal(json.loads(json.dumps(value, allow_nan=False)), value)


@pytest.mark.parametrize(
    "schema",
    [
        {"$ref": "#"},
        {"$ref": "#/$defs/nowhere"},
        {"properties": {"a": {"$ref": "#"}}, "required": ["a"]},
        {"type": "array", "items": {"$ref": "#"}, "minItems": 2},
        {"allOf": [{"$ref": "#"}], "anyOf": [{"$ref": "#"}, False]},
        {"type": "array", "minItems": 10**6},
        {"type": "string", "minLength": 10**9},
        {"type": "integer", "minimum": 10**400, "multipleOf": 0.5},
        True,
        False,
    ],
    ids=json.dumps,
)
def test_values_near_a_schema_come_to_an_end(schema: Schema | bool) -> None:
    near = drawn(values_near(schema), 30)

    assert max(len(json.dumps(value)) for value in near) < 20_000


def test_values_near_share_nothing_with_the_schema() -> None:
    constant = {"a": [1]}
    near = drawn(values_near({"enum": [constant]}), 20)

    assert constant in near
    assert not any(value is constant or value.get("a") is constant["a"] for value in near if isinstance(value, dict))


def test_values_are_of_every_type_and_look_like_schemas() -> None:
    seen = drawn(values(), 300)

    assert {type(value) for value in seen} == {type(None), bool, int, float, str, list, dict}
    assert any(isinstance(value, dict) and "$ref" in value for value in seen)


@given(json_documents())
def test_documents_are_json(document: JsonValue) -> None:
    assert json_equal(json.loads(json.dumps(document, allow_nan=False)), document)


@pytest.mark.parametrize(
    "wanted",
    [
        lambda value: isinstance(value, int) and abs(value) > 2**64,
        lambda value: isinstance(value, str) and "\ud800" in value,
        lambda value: isinstance(value, list) and any(isinstance(item, dict) and item for item in value),
    ],
    ids=["big-integer", "lone-surrogate", "nested"],
)
def test_documents_are_of_every_kind(wanted: Callable[[JsonValue], bool]) -> None:
    assert comes_up(json_documents(), wanted, within=1000)
