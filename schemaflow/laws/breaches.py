"""Asking a rule, and saying how it broke a law."""

import json
from typing import TYPE_CHECKING, Any, NoReturn

import attrs

from schemaflow.adapters import to_bytes
from schemaflow.codecs.marks import stripped
from schemaflow.errors import Unsupported
from schemaflow.keywords import JsonValue
from schemaflow.plan import run_alone
from schemaflow.rule import BoundRule, Rewrite
from schemaflow.trace import Traced

if TYPE_CHECKING:
    pass


def answer_of(law: str, bound: BoundRule, schema: JsonValue) -> Any:
    """What a rule makes of a node, or a document rule of a document; the same object where it will not."""
    try:
        answer = bound.call(schema)
    except Unsupported:
        return schema
    except Exception as error:
        raise AssertionError(_message(law, bound, schema, f"the rule raises {error!r}")) from error
    result = answer.schema if isinstance(answer, (Rewrite, Traced)) else answer
    return stripped(result) if bound.contract.encodes else result


def applied(law: str, bound: BoundRule, schema: JsonValue) -> Any:
    """What a rule makes of a whole document."""
    try:
        return run_alone(bound, schema)
    except Exception as error:
        raise AssertionError(_message(law, bound, schema, f"applying the rule raises {error!r}")) from error


def broken(law: str, bound: BoundRule, schema: JsonValue, problem: str, result: JsonValue) -> NoReturn:
    raise AssertionError(f"{_message(law, bound, schema, problem)}\n  result: {shortened(result)}")


def _message(law: str, bound: BoundRule, schema: JsonValue, problem: str) -> str:
    return f"rule {bound.name!r}{_settings(bound)} breaks the law of {law}: {problem}\n  schema: {shortened(schema)}"


def _settings(bound: BoundRule) -> str:
    """The options that are not at their defaults, as a heading of an example writes them."""
    if bound.options is None:
        return ""
    given = [
        f"{row.name}: {json.dumps(value)}"
        for row in attrs.fields(type(bound.options))
        if (value := getattr(bound.options, row.name)) != row.default
    ]
    return f" ({', '.join(given)})" if given else ""


def shortened(value: Any, longest: int = 2000) -> str:
    text = to_bytes(value).decode()
    return text if len(text) <= longest else f"{text[:longest]} …"
