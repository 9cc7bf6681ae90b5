"""
Arguments of a call: text to JSON, defaults, and openJiuwen's removal of nulls.

Only the properties at the top of a JSON Schema are filled, as openJiuwen does; a model
class fills all that it knows.
"""

import json
import math
from collections.abc import Mapping
from typing import Any, Final, NoReturn

from schemaflow.errors import InputError, NotASchemaError, NotJsonError
from schemaflow.intake import plain_copy, reread
from schemaflow.keywords import JsonValue, Schema, pointer
from schemaflow.openjiuwen.infos import ModelClass, Parameters, first_line, is_model_class

_CLOSERS: Final = {"{": "}", "[": "]"}


def parse_arguments(arguments: JsonValue) -> JsonValue:
    """
    The arguments of a call, from the text that a model wrote; what is no text comes back as it is.

    Text that only lacks its last closing brackets gets them, and blank text says no
    arguments. Raises NotJsonError with the whole text, for the model to read.
    """
    if not isinstance(arguments, str):
        return arguments
    if not arguments.strip():
        return {}
    try:
        return _strict(arguments)
    except (ValueError, RecursionError) as error:
        problem = error
    repaired = _closed(arguments)
    if repaired is not None:
        try:
            return _strict(repaired)
        except (ValueError, RecursionError):
            pass
    why = "nested too deep" if isinstance(problem, RecursionError) else problem
    raise NotJsonError(f"the arguments are not JSON ({why}): write one JSON object; they were {arguments!r}")


def _refuse(text: str) -> NoReturn:
    raise ValueError(f"{text} is not a JSON number")


def _finite(text: str) -> float:
    number = float(text)
    if math.isinf(number):
        _refuse(text)
    return number


_STRICT: Final = json.JSONDecoder(parse_float=_finite, parse_constant=_refuse)


def _strict(text: str) -> JsonValue:
    return _STRICT.decode(text)


def _closed(text: str) -> str | None:
    """The text with the brackets closed that it leaves open; None in an open string, and where brackets mismatch."""
    text = text.strip()
    waiting: list[str] = []
    in_string = escaped = False
    for one in text:
        if in_string:
            in_string = escaped or one != '"'
            escaped = one == "\\" and not escaped
        elif one == '"':
            in_string = True
        elif one in _CLOSERS:
            waiting.append(_CLOSERS[one])
        elif one in "]}" and (not waiting or waiting.pop() != one):
            return None
    return text + "".join(reversed(waiting)) if waiting and not in_string else None


def fill_arguments(
    arguments: JsonValue, parameters: Parameters | None, *, validate: bool = True, keep_nulls: bool = False
) -> dict[str, JsonValue]:
    """
    Arguments as a tool gets them: defaults filled in, checked, then `remove_nulls`; the ones given are not changed.

    A default stands in for an absent property, required or not, never for a null. A null
    for a property that is not required passes the check as if it were absent.
    `validate` checks against a JSON Schema; a model class always checks. Raises InputError,
    with the pointer of what does not fit.
    """
    if not isinstance(arguments, Mapping):
        kind = "null" if arguments is None else type(arguments).__name__
        raise NotASchemaError(f"arguments are an object, not {kind}")
    given: dict[str, JsonValue] = reread(dict(arguments))
    if is_model_class(parameters):
        filled = _filled_by_model(given, parameters)
    else:
        schema: Schema = parameters or {}  # type: ignore[assignment]
        filled = _with_defaults(given, schema)
        if validate:
            _check(filled, schema)
    return filled if keep_nulls else remove_nulls(filled)


def _with_defaults(arguments: dict[str, JsonValue], schema: Schema) -> dict[str, JsonValue]:
    """The arguments, then the default of every property that is absent, each a copy of its own."""
    properties = schema.get("properties")
    if not isinstance(properties, dict):
        return arguments
    absent = {name: one for name, one in properties.items() if name not in arguments}
    defaults = {name: one["default"] for name, one in absent.items() if isinstance(one, dict) and "default" in one}
    return {**arguments, **{name: plain_copy(default) for name, default in defaults.items()}}


def _check(arguments: dict[str, JsonValue], schema: Schema) -> None:
    required = schema.get("required", ())
    judged = {name: one for name, one in arguments.items() if one is not None or name in required}
    import jsonschema_rs  # not needed by who does not check

    try:
        validator = jsonschema_rs.validator_for(schema, validate_formats=False, offline=True)
    except (ValueError, jsonschema_rs.ReferencingError) as error:
        raise NotASchemaError(f"the parameters are no JSON Schema to check against: {first_line(error)}") from None
    wrong = next(iter(validator.iter_errors(judged)), None)
    if wrong is not None:
        raise InputError(wrong.message, pointer(wrong.instance_path))


def _filled_by_model(arguments: dict[str, JsonValue], model: ModelClass) -> dict[str, JsonValue]:
    """What the model class makes of the arguments; pydantic's ValidationError is a ValueError."""
    kind: Any = model
    try:
        filled: dict[str, JsonValue] = kind.model_validate(arguments).model_dump(mode="json", by_alias=True)
    except ValueError as error:
        raise InputError(f"the arguments do not fit {kind.__name__}: {error}") from None
    return filled


def remove_nulls(arguments: dict[str, JsonValue]) -> dict[str, JsonValue]:
    """
    Arguments without nulls, as openJiuwen sends them: a copy.

    Null members and null list items go, and so do objects and lists that are empty,
    before or because of it; later items move up. It looks at no schema: a null, or an
    empty object, that the tool would have understood is lost too.
    """
    root: dict[str, JsonValue] = reread(arguments)
    # Every container after the one that holds it, so that backwards each is finished before its holder.
    containers: list[Any] = [root]
    for container in containers:
        members = container.values() if isinstance(container, dict) else container
        containers.extend(member for member in members if isinstance(member, dict | list))
    for container in reversed(containers):
        if isinstance(container, dict):
            for name in [name for name, member in container.items() if _is_nothing(member)]:
                del container[name]
        else:
            container[:] = [item for item in container if not _is_nothing(item)]
    return root


def _is_nothing(value: JsonValue) -> bool:
    return value is None or (isinstance(value, dict | list) and not value)
