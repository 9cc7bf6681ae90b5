"""How big a document may become, and what is cut where it would be bigger."""

from typing import Any

import pytest

from schemaflow import LimitError, Rewrite, Schema
from schemaflow.references import EXPANSION_BYTES, EXPANSION_NODES, LEVELS, weigh
from schemaflow.visitor import measure
from tests.inlining.calls import STRING, findings, members, ref, resolved, traced


def bomb(depth: int, width: int, holder: str = "properties") -> Schema:
    """Definitions each of which refers to the next one several times."""

    def level(number: int) -> Schema:
        below = [ref(f"D{number + 1}")] * width
        return {holder: {f"p{index}": one for index, one in enumerate(below)} if holder == "properties" else below}

    levels = {f"D{number}": level(number) for number in range(depth)}
    return {"$defs": {**levels, f"D{depth}": STRING}, "properties": {"x": ref("D0")}}


def all_to_all(count: int) -> Schema:
    names = [f"D{number}" for number in range(count)]
    return {"$defs": {name: members(**{one: ref(one) for one in names}) for name in names}, "items": ref("D0")}


STAR: Schema = {
    "$defs": {
        "E": {"anyOf": [ref(f"X{number}") for number in range(60)]},
        **{f"X{number}": members(left=ref("E"), right=ref("E")) for number in range(60)},
    },
    "items": ref("E"),
}

BOMBS = {
    "25x2": bomb(25, 2),
    "25x2 anyOf": bomb(25, 2, "anyOf"),
    "8x8": bomb(8, 8),
    "8x24": bomb(8, 24),
    "all to all": all_to_all(8),
    "20 to all": all_to_all(20),
    "star": STAR,
    "three": {"$defs": {"D": members(a=ref("D"), b=ref("D"), c=ref("D"))}, "items": ref("D")},
    "ring": {"$defs": {f"D{n}": members(n=ref(f"D{(n + 1) % 150}")) for n in range(150)}, "items": ref("D0")},
    "fat": {
        "$defs": {"A": {"description": "x" * 100_000}},
        "properties": {str(number): ref("A") for number in range(100)},
    },
}


@pytest.mark.parametrize("name", BOMBS)
@pytest.mark.parametrize("unroll", [0, 1, 10**9])
def test_bombs_stay_within_the_budget(name: str, unroll: int) -> None:
    done = traced(BOMBS[name], unroll=unroll)
    shown = {keyword: value for keyword, value in done.schema.items() if keyword != "$defs"}
    size = measure(shown, weigh)

    assert size.nodes <= EXPANSION_NODES
    assert size.levels <= LEVELS
    assert size.weight <= EXPANSION_BYTES
    # The work is what was logged: far less than the tree that it stands for.
    assert len(done.log) <= 15_000


@pytest.mark.parametrize("name", ["25x2", "8x8", "8x24", "all to all", "fat"])
def test_what_is_over_budget_says_so(name: str) -> None:
    notes = {event.detail.note for event in traced(BOMBS[name]).distinct if isinstance(event.detail, Rewrite)}

    assert any(note.startswith("expansion over budget: cut '#/$defs/") for note in notes)


def test_as_much_is_inlined_as_fits() -> None:
    shown = resolved(bomb(25, 2))

    assert EXPANSION_NODES // 2 < measure(shown).nodes <= EXPANSION_NODES


def test_a_reference_many_times_used_costs_once() -> None:
    count = 10_000
    properties = {str(number): ref("A") for number in range(count)}
    done = traced({"$defs": {"A": members(a=members(b=STRING))}, "properties": properties})

    assert len(done.log) == count
    assert len({id(node["properties"]) for node in done.schema["properties"].values()}) == 1


@pytest.mark.parametrize("link", [{}, {"title": "T"}, {"minLength": 1}])
@pytest.mark.parametrize("options", [{}, {"keep": "cyclic"}, {"keep": "resolvable"}])
def test_a_long_chain_needs_no_recursion(link: Schema, options: Any) -> None:
    count = 3_000
    chain = {f"D{number}": {**ref(f"D{number + 1}"), **link} for number in range(count)}
    document = {"$defs": {**chain, f"D{count}": STRING}, "properties": {"x": ref("D0")}}
    result = traced(document, **options)

    assert measure(result.schema).levels <= LEVELS
    assert len(result.log) <= count + 2


@pytest.mark.parametrize("keep", ["cyclic", "resolvable"])
def test_definitions_that_a_later_step_drops_are_passed_over(keep: str) -> None:
    count = 5_000
    chain = {f"D{number}": members(a=ref(f"D{number + 1}")) for number in range(count)}
    document = {"$defs": {**chain, f"D{count}": STRING}, "properties": {"x": ref("D0")}}
    done = traced(document, keep=keep, inline_under=["$defs"])

    assert done.schema["$defs"] is document["$defs"]
    assert len(done.log) <= LEVELS
    assert any("over budget" in note for _, note in findings(document, keep=keep, inline_under=["$defs"]).values())


def test_a_long_chain_of_objects_is_cut_at_the_deepest_level() -> None:
    chain = {f"D{number}": members(a=ref(f"D{number + 1}")) for number in range(5_000)}
    shown = resolved({"$defs": {**chain, "D5000": STRING}, "properties": {"x": ref("D0")}})

    assert measure(shown).levels == LEVELS


def test_a_document_too_deep_by_itself_is_refused() -> None:
    deep: Schema = ref("A")
    for _ in range(5 * LEVELS):
        deep = {"items": deep}

    with pytest.raises(LimitError):
        traced({**deep, "$defs": {"A": STRING}})


def test_over_budget_all_that_may_stay_does() -> None:
    document = bomb(depth=25, width=2)

    assert traced(document, keep="cyclic").schema is document


def test_a_depth_bounds_what_is_inlined_whatever_the_ways() -> None:
    # Every way through eight definitions, ten times each: without a depth, beyond any budget.
    document = {**all_to_all(8), "type": "array"}
    done = traced(document, unroll=10, depth=3)
    notes = [event.detail.note for event in done.distinct if isinstance(event.detail, Rewrite)]

    assert not any("budget" in note for note in notes)
    assert len(done.log) < 500
