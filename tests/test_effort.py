"""Effort is counted alike in every run, and what goes on for ever is stopped."""

import gc
from collections.abc import Callable
from itertools import count

import pytest

from tests.effort import TooMuchWorkError, at_most, calls_of


def fits(calls: int, work: Callable[[], object]) -> bool:
    try:
        with at_most(calls):
            work()
    except TooMuchWorkError:
        return False
    return True


def least(work: Callable[[], object]) -> int:
    return next(calls for calls in count() if fits(calls, work))


@pytest.mark.parametrize("values", [0, 1, 50])
def test_every_look_at_a_value_counts(values: int) -> None:
    given = [""] * values
    none = least(lambda: None)

    assert least(lambda: [len(value) for value in given]) - none in (values, values + 1)


@pytest.mark.parametrize("values", [1, 50])
def test_calls_are_counted(values: int) -> None:
    given = [""] * values
    made = calls_of(lambda: [len(value) for value in given])

    assert made - calls_of(lambda: [len(value) for value in [""] * 0]) == values


def test_what_never_ends_is_stopped_through_its_own_handlers() -> None:
    def swallows() -> None:
        while True:
            try:
                len("")
            except Exception:
                continue

    assert not fits(1000, swallows)


def test_what_follows_is_not_counted() -> None:
    with at_most(10):
        len("")

    assert sum(len(text) for text in ["a"] * 100) == 100


def test_garbage_that_is_collected_does_not_count() -> None:
    def leaves_cycles() -> None:
        for _ in [None] * 2000:
            cycle: list[object] = []
            cycle += [cycle]

    gc.callbacks.append(lambda phase, info: [len(phase) for _ in [None] * 100].clear())
    try:
        assert fits(20, leaves_cycles)
    finally:
        del gc.callbacks[-1]

    assert gc.isenabled()
