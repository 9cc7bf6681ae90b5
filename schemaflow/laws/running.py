"""All laws, for all settings of a rule's options."""

from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, Final

from attrs import frozen

from schemaflow.adapters import to_bytes
from schemaflow.keywords import JsonValue
from schemaflow.options import enumerated
from schemaflow.origins import nodes
from schemaflow.rule import BoundRule, Rule

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy


from schemaflow.laws.checks import DOCUMENT_LAWS, NODE_LAWS
from schemaflow.laws.docstrings import check_examples, examples
from schemaflow.laws.effects import check_effect
from schemaflow.laws.reducing import reduced
from schemaflow.laws.sampling import drawn, schemas_with_values
from schemaflow.laws.stages import trigger_words


def check_rule(
    rule: Rule,
    schemas: "SearchStrategy[JsonValue] | Iterable[JsonValue] | None" = None,
    *,
    examples: int = 200,
    seed: int = 0,
    options: Iterable[Mapping[str, Any]] | None = None,
    exempt: Collection[str] = (),
) -> None:
    """
    Every law, for every setting of the options.

    `schemas` is a Hypothesis strategy, of which so many `examples` are drawn for each
    setting, the same ones for the same `seed`, or a collection of documents, which are all checked; without it
    schemas are drawn from `schemaflow.drawing`. Effects are judged by values drawn near
    each schema, and by some usual ones. `options` are the settings to check:
    without it the defaults, every other value of an option with few of them, and
    what the docstring's examples use. `exempt` names laws that this rule does not keep.
    """
    from hypothesis.strategies import SearchStrategy

    unknown = set(exempt) - {"examples", "effect", *NODE_LAWS, *DOCUMENT_LAWS}
    if unknown:
        raise ValueError(f"no such law: {', '.join(sorted(unknown))}")
    if "examples" not in exempt:
        check_examples(rule)
    laws = _Laws(frozenset(exempt))
    for settings in settings_of(rule) if options is None else options:
        bound = rule.bind(**settings)
        laws.hold_for(bound, _shown(rule))
        if schemas is None or isinstance(schemas, SearchStrategy):
            laws.hold_for_drawn(bound, schemas, examples, seed)
        else:
            laws.hold_for(bound, schemas)


def settings_of(rule: Rule) -> list[Mapping[str, Any]]:
    """The settings of a rule's options that are worth testing: the enumerated ones, and those of its examples."""
    settings: list[Mapping[str, Any]] = [*enumerated(rule.options), *(one.options for one in examples(rule))]
    distinct = {to_bytes(sorted(one.items())): one for one in settings}
    return list(distinct.values())


def _shown(rule: Rule) -> Iterator[JsonValue]:
    for example in examples(rule):
        yield example.before
        yield example.after


@frozen
class _Laws:
    exempt: frozenset[str]

    def hold_for(self, bound: BoundRule, documents: Iterable[JsonValue]) -> None:
        for document in documents:
            self._check(bound, document, ())

    def hold_for_drawn(
        self, bound: BoundRule, schemas: "SearchStrategy[JsonValue] | None", count: int, seed: int
    ) -> None:
        from schemaflow.drawing import schemas as drawn_schemas

        if schemas is None:
            words = trigger_words(bound.contract)
            schemas = drawn_schemas() | drawn_schemas(depth=2, roots="any", focus=words)
        strategy = schemas_with_values(schemas, values=0 if "effect" in self.exempt else _VALUES)
        for document, values in drawn(strategy, count, seed):
            broken = self._broken(bound, document, values)
            if broken is not None:
                raise self._smallest(bound, document, values, broken) from None

    def _broken(self, bound: BoundRule, document: JsonValue, values: Iterable[JsonValue]) -> AssertionError | None:
        try:
            self._check(bound, document, values)
        except AssertionError as error:
            return error
        return None

    def _smallest(
        self, bound: BoundRule, document: JsonValue, values: Iterable[JsonValue], broken: AssertionError
    ) -> AssertionError:
        """The same law broken at the smallest document found; a rule that writes into its input is left at that."""
        law = _law(broken)
        if law == "purity":
            return broken

        def is_broken(candidate: Any) -> bool:
            found = isinstance(candidate, (dict, bool)) and self._broken(bound, candidate, values)
            return isinstance(found, AssertionError) and _law(found) == law

        return self._broken(bound, reduced(document, is_broken), values) or broken

    def _check(self, bound: BoundRule, document: JsonValue, values: Iterable[JsonValue]) -> None:
        places = [document] if bound.rule.is_document else [node for _, node in nodes(document)]
        for name, check in NODE_LAWS.items():
            if name not in self.exempt:
                for node in places:
                    check(bound, node)
        for name, check in DOCUMENT_LAWS.items():
            if name not in self.exempt:
                check(bound, document)
        if "effect" not in self.exempt:
            check_effect(bound, document, values)


_VALUES: Final = 3
"""How many values are drawn near each schema."""


def _law(broken: AssertionError) -> str:
    """The name of the law that an error tells of."""
    return str(broken).partition(" breaks the law of ")[2].partition(":")[0]
