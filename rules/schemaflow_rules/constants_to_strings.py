"""Spell constants that are no strings as strings."""

from collections.abc import Iterable
from typing import Any

from attrs import frozen

from schemaflow import (
    Effect,
    InputError,
    JsonValue,
    Rewrite,
    Schema,
    Traced,
    document_rule,
    json_equal,
    json_key,
    json_type,
    option,
    without,
)  # fmt: skip
from schemaflow.adapters import to_bytes
from schemaflow.codecs import Constants, Wrapped, codec_of, marked
from schemaflow.codecs.places import SAYS_NOTHING, Places, at_free_places, is_apart, types_of
from schemaflow.keywords import KEYWORDS
from schemaflow.validation import judge_of

CONSTANTS = frozenset({"enum", "const"})
PLAIN = (
    CONSTANTS
    | {"type", "format"}
    | frozenset(
        name
        for name, row in KEYWORDS.items()
        if row.types & {"string", "number"} and not row.children.value.startswith("a ")
    )
)


@frozen
class Options:
    keep: tuple[str, ...] = option(("string",), "The types of constants that are left alone where all are of them.")
    empty: bool = option(True, "Keep the empty string.")
    box: str = option("value", "The name of the only member of an object around constants beside open strings.")


@document_rule(
    on={"enum", "const"},
    introduces={"enum", "type", "anyOf", "properties", "required", "additionalProperties"},
    effect=Effect.NARROWS,
    encodes=True,
    options=Options,
)
def constants_to_strings(document: JsonValue, options: Options) -> Traced:
    """
    Spell constants that are no strings as strings.

    For providers whose enums hold strings only; a model's answer is decoded to the
    constant. Texts are JSON, told apart from strings that are there already. Constants
    which the node's own type and bounds refuse go, and so do those words; null becomes a
    member of its own. With `empty: false` the empty string is lost. Exact else. One way
    only, `limit_enums` drops such enums.

    Before:
        {"type": "integer", "enum": [7, 14, 14.0, 30], "minimum": 10, "title": "Days"}
    After:
        {"title": "Days", "type": "string", "enum": ["14", "30"]}

    Before:
        {"enum": [1, "1", null]}
    After:
        {"anyOf": [{"type": "string", "enum": ["1 (integer)", "1"]}, {"type": "null"}]}

    Unchanged:
        {"type": "string", "enum": ["red", "green"]}

    Unchanged (keep: [string, integer]):
        {"type": "integer", "enum": [1, 2]}
    """
    return at_free_places(document, lambda node, places: _rewritten(node, places, options), distinct=True)


def _rewritten(node: Schema, places: Places, options: Options) -> Schema | Rewrite:
    if codec_of(node) is not None or CONSTANTS.isdisjoint(node) or not node.keys() - SAYS_NOTHING <= PLAIN:
        return node
    members = _members(node)
    written = [member for member in members if member is not None]
    if not written or all(_is(member, options.keep) for member in members):
        return node
    is_lossy = not options.empty and "" in written
    written = [member for member in written if options.empty or member != ""]
    others = places.others(node)
    taken = _strings_of(others)
    needs_box = taken is None and not all(isinstance(member, str) for member in written)
    if not written or (needs_box and not all(is_apart(other, [options.box], [options.box]) for other in others)):
        return node
    codec = Constants(tuple(_pairs(written, taken or frozenset())))
    enum: Schema = {"type": "string", "enum": [text for text, _ in codec.pairs]}
    if any(not isinstance(member, str) for member in written):
        enum = marked(enum, codec)
    kept = without(node, PLAIN | {"default", "examples"})
    branch = _boxed(enum, options.box) if needs_box else enum
    built = kept | ({"anyOf": [branch, {"type": "null"}]} if None in members else branch)
    built |= _values(node, codec, options, has_null=None in members, is_boxed=needs_box)
    return Rewrite(built, effect=Effect.NARROWS if is_lossy else Effect.EXACT)


def _members(node: Schema) -> list[JsonValue]:
    """The constants that a node accepts, each once."""
    listed = node["enum"] if isinstance(node.get("enum"), list) else [node["const"]] if "const" in node else []
    try:
        accepts = judge_of({word: value for word, value in node.items() if word in PLAIN})
    except InputError:
        return []
    return list({json_key(member): member for member in listed if accepts(member)}.values())


def _is(member: JsonValue, types: Iterable[str]) -> bool:
    kind = json_type(member)
    return kind in types or (kind == "integer" and "number" in types)


def _strings_of(others: list[Any]) -> frozenset[str] | None:
    """The strings that the other members of a union may accept, None where that is not known."""
    found: set[str] = set()
    for other in others:
        types = types_of(other)
        if types is not None and "string" not in types:
            continue
        if not isinstance(other, dict) or CONSTANTS.isdisjoint(other):
            return None
        listed = other["enum"] if "enum" in other else [other["const"]]
        found.update(one for one in (listed if isinstance(listed, list) else ()) if isinstance(one, str))
    return frozenset(found)


def _pairs(members: list[JsonValue], taken: frozenset[str]) -> Iterable[tuple[str, JsonValue]]:
    """Each constant with a text of its own, the strings with themselves."""
    used = {*taken, *(member for member in members if isinstance(member, str))}
    for member in members:
        text = member if isinstance(member, str) else _text(member, used)
        used.add(text)
        yield text, member


def _text(member: JsonValue, used: set[str]) -> str:
    """The JSON of a constant, with its type where a string has that text already."""
    is_whole = isinstance(member, float) and member.is_integer()
    # A lone surrogate is written as JSON escapes it: always text that can be sent.
    text = plain = to_bytes(int(member) if is_whole else member).decode()
    number = 1
    while text in used:
        text = f"{plain} ({json_type(member)})" if number == 1 else f"{plain} ({json_type(member)} {number})"
        number += 1
    return text


def _boxed(enum: Schema, key: str) -> Schema:
    box = {"type": "object", "properties": {key: enum}, "required": [key], "additionalProperties": False}
    return marked(box, Wrapped(key))


def _values(node: Schema, codec: Constants, options: Options, *, has_null: bool, is_boxed: bool) -> Schema:
    """The node's default and examples as its values are written; those that it does not accept go."""

    def written(values: list[JsonValue]) -> list[JsonValue]:
        known = [(text, value) for value in values for text, constant in pairs if json_equal(constant, value)]
        return [{options.box: text} if is_boxed and value is not None else text for text, value in known]

    pairs: list[tuple[JsonValue, JsonValue]] = [*codec.pairs]
    if has_null:
        pairs.append((None, None))
    found: Schema = {}
    if "default" in node:
        found |= dict(zip(["default"], written([node["default"]]), strict=False))
    examples = node.get("examples")
    if isinstance(examples, list) and (texts := written(examples)):
        found["examples"] = texts
    return found
