"""
What a merged node comes to when its keywords are read together.

Types of which nothing can match are dropped, values that the node refuses anyway are
dropped from `enum`, and where nothing is left the node is false.
"""

import math
from collections.abc import Sequence
from typing import Any

from schemaflow.algebra.applicators import refused_parts
from schemaflow.algebra.emptiness import dead_types, impossible
from schemaflow.algebra.numbers import LOWER, UPPER, End
from schemaflow.algebra.outcome import Ledger
from schemaflow.algebra.pools import Pool
from schemaflow.algebra.types import is_type, spelled_types, types_of
from schemaflow.algebra.values import allows, enumerated, is_enumeration
from schemaflow.families import without
from schemaflow.keywords import Schema


def settle(node: Schema, ledger: Ledger) -> Schema | bool:
    """The same node as simply as it can be said, False where nothing can match."""
    settled = settle_types(node, ledger)
    if isinstance(settled, bool):
        return settled
    if "type" in settled and is_type(settled):
        for end in (LOWER, UPPER):
            settled = _with_whole_bound(settled, end)
    return settle_values(settled, ledger)


def nothing(reason: str, ledger: Ledger) -> bool:
    """The false schema, with a note that says why."""
    ledger.note(f"nothing can match: {reason}")
    return False


def _with_whole_bound(node: Schema, end: End) -> Schema:
    """Integers only: the last one within a bound says the same, and needs no exclusive keyword."""
    names = types_of(node["type"])
    bound = end.bound(node) if "integer" in names and "number" not in names else None
    if bound is None or (bound.value == math.floor(bound.value) and not bound.exclusive):
        return node
    if end is LOWER:
        last = math.floor(bound.value) + 1 if bound.exclusive else math.ceil(bound.value)
    else:
        last = math.ceil(bound.value) - 1 if bound.exclusive else math.floor(bound.value)
    return _replaced(node, (end.inclusive, end.exclusive), end.inclusive, last)


def settle_types(node: Schema, ledger: Ledger) -> Schema | bool:
    """The node without the types of which nothing can match, False where nothing at all can."""
    reason = impossible(node)
    if reason is not None:
        return nothing(reason, ledger)
    if "type" not in node or not is_type(node):
        return node
    names = types_of(node["type"])
    for dead, reason in dead_types(node, names):
        left = [name for name in names if name not in dead]
        if not left and node.get("nullable") is True:
            return {**without(node, {"nullable"}), "type": "null"}
        if not left:
            return nothing(reason, ledger)
        if len(left) < len(names):
            ledger.note(f"no {' or '.join(name for name in names if name in dead)} can match: {reason}")
        names = left
    if len(names) == len(types_of(node["type"])):
        return node
    return {**node, "type": spelled_types(names)}


def settle_values(node: Schema, ledger: Ledger) -> Schema | bool:
    """The node without the values in `enum` and `const` that its other keywords refuse."""
    if not ("enum" in node or "const" in node) or not is_enumeration(node):
        return _without_idle_refusals(node)
    values = enumerated(node)
    left = [value for value in values if allows(node, value)]
    node, refused = _without_refused_values(node)
    left = [value for value in left if value not in refused]
    if not left:
        return nothing("no value of enum and const has the type and the size", ledger)
    return node if len(left) == len(values) else _replaced(node, ("enum", "const"), "enum", left)


def _without_refused_values(node: Schema) -> tuple[Schema, Pool]:
    """The node without plain values below its `not`, and these."""
    if not isinstance(node.get("not"), dict):
        return node, Pool()
    parts = refused_parts(node["not"])
    plain = [part for part in parts if _is_plain(part)]
    if not plain:
        return node, Pool()
    rest = [part for part in parts if not _is_plain(part)]
    return _refusing(node, rest), Pool(value for part in plain for value in enumerated(part))


def _without_idle_refusals(node: Schema) -> Schema:
    """The node without plain values below its `not` that its other keywords refuse anyway."""
    if not isinstance(node.get("not"), dict):
        return node
    parts = refused_parts(node["not"])
    kept = [part for part in parts if not _is_plain(part) or any(allows(node, value) for value in enumerated(part))]
    return node if len(kept) == len(parts) else _refusing(node, kept)


def _is_plain(part: Schema) -> bool:
    return part.keys() in ({"enum"}, {"const"}) and is_enumeration(part)


def _refusing(node: Schema, parts: Sequence[Schema]) -> Schema:
    """The node with a `not` of these parts alone."""
    rest = without(node, {"not"})
    return {**rest, "not": parts[0] if len(parts) == 1 else {"anyOf": list(parts)}} if parts else rest


def _replaced(node: Schema, words: Sequence[str], word: str, value: Any) -> Schema:
    """The node with one keyword in the place of the first of several."""
    replaced: Schema = {}
    for known, said in node.items():
        if known not in words:
            replaced[known] = said
        elif word not in replaced:
            replaced[word] = value
    return replaced
