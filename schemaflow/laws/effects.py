"""The law of effects: what a rule, applied alone, says of the accepted values is so."""

from collections.abc import Iterable
from typing import Any

from schemaflow.codecs.walking import Coder
from schemaflow.errors import InputError
from schemaflow.fusion import PlannedStep
from schemaflow.intake import admit
from schemaflow.keywords import JsonValue
from schemaflow.laws.breaches import broken, shortened
from schemaflow.laws.dangling import dangling
from schemaflow.laws.judging import is_unreadable, judge_or_none, refutation
from schemaflow.laws.sampling import USUAL
from schemaflow.plan import Plan
from schemaflow.report import Report
from schemaflow.rule import BoundRule

_DIALECT = "openapi-3.0"
"""Both sides are read so: a rule does not say for which dialect it writes types in capitals."""


def check_effect(bound: BoundRule, schema: Any, values: Iterable[JsonValue] = ()) -> None:
    """
    What the report says of a whole document rewritten by the rule alone holds for every value.

    The document is judged by these values and the usual ones, before and after. Where no
    validator reads it nothing is judged; where one reads it before, one has to after, but
    for references that lead nowhere any more: those are the whole pipeline's matter.
    """
    before = judge_or_none(schema, _DIALECT)
    if before is None:
        return
    plan = Plan(bound.name, (PlannedStep(0, bound.name, bound),))
    try:
        run = plan.run(*admit(schema))
    except InputError:
        return
    if run.schema is schema:
        return
    after = judge_or_none(run.schema, _DIALECT)
    if after is None:
        if dangling(run.schema) or not is_unreadable(schema, run.schema):
            return
        broken("effect", bound, schema, "a validator reads the schema, and none what became of it", run.schema)
    effect = Report(run).effect
    coder = Coder(run.marked, _DIALECT) if plan.encodes else None
    found = refutation(before, after, effect, [*values, *USUAL], coder=coder)
    if found is not None:
        problem = f"the report says {effect.word}, but {found.words}\n  value: {shortened(found.value)}"
        broken("effect", bound, schema, problem, run.schema)
