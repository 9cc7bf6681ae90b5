"""Replacement: one schema in the place of a node's references and of what stands beside them."""

from collections.abc import Iterator, Sequence
from typing import Any

from attrs import define, field

from schemaflow.effect import Effect
from schemaflow.inlining.effects import Effects, Ledger
from schemaflow.inlining.policy import State
from schemaflow.inlining.settled import Settled
from schemaflow.inlining.siblings import Siblings, Together
from schemaflow.keywords import CHILDREN, Schema
from schemaflow.references import KEYS, Nowhere
from schemaflow.rule import Rewrite


@define(eq=False)
class Replacement:
    """
    A node whose references are replaced: the schemas to visit, and how one is made of them.

    `held` is what has subschemas, of what is put back.
    """

    together: Together
    effects: Effects
    node: Schema
    state: State
    settled: Sequence[Settled]
    siblings: Siblings
    held: Schema = field(init=False)

    def __attrs_post_init__(self) -> None:
        self.held = {name: value for name, value in self.siblings.beside.items() if name in CHILDREN}

    def parts(self) -> Iterator[tuple[Any, State]]:
        """The schemas to visit, each with its state."""
        if self.held:
            yield self.held, self.state
        if self.siblings.own:
            yield self.siblings.own, self.state
        for one in self.settled:
            if one.state is not None:
                yield one.schema, one.state

    def join(self, finished: list[Any]) -> Rewrite:
        """The schema for the node, from the visited ones."""
        ledger = Ledger(self.siblings.effect, [])
        remaining = iter(finished)
        beside = {**self.siblings.beside, **next(remaining)} if self.held else self.siblings.beside
        whole: Any = next(remaining) if self.siblings.own else None
        is_joined = False
        for one in self.settled:
            schema = one.schema if one.state is None else next(remaining)
            if whole is None:
                ledger.add(one.effect, one.note)
                whole = schema
            elif isinstance(one.stop, Nowhere):
                # What stands beside says more than any last resort.
                ledger.add(Effect.WIDENS, one.note)
            else:
                ledger.add(one.effect, one.note)
                whole = self.together.both(whole, schema, self.state.base, ledger)
                is_joined = True
        ledger.add(Effect.EXACT, self.siblings.note)
        nullable = _of_nullable(beside, whole)
        if nullable:
            ledger.add(nullable, "nullable says something now, beside the target's type")
        inside = self._inside()
        self.effects.record(self.node, self.state.route, ledger.effect | inside)
        if is_joined:
            # What was done inside may not be at its place any more.
            ledger.add(inside)
        return Rewrite(spliced(self.node, beside, whole), effect=ledger.effect, note="; ".join(ledger.notes))

    def _inside(self) -> Effect:
        effect = Effect.EXACT
        for one in self.settled:
            if one.unit is not None and one.state is not None:
                effect |= self.effects.below(one.unit, one.state.route)
        return effect


def _of_nullable(beside: Schema, whole: Any) -> Effect:
    """What it does that `nullable`, which said nothing beside a reference, now stands beside the target's type."""
    if "nullable" not in beside or not isinstance(whole, dict) or "type" not in whole:
        return Effect.EXACT
    stated, members = whole["type"], whole.get("enum", [whole.get("const")])
    was, becomes = whole.get("nullable") is True, beside["nullable"] is True
    if was is becomes or stated == "null" or (isinstance(stated, list) and "null" in stated):
        return Effect.EXACT
    if isinstance(members, list) and None not in members:
        return Effect.EXACT
    return Effect.WIDENS if becomes else Effect.NARROWS


def with_kept(document: Schema, kept: frozenset[str], result: Any) -> Schema:
    """The rewritten document, with what was passed over at its root back at its places."""
    schema = _as_object(result)
    restored = {
        name: document[name] if name in kept else schema[name] for name in document if name in kept or name in schema
    }
    return {**restored, **schema}


def spliced(node: Schema, beside: Schema, whole: Any) -> Any:
    """The schema `whole`, and what is put back beside it, in the order of the node that they replace."""
    if not beside:
        # A new object even so, since it comes from this node.
        return {**whole} if isinstance(whole, dict) else whole
    result: Schema = {}
    for name in node:
        if name in beside:
            result[name] = beside[name]
        elif name in KEYS:
            result |= {key: value for key, value in _as_object(whole).items() if key not in beside}
    return result


def _as_object(schema: Any) -> Schema:
    """A boolean schema as an object."""
    if isinstance(schema, dict):
        return schema
    return {} if schema else {"not": {}}
