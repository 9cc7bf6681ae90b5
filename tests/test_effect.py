"""Effects form a lattice, and polarity moves them within it."""

from itertools import product

import pytest

from schemaflow.effect import Effect
from schemaflow.keywords import Polarity

EFFECTS = [Effect.EXACT, Effect.WIDENS, Effect.NARROWS, Effect.BOTH, Effect.UNKNOWN]
POLARITIES = list(Polarity)
PAIRS = list(product(EFFECTS, EFFECTS))


@pytest.mark.parametrize("effect", EFFECTS)
def test_joining_an_effect_with_itself_changes_nothing(effect: Effect) -> None:
    assert effect | effect is effect


def test_the_order_of_a_join_does_not_matter() -> None:
    odd = [(left, right) for left, right in PAIRS if left | right is not right | left]

    assert odd == []


def test_the_grouping_of_joins_does_not_matter() -> None:
    triples = product(EFFECTS, EFFECTS, EFFECTS)
    odd = [(one, two, three) for one, two, three in triples if (one | two) | three is not one | (two | three)]

    assert odd == []


def test_a_join_is_one_of_the_five() -> None:
    odd = [(left, right) for left, right in PAIRS if left | right not in EFFECTS]

    assert odd == []


@pytest.mark.parametrize("effect", EFFECTS)
def test_exact_adds_nothing(effect: Effect) -> None:
    assert effect | Effect.EXACT is effect


@pytest.mark.parametrize("effect", EFFECTS)
def test_unknown_absorbs_everything(effect: Effect) -> None:
    assert effect | Effect.UNKNOWN is Effect.UNKNOWN


def test_widens_and_narrows_are_both() -> None:
    assert Effect.WIDENS | Effect.NARROWS is Effect.BOTH


@pytest.mark.parametrize(
    ("effect", "facts"),
    [
        (Effect.EXACT, (False, False)),
        (Effect.WIDENS, (True, False)),
        (Effect.NARROWS, (False, True)),
        (Effect.BOTH, (True, True)),
        (Effect.UNKNOWN, (True, True)),
    ],
)
def test_an_effect_is_two_facts(effect: Effect, facts: tuple[bool, bool]) -> None:
    assert (effect.may_widen, effect.may_narrow) == facts


def test_each_effect_has_a_word_of_its_own() -> None:
    assert [effect.word for effect in EFFECTS] == ["exact", "widens", "narrows", "both", "unknown"]


@pytest.mark.parametrize("effect", EFFECTS)
def test_flipping_twice_is_not_flipping(effect: Effect) -> None:
    assert effect.flipped().flipped() is effect


@pytest.mark.parametrize("effect", EFFECTS)
def test_flipping_swaps_the_facts(effect: Effect) -> None:
    flipped = effect.flipped()

    assert (flipped.may_widen, flipped.may_narrow) == (effect.may_narrow, effect.may_widen)


@pytest.mark.parametrize("polarity", POLARITIES)
def test_what_is_exact_is_exact_from_everywhere(polarity: Polarity) -> None:
    assert Effect.EXACT.seen_through(polarity) is Effect.EXACT


@pytest.mark.parametrize(
    ("polarity", "seen"),
    [
        (Polarity.SAME, [Effect.WIDENS, Effect.NARROWS, Effect.BOTH, Effect.UNKNOWN]),
        (Polarity.FLIPPED, [Effect.NARROWS, Effect.WIDENS, Effect.BOTH, Effect.UNKNOWN]),
        (Polarity.MIXED, [Effect.UNKNOWN] * 4),
        (Polarity.NONE, [Effect.EXACT] * 4),
    ],
)
def test_an_effect_is_seen_through_a_polarity(polarity: Polarity, seen: list[Effect]) -> None:
    assert [effect.seen_through(polarity) for effect in EFFECTS[1:]] == seen


@pytest.mark.parametrize("polarity", POLARITIES)
def test_looking_and_joining_commute(polarity: Polarity) -> None:
    joined_first = [(left | right).seen_through(polarity) for left, right in PAIRS]

    assert [left.seen_through(polarity) | right.seen_through(polarity) for left, right in PAIRS] == joined_first
