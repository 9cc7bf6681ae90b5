"""The examples of docstrings, which are what a rule does."""

import json
import re
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Final

import attrs
import yaml
from attrs import frozen

from schemaflow.adapters import to_bytes
from schemaflow.errors import OptionError
from schemaflow.keywords import JsonValue
from schemaflow.rule import Rule

if TYPE_CHECKING:
    pass


from schemaflow.laws.breaches import applied, broken, shortened


@frozen
class Example:
    """One example of a docstring: a document, what becomes of it, and the options. `line` is its heading."""

    before: JsonValue
    after: JsonValue
    options: Mapping[str, JsonValue] = attrs.field(factory=dict)
    line: str = "Before:"

    @property
    def unchanged(self) -> bool:
        """Whether the example shows what the rule leaves alone."""
        return self.line.startswith("Unchanged")


_HEADING: Final = re.compile(r"(Before|After|Unchanged)(?: \((.+)\))?:")


@frozen
class _Block:
    kind: str
    options: str
    line: str
    value: JsonValue


def examples(rule: Rule) -> list[Example]:
    """
    The examples in a rule's docstring.

    `Before:` or `Before (option: value, …):`, with values as YAML writes them, is
    followed by an indented JSON value, then by `After:` and another; `Unchanged:`
    stands alone. Raises AssertionError where a docstring breaks that form.
    """
    found: list[Example] = []
    blocks = list(_blocks(rule))
    while blocks:
        block = blocks.pop(0)
        after = block
        if block.kind == "Before" and blocks:
            after = blocks.pop(0)
        if (block.kind, after.kind) not in (("Before", "After"), ("Unchanged", "Unchanged")):
            raise AssertionError(f"rule {rule.name!r}: {block.line!r} in the docstring has no partner")
        found.append(Example(block.value, after.value, _heading_options(rule, block), block.line))
    return found


def _blocks(rule: Rule) -> Iterator[_Block]:
    lines = rule.doc.splitlines()
    for number, line in enumerate(lines):
        heading = _HEADING.fullmatch(line)
        if heading is None:
            continue
        body: list[str] = []
        for text in lines[number + 1 :]:
            if text and not text.startswith(" "):
                break
            body.append(text)
        try:
            value = json.loads("\n".join(body))
        except ValueError as error:
            raise AssertionError(f"rule {rule.name!r}: no JSON below {line!r} in the docstring: {error}") from None
        yield _Block(heading[1], heading[2] or "", line, value)


def _heading_options(rule: Rule, block: _Block) -> Mapping[str, JsonValue]:
    try:
        options: Mapping[str, JsonValue] = yaml.safe_load(f"{{{block.options}}}")
        rule.bind(**options)
    except (yaml.YAMLError, OptionError) as error:
        raise AssertionError(f"rule {rule.name!r}: wrong options in {block.line!r}: {error}") from None
    return options


def check_examples(rule: Rule) -> None:
    """Every example of the docstring holds, to the byte; there is at least one that changes something."""
    shown = examples(rule)
    if all(example.unchanged for example in shown):
        raise AssertionError(f"rule {rule.name!r}: the docstring has no example (Before: … After: …)")
    for example in shown:
        bound = rule.bind(**example.options)
        result = applied("examples", bound, example.before)
        if to_bytes(result) != to_bytes(example.after):
            broken("examples", bound, example.before, f"the docstring promises {shortened(example.after)}", result)
        if example.unchanged and result is not example.before:
            broken("examples", bound, example.before, "the docstring promises the same object", result)
