"""Loading holds out: against damaged parents, hostile files, and defaults that no longer fit."""

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from schemaflow.errors import PipelineError, Problem
from schemaflow.loading import MAX_CHAIN, load_pipeline, read_pipeline, yaml_nodes
from schemaflow.loading.steps import MAX_STEPS
from schemaflow.loading.yaml_nodes import MAX_BYTES, MAX_VALUES
from schemaflow.registry import Plugin, Registry
from tests.effort import at_most

PACKAGE = "hard_loading_test_rules"

RULES = {
    "plain": '''
@node_rule(drops={"title"})
def plain(schema: Schema) -> Schema:
    """Drop titles."""
    return without(schema, {"title"})
''',
    "counted": '''
@frozen
class Options:
    limit: int = option(3, "How many.", minimum=1)


@node_rule(on={"const"}, writes={"const"}, effect=Effect.WIDENS, options=Options)
def counted(schema: Schema, options: Options) -> Schema:
    """Drop const."""
    return without(schema, {"const"})
''',
}
HEAD = "from attrs import frozen\nfrom schemaflow import Effect, Schema, node_rule, option, without\n"

PARENT = """\
provider: parent
options: {most: {default: 2}, careful: {default: true}}
steps:
  - {rule: plain, id: first, when: {option: careful}}
  - {rule: counted, id: second, with: {limit: !option most}}
"""
DAMAGED = PARENT + "  - nope\n"


@pytest.fixture(scope="module")
def registry(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Registry]:
    """Two rules, no pipeline."""
    root = tmp_path_factory.mktemp("plugin")
    package = root / PACKAGE
    package.mkdir()
    (package / "__init__.py").touch()
    for name, text in RULES.items():
        (package / f"{name}.py").write_text(HEAD + text)
    sys.path.insert(0, str(root))
    yield Registry.of([Plugin("builtin", PACKAGE)])
    sys.path.remove(str(root))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "parent.yaml").write_text(PARENT)
    (tmp_path / "damaged.yaml").write_text(DAMAGED)
    return tmp_path


def found(text: str, registry: Registry, folder: Path | None = None) -> tuple[Problem, ...]:
    with pytest.raises(PipelineError) as caught:
        read_pipeline("provider: a\n" + text, source="a.yaml", registry=registry, folder=folder)
    return caught.value.problems


def told(text: str, registry: Registry, folder: Path | None = None) -> list[str]:
    return [str(one) for one in found(text, registry, folder)]


# A parent that cannot be used


def test_nothing_is_said_of_what_a_damaged_parent_may_hold(registry: Registry, folder: Path) -> None:
    text = """\
extends: damaged
without: [first]
steps:
  - {rule: second, before: nope}
  - {rule: counted, id: mine, with: {limit: !option most}, when: {option: careful}}
"""

    [only] = told(text, registry, folder)

    assert only == f"{folder}/damaged.yaml:6:5: unknown rule 'nope'"


def test_what_is_wrong_whatever_the_parent_holds_is_said(registry: Registry, folder: Path) -> None:
    text = "extends: damaged\nsteps: [plane, {rule: counted, with: {limit: x}}]\n"

    own = told(text, registry, folder)[:2]

    assert own == [
        "a.yaml:3:9: unknown rule 'plane' (did you mean 'plain'?)",
        "a.yaml:3:46: option 'limit' of rule 'counted' must be an integer, not 'x'",
    ]


def test_problems_of_parents_follow_file_by_file(registry: Registry, folder: Path) -> None:
    (folder / "old.yaml").write_text("provider: old\nsteps: [nope]\n")
    (folder / "middle.yaml").write_text("provider: middle\nextends: old\nsteps:\n  - plane\n")

    places = [(Path(one.source).name, one.line) for one in found("extends: middle\nfield: 1\n", registry, folder)]

    assert places == [("a.yaml", 3), ("middle.yaml", 4), ("old.yaml", 2)]


def test_a_long_chain_is_followed_to_its_bound(registry: Registry, tmp_path: Path) -> None:
    last = MAX_CHAIN - 1
    for number in range(last):
        (tmp_path / f"c{number}.yaml").write_text(f"provider: c\nextends: c{number + 1}\n")
    (tmp_path / f"c{last}.yaml").write_text("provider: c\nsteps: [plain]\n")

    assert len(load_pipeline(tmp_path / "c0.yaml", registry).extends) == last


def test_an_endless_chain_is_refused(registry: Registry, tmp_path: Path) -> None:
    for number in range(400):
        (tmp_path / f"c{number}.yaml").write_text(f"provider: c\nextends: c{number + 1}\n")

    with pytest.raises(PipelineError, match=rf"c15\.yaml:2:10: extends: a chain of more than {MAX_CHAIN} files"):
        load_pipeline(tmp_path / "c0.yaml", registry)


@pytest.mark.parametrize("name", ["a" * 300, r"a\0b", "../parent", "/etc/passwd"])
def test_a_parent_that_no_file_can_be(name: str, registry: Registry, folder: Path) -> None:
    [only] = told(f'extends: "{name}"\n', registry, folder)

    assert only.startswith("a.yaml:2:10: extends: unknown pipeline")


# Options given anew


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        (
            "{most: {default: x}}",
            "a.yaml:3:27: option 'limit' of rule 'counted' must be an integer, not 'x': "
            "step 'second' of parent.yaml takes it",
        ),
        (
            "{careful: {default: 1}}",
            "a.yaml:3:30: option 'careful' must be a boolean: step 'first' of parent.yaml asks for it",
        ),
    ],
)
def test_a_default_must_fit_the_inherited_steps(options: str, expected: str, registry: Registry, folder: Path) -> None:
    assert told(f"extends: parent\noptions: {options}\n", registry, folder) == [expected]


@pytest.mark.parametrize("change", ["without: [second]", "steps: [{rule: plain, replaces: second}]"])
def test_a_default_need_not_fit_a_step_that_is_gone(change: str, registry: Registry, folder: Path) -> None:
    text = f"provider: a\nextends: parent\noptions: {{most: {{default: x}}}}\n{change}\n"

    pipeline = read_pipeline(text, source="a.yaml", registry=registry, folder=folder)

    assert pipeline.options["most"].default == "x"


def test_a_default_that_is_null_is_one(registry: Registry) -> None:
    text = "provider: a\noptions: {most: {default: null}}\n"

    assert read_pipeline(text, source="a.yaml", registry=registry).options["most"].default is None


# One mistake, one problem


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("summary: .nan", "a.yaml:2:10: .nan is not a JSON number"),
        ("summary: *x", "a.yaml:2:10: alias *x: write the value out"),
        ("dialect: *x", "a.yaml:2:10: alias *x: write the value out"),
        ("envelope: {x: *x}", "a.yaml:2:15: alias *x: write the value out"),
        ("? *x\n: 1", "a.yaml:2:3: alias *x: write the value out"),
        ("sources: [{url: 1}]", "a.yaml:2:17: must be a string, not 1"),
        ("steps: [{rule: 1}]", "a.yaml:2:16: must be a string, not 1"),
        (
            "steps: [{rule: counted, with: {limit: !option 1}}]",
            "a.yaml:2:39: !option takes the name of a pipeline option, not 1",
        ),
        ("steps: [{rule: counted, with: {limit: 1e999}}]", "a.yaml:2:39: a number too large for JSON"),
        (
            "options: {n: {doc: x}}\nsteps: [{rule: counted, with: {limit: !option n}}]",
            "a.yaml:2:11: option 'n' needs a default",
        ),
        (
            "options: {n: {default: .inf}}\nsteps: [{rule: counted, with: {limit: !option n}, when: {option: n}}]",
            "a.yaml:2:24: .inf is not a JSON number",
        ),
    ],
)
def test_what_follows_from_a_mistake_is_not_told(text: str, expected: str, registry: Registry) -> None:
    assert told(text, registry) == [expected]


def test_only_inherited_steps_move(registry: Registry) -> None:
    text = "steps: [counted, plain, {rule: plain, before: counted}]"

    assert told(text, registry) == ["a.yaml:2:25: a second step called 'plain': give it an id"]


@pytest.mark.parametrize(
    ("condition", "expected"),
    [
        ("{has: []}", "a.yaml:2:35: an empty list: it needs a keyword"),
        (
            "{under: [not, itms]}",
            "a.yaml:2:43: 'itms' is no JSON Schema keyword (did you mean 'items'?)",
        ),
    ],
)
def test_each_keyword_of_a_condition_is_checked(condition: str, expected: str, registry: Registry) -> None:
    assert told(f"steps: [{{rule: plain, when: {condition}}}]", registry) == [expected]


# Tags where they mean nothing


@pytest.mark.parametrize(
    "text",
    [
        "summary: !literal x",
        "dialect: !literal json-schema",
        "sources: !literal []",
        "sources: [{url: u, verified: !literal 2026-01-01}]",
        "models: !option x",
        "models: !literal [x]",
        "options: !literal {}",
        "options: {n: {default: !literal 1}}",
        "steps: !literal [plain]",
        "steps: [!option plain]",
        "steps: [{rule: counted, with: !option {limit: 3}}]",
        "steps: [{rule: plain, when: {has: !option const}}]",
        "steps: [{rule: plain, when: {at: !literal root}}]",
        "names: {tool: {max_bytes: !option 5}}",
        "empty: !literal {}",
        "envelope: !optional name",
        "envelope: {x: !option name}",
        "!literal summary: x",
    ],
)
def test_a_tag_is_refused_where_it_has_no_meaning(text: str, registry: Registry) -> None:
    [only] = found(text, registry)

    assert any(tag in only.message for tag in ("!literal", "!option", "!optional"))
    # The tag is what is wrong: the problem stands where it does.
    line = text.splitlines()[only.line - 2]
    assert line[only.column - 1] == "!"


@pytest.mark.parametrize("envelope", ["name", "[name]", "null"])
def test_an_envelope_is_a_mapping(envelope: str, registry: Registry) -> None:
    [only] = told(f"envelope: {envelope}", registry)

    assert only.startswith("a.yaml:2:11: must be a mapping: the wire's tool, not ")


# Files that mean harm


@pytest.mark.parametrize("before", [b"", b"a"])
def test_a_large_file_is_called_large_wherever_it_is_cut(before: bytes, registry: Registry, tmp_path: Path) -> None:
    path = tmp_path / "large.yaml"
    path.write_bytes(before + "é".encode() * (MAX_BYTES // 2 + 1))

    with pytest.raises(PipelineError) as caught:
        load_pipeline(path, registry)

    assert str(caught.value) == f"{path}:1:1: larger than {MAX_BYTES} bytes"


def test_a_path_that_no_file_can_have(registry: Registry) -> None:
    with pytest.raises(PipelineError, match="cannot be read"):
        load_pipeline("a\0b.yaml", registry)


@pytest.mark.parametrize(
    "text",
    [
        "steps: [" + "nope, " * 170_000 + "]",
        "steps: [" + ", ".join(f"nope{number}" for number in range(90_000)) + "]",
        "empty: {a: [" + "1, " * 340_000 + "]}",
        "".join(f"f{number}: 1\n" for number in range(80_000)),
        "x: &x 1\ny: [" + "*x , " * 200_000 + "]",
    ],
    ids=["one name", "many names", "data", "fields", "aliases"],
)
def test_values_are_bounded(text: str, registry: Registry) -> None:
    assert len(text) < MAX_BYTES
    with at_most(calls=100 * MAX_VALUES):
        problems = found(text, registry)

    assert problems[-1].message == f"more than {MAX_VALUES} values"


def test_steps_are_bounded(registry: Registry) -> None:
    steps = ", ".join(f"{{rule: plain, id: s{number}}}" for number in range(MAX_STEPS + 1))

    [only] = found(f"steps: [{steps}]", registry)

    assert only.message == f"more than {MAX_STEPS} steps"


@pytest.mark.parametrize("digits", ["0x" + "f" * 401, "9" * 401, "-" + "9" * 5000])
def test_a_number_of_many_digits_is_no_string(digits: str, registry: Registry) -> None:
    assert told(f"field: {digits}", registry) == ["a.yaml:2:8: a number too large for JSON"]


@pytest.mark.parametrize(("character", "code"), [("\x01", "U+0001"), ("\ud800", "U+D800"), ("\x7f", "U+007F")])
def test_a_character_outside_yaml_is_told_at_its_place(character: str, code: str, registry: Registry) -> None:
    text = f"summary: a\nfield: a{character}b\n"

    assert told(text, registry) == [f"a.yaml:3:9: not YAML: character {code} must not stand in it"]


_PIECES = st.sampled_from(
    [
        *"{}[]:,-?|>&*!%#'\"~ \n\t",
        *("!option ", "!literal ", "&a ", "*a ", "<<: ", "---\n", "1e999", "0x1", "plain", "first"),
        *(
            "steps: ",
            "extends: parent\n",
            "without: [first]\n",
            "rule: ",
            "before: ",
            "options: ",
            "default: ",
            "when: ",
        ),
    ]
)


@given(pieces=st.lists(_PIECES, max_size=25), start=st.integers(0, len(PARENT)), cut=st.integers(0, 20))
def test_a_damaged_file_is_read_or_refused_at_a_place(
    pieces: list[str], start: int, cut: int, registry: Registry, folder_for_all: Path
) -> None:
    text = PARENT[:start] + "".join(pieces) + PARENT[start + cut :]

    try:
        read_pipeline(text, source="a.yaml", registry=registry, folder=folder_for_all)
    except PipelineError as error:
        assert all(one.line > 0 and one.column > 0 for one in error.problems)  # noqa: PT017 -- some do no harm


@pytest.fixture(scope="module")
def folder_for_all(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a good parent, which drawn texts may extend."""
    folder = tmp_path_factory.mktemp("folder")
    (folder / "parent.yaml").write_text(PARENT)
    return folder


@pytest.mark.parametrize("text", [PARENT, "provider: a\nsteps: [{rule: plain, with: {x: !!str y}}, *x, .nan]\n1: 2\n"])
def test_the_slow_parser_reads_the_same(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def read(loader: type) -> object:
        monkeypatch.setattr(yaml_nodes, "_Loader", loader)
        root, problems = yaml_nodes.read_nodes(text, "a.yaml")
        assert root is not None
        return yaml_nodes.plain(root, problems), problems

    assert read(yaml.CSafeLoader) == read(yaml.SafeLoader)
