"""What the command line's tests share: a way to run it in this process, and one small pipeline file."""

from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

PIPELINE = """\
provider: acme
summary: Acme function calling.
dialect: json-schema
sources:
  - {url: "https://acme.example/docs", verified: 2026-11-30}
options:
  depth: {default: 5, doc: How many objects may lie inside one another.}
steps:
  - strip_schema_keyword
  - const_to_enum
  - rule: drop_keywords
    with: {keywords: [pattern]}
  - rule: enforce_nesting_depth
    with: {depth: !option depth}
envelope: {name: name, description: !optional description, parameters: schema}
"""


@pytest.fixture
def run() -> Callable[..., Result]:
    """`schemaflow` with these arguments, stdin as bytes or text; a test that fails shows what it printed."""
    from schemaflow.cli.root import root

    def invoke(*arguments: str | Path, stdin: bytes | str = b"") -> Result:
        result = CliRunner().invoke(root, [str(one) for one in arguments], input=stdin, prog_name="schemaflow")
        print(result.output, result.exception or "")
        return result

    return invoke


@pytest.fixture
def acme(tmp_path: Path) -> Path:
    """A pipeline file."""
    path = tmp_path / "acme.yaml"
    path.write_text(PIPELINE)
    return path
