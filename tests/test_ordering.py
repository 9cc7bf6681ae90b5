"""Order warnings: what contracts alone say against the order of steps."""

from pathlib import Path
from typing import Any

import pytest

from schemaflow import Adapter, Effect, adapter, adapter_from_file, compose, node_rule
from schemaflow.pipeline import Condition, Step
from tests.surveys import PIPELINES


def warned(*steps: Any) -> list[tuple[str, str, tuple[str, ...], bool]]:
    found = compose("mine", *steps).warnings
    return [(one.earlier, one.later, one.keywords, one.idle) for one in found]


def drop(*keywords: str, **more: Any) -> Step:
    return Step("drop_keywords", {"keywords": list(keywords)}, id=f"drop_{keywords[0]}", **more)


def keep(*keywords: str, **more: Any) -> Step:
    return Step("keep_keywords", {"keywords": list(keywords)}, **more)


def test_a_step_whose_every_trigger_is_dropped_before_it() -> None:
    assert warned(drop("allOf"), "merge_all_of") == [("drop_allOf", "merge_all_of", ("allOf",), True)]


def test_an_allow_list_before_what_it_does_not_list() -> None:
    assert warned(keep("type"), "const_to_enum") == [("keep_keywords", "const_to_enum", ("const",), True)]


def test_one_trigger_of_several() -> None:
    assert warned(drop("prefixItems"), "single_items") == [
        ("drop_prefixItems", "single_items", ("prefixItems",), False)
    ]


@node_rule(on={"oneOf"}, writes={"oneOf", "anyOf"}, introduces={"anyOf"}, peeks={"type"}, effect=Effect.EXACT)
def tells_branches_apart(schema: Any) -> Any:
    """Never called here."""
    return schema


def test_what_a_step_reads_in_children() -> None:
    assert warned(drop("type"), tells_branches_apart) == [("drop_type", "tells_branches_apart", ("type",), False)]


def test_definitions_before_references_are_resolved() -> None:
    assert warned(drop("$defs"), "resolve_refs") == [("drop_$defs", "resolve_refs", ("$defs",), False)]


@node_rule(on={"then"}, writes={"if", "then", "anyOf"}, introduces={"anyOf"}, effect=Effect.EXACT)
def folds_if(schema: Any) -> Any:
    """Never called here."""
    return schema


@node_rule(on={"then"}, writes={"then", "anyOf"}, introduces={"anyOf"}, effect=Effect.EXACT)
def folds_then(schema: Any) -> Any:
    """Never called here."""
    return schema


def test_what_a_trigger_reads_counts_where_the_step_does_away_with_it() -> None:
    assert warned(drop("if"), folds_if) == [("drop_if", "folds_if", ("if",), False)]
    assert warned(drop("if"), folds_then) == []


def test_nothing_left_for_a_step_that_only_drops() -> None:
    assert warned(drop("title", "pattern"), Step("drop_keywords", {"keywords": ["title"]}, id="again")) == [
        ("drop_title", "again", ("title",), True)
    ]
    assert warned(keep("type"), keep("type", "enum", id="again")) == [("keep_keywords", "again", (), True)]


def test_an_exact_rewrite_after_a_lossy_one_of_the_same() -> None:
    expected = [("collapse_type_arrays", "type_to_any_of", ("type",), False)]

    assert warned("collapse_type_arrays", "type_to_any_of") == expected
    assert warned("type_to_any_of", "collapse_type_arrays") == []


@pytest.mark.parametrize(
    "steps",
    [
        # The right way round.
        ["merge_all_of", drop("allOf")],
        # Something else.
        [drop("pattern"), "merge_all_of"],
        # At some nodes only.
        [drop("allOf", when=Condition(at_root=True)), "merge_all_of"],
        [drop("allOf"), Step("merge_all_of", unless=Condition(has=frozenset({"type"})))],
        # A step in between may bring it back.
        [drop("anyOf", "oneOf"), "type_to_any_of", "collapse_combiners"],
        # A step before both said it in other words: what is left is meant to go.
        ["const_to_enum", drop("const", "title"), "single_items"],
        # Steps that only drop need nothing.
        [drop("pattern"), drop("minLength", "pattern")],
        # Nothing new to drop it, but something else.
        [keep("type", "enum"), keep("type")],
        # Called for every node.
        [keep("type"), "require_types"],
    ],
)
def test_no_warning_where_contracts_do_not_decide(steps: list[Any]) -> None:
    assert warned(*steps) == []


def test_a_keyword_that_was_understood_before_both_may_go() -> None:
    again = Step("one_of_to_any_of", id="again")

    assert warned("one_of_to_any_of", drop("oneOf"), again) == [("drop_oneOf", "again", ("oneOf",), True)]
    assert warned("one_of_to_any_of", drop("oneOf"), "collapse_combiners") == []


def from_file(path: Path, text: str) -> Adapter:
    path.write_text(text)
    return adapter_from_file(path)


def test_a_warning_names_the_lines_and_says_what_to_do(tmp_path: Path) -> None:
    path = tmp_path / "acme.yaml"
    text = "provider: acme\nsteps:\n  - rule: drop_keywords\n    with: {keywords: [allOf, oneOf]}\n"

    loss, idle = from_file(
        path,
        f"{text}  - merge_all_of\n  - rule: drop_keywords\n    id: again\n    with: {{keywords: [allOf]}}\n",
    ).warnings

    assert str(loss) == (
        f"{path}:3:11: drop_keywords drops `allOf` before merge_all_of (line 5) sees it, "
        "which then has nothing to do: move drop_keywords after it"
    )
    assert (idle.later, idle.later_place.line) == ("again", 6)


def test_a_step_of_a_parent_is_named_with_its_file(tmp_path: Path) -> None:
    (tmp_path / "base.yaml").write_text("provider: base\nsteps:\n  - const_to_enum\n  - merge_all_of\n")
    child = "provider: acme\nextends: base.yaml\nsteps:\n  - rule: drop_keywords\n    with: {keywords: [allOf]}\n"

    (warning,) = from_file(tmp_path / "acme.yaml", f"{child}    before: merge_all_of\n").warnings

    assert "before merge_all_of (base.yaml:4) sees it" in warning.problem


MEANT = {
    # A seed's last step, which another of its steps leaves nothing to do.
    "adk/gemini": [("keep_keywords", "drop_definitions")],
    "adk/vertex": [("keep_keywords", "drop_definitions")],
}


@pytest.mark.parametrize("pipeline", PIPELINES)
def test_registered_pipelines_have_only_the_warnings_that_are_meant(pipeline: str) -> None:
    chosen = adapter(pipeline)
    for faithful in (False, True) if "faithful" in chosen.pipeline.options else (None,):
        one = chosen if faithful is None else adapter(pipeline, faithful=faithful)

        assert [(found.earlier, found.later) for found in one.warnings] == MEANT.get(pipeline, [])
