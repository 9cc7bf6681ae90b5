"""Give properties whose names a provider refuses another name."""

import re
from collections.abc import Callable, Iterator
from functools import cache
from itertools import count
from typing import Any

from attrs import evolve, frozen

from schemaflow import Effect, OptionError, Rewrite, Schema, Traced, document_rule, option
from schemaflow.codecs import MARK, Members, codec_of, marked
from schemaflow.codecs.places import SAYS_NOTHING, Places, at_free_places, types_of
from schemaflow.names import truncate_tool_name
from schemaflow.origins import nodes

OBJECTS = frozenset(
    "type properties required additionalProperties minProperties maxProperties dependentRequired".split()
)
FILLERS = "_xX-p0"


@frozen
class Options:
    pattern: str = option("[A-Za-z0-9_.-]", "A character class: the characters that names are made of.")
    first: str | None = option(None, "A character class: what names begin with, where not every character may.")
    max_bytes: int = option(64, "How many bytes of UTF-8 a name may have.", minimum=1)
    reserved: tuple[str, ...] = option((), "Names that are refused, too.")


@document_rule(on={"properties"}, introduces=(), effect=Effect.BOTH, encodes=True, options=Options)
def rename_properties(document: Schema, options: Options) -> Traced | Schema:
    """
    Give properties whose names a provider refuses another name.

    Refused characters become `_`, long names are cut, and where two would meet they are
    numbered; decoding gives the author's names back. Exact in objects that are closed. In
    open ones an undeclared member of the new name is lost, and one of the old name is
    ignored, so that fewer are accepted. There is no lossy alternative: a tool takes
    its arguments under their names.

    Before:
        {
          "type": "object",
          "properties": {"$top": {"type": "integer"}, "_top": {}},
          "required": ["$top"],
          "additionalProperties": false
        }
    After:
        {
          "type": "object",
          "properties": {"_top_2": {"type": "integer"}, "_top": {}},
          "required": ["_top_2"],
          "additionalProperties": false
        }

    Before (reserved: [class], max_bytes: 8):
        {"type": "object", "properties": {"class": {}, "much_too_long": {}}}
    After:
        {"type": "object", "properties": {"class_2": {}, "much_too": {}}}

    Unchanged:
        {"type": "object", "properties": {"a.b": {"type": "string"}}}
    """
    renamed = _new_names(document, options)
    if not renamed:
        return document
    return at_free_places(document, lambda node, places: _rewritten(node, places, renamed))


def _rewritten(node: Schema, places: Places, renamed: dict[str, str]) -> Schema | Rewrite:
    properties, codec = node.get("properties"), codec_of(node)
    if not isinstance(properties, dict) or renamed.keys().isdisjoint(properties):
        return node
    if node.get("type") != "object" or not node.keys() - SAYS_NOTHING - {MARK} <= OBJECTS:
        return node
    if not isinstance(codec, Members | None):
        return node
    known = codec or Members()
    renamed = {name: renamed[name] for name in properties if name in renamed}
    built = {**node, "properties": {renamed.get(name, name): schema for name, schema in properties.items()}}
    if isinstance(node.get("required"), list):
        built["required"] = _all_renamed(node["required"], renamed)
    dependent = node.get("dependentRequired")
    if isinstance(dependent, dict):
        built["dependentRequired"] = {
            renamed.get(name, name): _all_renamed(names, renamed) if isinstance(names, list) else names
            for name, names in dependent.items()
        }
    extra = None if known.extra is None else renamed.get(known.extra, known.extra)
    authors = {**{name: name for name in renamed}, **known.names}
    names = {renamed.get(name, name): author for name, author in authors.items() if name != known.extra}
    return Rewrite(marked(built, evolve(known, names=names, extra=extra)), effect=_effect(node, places))


def _all_renamed(names: list[Any], renamed: dict[str, str]) -> list[Any]:
    return [renamed.get(name, name) if isinstance(name, str) else name for name in names]


def _effect(node: Schema, places: Places) -> Effect:
    """Exact where no object may have a member of a new or an old name that is not declared."""
    if not all(_is_no_open_object(other) for other in places.others(node)):
        return Effect.BOTH
    if node.get("additionalProperties") is False:
        return Effect.EXACT
    # A member that is ignored may have been counted.
    return Effect.BOTH if "minProperties" in node else Effect.NARROWS


def _is_no_open_object(other: Any) -> bool:
    types = types_of(other)
    if types is None:
        return False
    return "object" not in types or (other.get("additionalProperties") is False and "patternProperties" not in other)


# --- the names


def _new_names(document: Any, options: Options) -> dict[str, str]:
    """
    The new name of each property that has to have one: the same everywhere in a document.

    Names are looked at in the order of the alphabet, so that no order of properties matters.
    """
    known = set(_names_in(document))
    refused = sorted(name for name in known if not _is_allowed(name, options))
    taken = {*known, *options.reserved}
    renamed: dict[str, str] = {}
    for name in refused:
        new = next((one for one in _spellings(name, options) if one not in taken), None)
        if new is not None:
            taken.add(new)
            renamed[name] = new
    return renamed


def _names_in(document: Any) -> Iterator[str]:
    """The names of all properties, and those that are asked for."""
    for _, node in nodes(document):
        if isinstance(node, dict):
            declared, asked = node.get("properties"), node.get("required")
            yield from declared if isinstance(declared, dict) else ()
            yield from (name for name in (asked if isinstance(asked, list) else ()) if isinstance(name, str))


def _is_allowed(name: str, options: Options) -> bool:
    if not name or name in options.reserved or len(name.encode("utf-8", "surrogatepass")) > options.max_bytes:
        return False
    return all(map(_is_of(options.pattern), name)) and (options.first is None or _is_of(options.first)(name[0]))


def _is_of(characters: str) -> Callable[[str], bool]:
    """Whether a character is of a class."""
    matches = _compiled(characters).fullmatch
    return lambda character: matches(character) is not None


@cache
def _compiled(characters: str) -> re.Pattern[str]:
    try:
        return re.compile(characters)
    except re.error as error:
        raise OptionError(
            f"rule 'rename_properties': {characters!r} is no character class: {error}", "pattern"
        ) from None


def _spellings(name: str, options: Options) -> Iterator[str]:
    """A name in allowed characters, and then numbered, as long as there is room for numbers."""
    filler = next(filter(_is_of(options.pattern), FILLERS), "")
    base = "".join(one if _is_of(options.pattern)(one) else filler for one in name)
    begins = _is_of(options.first or options.pattern)
    if not base or not begins(base[0]):
        base = next(filter(begins, FILLERS), "") + base
    for number in count(1):
        suffix = "" if number == 1 else f"{filler}{number}"
        room = options.max_bytes - len(suffix)
        if room < 1:
            return
        spelled = truncate_tool_name(base, room) + suffix
        if _is_allowed(spelled, options):
            yield spelled
        elif number > 1:
            # Digits are refused, or no first character is known.
            return
