"""
The codecs: what a location's values look like to the author, and what to the provider.

Each turns the value of one location, and leaves what lies inside it to the codecs there.
`encode` is defined on values that the author's schema accepts, and raises NotEncodable for
others where it can tell; `decode` takes whatever a model sends and never raises: what is not
of the shape that it wrote comes back as it is, for validation to speak of.
"""

import json
import math
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping
from enum import Enum
from typing import Any, Final, TypeAlias

from attrs import field, frozen

from schemaflow.errors import NotEncodable
from schemaflow.keywords import JsonValue, Schema, Token, json_key, json_type

Tokens: TypeAlias = tuple[Token, ...]


@frozen
class Settled:
    """A value that stands for something else, and that no codec further in has to write."""

    value: JsonValue


ABSENT: Final = Settled(None)


class Codec(ABC):
    """How the values of a location are written and read."""

    @abstractmethod
    def encode(self, value: JsonValue, node: Schema) -> JsonValue:
        """
        The author's value in the provider's shape, its parts unencoded.

        `node` is the node whose codec this is. Raises NotEncodable.
        """

    @abstractmethod
    def decode(self, value: JsonValue, raw: JsonValue, node: Schema) -> JsonValue:
        """The value in the author's shape, its parts decoded already; `raw` is as it came."""

    def located(self, tokens: Tokens, value: JsonValue, node: Schema) -> Tokens:
        """The place in the author's value of a place in its encoded shape."""
        return tokens


@frozen
class Text(Codec):
    """Any JSON value, as its text."""

    def encode(self, value: JsonValue, node: Schema) -> JsonValue:
        """Its compact JSON."""
        try:
            text = json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
        except (TypeError, ValueError, RecursionError) as error:
            raise NotEncodable(f"no JSON text: {error}") from None
        # A lone surrogate goes out escaped.
        return Settled(text if text.isascii() or _is_unicode(text) else json.dumps(value, separators=(",", ":")))

    def decode(self, value: JsonValue, raw: JsonValue, node: Schema) -> JsonValue:
        """What the text says; text that is no JSON stays what it is."""
        if not isinstance(value, str):
            return value
        try:
            return json.loads(value, parse_constant=_no_constant, parse_float=_finite)
        except (ValueError, RecursionError):
            return value


def _is_unicode(text: str) -> bool:
    return not any("\ud800" <= one <= "\udfff" for one in text)


def _finite(text: str) -> float:
    number = float(text)
    if not math.isfinite(number):
        raise ValueError(f"{text} is too large")
    return number


def _no_constant(name: str) -> None:
    raise ValueError(f"{name} is not JSON")


@frozen
class Wrapped(Codec):
    """A value as the only member of an object."""

    key: str

    def encode(self, value: JsonValue, node: Schema) -> JsonValue:
        """The object."""
        return {self.key: value}

    def decode(self, value: JsonValue, raw: JsonValue, node: Schema) -> JsonValue:
        """The member."""
        return value[self.key] if isinstance(value, dict) and value.keys() == {self.key} else value

    def located(self, tokens: Tokens, value: JsonValue, node: Schema) -> Tokens:
        """The wrapper is no place of the author's."""
        return tokens[1:]


@frozen
class Constants(Codec):
    """Constants as strings: pairs of a string and what it stands for, each once."""

    pairs: tuple[tuple[str, JsonValue], ...] = field(hash=False)

    def encode(self, value: JsonValue, node: Schema) -> JsonValue:
        """The string of a constant."""
        key = json_key(value)
        for text, constant in self.pairs:
            if json_key(constant) == key:
                return text
        raise NotEncodable("none of the constants")

    def decode(self, value: JsonValue, raw: JsonValue, node: Schema) -> JsonValue:
        """The constant of a string."""
        return next((constant for text, constant in self.pairs if text == value), value)


@frozen
class Pairs(Codec):
    """The members of an object as a list of pairs."""

    key: str = "key"
    value: str = "value"

    def encode(self, value: JsonValue, node: Schema) -> JsonValue:
        """A pair for each member, in order."""
        if not isinstance(value, dict):
            raise NotEncodable(f"no object but {json_type(value)}")
        return [self.pair(name, member) for name, member in value.items()]

    def decode(self, value: JsonValue, raw: JsonValue, node: Schema) -> JsonValue:
        """The members; of two pairs with one key the last counts."""
        if not isinstance(value, list) or not all(map(self.is_pair, value)):
            return value
        return {pair[self.key]: pair[self.value] for pair in value}

    def pair(self, name: str, member: JsonValue) -> JsonValue:
        """One member as a pair."""
        return {self.key: name, self.value: member}

    def is_pair(self, value: JsonValue) -> bool:
        """Whether a value is a pair."""
        return isinstance(value, dict) and value.keys() == {self.key, self.value} and isinstance(value[self.key], str)

    def located(self, tokens: Tokens, value: JsonValue, node: Schema) -> Tokens:
        """The member of a pair."""
        return _member_of_pair(tokens, list(value))


def _member_of_pair(tokens: Tokens, names: list[str]) -> Tokens:
    if not tokens or not isinstance(tokens[0], int):
        return ()
    return (names[tokens[0]], *tokens[2:])


class Absence(Enum):
    """What null says of a property that may be left out and may be null, too."""

    ABSENT = "absent"
    NULL = "null"


@frozen
class Members(Codec):
    """
    An object whose members have other names, are null where they are absent, or stand in a list of pairs.

    `names`: the author's names of properties that have another one. `absent`: the author's
    names of those that are null where they are left out. `nullable`: those of them that
    the author allows to be null, and what null says then. `extra`: the property
    with the pairs of all members that are not declared.
    """

    names: Mapping[str, str] = field(factory=dict, hash=False)
    absent: frozenset[str] = frozenset()
    nullable: Mapping[str, Absence] = field(factory=dict, hash=False)
    extra: str | None = None
    pairs: Pairs = Pairs()

    def encode(self, value: JsonValue, node: Schema) -> JsonValue:
        """The members under their new names, null for those that are absent, and the rest as pairs."""
        if not isinstance(value, dict):
            raise NotEncodable(f"no object but {json_type(value)}")
        extra = self.extra
        wire: dict[str, str] = {author: name for name, author in self.names.items()}
        declared = self._declared(node)
        encoded: dict[str, Any] = {}
        others: list[JsonValue] = []
        for author, member in value.items():
            name = wire[author] if author in wire else author  # noqa: SIM401 -- typed
            if member is None and author in self.absent and author not in self.nullable:
                raise NotEncodable("null, which stands for a property that is absent", (author,))
            if extra is not None and author not in declared:
                others.append(self.pairs.pair(author, member))
            elif author not in declared and (name in self.names or name in declared):
                raise NotEncodable("another property has this name", (author,))
            else:
                encoded[name] = member
        for author in declared:
            if author in self.absent and author not in value:
                encoded[wire.get(author, author)] = ABSENT
        if extra is not None:
            encoded[extra] = others
        return encoded

    def decode(self, value: JsonValue, raw: JsonValue, node: Schema) -> JsonValue:
        """The members under the author's names, without those that are null for being absent."""
        if not isinstance(value, dict):
            return value
        declared = frozenset(self._declared(node))
        renamed = frozenset(self.names.values())
        decoded: dict[str, Any] = {}
        for name, member in value.items():
            author = self.names.get(name, name)
            if name == self.extra or (name not in self.names and name in renamed):
                # The pairs, or a member that the author's name stands for under another name.
                continue
            if raw[name] is None and author in self.absent and self.nullable.get(author) is not Absence.NULL:
                continue
            decoded[author] = member
        for author, member in self._others(value):
            if author not in declared:
                decoded[author] = member
        return decoded

    def _declared(self, node: Schema) -> list[str]:
        """The author's names of the declared properties, in order."""
        names = node.get("properties")
        known: Iterable[str] = names if isinstance(names, dict) else ()
        return [self.names.get(name, name) for name in known if name != self.extra]

    def _others(self, value: dict[str, Any]) -> Iterator[tuple[str, JsonValue]]:
        listed = None if self.extra is None else value.get(self.extra)
        for pair in listed if isinstance(listed, list) else ():
            if self.pairs.is_pair(pair):
                yield pair[self.pairs.key], pair[self.pairs.value]

    def located(self, tokens: Tokens, value: JsonValue, node: Schema) -> Tokens:
        """The member under the author's name."""
        if not tokens or not isinstance(tokens[0], str):
            return tokens
        name, *rest = tokens
        if name == self.extra:
            declared = self._declared(node)
            return _member_of_pair(tuple(rest), [author for author in value if author not in declared])
        return (self.names.get(str(name), name), *rest)


@frozen
class Tuple(Codec):
    """
    The elements of an array as the members of an object.

    `names` are those of the first elements; the ones from `required` on are null where
    the array is shorter, and `nullable` are those of them that the author allows to be
    null. `rest` is the member with all further elements, as an array. With `omits`, what is
    not there is left out, and null is an element.
    """

    names: tuple[str, ...]
    required: int
    rest: str | None = None
    nullable: frozenset[int] = frozenset()
    omits: bool = False

    def encode(self, value: JsonValue, node: Schema) -> JsonValue:
        """The object; null for each element that is not there."""
        if not isinstance(value, list):
            raise NotEncodable(f"no array but {json_type(value)}")
        if len(value) < self.required:
            raise NotEncodable(f"fewer than {self.required} elements")
        if self.rest is None and len(value) > len(self.names):
            raise NotEncodable(f"more than {len(self.names)} elements")
        encoded: dict[str, Any] = dict(zip(self.names, value, strict=False))
        for index in range(self.required, min(len(value), len(self.names))):
            if value[index] is None and index not in self.nullable and not self.omits:
                raise NotEncodable("null, which stands for an element that is absent", (index,))
        if not self.omits:
            encoded |= dict.fromkeys(self.names[len(value) :], ABSENT)
        if self.rest is not None:
            encoded[self.rest] = value[len(self.names) :]
        return encoded

    def decode(self, value: JsonValue, raw: JsonValue, node: Schema) -> JsonValue:
        """The elements, up to the first that is absent."""
        if not isinstance(value, dict) or not value.keys() <= {*self.names, self.rest}:
            return value
        decoded: list[JsonValue] = []
        for index, name in enumerate(self.names):
            if name not in value or (index >= self.required and raw[name] is None and not self.omits):
                return decoded
            decoded.append(value[name])
        further = None if self.rest is None else value.get(self.rest)
        return [*decoded, *further] if isinstance(further, list) else decoded

    def located(self, tokens: Tokens, value: JsonValue, node: Schema) -> Tokens:
        """The element."""
        if not tokens:
            return tokens
        if tokens[0] == self.rest and len(tokens) > 1 and isinstance(tokens[1], int):
            return (len(self.names) + tokens[1], *tokens[2:])
        return (self.names.index(str(tokens[0])), *tokens[1:]) if tokens[0] in self.names else tokens
