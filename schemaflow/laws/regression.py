"""A failure as a test to paste into a suite."""

import json
import re
from pathlib import Path
from typing import Final

from schemaflow.keywords import JsonValue
from schemaflow.laws.failures import PROMISES, Failure

WIDTH: Final = 100
"""How long a line may be."""


def regression_test(failure: Failure, pipeline: str | Path) -> str:
    """
    A pytest test that fails as long as the failure is there, formatted, to be pasted into a suite.

    `pipeline` is a registered name, or the path of a file, which the test loads as it is
    given here: `.yaml` at the end, or a Path, says that it is one.
    """
    is_file = isinstance(pipeline, Path) or pipeline.endswith((".yaml", ".yml"))
    named = Path(pipeline).as_posix() if is_file else str(pipeline)
    load = "adapter_from_file" if is_file else "adapter"
    name = re.sub(r"\W+", "_", Path(named).stem if is_file else named, flags=re.ASCII).strip("_").lower()
    value = [f"    value = {literal(failure.value, 4, len('    value = '))}"] if failure.has_value else []
    lines = [
        f"from schemaflow import {load}",
        "from schemaflow.laws import check_case",
        "",
        "",
        f"def test_{'_'.join(part for part in (name, failure.law) if part)}() -> None:",
        f'    """The law: {PROMISES[failure.law]}."""',
        *_call(f"    pipeline = {load}", _text(named)),
        f"    schema = {literal(failure.schema, 4, len('    schema = '))}",
        *value,
        "",
        f"    check_case(pipeline, {_text(failure.law)}, schema{', [value]' if value else ''})",
    ]
    return "\n".join(lines) + "\n"


def _call(function: str, argument: str) -> list[str]:
    line = f"{function}({argument})"
    return [line] if len(line) <= WIDTH else [f"{function}(", f"        {argument}", "    )"]


def literal(value: JsonValue, indent: int = 0, before: int = 0) -> str:
    """
    A JSON value as Python, on one line where it fits, else a member a line, as formatters leave it.

    `indent` is that of the statement, `before` how much of its line is taken.
    """
    line = _as_python(json.dumps(value))
    if before + len(line) <= WIDTH:
        return line
    text = _as_python(json.dumps(value, indent=4))
    members = re.sub(r"(?<=[^\[{,\s])\n", ",\n", text)
    return members.replace("\n", "\n" + " " * indent)


_TOKEN: Final = re.compile(r'"(?:[^"\\]|\\.)*"|\btrue\b|\bfalse\b|\bnull\b|(?<=\d)e\+?')
_WORDS: Final = {"true": "True", "false": "False", "null": "None"}


def _as_python(text: str) -> str:
    """JSON text as Python source."""
    return _TOKEN.sub(lambda match: _token(match.group()), text)


def _token(token: str) -> str:
    if token.startswith('"'):
        return _text(json.loads(token))
    return _WORDS.get(token, "e")


def _text(text: str) -> str:
    """A string as formatters write it: in double quotes, unless the other ones save escaping."""
    quote = "'" if text.count('"') > text.count("'") else '"'
    return quote + "".join(_escaped(character, quote) for character in text) + quote


def _escaped(character: str, quote: str) -> str:
    if character in ("\\", quote):
        return "\\" + character
    if character == "\n":
        return "\\n"
    if character.isprintable():
        return character
    code = ord(character)
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"
