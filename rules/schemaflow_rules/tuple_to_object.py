"""Spell tuples as objects with a member for each element."""

from typing import Any, Literal

from attrs import frozen

from schemaflow import Effect, JsonValue, Rewrite, Schema, Traced, document_rule, option
from schemaflow.codecs import Tuple, Wrapped, codec_of, marked
from schemaflow.codecs.places import SAYS_NOTHING, Places, at_free_places, is_apart, types_of
from schemaflow.codecs.samples import with_samples

ARRAYS = frozenset("prefixItems items minItems maxItems uniqueItems contains minContains maxContains".split())
NULL = {"type": "null"}


@frozen
class Options:
    prefix: str = option("item_", "What the names of the members begin with, before the element's number.")
    further: str = option("further_items", "The name of the member with all further elements.")
    optional: Literal["null", "absent"] = option("null", "What stands for an element that is not there.")
    box: str = option("value", "The name of the only member of an object around an element that may itself be null.")


@document_rule(
    on={"prefixItems"},
    introduces=ARRAYS - {"prefixItems"} | {"type", "properties", "required", "additionalProperties", "anyOf"},
    effect=Effect.WIDENS,
    encodes=True,
    options=Options,
)
def tuple_to_object(document: JsonValue, options: Options) -> Traced:
    """
    Spell tuples as objects with a member for each element.

    For providers without `prefixItems`; what a model answers is decoded to an array. All
    members are required, null where the array may end before, unless `optional: absent` has
    them left out. An element that may itself be null is boxed then. Exact but for
    `uniqueItems` and `contains`, which are dropped. Runs on arrays of one type, where nothing
    else speaks of them. One way only, `single_items` gives all elements one schema.

    Before:
        {"type": "array", "prefixItems": [{"type": "string"}, {"type": "number"}], "items": false, "minItems": 1}
    After:
        {
          "type": "object",
          "properties": {
            "item_1": {"type": "string"},
            "item_2": {"anyOf": [{"type": "number"}, {"type": "null"}]}
          },
          "required": ["item_1", "item_2"],
          "additionalProperties": false
        }

    Before (optional: absent, prefix: "", further: rest):
        {"type": "array", "prefixItems": [{"type": "string"}], "items": {"type": "number"}, "maxItems": 3}
    After:
        {
          "type": "object",
          "properties": {
            "1": {"type": "string"},
            "rest": {"type": "array", "items": {"type": "number"}, "maxItems": 2}
          },
          "required": ["rest"],
          "additionalProperties": false
        }

    Unchanged:
        {"type": "array", "items": {"type": "string"}}
    """
    return at_free_places(document, lambda node, places: _rewritten(node, places, options))


def _rewritten(node: Schema, places: Places, options: Options) -> Schema | Rewrite:
    prefix = node.get("prefixItems")
    words = node.keys() - SAYS_NOTHING
    if node.get("type") != "array" or not isinstance(prefix, list) or not words <= ARRAYS | {"type"}:
        return node
    least, most = _count(node.get("minItems")) or 0, _count(node.get("maxItems"))
    end = next((index for index, member in enumerate(prefix) if member is False), None)
    stop = min((bound for bound in (end, most) if bound is not None), default=None)
    elements = prefix if stop is None else prefix[:stop]
    further = _further(node, len(elements), least, stop)
    if not elements or not all(isinstance(member, (dict, bool)) for member in elements):
        return node
    if least > len(elements) and (further is None or (stop is not None and least > stop)):
        # No array is long enough.
        return node
    names = [f"{options.prefix}{index + 1}" for index in range(len(elements))]
    required = min(least, len(names))
    members, nullable = _members(names, elements, required, options)
    codec = Tuple(tuple(names), required, nullable=frozenset(nullable), omits=options.optional == "absent")
    asked = names if options.optional == "null" else names[:required]
    if further is not None:
        rest = _unused(options.further, names)
        members[rest] = further
        asked = [*asked, rest]
        codec = Tuple(codec.names, required, rest, codec.nullable, codec.omits)
    if not all(is_apart(other, list(members), asked) for other in places.others(node)):
        return node
    kept = {word: value for word, value in node.items() if word not in ARRAYS}
    kept |= {"type": "object", "properties": members, "required": asked, "additionalProperties": False}
    lost = {word: node[word] for word in _lost(node, stop)}
    effect = Effect.WIDENS if lost else Effect.EXACT
    return Rewrite(with_samples(marked(kept, codec)), effect=effect, lost=lost)


def _count(value: Any) -> int | None:
    """A number of elements, None for what is none."""
    is_whole = value.__class__ is int or (isinstance(value, float) and value.is_integer())
    return int(value) if is_whole and value >= 0 else None


def _members(
    names: list[str], elements: list[Any], required: int, options: Options
) -> tuple[dict[str, Any], list[int]]:
    """The schema of each member, and which of the elements that may be absent may be null."""
    members: dict[str, Any] = {}
    nullable: list[int] = []
    for index, (name, schema) in enumerate(zip(names, elements, strict=True)):
        if index < required or options.optional == "absent":
            members[name] = schema
        elif _may_be_null(schema):
            nullable.append(index)
            members[name] = {"anyOf": [_boxed(schema, options.box), NULL]}
        else:
            members[name] = {"anyOf": [schema, NULL]}
    return members, nullable


def _may_be_null(schema: Any) -> bool:
    """Whether a node does not say by its type, or its members' types, that it refuses null."""
    waiting = [schema]
    seen: set[int] = set()
    while waiting:
        one = waiting.pop()
        if id(one) in seen:
            continue
        seen.add(id(one))
        types = types_of(one)
        if types is not None:
            if "null" in types:
                return True
        elif isinstance(one, dict) and isinstance(one.get("enum"), list):
            if any(member is None for member in one["enum"]):
                return True
        elif isinstance(one, dict) and isinstance(one.get("anyOf"), list) and codec_of(one) is None:
            waiting.extend(one["anyOf"])
        else:
            return one is not False
    return False


def _boxed(schema: Any, key: str) -> Schema:
    box = {"type": "object", "properties": {key: schema}, "required": [key], "additionalProperties": False}
    return marked(box, Wrapped(key))


def _further(node: Schema, count: int, least: int, stop: int | None) -> Schema | None:
    """The array of all elements after the first `count`, None where there are none."""
    items = node.get("items", True)
    if items is False or (stop is not None and stop <= count) or not isinstance(items, (dict, bool)):
        return None
    further: Schema = {"type": "array"}
    if "items" in node:
        further["items"] = items
    if least > count:
        further["minItems"] = least - count
    if stop is not None:
        further["maxItems"] = stop - count
    if node.get("uniqueItems") is True:
        further["uniqueItems"] = True
    return further


def _unused(name: str, names: list[str]) -> str:
    while name in names:
        name += "_"
    return name


def _lost(node: Schema, stop: int | None) -> list[str]:
    """What the object does not say."""
    words = ("contains", "minContains", "maxContains") if "contains" in node else ()
    lost: list[str] = [word for word in words if word in node]
    if node.get("uniqueItems") is True and (stop is None or stop > 1):
        lost.append("uniqueItems")
    return lost
