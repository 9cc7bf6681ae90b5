"""
Validators: the one place that makes them, and so the one that says how a schema is read.

Nothing is fetched, `format` is asserted only on demand, and what a pattern may cost is
bounded. A schema without `$schema`, or with one that nobody knows, is read as 2020-12,
where older spellings say what they said: lists in `items`, boolean `exclusiveMinimum`,
`dependencies`, `definitions`. `nullable: true` adds null to the stated types in every
draft, since that is what authors mean by it; the dialect `openapi-3.0` also spells types
in capitals. `contentEncoding` and `contentMediaType` are annotations, which drafts 6 and
7 only allow to be asserted.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final, TypeAlias

import jsonschema_rs

from schemaflow.errors import NotASchemaError
from schemaflow.families import without
from schemaflow.intake import Limits
from schemaflow.keywords import JsonValue, Schema
from schemaflow.origins import Path
from schemaflow.references import fragment
from schemaflow.visitor import Below, inherit

Judge: TypeAlias = Callable[[JsonValue], bool]
"""Whether a value is accepted."""

Critic: TypeAlias = Callable[[JsonValue], Iterable[jsonschema_rs.ValidationError]]
"""Why a value is refused; nothing where it is accepted."""

_DRAFTS: Final[dict[str, Any]] = {
    "draft-03/schema": None,
    "draft-04/schema": jsonschema_rs.Draft4Validator,
    "draft-06/schema": jsonschema_rs.Draft6Validator,
    "draft-07/schema": jsonschema_rs.Draft7Validator,
    "2019-09/schema": jsonschema_rs.Draft201909Validator,
    "2020-12/schema": jsonschema_rs.Draft202012Validator,
}
_BOUNDS: Final = {"minimum": "exclusiveMinimum", "maximum": "exclusiveMaximum"}
_PART_OF: Final = "schemaflow:document"
_CONTENT: Final = frozenset({"contentEncoding", "contentMediaType"})
_BACKTRACKING: Final = 1_000_000
"""How many steps back a pattern may take at one text; one that takes more matches nothing."""


def judge_of(
    schema: Schema | bool,
    *,
    dialect: str = "json-schema",
    documents: jsonschema_rs.Registry | None = None,
    formats: bool = False,
) -> Judge:
    """
    What tells whether a schema accepts a value, in the draft that its `$schema` declares.

    `documents` are what its references may lead to beside itself (see `registry_of`).
    Raises NotASchemaError where the schema is broken, or a reference leads nowhere.
    """
    accepts: Judge = _validator(schema, dialect, documents, formats=formats).is_valid
    return accepts


def critic_of(schema: Schema | bool, *, dialect: str = "json-schema", formats: bool = False) -> Critic:
    """
    What tells why a schema refuses a value: the validator's errors, read as in `judge_of`, one after the other.

    It raises ValueError for what no validator takes: values that are no JSON, or that nest too deep.
    Raises NotASchemaError as `judge_of` does.
    """
    criticize: Critic = _validator(schema, dialect, None, formats=formats).iter_errors
    return criticize


def _validator(
    schema: Schema | bool, dialect: str, documents: jsonschema_rs.Registry | None, *, formats: bool
) -> jsonschema_rs.Validator:
    asked = _Asked(is_openapi=dialect == "openapi-3.0")
    make = _declared(schema)
    read = inherit(schema, asked.visit, True, levels=Limits().nesting).schema
    if make is jsonschema_rs.Draft202012Validator and asked.has_old_words:
        # The latest draft that knows these: to move them would break pointers.
        make = jsonschema_rs.Draft201909Validator
    if make is None:
        raise NotASchemaError("its draft is too old: write it in draft 4 or later", "/$schema")
    if make is not jsonschema_rs.Draft4Validator and asked.has_flags:
        read = inherit(read, _with_numeric_bounds, True, levels=Limits().nesting).schema
    patterns = jsonschema_rs.FancyRegexOptions(backtrack_limit=_BACKTRACKING)
    try:
        validator: jsonschema_rs.Validator = make(
            read, validate_formats=formats, offline=True, registry=documents, pattern_options=patterns
        )
    except (ValueError, jsonschema_rs.ReferencingError) as error:  # a ValidationError is a ValueError
        raise NotASchemaError(str(error).partition("\n")[0]) from None
    return validator


def part_judge_of(document: Schema | bool, path: Path, *, dialect: str = "json-schema") -> Judge:
    """
    What tells whether the schema at a path of a document accepts a value.

    References in it lead to where they lead in the document. Raises NotASchemaError as `judge_of` does.
    """
    if not path or not isinstance(document, dict):
        return judge_of(document, dialect=dialect)
    own = document.get("$id")
    name = own.partition("#")[0] if isinstance(own, str) and ":" in own else _PART_OF
    schema = {"$ref": name + fragment(path), "$defs": {"document": {**document, "$id": name}}}
    if "$schema" in document:
        schema["$schema"] = document["$schema"]
    return judge_of(schema, dialect=dialect)


def registry_of(documents: Mapping[str, Schema | bool], *, draft: str | None = None) -> jsonschema_rs.Registry:
    """Documents by their URIs, for references; `draft` is the `$schema` of those that declare none."""
    known = {
        "draft-04/schema": jsonschema_rs.Draft4,
        "draft-06/schema": jsonschema_rs.Draft6,
        "draft-07/schema": jsonschema_rs.Draft7,
        "2019-09/schema": jsonschema_rs.Draft201909,
    }
    which = next((one for uri, one in known.items() if uri in (draft or "")), jsonschema_rs.Draft202012)
    return jsonschema_rs.Registry(list(documents.items()), draft=which)


def _declared(schema: Schema | bool) -> Any:
    """What makes validators of the declared draft, None for a draft too old to have one."""
    stated = schema.get("$schema") if isinstance(schema, dict) else None
    if isinstance(stated, str):
        for uri, make in _DRAFTS.items():
            if uri in stated:
                return make
    return jsonschema_rs.Draft202012Validator


class _Asked:
    """What older spellings a document has, found where `nullable` and capitals are respelt."""

    def __init__(self, *, is_openapi: bool) -> None:
        self.is_openapi = is_openapi
        self.has_old_words = self.has_flags = False

    def visit(self, node: Any, state: bool) -> Below[bool]:
        if not isinstance(node, dict):
            return Below(node, None)
        self.has_old_words |= (
            isinstance(node.get("items"), list) or "$recursiveAnchor" in node or "$recursiveRef" in node
        )
        self.has_flags |= any(isinstance(node.get(flag), bool) for flag in _BOUNDS.values())
        node = without(node, _CONTENT)
        stated = node.get("type")
        if self.is_openapi and isinstance(stated, str) and stated.isupper():
            node = {**node, "type": stated.lower()}
        if node.get("nullable") is True and isinstance(stated, (str, list)):
            types = [node["type"]] if isinstance(node["type"], str) else node["type"]
            node = {**node, "type": [*types, *(["null"] if "null" not in types else [])]}
        return Below(node, state)


def _with_numeric_bounds(node: Any, state: bool) -> Below[bool]:
    """Draft 4's flags beside a bound, as bounds of their own."""
    if not isinstance(node, dict):
        return Below(node, None)
    for bound, flag in _BOUNDS.items():
        if isinstance(node.get(flag), bool):
            rest = {keyword: value for keyword, value in node.items() if keyword != flag}
            if node[flag] and bound in rest:
                rest[flag] = rest.pop(bound)
            node = rest
    return Below(node, state)
