"""
The reference executor: what a pipeline means, written as plainly as possible.

One step after the other, each over the whole document, after what references lead to was put
out of its way. At a node the step rewrites
first, and the way down goes on in what it returned, which it does not see again; a
step that takes children first rewrites a node whose children are done. Nothing is
fused, skipped or shared. Plans have to agree with this to the byte. It recurses, to be
plain: it is for schemas as they are drawn, not for any that may come in.
"""

from collections.abc import Callable, Sequence
from typing import Any

from attrs import define, field

from schemaflow.codecs.marks import stripped
from schemaflow.contract import Order
from schemaflow.errors import Unsupported
from schemaflow.fusion import PlannedStep
from schemaflow.keywords import KEYWORDS, Children
from schemaflow.pipeline import Condition
from schemaflow.rule import Rewrite
from schemaflow.securing import secured
from schemaflow.trace import Traced


@define
class Reference:
    """One run: the document as it becomes, and the ids of the steps that changed or refused something."""

    document: Any
    changed: set[str] = field(factory=set)
    refused: set[str] = field(factory=set)


def run(steps: Sequence[PlannedStep], document: Any) -> Reference:
    """Run the steps over a document, one after the other."""
    done = Reference(document)
    for step in steps:
        done.document = _secured(step, done.document, done)
        if step.bound.rule.is_document:
            done.document = _rewritten(step, done.document, (), done)
        else:
            done.document = _visited(step, done.document, (), done)
    if any(step.contract.encodes for step in steps):
        done.document = stripped(done.document)
    return done


def _secured(step: PlannedStep, document: Any, done: Reference) -> Any:
    """The document with what references lead to out of the step's way."""
    result = secured(document, step).schema
    if result is not document:
        done.changed.add(step.id)
    return result


def _visited(step: PlannedStep, node: Any, above: tuple[str, ...], done: Reference) -> Any:
    def visit(child: Any, keyword: str) -> Any:
        return _visited(step, child, (*above, keyword), done)

    if step.bound.contract.order is Order.CHILDREN_FIRST:
        return _rewritten(step, _with_children(node, visit), above, done)
    return _with_children(_rewritten(step, node, above, done), visit)


def _rewritten(step: PlannedStep, node: Any, above: tuple[str, ...], done: Reference) -> Any:
    rule = step.bound.rule
    if not _conditions_hold(step, node, above):
        return node
    if not rule.is_document and not step.bound.contract.trigger.fires(node):
        return node
    try:
        answer = rule.function(node) if rule.options is None else rule.function(node, step.bound.options)
    except Unsupported:
        done.refused.add(step.id)
        return node
    result = answer.schema if isinstance(answer, (Rewrite, Traced)) else answer
    if result is not node:
        done.changed.add(step.id)
    return result


def _conditions_hold(step: PlannedStep, node: Any, above: tuple[str, ...]) -> bool:
    if step.when is not None and not _holds(step.when, node, above):
        return False
    return step.unless is None or _says_nothing(step.unless) or not _holds(step.unless, node, above)


def _says_nothing(condition: Condition) -> bool:
    """Whether a condition speaks of options alone, which are settled before a run."""
    return condition == Condition(option=condition.option)


def _holds(condition: Condition, node: Any, above: tuple[str, ...]) -> bool:
    return (
        (not condition.at_root or above == ())
        and (not condition.at_parameter or above == ("properties",))
        and (not condition.held_by or above[-1:] in [(keyword,) for keyword in condition.held_by])
        and (not condition.has or (isinstance(node, dict) and all(keyword in node for keyword in condition.has)))
        and (not condition.under or any(keyword in condition.under for keyword in above))
    )


def _with_children(node: Any, visit: Callable[[Any, str], Any]) -> Any:
    if not isinstance(node, dict):
        return node
    return {keyword: _below(keyword, value, visit) for keyword, value in node.items()}


def _below(keyword: str, value: Any, visit: Callable[[Any, str], Any]) -> Any:
    """A keyword's value with the subschemas in it visited."""
    children = KEYWORDS[keyword].children if keyword in KEYWORDS else Children.NONE
    if children in (Children.ONE, Children.ONE_OR_MANY) and _is_schema(value):
        return visit(value, keyword)
    if children in (Children.MANY, Children.ONE_OR_MANY) and isinstance(value, list):
        return [visit(child, keyword) if _is_schema(child) else child for child in value]
    if children in (Children.NAMED, Children.NAMED_OR_NAMES) and isinstance(value, dict):
        return {name: visit(child, keyword) if _is_schema(child) else child for name, child in value.items()}
    return value


def _is_schema(value: Any) -> bool:
    return isinstance(value, (dict, bool))
