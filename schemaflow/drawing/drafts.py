"""How drafts spell what they spell differently, and what references may refer to."""

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from itertools import combinations
from typing import Final, NamedTuple
from urllib.parse import quote

from attrs import field, frozen
from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from schemaflow.drawing.plain import COUNTS, NUMBER, WHOLE
from schemaflow.drawing.vocabulary import COIN, DEFINITION_NAMES, SOME_NAMES, value_lists
from schemaflow.keywords import (
    JsonValue,
    Schema,
    pointer,
)

DRAFTS: Final = ("2020-12", "2019-09", "draft-07", "draft-06", "draft-04", "openapi-3.0", "mixed")
"""The spellings that schemas are drawn in; `mixed` spells each keyword as some draft does."""


@frozen(eq=False)
class Draft:
    """
    How the documents of a draft are spelled.

    `declares`: what `$schema` may say (None: it may be left out). `anchored`: a schema
    that a reference finds by name. `needs`: what a keyword cannot stand without.
    `parts`: what resources within a document may declare.
    """

    declares: Sequence[str | None] = (None,)
    spellings: Mapping[str, SearchStrategy[JsonValue]] = field(factory=dict)
    booleans: bool = True
    lists_items: bool = False
    lists_types: bool = True
    anchored: Callable[[str], Schema] = lambda name: {"$anchor": name}
    needs: Mapping[str, str] = field(factory=dict)
    parts: Sequence[str] = ()


def _named_by(keyword: str) -> Callable[[str], Schema]:
    return lambda name: {keyword: "#" + name}


LATEST: Final = "https://json-schema.org/draft/2020-12/schema"
_2019: Final = "https://json-schema.org/draft/2019-09/schema"
_OLD: Final = "http://json-schema.org/draft-0{}/schema"
_ENUMS: Final = {"enum": value_lists("any", distinct=True)}
_BOOLEAN_BOUNDS: Final = {"exclusiveMinimum": COIN, "exclusiveMaximum": COIN}
BOUNDS_NEED: Final = {"exclusiveMinimum": "minimum", "exclusiveMaximum": "maximum"}
SPELLINGS: Final[Mapping[str, Draft]] = {
    "2020-12": Draft([None, None, LATEST]),
    "2019-09": Draft([_2019], {"$recursiveAnchor": COIN}, lists_items=True),
    "draft-07": Draft([_OLD.format(7), _OLD.format(7) + "#"], lists_items=True, anchored=_named_by("$id")),
    "draft-06": Draft([_OLD.format(6), _OLD.format(6) + "#"], _ENUMS, lists_items=True, anchored=_named_by("$id")),
    "draft-04": Draft(
        [_OLD.format(4), _OLD.format(4) + "#"],
        _BOOLEAN_BOUNDS | _ENUMS | {"required": SOME_NAMES} | dict.fromkeys(COUNTS, WHOLE),
        booleans=False,
        lists_items=True,
        anchored=_named_by("id"),
        needs=BOUNDS_NEED,
    ),
    "openapi-3.0": Draft(spellings=_BOOLEAN_BOUNDS, booleans=False, lists_types=False, needs=BOUNDS_NEED),
    "mixed": Draft(
        [None, None, LATEST, _OLD.format(7), "urn:x:dialect"],
        dict.fromkeys(_BOOLEAN_BOUNDS, COIN | NUMBER) | {"$recursiveAnchor": COIN},
        lists_items=True,
        parts=[_OLD.format(4), _OLD.format(7), LATEST],
    ),
}


class Target(NamedTuple):
    """A reference, the path to where the document holds what it refers to, and the name by which that is found."""

    reference: str
    place: tuple[str, ...] | None = None
    identity: Schema | None = None


def _pointed(*path: str) -> Target:
    return Target("#" + quote(pointer(path), safe="/~$"), path)


def _targets(draft: Draft) -> list[Target]:
    owned = "id" if "id" in draft.anchored("") else "$id"
    return [
        *(_pointed(keyword, name) for keyword in ("$defs", "definitions") for name in DEFINITION_NAMES),
        *(_pointed("properties", name) for name in ("a", "a/b", "%41", "$ref")),
        *[Target("#leaf", ("$defs", "L"), draft.anchored("leaf"))] * 2,
        *[Target("#node", ("definitions", "N"), {"$dynamicAnchor": "node"} | draft.anchored("node"))] * 2,
        *[Target("urn:x:part", ("$defs", "P"), {owned: "urn:x:part"}), Target("#")] * 2,
    ]


def _odd_targets(draft: Draft) -> list[Target]:
    """What hardly anybody refers to, and steps take apart; resources in another draft."""
    paths = "not allOf/0 anyOf/1 oneOf/0 if/properties/a then items $defs/A/allOf/0 properties/a/const".split()
    parts = [{"$id": "urn:x:part", "$schema": declared} for declared in draft.parts]
    return [
        *(_pointed(*path.split("/")) for path in paths),
        *(Target("urn:x:part", ("$defs", "P"), part) for part in parts),
    ]


_DANGLING: Final = [Target(text) for text in ("#/$defs/nowhere", "#/components/schemas/A", "A", "#lost")]


@lru_cache
def target_groups(draft: Draft) -> SearchStrategy[tuple[Target, ...]]:
    """What the references of a document refer to: nothing, one or two, and now and then what is not there."""
    known = _targets(draft)
    groups: list[tuple[Target, ...]] = [*combinations(known, 2), *[(target,) for target in known] * 5]
    groups += [(target,) for target in _odd_targets(draft)] * 3
    groups += [(known[0], lost) for lost in _DANGLING] * (len(groups) // 20)
    return st.sampled_from([()] * (len(groups) // 2) + groups)
