"""
openJiuwen's objects as tools: its cards and infos, ours and those of its own package.

Objects are told by what they have, so that openJiuwen need not be installed.
"""

from collections.abc import Callable
from typing import Any, Final

from schemaflow.errors import InputError, NotASchemaError
from schemaflow.keywords import JsonValue
from schemaflow.openjiuwen.infos import first_line, json_schema

_KEPT: Final = ("id", "properties", "server_name", "server_id")
"""What of a card goes into a tool's `extra`."""


def read_card(card: Any) -> dict[str, JsonValue]:
    """
    The fields of the `Tool` that a card describes, as the card's `tool_info()` has them where it has one.

    Raises NotASchemaError where its parameters are neither a dict nor a model class.
    """
    tell = getattr(card, "tool_info", None)
    fields = read_info(_told(card, tell)) if callable(tell) else _fields(card, "input_params")
    # An external tool is its card.
    source = getattr(card, "card", card)
    extra = {name: getattr(source, name) for name in _KEPT if getattr(source, name, None)}
    return {**fields, "extra": {**fields["extra"], **extra}}


def read_info(info: Any) -> dict[str, JsonValue]:
    """
    The fields of the `Tool` that an info describes.

    Raises NotASchemaError where its parameters are neither a dict nor a model class.
    """
    return _fields(info, "parameters")


def _told(card: Any, tell: Callable[[], Any]) -> Any:
    try:
        return tell()
    except InputError:
        raise
    except Exception as error:
        # The card may be anybody's: whatever it raises, it tells nothing.
        problem = f"its tool_info() failed: {first_line(error)}"
        raise NotASchemaError(problem, tool=getattr(card, "name", None)) from error


def _fields(source: Any, parameters: str) -> dict[str, JsonValue]:
    try:
        schema = json_schema(getattr(source, parameters))
    except InputError as error:
        raise error.at(tool=source.name) from error
    if not isinstance(schema, dict | None):
        problem = f"must be a JSON Schema (a dict) or a class with model_json_schema, not {type(schema).__name__}"
        raise NotASchemaError(f"{parameters} {problem}", f"/{parameters}", tool=source.name)
    server = getattr(source, "server_name", None)
    extra = {"server_name": server} if server else {}
    return {"name": source.name, "description": source.description, "schema": schema, "extra": extra}
