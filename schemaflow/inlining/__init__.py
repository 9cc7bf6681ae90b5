"""
Inlining: what references lead to, put in their place.

- `policy`: which references are inlined, and how far
- `run`: one rewriting of a document
- `settled`, `replacement`, `siblings`: what becomes of a reference, and of what stands beside it
- `homes`, `stand_ins`: what references that stay lead to, and what stands for those that are cut
- `effects`: what all that did to the accepted values
"""

from collections.abc import Iterator
from contextlib import suppress
from typing import Any

from attrs import evolve

from schemaflow.inlining.policy import Policy, Terms, largest_bound
from schemaflow.inlining.run import Run
from schemaflow.inlining.siblings import TooMuchTogether
from schemaflow.keywords import JsonValue, subschemas
from schemaflow.references import DEFINITIONS, KEYS, LEVELS, Extent, References, Uses, exceeds, weigh
from schemaflow.trace import Traced
from schemaflow.visitor import measure

__all__ = ["Terms", "inline"]


def inline(document: JsonValue, terms: Terms) -> Traced:
    """
    A document with the references inlined that do not stay.

    Nothing is fetched, no reference is left dangling, and inlining stops where the
    document would become too big. The input is not changed; what holds no references
    is shared with it.
    """
    if not isinstance(document, dict):
        return Traced(document)
    references = References(document)
    uses = Uses(references, hidden=terms.passed_over, minds_joint=terms.inline_joint)
    if not uses.survey.has_references:
        return Traced(document)
    traced = _inlined(references, uses, terms)
    if terms.passed_over.isdisjoint(document) or not _loses(references, traced.schema, terms.passed_over):
        return traced
    terms = evolve(terms, passes_over=False)
    return _inlined(references, Uses(references, minds_joint=terms.inline_joint), terms)


def _inlined(references: References, uses: Uses, terms: Terms) -> Traced:
    bound = largest_bound(terms, uses)
    while True:
        run = Run(references, uses, Policy(terms, uses, bound))
        # What intersecting makes cannot be counted before.
        with suppress(TooMuchTogether):
            traced = run.traced()
            if bound == 0 or not run.together.has_intersected or not exceeds(_extent(traced.schema), uses.limit):
                return traced
        bound = (LEVELS if bound is None else bound) // 2


def _loses(references: References, result: JsonValue, kept: frozenset[str]) -> bool:
    """Whether a reference in the definitions that were left as they are leads nowhere any more."""
    led = [(keyword, ref, base) for keyword, ref, base in _references(references, kept) if not _is_inside(ref)]
    now = References(result) if led else references
    return any(_leads(references, *one) and not _leads(now, *one) for one in led)


def _leads(references: References, keyword: str, ref: JsonValue, base: str) -> bool:
    """Whether a reference leads somewhere by the standard."""
    target = references.refer(keyword, ref, base)
    return target is not None and not target.note


def _references(references: References, kept: frozenset[str]) -> Iterator[tuple[str, JsonValue, str]]:
    """The references in definitions of the root: the keyword, what it holds, and the base there."""
    root = {keyword: value for keyword, value in references.document.items() if keyword in kept}
    waiting: list[tuple[Any, str]] = [(root, references.base)]
    seen: set[tuple[int, str]] = set()
    while waiting:
        node, base = waiting.pop()
        if not isinstance(node, dict) or (id(node), base) in seen:
            continue
        seen.add((id(node), base))
        inside = references.enter(node, base)
        yield from ((keyword, node[keyword], inside) for keyword in KEYS if keyword in node)
        waiting.extend((child, inside) for _, _, child in subschemas(node))


def _is_inside(ref: JsonValue) -> bool:
    """Whether a reference surely leads to a definition, or to the root."""
    return ref == "#" or (isinstance(ref, str) and ref.startswith(tuple(f"#/{keyword}/" for keyword in DEFINITIONS)))


def _extent(schema: JsonValue) -> Extent:
    size = measure(schema, weigh)
    return Extent(size.nodes, size.weight, size.levels)
