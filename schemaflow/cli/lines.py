r"""
`adapt --jsonl`: a stream of schemas for other programs.

In: lines `{"id": …, "schema": …}`. Out, in the same order, for every line that is not
empty: `{"id": …, "schema": …, "effect": "…"}` or `{"id": …, "error": "…"}`, the id null
where none could be read. With findings an answer has them last, as `"findings": […]`:
all of them, also those that hold for every line, since a line may be read alone. A line
may hold `"instances": […]`: its answer has, for each, `{"value": …}` as the codecs write
it, or `{"error": "…"}`, as `"encoded": […]`; the author's schema is not asked. Every
answer is written before the next line is read.

`decode --jsonl` answers lines `{"id": …, "schema": …, "arguments": …}` in the same way, with
`{"id": …, "arguments": …, "errors": ["…"]}`.
"""

import json
from collections.abc import Callable, Iterable

from schemaflow.adapters import Adapter, Result, to_bytes
from schemaflow.cli.faults import explain
from schemaflow.errors import NotASchemaError, NotEncodable, NotJsonError
from schemaflow.keywords import JsonValue
from schemaflow.reading import first_not_finite


def adapt_lines(
    adapter: Adapter, lines: Iterable[bytes], write: Callable[[bytes], None], *, findings: bool = False
) -> bool:
    """Answer every line, with its findings where asked; whether all went well."""
    fine = True
    for line in lines:
        if line.strip():
            answer, well = _answer(adapter, line, findings=findings)
            write(answer)
            fine = fine and well
    return fine


def _answer(adapter: Adapter, line: bytes, *, findings: bool) -> tuple[bytes, bool]:
    """The line that answers one line, and whether it holds a schema."""
    identifier = b"null"
    try:
        value = _read(line)
        identifier = _identifier(value)
        result = adapter.adapt(_schema(value))
        answer = b'{"id":%s,"schema":%s,"effect":"%s"' % (
            identifier, to_bytes(result.schema), result.report.effect.word.encode(),
        )  # fmt: skip
        if "instances" in value:
            answer += b',"encoded":%s' % to_bytes(_encoded(result, value["instances"]))
        if findings:
            answer += b',"findings":%s' % to_bytes(result.report.to_json())
    except Exception as error:
        return b'{"id":%s,"error":%s}\n' % (identifier, to_bytes(explain(error))), False
    return answer + b"}\n", True


def _encoded(result: Result, instances: JsonValue) -> list[JsonValue]:
    """What the codecs write for each value, or why they cannot."""
    if not isinstance(instances, list):
        raise NotASchemaError("the member instances must be an array of values")
    place = first_not_finite(instances)
    if place is not None:
        raise NotJsonError(f"instances{place} is a number that is not JSON (NaN or infinite)")
    answers: list[JsonValue] = []
    for instance in instances:
        try:
            answers.append({"value": result.encode(instance)})
        except NotEncodable as error:
            answers.append({"error": str(error)})
    return answers


def decode_lines(
    adapter: Adapter, lines: Iterable[bytes], write: Callable[[bytes], None], *, repair: bool = False
) -> bool:
    """Answer every line with its arguments decoded; whether all were valid."""
    fine = True
    for line in lines:
        if line.strip():
            answer, well = _decoded(adapter, line, repair=repair)
            write(answer)
            fine = fine and well
    return fine


def _decoded(adapter: Adapter, line: bytes, *, repair: bool) -> tuple[bytes, bool]:
    identifier = b"null"
    try:
        value = _read(line)
        identifier = _identifier(value)
        if "arguments" not in value:
            raise NotASchemaError("the line has no arguments: it needs the member arguments, a JSON value or its text")
        found = adapter.adapt(_schema(value)).decode(value["arguments"], repair=repair)
        # What is no JSON has no spelling in the answer.
        arguments = found.arguments if first_not_finite(found.arguments) is None else None
        answer = b'{"id":%s,"arguments":%s,"errors":%s' % (
            identifier, to_bytes(arguments), to_bytes(list(map(str, found.errors))),
        )  # fmt: skip
        if found.repairs:
            answer += b',"repairs":%s' % to_bytes(list(map(str, found.repairs)))
        if found.notes:
            answer += b',"notes":%s' % to_bytes(list(found.notes))
    except Exception as error:
        return b'{"id":%s,"error":%s}\n' % (identifier, to_bytes(explain(error))), False
    return answer + b"}\n", found.ok


def _read(line: bytes) -> dict[str, JsonValue]:
    try:
        value = json.loads(line.decode("utf-8-sig"), parse_int=_integer)
    except UnicodeDecodeError as error:
        raise NotJsonError(f"the line is not UTF-8 (byte {error.start})") from None
    except json.JSONDecodeError as error:
        raise NotJsonError(f"the line is not JSON: {error.msg} (column {error.colno})") from None
    if not isinstance(value, dict):
        raise NotASchemaError("a line must be an object with the members id and schema")
    return value


def _integer(digits: str) -> int | float:
    """
    An integer.

    One with more digits than Python converts is as infinite as 1e999: refused where it
    stands, once the line's id is read.
    """
    try:
        return int(digits)
    except ValueError:
        return float(digits)


def _identifier(value: dict[str, JsonValue]) -> bytes:
    identifier = value.get("id")
    if first_not_finite(identifier) is not None:
        raise NotJsonError("the id holds a number that is not JSON (NaN or infinite)")
    return to_bytes(identifier)


def _schema(value: dict[str, JsonValue]) -> JsonValue:
    schema = value.get("schema")
    if schema is None:
        raise NotASchemaError("the line has no schema: it needs the member schema, an object or a boolean")
    return schema
