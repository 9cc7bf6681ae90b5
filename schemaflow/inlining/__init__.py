"""
Inlining: what references lead to, put in their place.

- `policy`: which references are inlined, and how far
- `run`: one rewriting of a document
- `settled`, `replacement`, `siblings`: what becomes of a reference, and of what stands beside it
- `homes`, `stand_ins`: what references that stay lead to, and what stands for those that are cut
- `effects`: what all that did to the accepted values
"""

from contextlib import suppress

from schemaflow.inlining.policy import Policy, Terms, largest_bound
from schemaflow.inlining.run import Run
from schemaflow.inlining.siblings import TooMuchTogether
from schemaflow.keywords import JsonValue
from schemaflow.references import LEVELS, Extent, References, Uses, exceeds, weigh
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
    bound = largest_bound(terms, uses)
    while True:
        run = Run(references, uses, Policy(terms, uses, bound))
        # What intersecting makes cannot be counted before.
        with suppress(TooMuchTogether):
            traced = run.traced()
            if bound == 0 or not run.together.has_intersected or not exceeds(_extent(traced.schema), uses.limit):
                return traced
        bound = (LEVELS if bound is None else bound) // 2


def _extent(schema: JsonValue) -> Extent:
    size = measure(schema, weigh)
    return Extent(size.nodes, size.weight, size.levels)
