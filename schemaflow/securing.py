"""
Securing: what references lead to is put out of the way of a step that may take it apart.

Rules see one node, and move and drop what stands in it. Definitions of the root stay; a
reference that leads elsewhere, into an `allOf` or a condition, would lead nowhere afterwards,
or to something else. So before such a step, its target goes to the definitions.
"""

import re
from collections.abc import Iterator, Sequence, Set
from typing import Any, Final, NamedTuple, TypeAlias

from schemaflow.contract import EVERYTHING, HOLDERS, Contract, meet
from schemaflow.effect import Effect
from schemaflow.fusion import PlannedPass, PlannedStep
from schemaflow.inlining import Terms, inline
from schemaflow.keywords import JsonValue, Schema, subschemas
from schemaflow.references import DEFINITIONS, KEYS, References, Target
from schemaflow.references.places import KEY_SET, NAMES
from schemaflow.rule import Rule
from schemaflow.trace import Traced
from schemaflow.visitor import measure

_TERMS: Final = Terms(keep="resolvable", home="definitions", spares=True)
_OUTSIDE: Final = re.compile(
    rb'"\$(?:dynamicRef|recursiveRef|id)":|"id":"|"\$ref":"(?!#"|#/(?:\$defs|definitions)/[^/"]*")'
)
"""What a document has that refers otherwise than by a plain pointer to a definition of the root."""


def may_lead_outside(raw: bytes | None) -> bool:
    """Whether references of a document, given as compact JSON, may lead elsewhere than to the root's definitions."""
    return raw is None or (b'ef":' in raw and _OUTSIDE.search(raw) is not None)


def leads_outside(document: JsonValue) -> bool:
    """Whether a reference of a document leads elsewhere than by a pointer to the root or a definition of it."""
    return any(True for _ in _outside(document))


def securing(step: PlannedStep) -> PlannedPass:
    """A pass that secures a document before a step; in a report it is part of the step."""
    rule = Rule(step.bound.name, lambda document: secured(document, step), None, _DECLARED, is_document=True)
    return PlannedPass((PlannedStep(step.number, step.id, rule.bind()),), "references lead into what the step changes")


_POINTER: Final = re.compile("#(/|$)")
_DECLARED: Final = {"on": KEYS, "writes": EVERYTHING, "effect": Effect.EXACT, "keeps_evaluation": True}


def secured(document: JsonValue, step: PlannedStep) -> Traced:
    """
    A document in which no reference leads into what a step may take apart.

    Where one does, all that lead elsewhere than to definitions of the root get such, as copies.
    """
    if _minds_references(step) or _is_idle(step, document):
        return Traced(document)
    if not any(_endangers(step.contract, lead) for lead in _outside(document)):
        return Traced(document)
    return inline(document, _TERMS)


def _minds_references(step: PlannedStep) -> bool:
    """Whether a step knows of references, or leaves none."""
    if step.is_document:
        return not step.contract.trigger.keywords.isdisjoint(KEY_SET)
    return step.contract.only_drops and _may_lose(step.contract, {"$ref"})


_Chain: TypeAlias = "tuple[Schema, Any] | None"
"""A schema object, and the chain of those above it."""


def _is_idle(step: PlannedStep, document: JsonValue) -> bool:
    """Whether a document is not deep enough for a step to do anything."""
    levels = step.contract.levels
    return levels is not None and measure(document).levels <= levels


class _Lead(NamedTuple):
    """
    What a reference leads to, and whether by a name.

    Without a target, a resource within the document, and the schema objects `around` it.
    """

    target: Target | None
    is_named: bool = True
    around: Sequence[Schema] = ()


def _outside(document: JsonValue) -> Iterator[_Lead]:
    """Where the references of a document lead, but for the root and its definitions; resources within it come last."""
    if not isinstance(document, dict):
        return
    references = References(document)
    waiting: list[tuple[Any, str, _Chain]] = [(document, references.base, None)]
    seen: set[tuple[int, str]] = set()
    resources: list[_Chain] = []
    refers = False
    led: list[Target] = []
    while waiting or led:
        # What is visited comes first, so that it is known what stands above it.
        node, base, above = waiting.pop() if waiting else _entered(led.pop())
        if not isinstance(node, dict) or (id(node), base) in seen:
            continue
        seen.add((id(node), base))
        inside = references.enter(node, base)
        if inside != base:
            resources.append(above)
        for keyword in KEYS if not KEY_SET.isdisjoint(node) else ():
            target = references.refer(keyword, node[keyword], inside) if keyword in node else None
            if target is None or target.note:
                continue
            refers = True
            led.append(target)
            is_named = keyword != "$ref" or inside != references.base or not _POINTER.match(node[keyword])
            if is_named or not (not target.tokens or (len(target.tokens) == 2 and target.tokens[0] in DEFINITIONS)):
                yield _Lead(target, is_named)
        waiting.extend((child, inside, (node, above)) for _, _, child in subschemas(node))
    if refers:
        yield from (_Lead(None, around=[*_members(chain)]) for chain in resources)


def _entered(target: Target) -> tuple[Any, str, _Chain]:
    return target.schema, target.base, None


def _members(chain: "_Chain") -> Iterator[Schema]:
    while chain is not None:
        node, chain = chain
        yield node


def _endangers(contract: Contract, lead: _Lead) -> bool:
    """Whether a rule may take away what a reference leads to, or its name, or put something else there."""
    if lead.target is None:
        # A reference that is moved into a resource means something else there.
        takes_over = contract.takes_over and meet(contract.writes, HOLDERS - DEFINITIONS)
        return takes_over and any(map(contract.trigger.fires, lead.around))
    above = [*lead.target.above()]
    asked = [(node, frozenset({keyword})) for node, keyword in above]
    if above and above[-1][1] in DEFINITIONS:
        # Those of the root stay.
        asked.pop()
    if lead.is_named:
        named = [node for node in (lead.target.schema, *(node for node, _ in above)) if isinstance(node, dict)]
        asked += [(node, NAMES & node.keys()) for node in named]
    return any(names and contract.trigger.fires(node) and _may_lose(contract, names) for node, names in asked)


def _may_lose(contract: Contract, names: Set[str]) -> bool:
    """Whether a rule may change one of these keywords of a node."""
    if contract.keeps is not None:
        return not names <= contract.keeps
    return meet(contract.writes, frozenset(names))
