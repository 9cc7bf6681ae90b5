"""What laws are tried on: schemas together with values that meet them or nearly do."""

import json
from collections.abc import Callable, Collection, Iterator, Sequence
from functools import lru_cache
from typing import Any, Final, TypeAlias

from hypothesis import HealthCheck, Phase, Verbosity, given, settings
from hypothesis import seed as seeded
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from schemaflow.drawing import DRAFTS, schemas, values_near
from schemaflow.keywords import JsonValue

Sample: TypeAlias = tuple[Any, list[JsonValue]]
"""A schema, and values to judge it by."""

USUAL: Final[Sequence[JsonValue]] = [
    *(None, True, 0, 1, 1.5, -1, "", "a", "abcd", [], [1], ["a", "a"], [1, "a", None], {}),
    *({"a": 1}, {"a": None}, {"b": 1, "c": "a"}, {"a": {}}, {"a": {"a": []}}),
]
"""Values that every schema is judged by, beside those drawn near it."""

NEAR: Final = 6
"""How many values are drawn near each schema."""


def schemas_with_values(
    schemas_drawn: SearchStrategy[Any] | None = None, *, values: int = NEAR, **options: Any
) -> SearchStrategy[Sample]:
    """
    Schemas together with so many values that meet them or nearly do.

    `schemas_drawn` are the schemas; without it they are those of `drawing.schemas`, which takes
    the `options` (`depth`, `drafts`, `malformed` …).
    """
    return _with_values(schemas(**options) if schemas_drawn is None else schemas_drawn, values)


@st.composite
def _with_values(draw: DrawFn, schemas_drawn: SearchStrategy[Any], count: int) -> Sample:
    schema = draw(schemas_drawn)
    near = values_near(schema if isinstance(schema, (dict, bool)) else True)
    return schema, [draw(near) for _ in range(count)]


_ROUND: Final = 10
"""After so many examples Hypothesis goes on with mutations of what it has, which are much alike."""

_KINDS: Final[Sequence[dict[str, Any]]] = [
    {"depth": 3},
    {"depth": 2, "roots": "any", "focused": True},
    {"depth": 2, "focused": True},
    {"depth": 1, "roots": "any", "focused": True, "references": False},
    {"depth": 3, "malformed": True},
]
"""What the rounds draw by turns: large schemas show what surprises, small ones have values that tell them apart."""


def samples(
    count: int, seed: int, focuses: Sequence[frozenset[str]] = (), drafts: Collection[str] = DRAFTS
) -> Iterator[Sample]:
    """
    At most so many distinct samples, the same ones for the same seed; nothing is printed or kept.

    Most rounds draw the keywords of one of the `focuses` more often than others, by turns.
    """
    known = tuple(drafts)

    def strategy(number: int) -> SearchStrategy[Sample]:
        focus = focuses[number % len(focuses)] if focuses else frozenset[str]()
        return _strategy(number % len(_KINDS), focus, known)

    return _distinct(strategy, count, seed)


def drawn(strategy: SearchStrategy[Sample], count: int, seed: int) -> Iterator[Sample]:
    """At most so many distinct samples of a strategy, the same ones for the same seed."""
    return _distinct(lambda number: strategy, count, seed)


def _distinct(strategy: Callable[[int], SearchStrategy[Sample]], count: int, seed: int) -> Iterator[Sample]:
    seen: set[str] = set()
    for number in range(-(-count // _ROUND)):
        for sample in _round(strategy(number), min(_ROUND, count - number * _ROUND), f"{seed}/{number}"):
            text = json.dumps(sample)
            if text not in seen:
                seen.add(text)
                yield sample


@lru_cache(maxsize=256)
def _strategy(kind: int, focus: frozenset[str], drafts: tuple[str, ...]) -> SearchStrategy[Sample]:
    options = dict(_KINDS[kind], drafts=drafts)
    if options.pop("focused", False):
        options["focus"] = focus
    return schemas_with_values(**options)


def _round(strategy: SearchStrategy[Sample], count: int, seed: str) -> Collection[Sample]:
    found: list[Sample] = []

    @seeded(seed)
    @settings(
        max_examples=count,
        phases=[Phase.generate],
        database=None,
        deadline=None,
        verbosity=Verbosity.quiet,
        suppress_health_check=list(HealthCheck),
    )
    @given(strategy)
    def collect(sample: Sample) -> None:
        found.append(sample)

    collect()
    return found
