"""Whatever a user feeds in: an answer or an error, never a traceback."""

import json
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from click.testing import CliRunner, Result
from hypothesis import given
from hypothesis import strategies as st

from schemaflow import providers
from schemaflow.cli.root import root

WORDS = [
    "type", "properties", "items", "anyOf", "allOf", "not", "const", "enum", "$ref", "$defs", "required", "name",
    "parameters", "inputSchema", "tools", "function", "toolSpec", "jsonrpc", "result", "description", "#", "object",
    "id", "schema", "", "\ud800", "\x00", "a/b~c",
]  # fmt: skip

scalars = st.none() | st.booleans() | st.integers() | st.floats() | st.sampled_from(WORDS) | st.text(max_size=5)
values = st.recursive(
    scalars,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from(WORDS), inner, max_size=5),
    max_leaves=20,
)
texts = (
    st.binary(max_size=60)
    | values.map(lambda value: json.dumps(value).encode())
    | st.text(alphabet="[]{}:,-?&*!|>'\"%@` \n\tab1#.~<", max_size=40).map(str.encode)
)

any_provider = st.sampled_from(providers())


def adapt(*arguments: str, data: bytes, provider: str) -> Result:
    return told("adapt", *arguments, data=data, provider=provider)


def told(command: str, *arguments: str, data: bytes, provider: str) -> Result:
    result = CliRunner().invoke(root, [command, "--provider", provider, *arguments], input=data)
    assert isinstance(result.exception, SystemExit | None), result.exception
    assert result.exit_code in (0, 1, 2)
    for stream in (result.stdout, result.stderr):
        assert "Traceback" not in stream
        assert "please report" not in stream
    return result


@given(texts, any_provider)
def test_any_bytes_are_read_or_refused(data: bytes, provider: str) -> None:
    result = adapt(data=data, provider=provider)

    if result.stdout:
        json.loads(result.stdout)
    else:
        assert result.stderr


@given(texts, any_provider)
def test_a_report_can_be_written_of_anything(data: bytes, provider: str) -> None:
    adapt("--report", data=data, provider=provider)


@given(texts, any_provider, st.sampled_from([(), ("--json",), ("--lines", "3"), ("--tool", "name")]))
def test_any_bytes_are_explained_or_refused(data: bytes, provider: str, arguments: tuple[str, ...]) -> None:
    result = told("explain", *arguments, data=data, provider=provider)

    assert result.stdout if result.exit_code == 0 else result.stderr


@given(st.lists(texts.map(lambda line: line.replace(b"\n", b" ")), max_size=4), any_provider)
def test_any_lines_are_answered_one_by_one(lines: list[bytes], provider: str) -> None:
    result = adapt("--jsonl", data=b"\n".join(lines), provider=provider)

    answers: list[Any] = [json.loads(line) for line in result.stdout.splitlines()]
    assert len(answers) == sum(bool(line.strip()) for line in lines)
    assert all(answer.keys() in ({"id", "schema"}, {"id", "error"}) for answer in answers)
    assert result.exit_code == any("error" in answer for answer in answers)


@given(values, any_provider)
def test_any_value_may_stand_in_a_line(value: Any, provider: str) -> None:
    line = json.dumps({"id": value, "schema": value})

    adapt("--jsonl", data=line.encode(), provider=provider)


@given(texts)
def test_any_bytes_may_be_a_pipeline(data: bytes) -> None:
    with TemporaryDirectory() as folder:
        path = Path(folder, "acme.yaml")
        path.write_bytes(data)
        result = CliRunner().invoke(root, ["show", "--pipeline", str(path)])

    assert isinstance(result.exception, SystemExit | None), result.exception
    assert result.exit_code in (0, 2)
    assert result.stdout or result.stderr
