"""Options: what a rule declares is what it takes, and what it does not take is refused in words."""

from typing import Any, Literal

import pytest
from attrs import frozen

from schemaflow.errors import OptionError
from schemaflow.options import describe_options, enumerated, option, read_options


@frozen
class Options:
    loud: bool = option(False, "Whether it is loud.")
    depth: int = option(5, "How deep.", minimum=1)
    mode: Literal["fast", "slow", 3] = option("fast", "How.")
    names: tuple[str, ...] = option((), "Which ones.")
    title: str | None = option(None, "What it is called.")


def read(**given: Any) -> Options:
    options: Options = read_options(Options, given, "rule 'r'")
    return options


def test_without_values_the_defaults_hold() -> None:
    assert read() == Options(loud=False, depth=5, mode="fast", names=(), title=None)


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ({"loud": True}, Options(loud=True)),
        ({"depth": 1}, Options(depth=1)),
        ({"mode": "slow"}, Options(mode="slow")),
        ({"mode": 3}, Options(mode=3)),
        ({"names": ["b", "a", "b"]}, Options(names=("b", "a", "b"))),
        ({"names": ("a",)}, Options(names=("a",))),
        ({"title": "T"}, Options(title="T")),
        ({"title": None}, Options(title=None)),
        ({"loud": True, "depth": 2}, Options(loud=True, depth=2)),
    ],
)
def test_values_of_the_declared_kinds_are_taken(given: dict[str, Any], expected: Options) -> None:
    assert read(**given) == expected


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"loud": "yes"}, "option 'loud' of rule 'r' must be a boolean, not 'yes'"),
        ({"loud": 1}, "option 'loud' of rule 'r' must be a boolean, not 1"),
        ({"depth": "5"}, "option 'depth' of rule 'r' must be an integer, not '5'"),
        ({"depth": True}, "option 'depth' of rule 'r' must be an integer, not True"),
        ({"depth": 1.0}, "option 'depth' of rule 'r' must be an integer, not 1.0"),
        ({"depth": 0}, "option 'depth' of rule 'r' must be at least 1, not 0"),
        ({"mode": "quick"}, "option 'mode' of rule 'r' must be one of 'fast', 'slow', 3, not 'quick'"),
        ({"mode": 3.0}, "option 'mode' of rule 'r' must be one of 'fast', 'slow', 3, not 3.0"),
        ({"names": "ab"}, "option 'names' of rule 'r' must be a list of strings, not 'ab'"),
        ({"names": ["a", 1]}, "option 'names' of rule 'r' must be a list of strings, not ['a', 1]"),
        ({"title": 1}, "option 'title' of rule 'r' must be a string or null, not 1"),
    ],
)
def test_other_values_are_refused_in_words(given: dict[str, Any], said: str) -> None:
    with pytest.raises(OptionError) as raised:
        read(**given)

    assert str(raised.value) == said
    assert raised.value.option == next(iter(given))


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("depht", "rule 'r' has no option 'depht' (did you mean 'depth'?)"),
        ("zzz", "rule 'r' has no option 'zzz' (it has: loud, depth, mode, names, title)"),
    ],
)
def test_an_unknown_name_is_refused_with_the_nearest(name: str, said: str) -> None:
    with pytest.raises(OptionError) as raised:
        read(**{name: 1})

    assert str(raised.value) == said


def test_a_rule_without_options_takes_none() -> None:
    assert read_options(None, {}, "rule 'r'") is None
    with pytest.raises(OptionError, match=r"rule 'r' has no option 'loud' \(it has none\)"):
        read_options(None, {"loud": True}, "rule 'r'")


def test_options_are_described_in_order() -> None:
    expected = [
        ("loud", "a boolean", False, "Whether it is loud."),
        ("depth", "an integer", 5, "How deep."),
        ("mode", "one of 'fast', 'slow', 3", "fast", "How."),
        ("names", "a list of strings", (), "Which ones."),
        ("title", "a string or null", None, "What it is called."),
    ]

    assert describe_options(Options) == expected


def test_what_is_enumerated_is_each_other_value_of_options_with_few() -> None:
    assert enumerated(Options) == [{}, {"loud": True}, {"mode": "slow"}, {"mode": 3}]


def test_a_rule_without_options_has_one_setting() -> None:
    assert enumerated(None) == [{}]


def test_every_enumerated_setting_is_taken() -> None:
    settings = [read(**setting) for setting in enumerated(Options)]

    assert len(set(settings)) == len(settings)
