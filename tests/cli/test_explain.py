"""`schemaflow explain`: each step's own before and after."""

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result
from hypothesis import given
from hypothesis import strategies as st

from schemaflow import adapter, adapter_from_file
from schemaflow.adapters import to_bytes
from schemaflow.cli.diff import Diff, Line
from schemaflow.cli.outline import compact, outline

Run = Callable[..., Result]

SCHEMA = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "type": "object",
    "properties": {"colour": {"title": "Colour", "const": "red"}, "code": {"type": "string", "pattern": "^a"}},
}


def tool(name: str, **schema: Any) -> dict[str, Any]:
    return {"name": name, "inputSchema": {"type": "object", **schema}}


def told(result: Result) -> str:
    assert result.exit_code == 0, result.output
    assert result.stderr == ""
    return result.stdout


def test_every_changing_step_shows_its_diff_with_pointers_and_effects(run: Run, acme: Path) -> None:
    text = told(run("explain", "--pipeline", acme, stdin=json.dumps(SCHEMA)))

    assert text.splitlines() == [
        "<stdin>  for acme",
        "",
        "1  strip_schema_keyword  exact, 1 finding",
        "  (root)  exact",
        '    - "$schema": "https://json-schema.org/draft/2020-12/schema"',
        '      "type": "object"',
        '      "properties": {…}',
        "",
        "2  const_to_enum  exact, 1 finding",
        "  /properties/colour  exact",
        '      "title": "Colour"',
        '    - "const": "red"',
        '    + "enum": ["red"]',
        "",
        "3  drop_keywords  widens, 1 finding",
        "  /properties/code  widens",
        '      "type": "string"',
        '    - "pattern": "^a"',
        "",
        "Nothing to do: enforce_nesting_depth",
        "3 steps of 4 change it; all in all: widens",
    ]


def test_json_has_every_step_in_order_and_ends_with_what_adapt_gives(run: Run, acme: Path) -> None:
    stages = json.loads(told(run("explain", "--pipeline", acme, "--json", stdin=json.dumps(SCHEMA))))

    assert [(stage["number"], stage["step"], stage["changed"]) for stage in stages] == [
        (1, "strip_schema_keyword", True),
        (2, "const_to_enum", True),
        (3, "drop_keywords", True),
        (4, "enforce_nesting_depth", False),
    ]
    assert stages[1]["before"] == stages[0]["after"]
    assert stages[2]["findings"][0]["lost"] == {"pattern": "^a"}
    assert to_bytes(stages[2]["after"]) == to_bytes(adapter_from_file(acme).adapt(SCHEMA).schema)


def test_json_is_the_same_each_time(run: Run) -> None:
    outputs = {run("explain", "-p", "adk/gemini", "--json", stdin=json.dumps(SCHEMA)).stdout for _ in range(2)}

    assert len(outputs) == 1


def test_nothing_changed_is_said(run: Run) -> None:
    text = told(run("explain", "-p", "openjiuwen", stdin="{}"))

    assert text.endswith("Nothing to do: resolve_refs\nNothing changed.\n")


def test_a_step_that_leaves_a_place_as_it_is_says_why(run: Run, acme: Path) -> None:
    acme.write_text("provider: acme\nsteps: [one_of_to_any_of]\n")

    text = told(run("explain", "--pipeline", acme, stdin='{"items": {"oneOf": [{}], "anyOf": [{}]}}'))

    assert "1  one_of_to_any_of  left as it is\n  /items  left as it is  anyOf stands beside oneOf already\n" in text


def test_options_are_taken(run: Run, acme: Path) -> None:
    deep = json.dumps({"properties": {"a": {"properties": {"b": {"properties": {"c": {}}}}}}})

    assert "enforce_nesting_depth" not in told(run("explain", "--pipeline", acme, stdin=deep)).split("Nothing")[0]
    assert "4  enforce_nesting_depth" in told(run("explain", "--pipeline", acme, "--option", "depth=1", stdin=deep))


def test_a_place_that_was_elsewhere_names_the_authors(run: Run, acme: Path) -> None:
    acme.write_text("provider: acme\nsteps: [one_of_to_any_of, const_to_enum]\n")

    text = told(run("explain", "--pipeline", acme, stdin='{"oneOf": [{"const": 1}]}'))

    assert "  /anyOf/0  exact  author's /oneOf/0\n" in text


# --- which tool


def test_a_tool_is_chosen_by_name(run: Run, tmp_path: Path) -> None:
    tools = tmp_path / "tools.json"
    tools.write_text(json.dumps({"tools": [tool("first", title="a"), tool("second", title="b")]}))

    text = told(run("explain", tools, "-p", "koog/ollama", "--tool", "second"))

    assert text.startswith("second  for koog/ollama\n")
    assert '- "title": "b"' in text


def test_the_only_tool_needs_no_name(run: Run) -> None:
    assert told(run("explain", "-p", "adk/gemini", stdin=json.dumps([tool("only")]))).startswith("only  for adk/gemini")


def test_yaml_is_read(run: Run) -> None:
    assert '+ "enum": [1]' in told(run("explain", "-p", "adk/gemini", stdin="const: 1\n"))


def test_a_tool_without_a_schema_is_told(run: Run) -> None:
    text = told(run("explain", "-p", "adk/gemini", stdin='{"name": "a", "description": "b", "parameters": null}'))

    assert "The tool has no schema: it gets the pipeline's empty one." in text


@pytest.mark.parametrize(
    ("stdin", "arguments", "said"),
    [
        ([tool("first"), tool("second")], (), "<stdin> holds 2 tools: choose one with --tool NAME: first, second"),
        ([tool("first"), tool("second")], ("--tool", "frist"), "no tool 'frist' in <stdin> (did you mean 'first'?)"),
        ([tool("first")], ("--tool", "xyz"), "no tool 'xyz' in <stdin>; it holds first"),
        ({"type": "object"}, ("--tool", "a"), "<stdin> holds no tools"),
        ([], (), "an empty list"),
        (5, (), "neither a schema nor tools"),
        ([{"name": "a", "inputSchema": 5}], (), "<stdin>#/0: tool 'a'"),
        ({"properties": {"a": 1e400}}, (), "Infinity is not a JSON number"),
    ],
)
def test_what_cannot_be_explained_is_told(run: Run, stdin: Any, arguments: tuple[str, ...], said: str) -> None:
    result = run("explain", "-p", "adk/gemini", *arguments, stdin=json.dumps(stdin))

    assert (result.exit_code, result.stdout) == (2, "")
    assert said in result.stderr
    assert "Traceback" not in result.stderr


def test_a_tool_that_cannot_be_read_does_not_hide_the_others(run: Run) -> None:
    tools = [{"name": 5, "inputSchema": {}}, tool("good")]

    assert told(run("explain", "-p", "adk/gemini", "--tool", "good", stdin=json.dumps(tools))).startswith("good")


# --- order warnings


@pytest.mark.parametrize("command", ["adapt", "show", "explain"])
def test_a_wrong_order_is_told_on_stderr(run: Run, acme: Path, command: str) -> None:
    acme.write_text(
        "provider: acme\nsteps:\n  - rule: drop_keywords\n    with: {keywords: [allOf]}\n  - merge_all_of\n"
    )

    result = run(command, "--pipeline", acme, stdin="{}")

    assert result.exit_code == 0
    assert result.stderr == (
        f"Warning: {acme}:3:11: drop_keywords drops `allOf` before merge_all_of (line 5) sees it, "
        "which then has nothing to do: move drop_keywords after it\n"
    )


def test_what_a_registered_parent_means_so_is_not_told(run: Run, acme: Path) -> None:
    acme.write_text("provider: acme\nextends: adk/gemini\nsteps: []\n")

    assert run("adapt", "--pipeline", acme, stdin="{}").stderr == ""
    assert "order: keep_keywords leaves no" in run("show", "adk/gemini").stdout
    assert [one["before"] for one in json.loads(run("show", "adk/gemini", "--json").stdout)["warnings"]] == [
        "drop_definitions"
    ]


# --- how much is shown


def doubling(levels: int) -> dict[str, Any]:
    """A schema whose definitions, put in the place of references, are 2 ** levels places."""
    definitions: dict[str, Any] = {"D0": {"const": 0}}
    for level in range(1, levels + 1):
        reference = {"$ref": f"#/$defs/D{level - 1}"}
        definitions[f"D{level}"] = {"type": "object", "properties": {"a": reference, "b": reference}}
    return {"$ref": f"#/$defs/D{levels}", "$defs": definitions}


def test_a_part_that_stands_in_very_many_places_is_shown_once(run: Run, acme: Path) -> None:
    acme.write_text("provider: acme\nsteps:\n  - rule: resolve_refs\n    with: {keep: none}\n  - const_to_enum\n")

    text = told(run("explain", "--pipeline", acme, "--lines", "0", stdin=json.dumps(doubling(12))))

    constants = text.partition("2  const_to_enum")[2]
    assert constants.count('+ "enum": [0]') < 10
    assert "The same change to the same part in other places is not repeated." in constants


@pytest.mark.parametrize("lines", [5, 60])
def test_no_more_lines_are_shown_than_asked_for(run: Run, acme: Path, lines: int) -> None:
    schema = json.dumps({"properties": {f"p{number}": {"const": number} for number in range(5000)}})

    text = told(run("explain", "--pipeline", acme, "--lines", lines, stdin=schema))

    # 3 lines for each of 5,000 places.
    assert len(text.splitlines()) < lines + 10
    assert f"… {15000 - lines:,} more lines (--lines 0 shows all)" in text


def test_a_long_value_that_goes_is_cut(run: Run, acme: Path) -> None:
    acme.write_text("provider: acme\nsteps:\n  - rule: drop_keywords\n    with: {keywords: [enum]}\n")
    schema = json.dumps({"enum": [f"value {number}" for number in range(1000)]})

    text = told(run("explain", "--pipeline", acme, stdin=schema))
    full = told(run("explain", "--pipeline", acme, "--lines", "0", stdin=schema))

    assert "    - … 990 more lines" in text
    assert '    -   "value 999"' in full


def test_what_is_piped_has_no_colour_and_fits(run: Run) -> None:
    schema = {"properties": {"é" * 300: {"const": "語" * 200, "description": "wide " * 50}}}

    text = told(run("explain", "-p", "adk/gemini", stdin=json.dumps(schema)))

    assert "\x1b" not in text
    assert max(map(len, text.splitlines())) <= 80


def test_what_a_terminal_would_obey_is_escaped(run: Run) -> None:
    schema = {"properties": {"a\x1b[31m": {"const": "b\x1b]0;c\x07"}}}

    text = told(run("explain", "-p", "adk/gemini", stdin=json.dumps(schema)))

    assert re.search(r"[\x00-\x09\x0b-\x1f]", text) is None


# --- the difference of any two values

scalars = st.none() | st.booleans() | st.sampled_from([0, 1, 1.0, 0.0, -0.0, "", "a", "b" * 100])
values = st.recursive(
    scalars, lambda inner: st.lists(inner, max_size=5) | st.dictionaries(st.sampled_from("abcd"), inner), max_leaves=20
)


@given(values, values)
def test_there_are_hunks_exactly_where_there_is_a_difference(before: Any, after: Any) -> None:
    hunks = [(hunk.path, list(hunk.lines)) for hunk in Diff(before, after, 60).hunks()]

    assert bool(hunks) == (to_bytes(before) != to_bytes(after))
    for _, lines in hunks:
        assert any(line.sign in "+-" for line in lines)


def lines_of(before: Any, after: Any) -> dict[tuple[Any, ...], list[Line]]:
    return {hunk.path: list(hunk.lines) for hunk in Diff(before, after, 60).hunks()}


def test_a_member_that_moved_is_shown_at_both_places() -> None:
    assert lines_of({"a": 1, "b": 2, "c": 3}, {"b": 2, "c": 3, "a": 1}) == {
        (): [Line("-", 0, '"a": 1'), Line(" ", 0, '"b": 2'), Line(" ", 0, '"c": 3'), Line("+", 0, '"a": 1')]
    }


def test_items_that_go_are_told_from_those_that_stay() -> None:
    kept = [{"title": letter * 30} for letter in "abc"]

    assert lines_of({"anyOf": [kept[0], {"not": {}}, kept[1]]}, {"anyOf": kept[:2]})[("anyOf",)] == [
        Line(" ", 0, f'{{"title": "{"a" * 30}"}}'),
        Line("-", 0, '{"not": {}}'),
        Line(" ", 0, f'{{"title": "{"b" * 30}"}}'),
    ]


def test_a_value_that_was_shown_is_not_shown_again() -> None:
    long = [{"title": letter * 30} for letter in "abc"]

    *_, last = lines_of({"oneOf": long}, {"anyOf": long})[()]
    assert last == Line("+", 0, '"anyOf": […]  as at /oneOf')


@given(values, st.integers(0, 120))
def test_one_line_is_the_whole_value_or_nothing(value: Any, room: int) -> None:
    expected = json.dumps(value, ensure_ascii=False)

    assert compact(value, room) == (expected if len(expected) <= room else None)


@given(values, st.integers(20, 80))
def test_an_outline_is_the_value(value: Any, width: int) -> None:
    text = "\n".join("  " * depth + line for depth, line in outline(value, "", width))

    assert to_bytes(json.loads(text)) == to_bytes(value)


def test_every_registered_pipeline_explains(run: Run) -> None:
    from schemaflow import providers

    for name in providers():
        stages = json.loads(told(run("explain", "-p", name, "--json", stdin=json.dumps(SCHEMA))))
        assert len(stages) == len(adapter(name).plan.steps)
        assert told(run("explain", "-p", name, stdin=json.dumps(SCHEMA)))
