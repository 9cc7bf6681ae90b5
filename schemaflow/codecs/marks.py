"""
Marks: a node's codec, under a key that equals no other.

No JSON can forge such a key and no list of keywords can name it, though it can be measured
and sorted among others; a document that still has one is refused by JSON encoders, since a codec is
no JSON.
"""

from typing import Any, Final, final

from schemaflow.codecs.kinds import Codec
from schemaflow.intake import Limits
from schemaflow.keywords import JsonValue, Schema
from schemaflow.visitor import Below, inherit


@final
class _Key(str):
    """A string of no characters that equals nothing but itself."""

    __slots__ = ()

    def __eq__(self, other: object) -> bool:
        return self is other

    def __ne__(self, other: object) -> bool:
        return self is not other

    def __hash__(self) -> int:
        return object.__hash__(self)

    def __reduce__(self) -> str:
        # A copy is the same one.
        return "MARK"

    def __repr__(self) -> str:
        return "<codec>"


MARK: Final[Any] = _Key()


def marked(schema: Schema, codec: Codec) -> Schema:
    """A copy of a node whose values this codec writes and reads."""
    return {**schema, MARK: codec}


def codec_of(schema: JsonValue) -> Codec | None:
    """The codec of a node, None where values stand as they are."""
    return schema.get(MARK) if isinstance(schema, dict) else None


def stripped(document: JsonValue) -> Any:
    """A document without its marks; the same object where it has none."""
    return inherit(document, _without_mark, True, levels=2 * Limits().nesting).schema


def _without_mark(node: Any, state: bool) -> Below[bool]:
    if not isinstance(node, dict) or MARK not in node:
        return Below(node, state)
    return Below({word: value for word, value in node.items() if word is not MARK}, state)
