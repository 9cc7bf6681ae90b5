"""Origins: a finding's pointers lead to the right places, whatever rules moved, copied or dropped since."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from schemaflow import JsonValue, Report, Rewrite, Rule, Schema
from schemaflow.drawing import schemas
from schemaflow.fusion import PlannedPass
from schemaflow.intake import admit
from schemaflow.keywords import pointer
from schemaflow.origins import PassOrigins, along, value_at
from schemaflow.plan import Run
from schemaflow.registry import installed
from schemaflow.report import Finding
from tests.places import children, places
from tests.synthetic_rules import RULES as SYNTHETIC
from tests.synthetic_rules import (
    closes,
    constant_to_false,
    counts_below,
    drops_patterns_or_refuses,
    hoists_a_choice_late,
    hoists_a_lone_branch,
    inlines_definitions,
    items_to_prefix_items,
    negates_contains_late,
    nullable_to_any_of,
    renames_definitions,
    shortens_titles_late,
    titles_booleans,
    titles_typed,
)
from tests.test_fusion import plan_of

DROP = installed().rule("drop_keywords")
RESOLVE = installed().rule("resolve_refs")


def run_of(document: JsonValue, *steps: Any) -> Run:
    return plan_of(*steps).run(*admit(document))


def pointers(document: JsonValue, *steps: Any) -> list[tuple[str, str, str | None]]:
    """The rule of each finding, with its pointers into the author's document and into the result."""
    return [(one.rule, one.pointer, one.output) for one in Report(run_of(document, *steps))]


# --- one case each


@pytest.mark.parametrize(
    ("document", "steps", "expected"),
    [
        pytest.param(
            {"properties": {"a": {"type": "string"}}},
            [titles_typed],
            [("titles_typed", "/properties/a", "/properties/a")],
            id="nothing moves",
        ),
        pytest.param(
            {"items": {"allOf": [{"properties": {"a": {"type": "null"}}}]}},
            [hoists_a_lone_branch, titles_typed],
            [
                ("hoists_a_lone_branch", "/items", "/items"),
                ("titles_typed", "/items/allOf/0/properties/a", "/items/properties/a"),
            ],
            id="hoisted",
        ),
        pytest.param(
            {"items": {"type": "null", "anyOf": [{"not": {"title": "T"}}]}},
            [shortens_titles_late, hoists_a_choice_late],
            [
                ("shortens_titles_late", "/items/anyOf/0/not", "/items/not"),
                ("hoists_a_choice_late", "/items", "/items"),
            ],
            id="hoisted, children first",
        ),
        pytest.param(
            {"$defs": {"A": {"not": {"type": "null"}}}, "items": {"$ref": "#/$defs/A"}},
            [inlines_definitions, (DROP, {"keywords": ["$defs"]}), titles_typed],
            [
                ("inlines_definitions", "/items", "/items"),
                ("drop_keywords", "", ""),
                ("titles_typed", "/$defs/A/not", "/items/not"),
            ],
            id="inlined",
        ),
        pytest.param(
            {"$defs": {"A": {"not": {"type": "null"}}}, "items": {"$ref": "#/$defs/A"}},
            [RESOLVE, (DROP, {"keywords": ["$defs"]}), titles_typed],
            [
                ("resolve_refs", "/items", "/items"),
                ("drop_keywords", "", ""),
                ("titles_typed", "/$defs/A/not", "/items/not"),
            ],
            id="inlined by the built-in rule",
        ),
        pytest.param(
            {"definitions": {"A": {"type": "null"}}},
            [renames_definitions, titles_typed],
            [("renames_definitions", "", ""), ("titles_typed", "/definitions/A", "/$defs/A")],
            id="renamed",
        ),
        pytest.param(
            {"items": [{}, {"type": "null"}]},
            [items_to_prefix_items, titles_typed],
            [("items_to_prefix_items", "", ""), ("titles_typed", "/items/1", "/prefixItems/1")],
            id="moved, in one pass",
        ),
        pytest.param(
            {"items": [{"pattern": "a"}]},
            [drops_patterns_or_refuses, items_to_prefix_items, hoists_a_lone_branch],
            [
                ("drops_patterns_or_refuses", "/items/0", "/prefixItems/0"),
                ("items_to_prefix_items", "", ""),
            ],
            id="changed, then moved",
        ),
        pytest.param(
            {"properties": {"a": {"nullable": True, "items": {"type": "null"}}}},
            [nullable_to_any_of, titles_typed],
            [
                ("nullable_to_any_of", "/properties/a", "/properties/a"),
                ("titles_typed", "/properties/a/items", "/properties/a/anyOf/0/items"),
                ("titles_typed", "/properties/a", "/properties/a/anyOf/1"),
            ],
            id="spawned: its parent's place; what was there before keeps its own",
        ),
        pytest.param(
            {"not": {"contains": {"title": "T"}}},
            [negates_contains_late, shortens_titles_late],
            [
                ("negates_contains_late", "/not", "/not"),
                ("shortens_titles_late", "/not/contains", "/not/contains/not"),
            ],
            id="wrapped, children first",
        ),
        pytest.param(
            {"anyOf": [True, {"not": False}]},
            [titles_booleans],
            [("titles_booleans", "/anyOf/0", "/anyOf/0"), ("titles_booleans", "/anyOf/1/not", "/anyOf/1/not")],
            id="booleans",
        ),
        pytest.param(
            {"additionalProperties": {"type": "null"}},
            [closes, titles_booleans],
            [("closes", "", ""), ("titles_booleans", "/additionalProperties", "/additionalProperties")],
            id="a boolean in the place of an object",
        ),
        pytest.param(
            {"properties": {"a/b": {"properties": {"m~n": {"type": "null"}}}}},
            [titles_typed],
            [("titles_typed", "/properties/a~1b/properties/m~0n", "/properties/a~1b/properties/m~0n")],
            id="odd names",
        ),
    ],
)
def test_pointers_lead_to_the_right_places(document: JsonValue, steps: list[Any], expected: list[Any]) -> None:
    assert pointers(document, *steps) == expected


def test_a_shared_node_is_found_once_for_each_thing_that_it_means() -> None:
    reference = {"$ref": "#/$defs/A"}
    document = {
        "$defs": {"A": {"not": {"type": "null"}}},
        "items": dict(reference),
        "contains": dict(reference),
        "not": dict(reference),
    }
    found = pointers(document, inlines_definitions, titles_typed, installed().rule("drop_definitions"))

    # In `contains` it means what it means in `items`.
    assert [one for one in found if one[0] == "titles_typed"] == [
        ("titles_typed", "/$defs/A/not", None),
        ("titles_typed", "/$defs/A/not", "/items/not"),
        ("titles_typed", "/$defs/A/not", "/not/not"),
    ]


def test_a_python_object_that_the_author_repeats_is_found_at_each_of_its_places() -> None:
    node = {"type": "null"}
    document = {"items": node, "properties": {"a": node}}

    assert pointers(document, titles_typed, hoists_a_lone_branch, closes) == [
        ("titles_typed", "/items", "/items"),
        ("titles_typed", "/properties/a", "/properties/a"),
    ]


# --- every place carries its own pointer, and rules carry that along


def labelled(schema: JsonValue, path: tuple[Any, ...] = ()) -> JsonValue:
    """The document with its own pointer in every schema object."""
    if not isinstance(schema, dict):
        return schema
    labelled_schema: Schema = {**schema, "x-place": pointer(path)}
    for below, child in children(schema):
        *above, last = below
        holder = labelled_schema
        for token in above:
            holder[token] = holder[token].copy() if holder[token] is schema.get(token) else holder[token]
            holder = holder[token]
        holder[last] = labelled(child, (*path, *below))
    return labelled_schema


def noting(rule: Rule) -> Rule:
    """The rule, with the label of the node that it changes as its note."""

    def function(node: Any) -> Any:
        answer = rule.function(node)
        result = answer.schema if isinstance(answer, Rewrite) else answer
        note = f"at {node['x-place']}" if isinstance(node, dict) and "x-place" in node else ""
        return node if result is node else Rewrite(result, note=note)

    return Rule(rule.name, function, None, rule.declared)


TELLING = [noting(rule) if not rule.is_document else rule for rule in SYNTHETIC if rule.name != "numbers_levels"]
MOVING = {"hoists_a_lone_branch", "hoists_a_choice_late", "inlines_definitions"}
STEPS = st.lists(st.sampled_from([*TELLING, (DROP, {"keywords": ["properties", "$defs", "allOf"]})]), max_size=6)
REFERENCES = {"items": {"$ref": "#/$defs/A"}, "contains": {"anyOf": [{"$ref": "#/$defs/A"}]}}
LABELLED = st.one_of(
    schemas(depth=2, malformed=True).map(labelled),
    schemas(depth=1).map(lambda schema: labelled({"$defs": {"A": schema, "B": schema}, **REFERENCES})),
)


@settings(max_examples=300)
@given(STEPS, LABELLED)
def test_pointers_into_the_authors_document_are_the_labels(steps: list[Any], document: JsonValue) -> None:
    odd = [
        (finding.step, finding.pointer, finding.note)
        for finding in Report(run_of(document, *steps))
        if finding.note.startswith("at ") and finding.note != f"at {finding.pointer}"
    ]

    assert odd == []


@settings(max_examples=300)
@given(st.lists(st.sampled_from([rule for rule in TELLING if rule.name not in MOVING]), max_size=6), LABELLED)
def test_pointers_into_the_result_lead_to_the_labels(steps: list[Any], document: JsonValue) -> None:
    run = run_of(document, *steps)
    odd = [
        (finding.step, finding.pointer, finding.output, label)
        for finding in Report(run)
        if (label := label_at(run.schema, finding)) not in (None, finding.pointer)
    ]

    assert odd == []


def label_at(document: JsonValue, finding: Finding) -> str | None:
    """The label of the node that a finding's pointer leads to, None where it has none."""
    if finding.output is None:
        return None
    by_pointer = {pointer(path): node for path, node in places(document)}
    node = by_pointer[finding.output]
    return node.get("x-place") if isinstance(node, dict) else None


@settings(max_examples=150)
@given(STEPS, LABELLED)
def test_pointers_into_the_result_lead_to_schemas(steps: list[Any], document: JsonValue) -> None:
    run = run_of(document, *steps)
    known = {pointer(path) for path, _ in places(run.schema)}

    assert {finding.output for finding in Report(run)} - known <= {None}


# --- one pass, forwards and backwards


def origins_of(document: JsonValue, rule: Rule) -> PassOrigins:
    return PassOrigins(document, PlannedPass(plan_of(rule).steps, "alone").run(document, shared=False))


@settings(max_examples=150)
@given(st.sampled_from([counts_below, titles_typed, closes, inlines_definitions]), schemas(depth=2))
def test_there_and_back_is_the_same_place(rule: Rule, document: Schema) -> None:
    origins = origins_of(document, rule)
    odd = [
        path
        for path, _ in places(document)
        if (there := origins.forth(path)) is not None and origins.back(there) != path
    ]

    assert odd == []


def test_what_is_gone_leads_nowhere() -> None:
    origins = origins_of({"const": 1, "items": {}}, constant_to_false)

    assert origins.forth(()) == ()
    assert origins.forth(("items",)) is None


@given(schemas())
def test_the_way_to_a_schema_passes_the_schemas_above_it(document: Schema) -> None:
    found = dict(places(document))
    for path in found:
        way = list(along(document, path))
        ends = [sum((below for below, _ in way[: count + 1]), ()) for count in range(len(way))]

        assert ends[-1] == path
        assert [node for _, node in way] == [found[end] for end in ends]


def test_a_way_to_nowhere_ends_where_the_schemas_do() -> None:
    document: Schema = {"properties": {"a": {"enum": [{}]}}}

    assert [below for below, _ in along(document, ("properties", "a", "enum", 0))] == [(), ("properties", "a")]
    assert [below for below, _ in along(document, ("properties", "b"))] == [()]
    assert value_at(document, ("properties", "b")) == ()
