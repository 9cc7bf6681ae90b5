"""Who refers to whom: cycles, and how far inlining would reach."""

from typing import Any

import pytest

from schemaflow import Schema
from schemaflow.references import DEFINITIONS, References, Steps, Uses, exceeds, fragment

STRING: Schema = {"type": "string"}


def cyclic(document: Schema) -> set[str]:
    """The places that lie on a cycle."""
    uses = Uses(References(document))
    targets = [uses.units[index].target for index in uses.cyclic]
    return {fragment(target.tokens) if target else "#" for target in targets}


@pytest.mark.parametrize(
    ("document", "expected"),
    [
        ({"$defs": {"A": {"items": {"$ref": "#/$defs/B"}}, "B": STRING}}, set()),
        ({"properties": {"next": {"$ref": "#"}}}, {"#"}),
        ({"properties": {"a": {"items": {"$ref": "#/properties/a"}}}}, {"#/properties/a"}),
        (
            {"$defs": {name: {"items": {"$ref": f"#/$defs/{other}"}} for name, other in ("ab", "ba", "ca")}},
            {"#/$defs/a", "#/$defs/b"},
        ),
        (
            {"properties": {"a": {"items": {"$ref": "#"}}}, "items": {"$ref": "#/properties/a"}},
            {"#", "#/properties/a"},
        ),
        ({"$defs": {"A": {"$ref": "#/$defs/A", "minLength": 1}}}, {"#/$defs/A"}),
        ({"enum": [{"$ref": "#"}], "properties": {"$ref": {"type": "string"}}}, set()),
        # A definition is no part of an inlined copy of the document that holds it.
        ({"$defs": {"A": {"items": {"$ref": "#"}}}, "type": "object"}, set()),
    ],
)
def test_cycles(document: Schema, expected: set[str]) -> None:
    assert cyclic(document) == expected


def test_long_cycles_need_no_recursion() -> None:
    count = 5_000
    ring = {str(number): {"items": {"$ref": f"#/$defs/{(number + 1) % count}"}} for number in range(count)}

    assert len(cyclic({"$defs": ring})) == count


NAMED: Schema = {"properties": {"a": {"$ref": "#/$defs/B"}}}


@pytest.mark.parametrize(
    ("a", "b", "descends"),
    [
        (NAMED, {"items": {"$ref": "#/$defs/A"}}, True),
        (NAMED, {"type": "object", "additionalProperties": {"$ref": "#/$defs/A"}}, True),
        ({"items": {"$ref": "#/$defs/B"}}, {"anyOf": [{"$ref": "#/$defs/A"}]}, False),
        # One way round is enough, and what stands in a combiner is not deeper.
        (NAMED, {"items": {"$ref": "#/$defs/A"}, "contains": {"$ref": "#/$defs/B"}}, False),
        ({**NAMED, "anyOf": [{"$ref": "#/$defs/B"}]}, {"items": {"$ref": "#/$defs/A"}}, False),
    ],
)
def test_cycles_that_lead_deeper_into_objects(a: Schema, b: Schema, descends: bool) -> None:
    uses = Uses(References({"$defs": {"A": a, "B": b}, "items": {"$ref": "#/$defs/A"}}))
    (component,) = {uses.component_of[index] for index in uses.cyclic}

    assert (component in uses.descending) is descends


def test_what_leads_to_a_cycle() -> None:
    definitions = {"A": {"items": {"$ref": "#/$defs/A"}}, "to": {"items": {"$ref": "#/$defs/A"}}, "off": STRING}
    document = {"$defs": definitions, "properties": {name: {"$ref": f"#/$defs/{name}"} for name in definitions}}
    uses = Uses(References(document), hidden=DEFINITIONS)
    targets = [uses.units[index].target for index in uses.leading_to_cycles]

    assert {fragment(target.tokens) if target else "#" for target in targets} == {"#", "#/$defs/A", "#/$defs/to"}


# --- counting


@pytest.mark.parametrize(
    ("document", "expected"),
    [
        ({"$defs": {"A": STRING}, "items": {"$ref": "#/$defs/A"}}, True),
        ({"properties": {"a": {"items": {"type": "string"}}, "b": {"$ref": "#/properties/a"}}}, True),
        ({"items": {"$ref": "#"}}, False),
        ({"$defs": {"A": {"items": {"$ref": "#/$defs/B"}}, "B": STRING}, "items": {"$ref": "#/$defs/A"}}, False),
    ],
)
def test_flat_documents_are_counted_at_once(document: Schema, expected: bool) -> None:
    uses = Uses(References(document), hidden=DEFINITIONS)

    assert uses.is_flat is expected
    assert not expected or uses.once() == no_limits(uses)


def no_limits(uses: Uses) -> Any:
    steps: Steps[int] = Steps(by_reference=lambda index, route: route, in_place=lambda index, route: route)
    return uses.extent(0, steps)


def test_an_expansion_is_counted_without_building_it() -> None:
    document = {
        "$defs": {"A": {"items": {"$ref": "#/$defs/B"}}, "B": STRING},
        "properties": {"x": {"$ref": "#/$defs/A"}, "y": {"$ref": "#/$defs/A"}},
    }
    extent = no_limits(Uses(References(document), hidden=DEFINITIONS))

    # The document, x and y; for each A, its items, and B.
    assert (extent.nodes, extent.levels, extent.steps) == (3 + 2 * 3, 3, 5)


def test_an_expansion_beyond_the_limit_is_not_counted_out() -> None:
    levels = {str(level): {"anyOf": [{"$ref": f"#/$defs/{level + 1}"}] * 2} for level in range(90)}

    assert no_limits(Uses(References({"$ref": "#/$defs/0", "$defs": {**levels, "90": STRING}}))) is None


def test_a_large_document_may_grow_more() -> None:
    small = Uses(References({"items": STRING})).limit
    large = Uses(References({"properties": {str(number): STRING for number in range(20_000)}})).limit

    assert exceeds(large, small)
