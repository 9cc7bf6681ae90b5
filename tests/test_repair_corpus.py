"""Arguments of the big corpus's cases, as models sent them, come back as the cases expect."""

import json
import os
from pathlib import Path
from typing import Any

import pytest

import schemaflow
from schemaflow.tool import read_tool

pytestmark = pytest.mark.corpus

CASES = Path(os.environ.get("SCHEMAFLOW_CORPUS", "/nowhere")) / "cases"


def cases() -> list[Any]:
    found = [json.loads(path.read_text()) for path in sorted(CASES.glob("*.json"))]
    return [case for case in found if "expect_arguments" in case]


def test_there_are_cases() -> None:
    assert cases()


FAILING = {"211": "nullable beside an enum without null: validators are told of null in `type` alone"}


def marked_cases() -> list[Any]:
    def marks(identifier: str) -> Any:
        return pytest.mark.xfail(reason=FAILING[identifier]) if identifier in FAILING else ()

    return [pytest.param(case, id=case["id"], marks=marks(case["id"])) for case in cases()]


@pytest.mark.parametrize("case", marked_cases())
def test_arguments_come_back_as_expected(case: Any) -> None:
    given = case["input"]
    schema = read_tool(given).schema if case["input_kind"] == "tool" else given
    name = case["provider"] if case["provider"] in schemaflow.providers() else "default"

    decoded = schemaflow.adapter(name).adapt(schema).decode(case["arguments"], repair=True)

    assert json.dumps(decoded.arguments, sort_keys=True) == json.dumps(case["expect_arguments"], sort_keys=True)
