"""Contracts, triggers, conditions and options in words, for people."""

import json
from collections.abc import Iterable
from typing import Any, Final

from schemaflow.contract import Contract, Everything, Order, Trigger
from schemaflow.keywords import Composite
from schemaflow.pipeline import Condition

_KINDS: Final = {dict: "an object", list: "a list", str: "a string", bool: "a boolean", int: "an integer"}


def trigger_words(trigger: Trigger) -> list[str]:
    """What a rule is called for, each thing in a few words."""
    words = sorted(trigger.keywords)
    for keyword, (values, kinds) in sorted(trigger.valued.items()):
        words += sorted(f"{keyword}: {_spelt(value)}" for value in values)
        words += [f"{keyword}: {_KINDS.get(kind, kind.__name__)}" for kind in kinds]
    if trigger.outside is not None:
        words.append("any keyword that is not listed" if trigger.outside else "any keyword")
    if trigger.every:
        words.append("every schema object")
    if trigger.boolean:
        words.append("boolean schemas")
    return words


def _spelt(key: object) -> str:
    """A value from a trigger, where `True` is kept apart from 1."""
    value = key[1] if isinstance(key, tuple) else key.value if isinstance(key, Composite) else key
    return value if isinstance(value, str) else json.dumps(value, default=str)


def effect_word(contract: Contract) -> str:
    """The worst case of a rule, or how it is found."""
    return "depends" if contract.effect is None else contract.effect.word


def keyword_words(names: "frozenset[str] | Everything") -> list[str]:
    """A contract's set of keywords as a list."""
    return ["any keyword"] if isinstance(names, Everything) else sorted(names)


def contract_json(contract: Contract) -> dict[str, Any]:
    """A contract as JSON."""
    return {
        "effect": effect_word(contract),
        "on": trigger_words(contract.trigger),
        "lacking": sorted(contract.trigger.lacking),
        "writes": keyword_words(contract.writes),
        "peeks": keyword_words(contract.peeks),
        "spawns": contract.spawns,
        "order": contract.order.value,
    }


def order_words(order: Order) -> str:
    """`parents first`."""
    return order.value.replace("_", " ")


def condition_words(when: Condition | None, unless: Condition | None) -> str:
    """`when has items; unless option strict`, or nothing."""
    parts = [f"{word} {' and '.join(_parts(one))}" for word, one in (("when", when), ("unless", unless)) if one]
    return "; ".join(parts)


def _parts(condition: Condition) -> Iterable[str]:
    if condition.option is not None:
        yield f"option {condition.option} is on"
    if condition.at_root:
        yield "at the root"
    if condition.at_parameter:
        yield "at a parameter"
    if condition.held_by:
        yield f"in {' or '.join(sorted(condition.held_by))}"
    if condition.has:
        yield f"has {', '.join(sorted(condition.has))}"
    if condition.under:
        yield f"under {' or '.join(sorted(condition.under))}"


def plain(value: Any) -> Any:
    """An option's value as JSON says it: sets and tuples as lists."""
    if isinstance(value, (set, frozenset)):
        return sorted(value)
    return list(value) if isinstance(value, tuple) else value


def spelt(value: Any) -> str:
    """An option's value as compact JSON."""
    return json.dumps(plain(value), ensure_ascii=False, default=str)
