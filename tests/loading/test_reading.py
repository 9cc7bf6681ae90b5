"""What a pipeline file may say, and what is said of one that does not."""

from pathlib import Path
from textwrap import dedent

import pytest

from schemaflow.errors import PipelineError
from schemaflow.loading import load_pipeline, load_registered, read_pipeline
from schemaflow.pipeline import Condition, Literal, Merged, NameRule, Optional, OptionRef, Pipeline, Source
from schemaflow.registry import Registry

FULL = """\
provider: acme
summary: Acme function calling.
dialect: openapi-3.0
sources: [{url: https://acme.example/docs, verified: 2026-11-30}, {url: https://acme.example/more}]
models: [acme-*]
options:
  limit: {default: 5, doc: How many.}
  careful: {default: true}
steps:
  - tidy
  - rule: spell
    id: spelled
    with: {limit: !option limit, words: [a, "1", yes], add_type: true}
    when: {option: careful, has: const, under: [items, not]}
    unless: {at: root}
names: {tool: {max_bytes: 64}}
empty: {type: object, properties: {}}
field: input_schema
envelope:
  type: !literal function
  function: {name: name, description: !optional description, parameters: schema}
"""


def read(text: str, registry: Registry) -> Pipeline:
    return read_pipeline(dedent(text), source="acme.yaml", registry=registry)


def problems(text: str, registry: Registry) -> list[str]:
    with pytest.raises(PipelineError) as caught:
        read(text, registry)
    return str(caught.value).splitlines()


def test_every_field_is_read(registry: Registry) -> None:
    pipeline = read(FULL, registry)

    assert pipeline.name == pipeline.provider == "acme"
    assert pipeline.dialect == "openapi-3.0"
    assert pipeline.sources == (
        Source("https://acme.example/docs", "2026-11-30"),
        Source("https://acme.example/more"),
    )
    assert pipeline.models == ("acme-*",)
    assert pipeline.tool_names == NameRule(64)
    assert pipeline.empty == {"type": "object", "properties": {}}
    assert pipeline.field == "input_schema"
    assert pipeline.envelope == {
        "type": Literal("function"),
        "function": {"name": "name", "description": Optional("description"), "parameters": "schema"},
    }


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("{at: parameter}", Condition(at_parameter=True)),
        ("{in: items}", Condition(held_by=frozenset({"items"}))),
        ("{in: [items, anyOf], at: root}", Condition(at_root=True, held_by=frozenset({"items", "anyOf"}))),
    ],
)
def test_a_condition_may_ask_what_holds_a_node(written: str, expected: Condition, registry: Registry) -> None:
    written_step = f"provider: a\nsteps: [{{rule: tidy, when: {written}}}]"

    assert read(written_step, registry).steps[0].when == expected


def test_an_envelope_may_merge_objects(registry: Registry) -> None:
    pipeline = read("provider: a\nsteps: []\nenvelope: {a: !merge [{title: name}, schema]}", registry)

    assert pipeline.envelope == {"a": Merged(({"title": "name"}, "schema"))}


def test_a_step_is_read_whole(registry: Registry) -> None:
    step = read(FULL, registry).steps[1]

    assert (step.rule, step.name) == ("spell", "spelled")
    assert step.options == {"limit": OptionRef("limit"), "words": ["a", "1", "yes"], "add_type": True}
    assert step.when == Condition(option="careful", has=frozenset({"const"}), under=frozenset({"items", "not"}))
    assert step.unless == Condition(at_root=True)
    assert (step.place.line, step.place.column) == (11, 11)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", ["acme.yaml:1:1: an empty file: a pipeline needs at least provider and steps"]),
        ("[]", ["acme.yaml:1:1: must be a mapping (a pipeline), not a list"]),
        ("steps: []", ["acme.yaml:1:1: a pipeline needs a provider"]),
        ("provider: ''", ["acme.yaml:1:11: must be a string that is not empty, not ''"]),
        ("provider: a\nstepz: []", ["acme.yaml:2:1: unknown field 'stepz' (did you mean 'steps'?)"]),
        ("provider: a\naccepts: {}", None),
        ("provider: a\nsteps: tidy", ["acme.yaml:2:8: must be a list of steps, not 'tidy'"]),
        ("provider: a\nsteps: [tidi]", ["acme.yaml:2:9: unknown rule 'tidi' (did you mean 'tidy'?)"]),
        ("provider: a\nsteps: [{id: x}]", ["acme.yaml:2:9: a step needs a rule"]),
        (
            "provider: a\nsteps: [{rule: spell, with: {add_typ: true}}]",
            ["acme.yaml:2:39: rule 'spell' has no option 'add_typ' (did you mean 'add_type'?)"],
        ),
        (
            "provider: a\nsteps: [{rule: spell, with: {add_type: yes}}]",
            ["acme.yaml:2:40: option 'add_type' of rule 'spell' must be a boolean, not 'yes'"],
        ),
        (
            "provider: a\nsteps: [{rule: spell, with: {limit: 0}}]",
            ["acme.yaml:2:37: option 'limit' of rule 'spell' must be at least 1, not 0"],
        ),
        (
            "provider: a\nsteps: [{rule: spell, with: {limit: !option n}}]",
            ["acme.yaml:2:37: !option: the pipeline has no option 'n'"],
        ),
        (
            "provider: a\noptions: {n: {default: x}}\nsteps: [{rule: spell, with: {limit: !option n}}]",
            ["acme.yaml:3:37: option 'limit' of rule 'spell' must be an integer, not 'x'"],
        ),
        ("provider: a\noptions: {n: {doc: x}}", ["acme.yaml:2:11: option 'n' needs a default"]),
        (
            "provider: a\nsteps: [{rule: tidy, when: {has: cnst}}]",
            ["acme.yaml:2:34: 'cnst' is no JSON Schema keyword (did you mean 'const'?)"],
        ),
        (
            "provider: a\nsteps: [{rule: tidy, when: {at: leaf}}]",
            ["acme.yaml:2:33: must be root or parameter, not 'leaf'"],
        ),
        (
            "provider: a\nsteps: [{rule: tidy, when: {}}]",
            ["acme.yaml:2:28: an empty condition: it needs option, at, in, has or under"],
        ),
        (
            "provider: a\nsteps: [{rule: tidy, when: {option: fast}}]",
            ["acme.yaml:2:16: when: the pipeline has no option 'fast'"],
        ),
        (
            "provider: a\noptions: {fast: {default: 1}}\nsteps: [{rule: tidy, unless: {option: fast}}]",
            ["acme.yaml:3:16: unless: option 'fast' is not a boolean"],
        ),
        (
            "provider: a\nsteps: [{rule: whole, when: {at: root}}]",
            ["acme.yaml:2:16: whole takes the whole document: when may only ask for an option"],
        ),
        (
            "provider: a\ndialect: json",
            ["acme.yaml:2:10: must be json-schema or openapi-3.0, not 'json'"],
        ),
        (
            "provider: a\nsources: [{url: u, verified: 2026-13-01}]",
            ["acme.yaml:2:30: must be a date such as 2026-11-30, not '2026-13-01'"],
        ),
        ("provider: a\nsources: [{verified: 2026-01-01}]", ["acme.yaml:2:11: a source needs a url"]),
        (
            "provider: a\nnames: {tool: {max_bytes: 0}}",
            ["acme.yaml:2:27: must be a number of bytes above 0, not 0"],
        ),
        (
            "provider: a\nenvelope: {x: nam}",
            ["acme.yaml:2:15: a tool has no field 'nam' (did you mean 'name'?)"],
        ),
        ("provider: a\nempty: []", ["acme.yaml:2:8: must be a JSON Schema object, not a list"]),
        (
            "provider: a\nenvelope: {a: !merge {b: name}}",
            ["acme.yaml:2:15: !merge takes a list of parts that is not empty"],
        ),
        (
            "provider: a\nenvelope: {a: !merge [{b: nam}]}",
            ["acme.yaml:2:27: a tool has no field 'nam' (did you mean 'name'?)"],
        ),
        ("provider: a\nsummary: !literal x", ["acme.yaml:2:10: must be a string, not !literal"]),
    ],
)
def test_each_mistake_is_named_where_it_is(text: str, expected: list[str] | None, registry: Registry) -> None:
    found = problems(text, registry)

    if expected is None:
        assert found[0].startswith("acme.yaml:2:1: unknown field 'accepts'")
    else:
        assert found == expected


def test_every_mistake_is_told_at_once_in_the_order_of_the_file(registry: Registry) -> None:
    found = problems("provider: 1\nsteps:\n  - tidi\n  - {rule: spell, with: {limit: x}}\nfield: []\n", registry)

    assert [line.split(": ")[0] for line in found] == [
        "acme.yaml:1:11",
        "acme.yaml:3:5",
        "acme.yaml:4:33",
        "acme.yaml:5:8",
    ]


def test_a_rule_whose_module_does_not_import_is_a_mistake_of_the_step(registry: Registry) -> None:
    [found] = problems("provider: a\nsteps: [damaged]", registry)

    assert found.startswith("acme.yaml:2:9: plug-in 'builtin': cannot import")
    assert "broken on purpose" in found


def test_a_registered_pipeline_is_called_as_it_was_asked_for(registry: Registry) -> None:
    pipeline = load_registered("deep/er", registry)

    assert (pipeline.name, pipeline.provider, pipeline.extends) == ("deep/er", "deeper", ("base",))


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (None, "cannot be read: No such file or directory"),
        (b"provider: \xff", "not UTF-8, at byte 11"),
    ],
)
def test_a_file_that_cannot_be_read(content: bytes | None, message: str, registry: Registry, tmp_path: Path) -> None:
    path = tmp_path / "acme.yaml"
    if content is not None:
        path.write_bytes(content)

    with pytest.raises(PipelineError) as caught:
        load_pipeline(path, registry)

    assert str(caught.value) == f"{path}: {message}"


def test_a_folder_is_no_pipeline(registry: Registry, tmp_path: Path) -> None:
    with pytest.raises(PipelineError, match="cannot be read"):
        load_pipeline(tmp_path, registry)
