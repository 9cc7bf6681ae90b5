"""
Rules: a function, its contract and its options, as one frozen value.

A **node rule** rewrites one schema object and sees nothing else. Returning the
same object means "no change". A **document rule** gets the whole document. Both
are made by a decorator that registers nothing.

A rule may return `Rewrite` to say more about a change, or raise `Unsupported`
to leave the node as it is with a reason.
"""

import inspect
from collections.abc import Callable, Mapping
from functools import cached_property
from typing import Any, TypeVar

from attrs import define, field, frozen

from schemaflow.contract import EVERY, EVERYTHING, Contract, Order, read_contract
from schemaflow.effect import Effect
from schemaflow.keywords import JsonValue, Schema
from schemaflow.options import read_options


@define(unsafe_hash=True)
class Rewrite:
    """
    A change, with more to say than the new schema alone. Never changed: there are many, and frozen ones cost more.

    `effect` is better or worse than the contract's worst case, `lost` holds the
    keywords whose meaning is gone and their values, `note` is a sentence for the report.
    What takes long to find out is given as a function, which only a report calls.
    """

    schema: Schema | bool
    _effect: Effect | Callable[[], Effect] | None = field(default=None, kw_only=True, alias="effect")
    note: str = field(default="", kw_only=True)
    _lost: Mapping[str, JsonValue] | Callable[[], Mapping[str, JsonValue]] | None = field(
        default=None, kw_only=True, alias="lost"
    )

    @property
    def effect(self) -> Effect | None:
        """The effect, None where the contract's worst case holds."""
        return self._effect if isinstance(self._effect, Effect | None) else self._effect()

    @property
    def lost(self) -> Mapping[str, JsonValue] | None:
        """The keywords whose meaning is gone, and their values; None where it is whatever is not there any more."""
        return self._lost if isinstance(self._lost, Mapping | None) else self._lost()


@frozen(slots=False, eq=False)
class Rule:
    """
    A named rewrite: the function, what it declares, and its options class.

    The declared parts are values, or functions of the options.
    """

    name: str
    function: Callable[..., Any]
    options: type | None
    declared: Mapping[str, Any]
    is_document: bool = False

    @property
    def doc(self) -> str:
        """The rule's docstring, dedented."""
        return inspect.getdoc(self.function) or ""

    @property
    def summary(self) -> str:
        """The first line of the docstring."""
        return self.doc.partition("\n")[0]

    def bind(self, **options: Any) -> "BoundRule":
        """
        The rule with its options settled.

        Raises OptionError for an option that the rule does not take.
        """
        return BoundRule(self, read_options(self.options, options, f"rule {self.name!r}"))

    def __call__(self, schema: JsonValue, **options: Any) -> Any:
        """
        Rewrite one node (a document rule: the whole document) and return the schema.

        The trigger is checked; where it does not fire the same object comes back.
        Raises Unsupported where the rule cannot rewrite.
        """
        bound = self.bind(**options)
        answer = bound.call(schema)
        return answer.schema if isinstance(answer, Rewrite) else getattr(answer, "schema", answer)

    def apply(self, schema: JsonValue, **options: Any) -> Any:
        """Walk a whole document with this one rule and return the new document."""
        from schemaflow.plan import run_alone

        return run_alone(self.bind(**options), schema)

    def __repr__(self) -> str:
        return f"<rule {self.name}>"


@frozen(slots=False, eq=False)
class BoundRule:
    """A rule with settled options: what a plan is made of."""

    rule: Rule
    options: Any

    @property
    def name(self) -> str:
        """The rule's name."""
        return self.rule.name

    @cached_property
    def contract(self) -> Contract:
        """The contract under these options."""
        parts = {name: self._settled(value) for name, value in self.rule.declared.items()}
        return read_contract(self.name, **parts)

    def _settled(self, value: Any) -> Any:
        return value(self.options) if inspect.isfunction(value) else value

    def call(self, schema: JsonValue) -> Any:
        """The function's answer at a node, or the same object where the trigger does not fire."""
        if not self.rule.is_document and not self.contract.trigger.fires(schema):
            return schema
        return self.rewrite(schema)

    @cached_property
    def rewrite(self) -> Callable[[Any], Any]:
        """The function of a schema alone, its options settled, the trigger taken for granted."""
        function, options = self.rule.function, self.options
        return function if self.rule.options is None else lambda schema: function(schema, options)


Function = TypeVar("Function", bound=Callable[..., Any])


def node_rule(
    *,
    on: Any = None,
    lacking: Any = (),
    writes: Any = None,
    peeks: Any = (),
    spawns: Any = False,
    effect: Any = None,
    order: Any = Order.PARENTS_FIRST,
    introduces: Any = None,
    keeps_evaluation: Any = False,
    encodes: Any = False,
    drops: Any = None,
    keeps: Any = None,
    options: type | None = None,
) -> Callable[[Callable[..., Any]], Rule]:
    """
    Make a node rule of a function `(schema) -> schema` or `(schema, options) -> schema`.

    `on` is a set of triggers: keywords, `(keyword, value)` or `(keyword, type)`
    pairs, `EVERY`, `BOOLEAN`; where a keyword of `lacking` is there, none triggers.
    See `Contract` for the rest; each may be a function of the options. With `drops`
    or `keeps` the trigger and `writes` follow, and each application's effect is worked
    out from what was dropped.
    """
    declared = {
        "on": on, "lacking": lacking, "writes": writes, "peeks": peeks, "spawns": spawns,
        "effect": effect, "order": order, "introduces": introduces, "drops": drops, "keeps": keeps,
        "keeps_evaluation": keeps_evaluation, "encodes": encodes,
    }  # fmt: skip
    return lambda function: Rule(_named(function), function, options, declared)


def document_rule(
    *,
    on: Any = frozenset({EVERY}),
    writes: Any = EVERYTHING,
    introduces: Any = None,
    effect: Any = None,
    levels: Any = None,
    length: Any = None,
    keeps_evaluation: Any = False,
    encodes: Any = False,
    options: type | None = None,
) -> Callable[[Callable[..., Any]], Rule]:
    """
    Make a document rule of a function `(document) -> document` or `(document, options) -> document`.

    It is called when a keyword of `on` may be anywhere in the document, and always
    where `on` holds `EVERY`. It may answer with what `visitor.inherit` gave.
    """
    declared = {
        "on": on, "writes": writes, "peeks": EVERYTHING, "effect": effect, "introduces": introduces, "levels": levels,
        "length": length, "keeps_evaluation": keeps_evaluation, "encodes": encodes,
    }  # fmt: skip
    return lambda function: Rule(_named(function), function, options, declared, is_document=True)


def _named(function: Callable[..., Any]) -> str:
    return function.__name__
