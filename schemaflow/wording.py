"""
Wording: constraints in plain words, as a model reads them in a description.

One table, whose order is the order in which constraints are told. A phrase is lower
case and ends without a stop; JSON values in it are written as JSON, patterns between
backquotes.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Final, TypeAlias

from schemaflow.brief import on_a_line, whole
from schemaflow.keywords import ANNOTATIONS, KEYWORDS, JsonValue, Schema

Words: TypeAlias = Callable[[Any, Schema], str | None]
"""From a keyword's value and its schema to a phrase: empty where the value asks for nothing, None where there are no
words for it."""

MOST: Final = 1000
"""A value that takes more characters than this as JSON is never written into a phrase."""


def phrases(lost: Mapping[str, JsonValue], schema: Schema) -> Iterator[tuple[str, str | None]]:
    """
    The keywords that are lost, each with what it asked for: in the table's order, unknown ones left out.

    `schema` is what they stood in, with all of them; keywords that speak together
    (`contains` and its bounds, `if` and what follows from it) have one phrase, which goes by
    the first of them that is lost.
    """
    told: set[str] = set()
    for keyword, words in TABLE.items():
        if keyword in lost and keyword not in told:
            told |= _TOGETHER.get(keyword, frozenset())
            phrase = words(lost[keyword], schema)
            if phrase != "":
                yield keyword, phrase
    for keyword in sorted(lost.keys() - TABLE.keys() & KEYWORDS.keys()):
        yield keyword, None


# --- numbers, names, values


def _number(value: Any) -> str | None:
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return None
    if isinstance(value, float) and value.is_integer() and abs(value) < 10**15:
        value = int(value)
    return whole(value, 40)


def _count(value: Any) -> int | None:
    """A number of things, None where the value is none (or one that nobody reads)."""
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0 <= value < 10**15:
        return None
    return int(value) if value == int(value) else None


def _listed(values: Iterable[JsonValue]) -> str | None:
    """JSON values, one after the other."""
    written = whole(list(values), MOST)
    return None if written is None else written[1:-1]


def _bound(start: str) -> Words:
    def words(value: Any, schema: Schema) -> str | None:
        number = _number(value)
        return None if number is None else f"{start} {number}"

    return words


def _exclusive(keyword: str, start: str) -> Words:
    """An exclusive bound; as a boolean (draft 4) it says how its sibling is meant."""

    def words(value: Any, schema: Schema) -> str | None:
        if isinstance(value, bool):
            number = _number(schema.get(keyword))
            return "" if not value else None if number is None else f"{start} {number}"
        return _bound(start)(value, schema)

    return words


def _inclusive(exclusive: str, start: str, beyond: str) -> Words:
    return lambda value, schema: _bound(beyond if schema.get(exclusive) is True else start)(value, schema)


def _at(least_or_most: str, one: str, several: str) -> Words:
    def words(value: Any, schema: Schema) -> str | None:
        count = _count(value)
        if count == 0 and least_or_most == "least":
            return ""
        return None if count is None else f"at {least_or_most} {count} {one if count == 1 else several}"

    return words


def _pattern(value: Any, schema: Schema) -> str | None:
    return f"matches the pattern `{on_a_line(value)}`" if isinstance(value, str) else None


_FORMATS: Final = {
    "date-time": "a date-time",
    "date": "a date",
    "time": "a time",
    "duration": "a duration",
    "email": "an e-mail address",
    "idn-email": "an e-mail address",
    "hostname": "a host name",
    "idn-hostname": "a host name",
    "ipv4": "an IPv4 address",
    "ipv6": "an IPv6 address",
    "uri": "a URI",
    "uri-reference": "a URI reference",
    "uri-template": "a URI template",
    "iri": "an IRI",
    "iri-reference": "an IRI reference",
    "url": "a URL",
    "uuid": "a UUID",
    "json-pointer": "a JSON Pointer",
    "relative-json-pointer": "a relative JSON Pointer",
    "regex": "a regular expression",
}


def _format(value: Any, schema: Schema) -> str | None:
    return _FORMATS.get(value, f"in the format {whole(value, MOST)}") if isinstance(value, str) else None


_TYPES: Final = {
    "string": "a string",
    "number": "a number",
    "integer": "an integer",
    "boolean": "a boolean",
    "object": "an object",
    "array": "an array",
    "null": "null",
}


def _type(value: Any, schema: Schema) -> str | None:
    names = value if isinstance(value, list) else [value, "null"] if schema.get("nullable") is True else [value]
    if not names or not all(isinstance(name, str) and name in _TYPES for name in names):
        return None
    return " or ".join(_TYPES[name] for name in names)


def _enum(value: Any, schema: Schema) -> str | None:
    if not isinstance(value, list) or not value:
        return None
    members = _listed(value)
    return None if members is None else f"{'one of' if len(value) > 1 else 'always'} {members}"


def _const(value: Any, schema: Schema) -> str | None:
    return _enum([value], schema)


def _unique(value: Any, schema: Schema) -> str | None:
    return {True: "items are unique", False: ""}.get(value) if isinstance(value, bool) else None


def _required(value: Any, schema: Schema) -> str | None:
    if not isinstance(value, list):
        return None
    names = _listed(value)
    return names and f"requires {names}"


def _dependent_required(value: Any, schema: Schema) -> str | None:
    if not isinstance(value, dict) or not all(isinstance(names, list) for names in value.values()):
        return None
    return _joined(_required_with(name, names) for name, names in value.items() if names)


def _required_with(name: str, names: list[JsonValue]) -> str | None:
    others = _listed(names)
    return others and f"with {whole(name, MOST)} also {others}"


_FLAT: Final[Mapping[str, Words]] = {
    "type": _type,
    "const": _const,
    "enum": _enum,
    "format": _format,
    "minLength": _at("least", "character", "characters"),
    "maxLength": _at("most", "character", "characters"),
    "pattern": _pattern,
    "minimum": _inclusive("exclusiveMinimum", "not less than", "more than"),
    "exclusiveMinimum": _exclusive("minimum", "more than"),
    "maximum": _inclusive("exclusiveMaximum", "not more than", "less than"),
    "exclusiveMaximum": _exclusive("maximum", "less than"),
    "multipleOf": _bound("a multiple of"),
    "minItems": _at("least", "item", "items"),
    "maxItems": _at("most", "item", "items"),
    "uniqueItems": _unique,
    "minProperties": _at("least", "property", "properties"),
    "maxProperties": _at("most", "property", "properties"),
    "required": _required,
    "dependentRequired": _dependent_required,
}
"""Keywords that hold no schemas."""


# --- schemas inside


def _joined(parts: Iterable[str | None]) -> str | None:
    """Phrases as one, None where one of them is missing."""
    found = list(parts)
    return None if None in found else " and ".join(dict.fromkeys(part for part in found if part))


def _schema(schema: JsonValue) -> str | None:
    """A schema inside a constraint, None where it holds schemas itself: there are no words for that."""
    if isinstance(schema, bool):
        return "anything" if schema else "nothing"
    if not isinstance(schema, dict):
        return None
    if any(keyword in KEYWORDS and keyword not in _FLAT and keyword not in _SILENT for keyword in schema):
        return None
    phrase = _joined(words(schema[keyword], schema) for keyword, words in _FLAT.items() if keyword in schema)
    return "anything" if phrase == "" else phrase


_SILENT: Final = ANNOTATIONS | {"nullable"}
"""Keywords that ask for nothing by themselves: `nullable` is told with the type."""


def _each(start: str, none: str) -> Words:
    """A schema for each of several things."""

    def words(value: Any, schema: Schema) -> str | None:
        if isinstance(value, list):
            return _in_order(value, schema)
        phrase = _schema(value)
        return none if value is False else "" if phrase == "anything" else phrase and f"{start}: {phrase}"

    return words


def _in_order(value: Any, schema: Schema) -> str | None:
    return _members("items in order", value)


def _some(start: str) -> Words:
    return lambda value, schema: _members(start, value)


def _members(start: str, value: Any) -> str | None:
    if not isinstance(value, list) or not value:
        return None
    parts = [_schema(one) for one in value]
    return None if None in parts else f"{start}: {', '.join(f'({part})' for part in parts)}"


def _named(start: str, quote: Callable[[str], str | None]) -> Words:
    """Schemas by name."""

    def words(value: Any, schema: Schema) -> str | None:
        if not isinstance(value, dict):
            return None
        parts = [(quote(name), _schema(one)) for name, one in value.items()]
        if any(name is None or phrase is None for name, phrase in parts):
            return None
        return f"{start} " + ", ".join(f"{name} ({phrase})" for name, phrase in parts) if parts else ""

    return words


def _not(value: Any, schema: Schema) -> str | None:
    phrase = _schema(value)
    return phrase and f"not ({phrase})"


def _contains(value: Any, schema: Schema) -> str | None:
    contained = schema.get("contains")
    least, most = _count(schema.get("minContains", 1)), _count(schema.get("maxContains", 10**15 - 1))
    phrase = _schema(contained)
    if phrase is None or least is None or most is None:
        return None
    bounds = [f"at least {least}"] if least else []
    if "maxContains" in schema:
        bounds.append(f"at most {most}")
    return f"contains {' and '.join(bounds)} of: {phrase}" if bounds else ""


def _if(value: Any, schema: Schema) -> str | None:
    parts = [("if", "if"), ("then", "then"), ("else", "otherwise")]
    said = [(word, _schema(schema[keyword])) for keyword, word in parts if keyword in schema]
    if any(phrase is None for _, phrase in said):
        return None
    return ", ".join(f"{word} ({phrase})" for word, phrase in said)


def _dependencies(value: Any, schema: Schema) -> str | None:
    if not isinstance(value, dict):
        return None
    lists = {name: one for name, one in value.items() if isinstance(one, list)}
    schemas = {name: one for name, one in value.items() if not isinstance(one, list)}
    return _joined([_dependent_required(lists, schema), _dependent_schemas(schemas, schema)])


def _name(name: str) -> str | None:
    return whole(name, MOST)


_dependent_schemas = _named("with", _name)

TABLE: Final[Mapping[str, Words]] = {
    **_FLAT,
    "properties": _named("properties", _name),
    "patternProperties": _named("properties that match", lambda name: f"`{on_a_line(name)}`"),
    "additionalProperties": _each("other properties", "no other properties"),
    "unevaluatedProperties": _each("other properties", "no other properties"),
    "propertyNames": _each("property names", "no properties"),
    "dependentSchemas": _dependent_schemas,
    "dependencies": _dependencies,
    "prefixItems": _in_order,
    "items": _each("each item", "no items"),
    "additionalItems": _each("other items", "no other items"),
    "unevaluatedItems": _each("other items", "no other items"),
    "contains": _contains,
    "minContains": _contains,
    "maxContains": _contains,
    "allOf": _some("all of"),
    "anyOf": _some("any of"),
    "oneOf": _some("exactly one of"),
    "not": _not,
    "if": _if,
    "then": _if,
    "else": _if,
}
"""Every keyword that there are words for, in the order in which constraints are told."""

_TOGETHER: Final[Mapping[str, frozenset[str]]] = {
    **dict.fromkeys(("contains", "minContains", "maxContains"), frozenset({"contains", "minContains", "maxContains"})),
    **dict.fromkeys(("if", "then", "else"), frozenset({"if", "then", "else"})),
}
