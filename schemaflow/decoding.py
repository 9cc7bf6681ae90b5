"""
The arguments of a call: read, decoded, held against the author's schema, and mended where asked.

Whatever a model sends gets an answer; what is wrong with it is told in lines that a model
can act on.
"""

import json
import math
from typing import TYPE_CHECKING, Any, Final, NoReturn

from attrs import frozen

from schemaflow.brief import cut, on_a_line
from schemaflow.keywords import JsonValue, json_type, pointer
from schemaflow.reading import first_not_finite

if TYPE_CHECKING:
    from schemaflow.adapters import Result

MOST: Final = 20
"""How many errors are told."""

_LONGEST: Final = 80
"""How many characters of a value are shown."""


@frozen(str=False)
class ArgumentError:
    """What is wrong at one place of the arguments: where (a JSON Pointer), what belongs there, what is there."""

    pointer: str
    expected: str
    got: str

    def __str__(self) -> str:
        return on_a_line(f"{self.pointer or '(root)'}: expected {self.expected}, got {self.got}")


@frozen(str=False)
class Repair:
    """What was mended at one place of the arguments."""

    pointer: str
    done: str

    def __str__(self) -> str:
        return on_a_line(f"{self.pointer or '(root)'}: {self.done}")


@frozen
class Decoded:
    """
    The arguments of a call in the author's shape.

    `errors` are what the author's schema refuses; `repairs` what was mended; `notes` what could not be checked.
    """

    arguments: JsonValue
    errors: tuple[ArgumentError, ...] = ()
    repairs: tuple[Repair, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def ok(self) -> bool:
        """Whether nothing is known to be wrong."""
        return not self.errors


def decoded(result: "Result", arguments: JsonValue | bytes, *, repair: bool = False) -> Decoded:
    """What `Result.decode` gives. Never raises."""
    if isinstance(arguments, (str, bytes)):
        try:
            value = _parsed(arguments)
        except (ValueError, RecursionError) as problem:
            why = "nested too deep" if isinstance(problem, RecursionError) else str(problem)
            shown = arguments if isinstance(arguments, str) else arguments.decode("utf-8", "replace")
            fault = ArgumentError("", f"JSON ({cut(why, _LONGEST)})", _shown(shown))
            return Decoded(shown, (fault,))
    else:
        value = arguments
    place = first_not_finite(value)
    if place is not None:
        return Decoded(value, (ArgumentError(place, "a number that JSON has", "NaN or infinity"),))
    if value is None and _is_for_nothing(result):
        value = {}
    value = result.decode_value(value)
    critic = result.critic
    if critic is None:
        notes = () if result.run is None else ("no validator reads the author's schema: nothing was checked",)
        return Decoded(value, notes=notes)
    repairs: tuple[Repair, ...] = ()
    try:
        if repair:
            from schemaflow.repairing import repaired

            value, repairs = repaired(value, critic)
        return Decoded(value, _errors(critic(value)), repairs)
    except (ValueError, TypeError, OverflowError):
        # Values that the validator does not take: nested beyond its limit, or with lone surrogates.
        fault = ArgumentError("", "values that can be checked", "values nested too deep, or that are no JSON")
        return Decoded(value, (fault,), repairs)


def _is_for_nothing(result: "Result") -> bool:
    """Whether no arguments are meant where null was sent: the author takes an empty object, and no null."""
    critic = result.critic
    return critic is None or (not list(critic({})) and bool(list(critic(None))))


def _parsed(text: str | bytes) -> JsonValue:
    if isinstance(text, bytes):
        text = text.decode("utf-8-sig")
    return json_value(text) if text.strip() else None


def json_value(text: str) -> JsonValue:
    """The value of a JSON text. Raises ValueError, and RecursionError."""
    return _STRICT.decode(text)


def _refuse(text: str) -> NoReturn:
    raise ValueError(f"{text} is not a JSON number")


def _finite(text: str) -> float:
    number = float(text)
    if math.isinf(number):
        _refuse(text)
    return number


_STRICT: Final = json.JSONDecoder(parse_float=_finite, parse_constant=_refuse)


def _errors(found: Any) -> tuple[ArgumentError, ...]:
    """The first errors, each once, none that another at the same place says already."""
    errors: dict[ArgumentError, None] = {}
    for error in found:
        errors.setdefault(_error(error))
        if len(errors) == MOST:
            break
    return tuple(errors)


def _error(error: Any) -> ArgumentError:
    kind, value = error.kind, error.instance
    expected = _EXPECTED.get(kind.name)
    got = _shown(value)
    if expected is not None:
        words = expected(kind)
    elif kind.name in ("anyOf", "oneOf"):
        words = _of_branches(kind)
    else:
        # The validator's own words repeat the value: only the keyword is told.
        words = f"what {kind.name!r} of the schema allows"
    if kind.name == "required":
        got = "nothing"
    return ArgumentError(pointer(error.instance_path), cut_text(words), got)


def cut_text(text: str) -> str:
    """A text that is not too long for a line."""
    return text if len(text) <= 2 * _LONGEST else f"{text[: 2 * _LONGEST - 4]} ..."


def _shown(value: JsonValue) -> str:
    return f"{json_type(value)} {cut(value, _LONGEST)}"


def _listed(values: list[Any]) -> str:
    return " or ".join(cut(one, _LONGEST) for one in values[:MOST])


def _of_branches(kind: Any) -> str:
    """What the branches of a union want, where they say so of the value itself."""
    firsts = [branch[0] for branch in kind.context if branch]
    types = [name for one in firsts if one.kind.name == "type" for name in one.kind.types]
    if len(firsts) == len([one for one in firsts if one.kind.name == "type"]) and types:
        return " or ".join(dict.fromkeys(types))
    return f"one of {len(kind.context)} alternatives"


_EXPECTED: Final[dict[str, Any]] = {
    "type": lambda kind: " or ".join(kind.types),
    "enum": lambda kind: f"one of {_listed(list(kind.options))}",
    "const": lambda kind: cut(kind.expected_value, _LONGEST),
    "required": lambda kind: f"the property {cut(kind.property, _LONGEST)}",
    "additionalProperties": lambda kind: f"no properties {_listed(list(kind.unexpected))}",
    "unevaluatedProperties": lambda kind: f"no properties {_listed(list(kind.unexpected))}",
    "minimum": lambda kind: f"at least {kind.limit}",
    "maximum": lambda kind: f"at most {kind.limit}",
    "exclusiveMinimum": lambda kind: f"more than {kind.limit}",
    "exclusiveMaximum": lambda kind: f"less than {kind.limit}",
    "minLength": lambda kind: f"at least {kind.limit} characters",
    "maxLength": lambda kind: f"at most {kind.limit} characters",
    "minItems": lambda kind: f"at least {kind.limit} items",
    "maxItems": lambda kind: f"at most {kind.limit} items",
    "minProperties": lambda kind: f"at least {kind.limit} properties",
    "maxProperties": lambda kind: f"at most {kind.limit} properties",
    "multipleOf": lambda kind: f"a multiple of {kind.multiple_of}",
    "pattern": lambda kind: f"a string that matches {cut(kind.pattern, _LONGEST)}",
    "uniqueItems": lambda kind: "items that differ from one another",
    "falseSchema": lambda kind: "nothing here",
}
