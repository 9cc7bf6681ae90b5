"""What a pipeline does to the steps of the one that it extends."""

from pathlib import Path
from textwrap import dedent

import pytest

from schemaflow.errors import PipelineError
from schemaflow.loading import load_pipeline, read_pipeline
from schemaflow.registry import Registry

PARENT = "provider: parent\nsummary: Old.\nfield: f\noptions: {a: {default: 1}, b: {default: 2}}\n"
PARENT += "steps: [{rule: tidy, id: one}, {rule: spell, id: two, with: {limit: 2}}, {rule: tidy, id: three}]\n"


def child(tmp_path: Path, registry: Registry, text: str) -> list[str]:
    (tmp_path / "parent.yaml").write_text(PARENT)
    path = tmp_path / "child.yaml"
    path.write_text("provider: child\nextends: parent\n" + dedent(text))
    return [step.name for step in load_pipeline(path, registry).steps]


def mistake(tmp_path: Path, registry: Registry, text: str) -> str:
    with pytest.raises(PipelineError) as caught:
        child(tmp_path, registry, text)
    return str(caught.value).removeprefix(f"{tmp_path}/")


@pytest.mark.parametrize(
    ("steps", "expected"),
    [
        ("[]", ["one", "two", "three"]),
        ("[whole]", ["one", "two", "three", "whole"]),
        ("[{rule: whole, before: one}]", ["whole", "one", "two", "three"]),
        ("[{rule: whole, after: one}]", ["one", "whole", "two", "three"]),
        ("[{rule: whole, replaces: two}]", ["one", "whole", "three"]),
        ("[{rule: tidy, id: two, replaces: two}]", ["one", "two", "three"]),
        ("[{rule: whole, after: two}, {rule: spell, before: whole}]", ["one", "two", "spell", "whole", "three"]),
    ],
)
def test_own_steps_go_where_they_are_put(steps: str, expected: list[str], tmp_path: Path, registry: Registry) -> None:
    assert child(tmp_path, registry, f"steps: {steps}") == expected


@pytest.mark.parametrize(
    ("steps", "expected"),
    [
        ("[{rule: three, before: one}]", ["three", "one", "two"]),
        ("[{rule: one, after: three}]", ["two", "three", "one"]),
        ("[{rule: one, after: two}, {rule: three, before: one}]", ["two", "three", "one"]),
    ],
)
def test_naming_an_inherited_step_moves_it(steps: str, expected: list[str], tmp_path: Path, registry: Registry) -> None:
    assert child(tmp_path, registry, f"steps: {steps}") == expected


def test_a_moved_step_keeps_its_options(tmp_path: Path, registry: Registry) -> None:
    child(tmp_path, registry, "steps: [{rule: two, before: one}]")

    assert load_pipeline(tmp_path / "child.yaml", registry).steps[0].options == {"limit": 2}


def test_steps_can_be_left_out(tmp_path: Path, registry: Registry) -> None:
    assert child(tmp_path, registry, "without: [one, three]\nsteps: [whole]") == ["two", "whole"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "steps: [{rule: whole, after: too}]",
            "child.yaml:3:23: after: no step 'too' in parent.yaml (did you mean 'two'?)",
        ),
        (
            "steps: [{rule: tidy, id: one}]",
            "child.yaml:3:9: a second step called 'one': give it an id, or before/after alone to move the first",
        ),
        (
            "steps: [{rule: one, with: {x: 1}, after: two}]",
            "child.yaml:3:9: a second step called 'one': give it an id, or before/after alone to move the first",
        ),
        (
            "steps: [{rule: whole, before: one, after: two}]",
            "child.yaml:3:36: after beside before: a step goes to one place",
        ),
        (
            "steps: [{rule: one, before: one}]",
            "child.yaml:3:21: before: step 'one' cannot be moved next to itself",
        ),
        ("without: [onne]", "child.yaml:3:11: without: no step 'onne' in parent.yaml (did you mean 'one'?)"),
    ],
)
def test_each_mistake_is_named_where_it_is(text: str, expected: str, tmp_path: Path, registry: Registry) -> None:
    assert mistake(tmp_path, registry, text).splitlines()[0] == expected


def test_fields_of_the_child_win_and_options_are_united(tmp_path: Path, registry: Registry) -> None:
    child(tmp_path, registry, "summary: New.\noptions: {b: {default: 3}}")
    pipeline = load_pipeline(tmp_path / "child.yaml", registry)

    assert (pipeline.summary, pipeline.field) == ("New.", "f")
    assert {name: option.default for name, option in pipeline.options.items()} == {"a": 1, "b": 3}
    assert pipeline.extends == ("parent",)


def test_a_parent_in_the_same_folder_goes_before_a_registered_one(tmp_path: Path, registry: Registry) -> None:
    (tmp_path / "base.yaml").write_text("provider: mine\nsteps: [whole]\n")
    path = tmp_path / "child.yaml"
    path.write_text("provider: child\nextends: base\n")

    assert [step.name for step in load_pipeline(path, registry).steps] == ["whole"]


def test_a_registered_parent_is_found_from_a_text(registry: Registry) -> None:
    pipeline = read_pipeline("provider: x\nextends: deep/er\n", source="x.yaml", registry=registry)

    assert [step.name for step in pipeline.steps] == ["tidy", "spell", "whole"]
    assert pipeline.extends == ("deep/er", "base")


def test_an_unknown_parent(registry: Registry) -> None:
    with pytest.raises(PipelineError) as caught:
        read_pipeline("provider: x\nextends: bass\nsteps: [{rule: tidy, after: y}]", source="x.yaml", registry=registry)

    assert str(caught.value) == "x.yaml:2:10: extends: unknown pipeline 'bass' (did you mean 'base'?)"


def test_mistakes_of_the_parent_are_told_under_its_own_name(registry: Registry) -> None:
    with pytest.raises(PipelineError) as caught:
        read_pipeline("provider: x\nextends: broken\n", source="x.yaml", registry=registry)

    assert str(caught.value).endswith("broken.yaml:2:9: unknown rule 'tidi' (did you mean 'tidy'?)")


@pytest.mark.parametrize("cycle", [("a",), ("a", "b"), ("a", "b", "c")])
def test_files_that_extend_each_other(cycle: tuple[str, ...], tmp_path: Path, registry: Registry) -> None:
    for one, other in zip(cycle, (*cycle[1:], cycle[0]), strict=True):
        (tmp_path / f"{one}.yaml").write_text(f"provider: {one}\nextends: {other}\n")

    with pytest.raises(PipelineError, match="a cycle"):
        load_pipeline(tmp_path / "a.yaml", registry)
