"""
Contracts: what a rule promises, and what triggers it.

Passes are fused, and nodes passed over, because of what is declared here; laws check it.
"""

from collections.abc import Collection, Iterable, Mapping
from enum import Enum
from typing import Any, Final, TypeAlias

from attrs import Factory, evolve, frozen

from schemaflow.effect import Effect
from schemaflow.errors import ContractError
from schemaflow.keywords import CHILDREN, JsonValue, Schema, json_key


class Everything(Enum):
    """The set of all keywords, where a contract cannot name them."""

    EVERYTHING = "everything"


EVERYTHING: Final = Everything.EVERYTHING
Keywords: TypeAlias = frozenset[str] | Everything


class Every(Enum):
    """Triggers that are no keyword."""

    EVERY = "every schema object"
    BOOLEAN = "boolean schemas"


EVERY: Final = Every.EVERY
BOOLEAN: Final = Every.BOOLEAN


class Order(Enum):
    """When a rule sees a node: before its children, or once they are finished."""

    PARENTS_FIRST = "parents_first"
    CHILDREN_FIRST = "children_first"


@frozen
class Trigger:
    """
    What must be seen at a node for a rule to be called.

    `keywords` trigger by being there; `valued` by holding one of these values
    (as `json_key`) or a value of one of these Python types; `outside` by any
    keyword that is not in the set. Where a keyword of `lacking` is there, nothing triggers.
    """

    keywords: frozenset[str] = frozenset()
    valued: Mapping[str, tuple[frozenset[object], tuple[type, ...]]] = Factory(dict)
    outside: frozenset[str] | None = None
    every: bool = False
    boolean: bool = False
    lacking: frozenset[str] = frozenset()

    @property
    def is_listed(self) -> bool:
        """Whether only keywords that can be listed trigger."""
        return not (self.every or self.boolean or self.outside is not None)

    def fires(self, schema: JsonValue) -> bool:
        """Whether a rule with this trigger is called at a node."""
        if not isinstance(schema, dict):
            return self.boolean
        if not self.lacking.isdisjoint(schema):
            return False
        if self.every or not self.keywords.isdisjoint(schema):
            return True
        if self.outside is not None and not self.outside.issuperset(schema):
            return True
        return any(keyword in schema and self.holds(keyword, schema[keyword]) for keyword in self.valued)

    def holds(self, keyword: str, value: JsonValue) -> bool:
        """Whether the value of a keyword is one that triggers."""
        values, kinds = self.valued[keyword]
        return value.__class__ in kinds or (bool(values) and json_key(value) in values)


HOLDERS: Final = frozenset(CHILDREN)
"""The keywords that hold subschemas."""

TOLD_WITH_CHILDREN: Final = (HOLDERS - {"$defs", "definitions", "contentSchema"}) | {"minContains", "maxContains"}
"""The keywords which nobody can tell in words without a look into child schemas."""


@frozen
class Contract:
    """
    What a rule promises, for one setting of its options. Laws check it.

    `writes` are the keywords that may differ after; `peeks` those it reads inside
    child schemas (taking keywords out of a child peeks at EVERYTHING); `spawns`
    says that it builds subschemas that were not there, or lists all that it builds;
    `effect` is its worst case. `drops` or `keeps` says that dropping keywords is all
    it does. `introduces` are the keywords that may come to stand in a document that
    had none of them: less than `writes` where a rule only moves what is there.
    `only_tells` says that it peeks to tell about children, and takes nothing out of them, `tells_drops`
    that all it does but for telling is to drop keywords. A
    document rule with `levels` does nothing to a document of at most so many schema
    objects below one another, one with `length` nothing to one of at most so many bytes
    as compact JSON. A rule that `keeps_evaluation` moves what evaluates members and
    elements without changing, where it is exact, which ones `unevaluatedProperties` and
    `unevaluatedItems` find evaluated. One that `encodes` may leave codecs on nodes, and its
    effect is that of the whole way: out through the codec, and back.
    """

    trigger: Trigger
    writes: Keywords = frozenset()
    peeks: Keywords = frozenset()
    spawns: bool | tuple[Schema, ...] = False
    effect: Effect | None = None
    order: Order = Order.PARENTS_FIRST
    drops: frozenset[str] | None = None
    keeps: frozenset[str] | None = None
    introduces: Keywords | None = None
    levels: int | None = None
    length: int | None = None
    keeps_evaluation: bool = False
    only_tells: bool = False
    encodes: bool = False
    tells_drops: bool = False

    @property
    def takes_over(self) -> bool:
        """Whether keywords of a child may come to stand in another node."""
        return self.peeks is EVERYTHING and not self.only_tells

    @property
    def introduced(self) -> Keywords:
        """The keywords that may be new to the whole document."""
        if self.only_drops:
            return frozenset()
        return self.writes if self.introduces is None else self.introduces

    def spawns_for(self, trigger: Trigger) -> bool:
        """Whether the rule may build a subschema that fires a trigger; boolean ones need no declaration."""
        if trigger.boolean and not self.only_drops and meet(self.writes, HOLDERS):
            return True
        if isinstance(self.spawns, bool):
            return self.spawns
        return any(trigger.fires(schema) for schema in self.spawns)

    @property
    def only_drops(self) -> bool:
        """Whether the rule does nothing but drop keywords that it can list."""
        return self.drops is not None or self.keeps is not None

    def describing(self) -> "Contract":
        """The contract of the same rule where it also tells in the description what it drops."""
        writes, new = _with_description(self.writes), _with_description(self.introduced)
        told = evolve(self, writes=writes, introduces=new, drops=None, keeps=None, tells_drops=self.only_drops)
        if self.peeks is EVERYTHING or not self._may_lose(TOLD_WITH_CHILDREN):
            return told
        # A boolean is a schema too: whether there is one can only be seen in the child.
        return evolve(told, peeks=EVERYTHING, only_tells=True)

    def _may_lose(self, names: frozenset[str]) -> bool:
        return bool(names - self.keeps) if self.keeps is not None else meet(self.writes, names)


def _with_description(names: Keywords) -> Keywords:
    return names if isinstance(names, Everything) else names | {"description"}


On: TypeAlias = "Iterable[str | tuple[str, Any] | Every]"


def read_contract(
    rule: str,
    *,
    on: Any = None,
    lacking: Iterable[str] = (),
    writes: Any = None,
    peeks: Any = (),
    spawns: bool | Iterable[Schema] = False,
    effect: Effect | None = None,
    order: Order = Order.PARENTS_FIRST,
    introduces: Any = None,
    levels: int | None = None,
    length: int | None = None,
    keeps_evaluation: bool = False,
    encodes: bool = False,
    drops: Iterable[str] | None = None,
    keeps: Iterable[str] | None = None,
    describes: bool = False,
) -> Contract:
    """
    A contract from what a rule declares, of one that `describes`, see `Contract.describing`.

    Raises ContractError where that is incomplete or of a wrong kind.
    """
    sets = {
        "on": on, "lacking": lacking, "writes": writes, "peeks": peeks, "introduces": introduces,
        "drops": drops, "keeps": keeps,
    }  # fmt: skip
    for part, value in sets.items():
        if value is not None and not _is_set(part, value):
            raise ContractError(f"must declare {part} as a set of keywords, not {value!r}", rule)
    if not isinstance(effect, Effect | None):
        raise ContractError(f"must declare effect as an Effect, not {effect!r}", rule)
    if not isinstance(order, Order):
        raise ContractError(f"must declare order as an Order, not {order!r}", rule)
    if drops is not None:
        names = frozenset(drops)
        contract = Contract(Trigger(keywords=names), names, effect=effect, drops=names)
        return contract.describing() if describes else contract
    if keeps is not None:
        names = frozenset(keeps)
        contract = Contract(Trigger(outside=names), EVERYTHING, effect=effect, keeps=names)
        return contract.describing() if describes else contract
    if on is None or writes is None or effect is None:
        raise ContractError("must declare on, writes and effect (or drops, or keeps)", rule)
    new = None if introduces is None else _keywords(introduces)
    built = spawns if isinstance(spawns, bool) else tuple(spawns)
    contract = Contract(
        read_trigger(on, lacking),
        _keywords(writes),
        _keywords(peeks),
        built,
        effect,
        order,
        introduces=new,
        levels=levels,
        length=length,
        keeps_evaluation=keeps_evaluation,
        encodes=encodes,
    )
    return contract.describing() if describes else contract


def _is_set(part: str, value: Any) -> bool:
    """Whether a declared value is a set of keywords; of triggers for `on`. A string is a set of letters, a mistake."""
    if isinstance(value, Everything):
        return part != "on"
    members = (str, tuple, Every) if part == "on" else (str,)
    is_several = isinstance(value, Collection) and not isinstance(value, str)
    return is_several and all(isinstance(member, members) for member in value)


def read_trigger(on: On, lacking: Iterable[str] = ()) -> Trigger:
    """
    A trigger from a set of keywords, `(keyword, value)` and `(keyword, type)` pairs, `EVERY` and `BOOLEAN`.

    Where a keyword of `lacking` is there, it does not fire.
    """
    triggers = list(on)
    valued: dict[str, tuple[frozenset[object], tuple[type, ...]]] = {}
    for keyword, value in (one for one in triggers if isinstance(one, tuple)):
        values, kinds = valued.get(keyword, (frozenset(), ()))
        if isinstance(value, type):
            kinds = (*kinds, value)
        else:
            values = values | {json_key(value)}
        valued[keyword] = (values, kinds)
    keywords = frozenset(one for one in triggers if isinstance(one, str))
    return Trigger(keywords, valued, every=EVERY in triggers, boolean=BOOLEAN in triggers, lacking=frozenset(lacking))


def _keywords(names: "Iterable[str] | Everything") -> Keywords:
    return names if isinstance(names, Everything) else frozenset(names)


def meet(left: Keywords, right: Keywords) -> bool:
    """Whether two sets of keywords have one in common."""
    if isinstance(left, Everything):
        return bool(right)
    return bool(left) if isinstance(right, Everything) else not left.isdisjoint(right)
