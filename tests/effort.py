"""
Effort: how much work a call is, counted. A clock would say as much about the machine.

Counted are the calls of functions, Python's own ones included: the same in every run,
and more of them wherever Python code looks at more values.
"""

import gc
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any


class TooMuchWorkError(BaseException):
    """More calls than there may be. Not an Exception: no code under test takes it for a mistake in its input."""


def calls_of(work: Callable[[], object]) -> int:
    """How many calls some work makes, and a few of the counting: the same number each time."""
    made = 0

    def count(frame: Any, event: str, argument: Any) -> None:
        nonlocal made
        made += event in ("call", "c_call")

    with _profiled(count):
        work()
    return made


@contextmanager
def at_most(calls: int) -> Iterator[None]:
    """Raise TooMuchWorkError in what makes more calls than these; it need not end by itself."""
    left = calls

    def count(frame: Any, event: str, argument: Any) -> None:
        nonlocal left
        if event in ("call", "c_call"):
            left -= 1
            if left < 0:
                raise TooMuchWorkError(f"more than {calls} calls")

    with _profiled(count):
        yield


@contextmanager
def _profiled(count: Callable[[Any, str, Any], None]) -> Iterator[None]:
    before, collects = sys.getprofile(), gc.isenabled()
    # When garbage is collected depends on what ran before, and others' callbacks and finalizers would count.
    gc.disable()
    sys.setprofile(count)
    try:
        yield
    finally:
        try:
            # This call counts as well.
            sys.setprofile(before)
        finally:
            if collects:
                gc.enable()
