"""
Hearing: what a declared draft does not read, and whether a change took it for said.

Rules read all that 2020-12 reads. Where a document declares an older draft, at its root or
further down, they may move what did nothing to where it counts, or the other way round.
"""

from collections.abc import Iterable, Iterator
from functools import cached_property
from typing import Any, Final

from attrs import field, frozen

from schemaflow.contract import Contract
from schemaflow.drafts import Age, age_of, unheard
from schemaflow.keywords import JsonValue, Schema
from schemaflow.origins import nodes, value_at
from schemaflow.trace import Event, Link

_MISSING: Final[tuple[()]] = ()
_IDENTITY: Final = ("$schema", "$id", "id")
_MAY_BE_BOOLEAN: Final = ("additionalProperties", "additionalItems")


def has_inner_drafts(document: JsonValue) -> bool:
    """Whether anything below the root, a schema or not, may declare a draft."""
    waiting: list[Any] = list(document.values()) if isinstance(document, dict) else []
    seen: set[int] = set()
    while waiting:
        value = waiting.pop()
        if not isinstance(value, (dict, list)) or id(value) in seen:
            continue
        seen.add(id(value))
        if isinstance(value, dict) and "$schema" in value:
            return True
        waiting.extend(value.values() if isinstance(value, dict) else value)
    return False


def is_heard(schema: JsonValue, age: Age) -> bool:
    """Whether a draft reads all that a schema says, as 2020-12 does, at any depth."""
    found = [node for _, node in nodes(schema) if isinstance(node, dict)]
    if any(age_of(node) not in (None, age) for node in found):
        return False
    if age >= Age.DRAFT_2020:
        return True
    return not any(unheard(node, age) for node in found) and (age > Age.DRAFT_4 or not _minds_integers(found))


@frozen(eq=False, slots=False)
class Hearing:
    """
    The drafts that the input of a pass declares.

    `undeclared` is the number of the step that took the root's `$schema` away, `has_inner`
    says that drafts may be declared below the root, `result` is what the pass made.
    """

    document: JsonValue
    result: JsonValue
    undeclared: float
    has_inner: bool
    age: Age = field(init=False)

    @age.default
    def _age(self) -> Age:
        age = age_of(self.document)
        return Age.DRAFT_2020 if age is None else age

    @cached_property
    def minds(self) -> bool:
        """Whether anything may go unheard."""
        return self.age < Age.DRAFT_2020 or self.has_inner

    def misheard(self, step: int, event: Event, contract: Contract) -> bool:
        """Whether a change of a node took what its draft does not read for said, or made it count, or no more."""
        if not self.minds or not isinstance(event.before, dict):
            return False
        after = event.after if isinstance(event.after, dict) else {}
        around = self._around(step, event.link)
        if event.link is not None and self._redeclares(event.before, after, around):
            return True
        ages = around | {age_of(event.before) or Age.DRAFT_2020} if "$schema" in event.before else around
        if any(_mishears(event.before, after, age, contract) for age in ages):
            return True
        return not _drops(contract) and min(ages) <= Age.DRAFT_4 and _writes_booleans(event, after)

    def _around(self, step: int, link: Link) -> frozenset[Age]:
        """The ages in which what stands at a place may be read, its own declaration aside."""
        found = {self.age if step <= self.undeclared else Age.DRAFT_2020}
        if self.has_inner:
            for document in (self.document, self.result):
                found.update(_declared_above(document, link))
        return frozenset(found)

    @staticmethod
    def _redeclares(before: Schema, after: Schema, around: frozenset[Age]) -> bool:
        """Whether a node inside another draft's declares its own no more."""
        age = age_of(before)
        if age is None or around == {age}:
            return False
        return around != {Age.DRAFT_2020} and any(before.get(name) is not after.get(name) for name in _IDENTITY)


def _drops(contract: Contract) -> bool:
    """Whether all that a rule does to what is accepted is to drop keywords."""
    return contract.only_drops or contract.tells_drops


def _declared_above(document: JsonValue, link: Link) -> Iterator[Age]:
    """The drafts that the nodes above a place declare, but for the root."""
    path: list[Any] = []
    while link is not None:
        link, keyword, token = link
        path[:0] = [keyword] if token is None else [keyword, token]
    for length in range(1, len(path)):
        age = age_of(value_at(document, tuple(path[:length])))
        if age is not None:
            yield age


def _mishears(before: Schema, after: Schema, age: Age, contract: Contract) -> bool:
    if age >= Age.DRAFT_2020:
        return not _drops(contract) and _holds_drafts(before, after, age)
    if age.ignores_siblings and isinstance(before.get("$ref"), str) and before["$ref"] is after.get("$ref"):
        # Nothing but the reference counted, and nothing else does.
        return False
    was, becomes = unheard(before, age), unheard(after, age)
    if _drops(contract):
        # What was not read is dropped without loss, but may be read once a reference is gone.
        return "$ref" not in after and not was.isdisjoint(after.keys() - becomes)
    if not was.isdisjoint(contract.trigger.keywords):
        return True
    if any((name in was) is not (name in becomes) for name in (was | becomes) & before.keys() & after.keys()):
        return True
    if any(before.get(name, _MISSING) is not after.get(name, _MISSING) for name in was | becomes):
        return True
    if age <= Age.DRAFT_4 and _minds_integers([before, after]) and _differ(before, after, ("type", "enum")):
        return True
    # What it looked at in children, if only to tell what it did, it took for said, too.
    return not all(is_heard(one, age) for one in _changed(before, after))


def _writes_booleans(event: Event, after: Schema) -> bool:
    """Whether a change writes boolean schemas where draft 4 has none."""
    if isinstance(event.after, bool):
        return event.link is not None and event.link[1] not in _MAY_BE_BOOLEAN
    _, new = _changed(event.before, after)
    return any(isinstance(node, bool) and path[-1] not in _MAY_BE_BOOLEAN for path, node in nodes(new))


def _differ(before: Schema, after: Schema, names: Iterable[str]) -> bool:
    return any(before.get(name, _MISSING) is not after.get(name, _MISSING) for name in names)


def _changed(before: Schema, after: Schema) -> tuple[Schema, Schema]:
    """The keywords in which two states of a node differ, of each."""
    gone = {name: value for name, value in before.items() if value is not after.get(name, _MISSING)}
    new = {name: value for name, value in after.items() if value is not before.get(name, _MISSING)}
    return gone, new


def _holds_drafts(before: Schema, after: Schema, age: Age) -> bool:
    """Whether what a change moved declares a draft of its own, or did."""
    below = (
        node for one in _changed(before, after) for _, node in nodes(one) if isinstance(node, dict) and node is not one
    )
    return any(age_of(node) not in (None, age) for node in below)


def _minds_integers(found: Iterable[Schema]) -> bool:
    """Whether it matters to some schema objects that 1.0 is no integer in draft 4."""
    found = list(found)
    return any(map(_names_integers, found)) and any(_has_whole_floats(node.get("enum")) for node in found)


def _names_integers(node: Schema) -> bool:
    stated = node.get("type")
    return "integer" in (stated if isinstance(stated, list) else [stated])


def _has_whole_floats(value: JsonValue) -> bool:
    waiting = [value]
    while waiting:
        one = waiting.pop()
        if isinstance(one, float) and one.is_integer():
            return True
        if isinstance(one, (dict, list)):
            waiting.extend(one.values() if isinstance(one, dict) else one)
    return False
