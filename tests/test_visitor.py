"""The visitor: every subschema once and nothing else, sharing what does not change, within its bounds."""

import json
from collections import Counter
from collections.abc import Callable
from typing import Any, TypeVar

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from schemaflow import (
    BOOLEAN,
    EVERY,
    Below,
    Effect,
    JsonValue,
    LimitError,
    NotJsonError,
    Order,
    Parts,
    Rewrite,
    Rule,
    Schema,
    Traced,
    inherit,
    node_rule,
    without,
)
from schemaflow.adapters import to_bytes
from schemaflow.drawing import schemas
from schemaflow.fusion import PlannedPass, PlannedStep
from schemaflow.keywords import pointer
from schemaflow.registry import installed
from schemaflow.trace import tokens
from schemaflow.visitor import measure
from tests.effort import at_most
from tests.places import levels, places
from tests.synthetic_rules import RULES as SYNTHETIC
from tests.synthetic_rules import numbers_levels

REGISTERED = [installed().rule(name) for name in installed().rule_names()]
NODE_RULES = [rule for rule in SYNTHETIC if not rule.is_document]
DRAWN = schemas(malformed=True)
T = TypeVar("T")


def spy(seen: list[Any], order: Order = Order.PARENTS_FIRST) -> Rule:
    """A rule that changes nothing and remembers every node that it was shown."""

    def function(node: Any) -> Any:
        seen.append(node)
        return node

    return node_rule(on={EVERY, BOOLEAN}, writes=(), order=order, effect=Effect.EXACT)(function)


def run(rule: Rule, document: JsonValue, *, shared: bool = False) -> Traced:
    """One pass of one rule, without the door."""
    return PlannedPass((PlannedStep(0, rule.name, rule.bind()),), "alone").run(document, shared=shared)


# --- coverage


@pytest.mark.parametrize("order", Order)
@given(document=DRAWN)
def test_every_subschema_is_visited_once_and_nothing_else(document: Schema, order: Order) -> None:
    seen: list[Any] = []
    run(spy(seen, order), document)
    expected = [schema for _, schema in places(document)]

    assert Counter(map(id, filter(_is_object, seen))) == Counter(map(id, filter(_is_object, expected)))
    assert Counter(map(repr, seen)) == Counter(map(repr, expected))


def _is_object(value: JsonValue) -> bool:
    return isinstance(value, dict)


TRAPS = {
    "properties": {"properties": {"title": "1"}, "anyOf": {"title": "2"}, "$ref": {"title": "3"}, "enum": True},
    "patternProperties": {"not": {"title": "4"}},
    "$defs": {"items": {"title": "5"}, "$defs": {"title": "6"}},
    "dependencies": {"if": ["then"], "then": {"title": "7"}},
    "items": [{"title": "8"}, 5, [{"title": "no"}], "title"],
    "enum": [{"not": {"title": "no"}}],
    "const": {"properties": {"a": {"title": "no"}}},
    "default": {"items": {"title": "no"}},
    "examples": [{"anyOf": [{"title": "no"}]}],
    "x-unknown": {"not": {"title": "no"}},
    "required": [{"title": "no"}],
    "allOf": {"a": {"title": "no"}},
    "prefixItems": {"title": "no"},
    "if": [{"title": "no"}],
    "discriminator": {"mapping": {"title": "no"}},
    "contentSchema": {"title": "9"},
}


@pytest.mark.parametrize("order", Order)
def test_names_and_data_are_never_taken_for_schemas(order: Order) -> None:
    seen: list[Any] = []
    run(spy(seen, order), TRAPS)
    titles = [node["title"] for node in seen if isinstance(node, dict) and "title" in node]

    assert sorted(titles) == list("123456789")
    assert seen.count(True) == 1


def test_parents_come_first_or_children_do() -> None:
    document = {"title": "1", "not": {"title": "2", "items": {"title": "3"}}}
    down: list[Any] = []
    up: list[Any] = []
    run(spy(down), document)
    run(spy(up, Order.CHILDREN_FIRST), document)

    assert [node["title"] for node in down] == ["1", "2", "3"]
    assert [node["title"] for node in up] == ["3", "2", "1"]


def test_a_step_does_not_see_the_node_it_returned_but_its_new_children() -> None:
    seen: list[Any] = []

    def function(node: Schema) -> Schema:
        seen.append(node)
        return {"not": {"title": node["title"] + "x"}} if len(node["title"]) < 3 else node

    rule = node_rule(on={"title"}, writes={"title", "not"}, spawns=True, effect=Effect.BOTH)(function)

    assert run(rule, {"title": "x"}).schema == {"not": {"not": {"title": "xxx"}}}
    assert [node["title"] for node in seen] == ["x", "xx", "xxx"]


def test_events_name_the_places_of_what_changed() -> None:
    document = {"anyOf": [{"pattern": "a"}, {"properties": {"a/b": {"pattern": "b"}}}], "not": {"pattern": "c"}}
    rule = node_rule(drops={"pattern"})(lambda schema: without(schema, {"pattern"}))
    events = list(run(rule, document).events)

    assert [pointer(tokens(event.link)) for event in events] == ["/anyOf/0", "/anyOf/1/properties/a~1b", "/not"]
    assert [event.before["pattern"] for event in events] == ["a", "b", "c"]
    assert [event.after for event in events] == [{}, {}, {}]


# --- sharing and purity

BLANKS_PATTERNS = node_rule(on={"pattern"}, writes={"pattern"}, effect=Effect.WIDENS)(
    lambda schema: schema if schema["pattern"] == "" else {**schema, "pattern": ""}
)


@given(DRAWN)
def test_what_does_not_change_is_the_same_object(document: Schema) -> None:
    result = run(BLANKS_PATTERNS, document).schema
    after = dict(places(result))
    odd = [
        path
        for path, before in places(document)
        if (before is not after[path]) is not any(_has_pattern(node) for _, node in places(before))
    ]

    assert odd == []


def _has_pattern(node: JsonValue) -> bool:
    return isinstance(node, dict) and node.get("pattern", "") != ""


def test_data_and_unknown_keywords_are_shared_where_their_node_changes() -> None:
    document = {"pattern": "a", "default": {"a": []}, "x-unknown": [{}], "properties": {"a": {"title": "A"}}}
    result = run(BLANKS_PATTERNS, document).schema

    assert all(result[name] is document[name] for name in ("default", "x-unknown", "properties"))


@given(st.sampled_from(SYNTHETIC), schemas(depth=2))
def test_the_input_is_untouched(rule: Rule, document: Schema) -> None:
    before = to_bytes(document)
    run(rule, document)

    assert to_bytes(document) == before


# --- levels


@settings(max_examples=200)
@given(st.sampled_from(NODE_RULES), schemas(depth=2, malformed=True))
def test_the_bound_on_levels_is_never_too_low(rule: Rule, document: Schema) -> None:
    traced = run(rule, document)

    assert traced.levels is None or traced.levels >= levels(traced.schema)


@pytest.mark.parametrize(
    ("document", "expected"),
    [
        ({}, 1),
        ({"type": "string", "enum": [{"not": {"not": {}}}]}, 1),
        ({"properties": {"a": {"items": {"type": "string"}}}}, 3),
        ({"anyOf": [{"not": {}}, {}], "$defs": {"A": {"not": {"not": {"not": {}}}}}}, 5),
        ({"pattern": "a", "properties": {"a": {}}}, 2),
    ],
)
def test_the_bound_on_levels_is_tight_where_nothing_is_empty(document: Schema, expected: int) -> None:
    assert run(BLANKS_PATTERNS, document).levels == expected


# --- shared passes


def knotted(schema: Schema) -> Schema:
    """A document in which one schema stands in several places, and some of its parts once more."""
    twice = {"allOf": [schema, schema], "not": {"properties": {"a": schema}}}
    return {"$defs": {"A": schema, "B": twice}, "items": twice, "contains": {"items": schema}}


@settings(max_examples=200)
@given(st.sampled_from(NODE_RULES), schemas(depth=1).map(knotted))
def test_a_shared_pass_gives_what_an_unshared_one_gives(rule: Rule, document: Schema) -> None:
    expected = to_bytes(run(rule, document).schema)

    assert to_bytes(run(rule, document, shared=True).schema) == expected


def test_a_shared_pass_visits_a_node_once_and_keeps_it_shared() -> None:
    seen: list[Any] = []
    node = {"title": "T", "not": {"title": "U"}}
    document = {"items": node, "properties": {"a": node, "b": node["not"]}}
    run(spy(seen), document, shared=True)
    result = run(BLANKS_PATTERNS, {"items": (one := {"pattern": "x", "not": {}}), "not": one}, shared=True).schema

    assert [node.get("title") for node in seen] == [None, "T", "U"]
    assert result["items"] is result["not"]


# --- inherit


def collect(document: JsonValue, **more: Any) -> list[tuple[Any, str]]:
    """What `inherit` shows, with the keywords above, each visit's own name added."""
    seen: list[tuple[Any, str]] = []

    def visit(node: Any, above: str) -> Below[str]:
        seen.append((node, above))
        name = node.get("title", "?") if isinstance(node, dict) else "!"
        return Below(node, above + name)

    inherit(document, visit, "", levels=100, **more)
    return seen


def test_each_node_inherits_from_its_parent() -> None:
    document = {"title": "a", "items": [{"title": "b", "not": {"title": "c"}}], "properties": {"x": {"title": "d"}}}

    assert [above for _, above in collect(document)] == ["", "a", "ab", "a"]


def test_booleans_are_shown_only_on_demand() -> None:
    document = {"title": "a", "items": True, "anyOf": [False]}

    assert collect(document) == [(document, "")]
    assert collect(document, booleans=True) == [(document, ""), (True, "a"), (False, "a")]


@given(schemas())
def test_inherit_shows_every_subschema(document: Schema) -> None:
    shown = [node for node, _ in collect(document, booleans=True)]

    assert Counter(map(repr, shown)) >= Counter({repr(schema): 1 for _, schema in places(document)})
    assert len([node for node in shown if isinstance(node, dict)]) == sum(
        isinstance(schema, dict) for _, schema in places(document)
    )


def test_a_node_met_again_with_an_equal_value_is_shared() -> None:
    node: Schema = {"title": "n"}
    document: Schema = {"items": node, "not": node, "properties": {"a": {"items": node}}}
    result = numbers_levels.apply(document)

    assert result["items"] is result["not"]
    assert result["properties"]["a"]["items"] == {"title": "n", "x-level": 2}
    assert result["items"] == {"title": "n", "x-level": 1}


def test_with_nothing_to_inherit_the_children_stay_as_they_are() -> None:
    document: Schema = {"items": {"items": {}}, "not": {}}
    seen: list[Any] = []

    def visit(node: Any, depth: int) -> Below[int]:
        seen.append(node)
        return Below(node, None if depth else 1)

    traced = inherit(document, visit, 0, levels=100)

    assert seen == [document, {"items": {}}, {}]
    assert traced.schema is document


def test_a_change_is_an_event_with_its_detail() -> None:
    detail = Rewrite({}, note="cut")

    def visit(node: Any, state: bool) -> Below[bool]:
        return Below({}, None, detail) if "title" in node else Below(node, True)

    traced = inherit({"properties": {"a": {"title": "T"}}}, visit, True, levels=100)
    (event,) = traced.events

    assert pointer(tokens(event.link)) == "/properties/a"
    assert event.detail is detail
    assert traced.schema == {"properties": {"a": {}}}


def test_parts_are_visited_and_joined() -> None:
    def visit(node: Any, depth: int) -> Below[int] | Parts[int]:
        if "allOf" in node:
            return Parts([(child, depth + 1) for child in node["allOf"]], lambda done: {"joined": done})
        return Below({**node, "depth": depth}, None)

    document = {"allOf": [{"title": "a"}, {"allOf": [{"title": "b"}]}]}
    expected = {"joined": [{"title": "a", "depth": 1}, {"joined": [{"title": "b", "depth": 2}]}]}

    assert inherit(document, visit, 0, levels=100).schema == expected


def test_a_way_that_becomes_too_long_is_refused() -> None:
    def visit(node: Schema, left: int) -> Below[int]:
        return Below({"not": {}} if left else node, left - 1)

    assert levels(inherit({}, visit, 10, levels=10).schema) == 11
    with pytest.raises(LimitError, match="more than 10 schema levels deep"):
        inherit({}, visit, 11, levels=10)


# --- measure


@given(schemas())
def test_a_document_is_measured_as_a_tree(document: Schema) -> None:
    found = [schema for _, schema in places(document)]
    size = measure(document, lambda node: len(node) if isinstance(node, dict) else 1)

    assert size.nodes == len(found)
    assert size.weight == sum(len(schema) if isinstance(schema, dict) else 1 for schema in found)
    assert levels(document) <= size.levels <= levels(document) + 1


def test_shared_parts_count_as_often_as_they_stand_and_are_measured_once() -> None:
    node: Schema = {}
    for _ in range(90):
        node = {"anyOf": [node, node]}

    assert measure(node).nodes == 2**91 - 1


# --- depth

NESTINGS: dict[str, Callable[[JsonValue], Schema]] = {
    "properties": lambda child: {"type": "object", "properties": {"a": child}},
    "items": lambda child: {"type": "array", "items": child},
    "anyOf": lambda child: {"anyOf": [{"type": "null"}, child]},
    "allOf": lambda child: {"title": "T", "allOf": [child]},
    "not": lambda child: {"not": child},
}


def nested(count: int, nesting: str) -> Schema:
    """That many schemas below one another, the innermost with something for many rules."""
    schema: Schema = {"const": 1, "pattern": "a", "nullable": True, "type": ["string", "null"]}
    for _ in range(count - 1):
        schema = NESTINGS[nesting](schema)
    return schema


def below_frames(count: int, call: Callable[[], T]) -> T:
    return call() if count == 0 else below_frames(count - 1, call)


@pytest.mark.parametrize("nesting", NESTINGS)
@pytest.mark.parametrize("rule", REGISTERED + SYNTHETIC, ids=lambda rule: rule.name)
def test_a_hundred_levels_are_no_trouble_with_300_frames_on_the_stack(rule: Rule, nesting: str) -> None:
    document = nested(100, nesting)
    result = below_frames(300, lambda: rule.apply(document))

    assert json.dumps(result)


@pytest.mark.parametrize("nesting", NESTINGS)
def test_a_hundred_thousand_levels_are_refused_after_the_first_few_hundred(nesting: str) -> None:
    document = nested(100_000, nesting)

    with pytest.raises(LimitError), at_most(calls=20_000):
        below_frames(300, lambda: BLANKS_PATTERNS.apply(document))


@pytest.mark.parametrize(
    ("document", "place"),
    [
        ({"anyOf": ({},)}, "/anyOf"),
        ({"properties": {"a": {"items": ({"type": "string"},)}}}, "/properties/a/items"),
        ({"properties": ()}, "/properties"),
    ],
)
def test_tuples_of_schemas_are_refused(document: Any, place: str) -> None:
    with pytest.raises(NotJsonError, match="a tuple is not JSON") as raised:
        run(BLANKS_PATTERNS, document)

    assert raised.value.pointer == place
