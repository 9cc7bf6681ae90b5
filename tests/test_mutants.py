"""Mutation checks: registered rules made wrong on purpose, as such rules go wrong, are caught by the laws."""

from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

import pytest
from attrs import evolve, field, frozen

from schemaflow import Effect, Rewrite, Rule, Schema, without
from schemaflow.drawing import schemas
from schemaflow.laws import check_rule
from schemaflow.registry import installed

EXAMPLES = 1000
"""How many drawn schemas there are to catch a mutant by."""


Spoil: TypeAlias = Callable[[Schema, Callable[[], Any]], Any]
"""What a wrong rule answers at a node, where it can ask for the right answer."""


@frozen
class Mutant:
    """A rule, how it is spoiled, and the law that has to say so; `focus` are keywords to draw often."""

    rule: str
    law: str
    spoil: Spoil
    focus: tuple[str, ...]
    options: Mapping[str, Any] = field(factory=dict, kw_only=True)
    declares: Mapping[str, Any] = field(factory=dict, kw_only=True)

    def made(self) -> Rule:
        """The wrong rule. It has no docstring, hence no example that could give it away."""
        real = installed().rule(self.rule)

        def function(schema: Any, *options: Any) -> Any:
            return self.spoil(schema, lambda: real.function(schema, *options))

        return evolve(real, function=function, declared={**real.declared, **self.declares})

    def __str__(self) -> str:
        return f"{self.rule}-{self.spoil.__name__}"


def right(schema: Schema, ask: Callable[[], Any]) -> Any:
    return ask()


def schema_of(answer: Any) -> Any:
    return answer.schema if isinstance(answer, Rewrite) else answer


def claimed(schema: Schema, answer: Any, effect: Effect) -> Any:
    return schema if answer is schema else Rewrite(schema_of(answer), effect=effect)


def says_exact(schema: Schema, ask: Callable[[], Any]) -> Any:
    return claimed(schema, ask(), Effect.EXACT)


def says_narrows(schema: Schema, ask: Callable[[], Any]) -> Any:
    return claimed(schema, ask(), Effect.NARROWS)


def drops_a_sibling(schema: Schema, ask: Callable[[], Any]) -> Any:
    return without(schema_of(ask()), {"minLength", "minimum", "description"})


def forgets_the_enum(schema: Schema, ask: Callable[[], Any]) -> Any:
    """What should stand where both `const` and `enum` hold is overwritten."""
    return without({**schema, "enum": [schema["const"]]}, {"const"})


def merges_bounds_the_wrong_way(schema: Schema, ask: Callable[[], Any]) -> Any:
    answer = ask()
    merged = schema_of(answer)
    if answer is schema or not isinstance(merged, dict):
        return answer
    wrong = {}
    branches = [one for one in [*schema["allOf"], schema] if isinstance(one, dict)]
    for word in ("minimum", "minLength", "minItems", "minProperties"):
        said = [one[word] for one in branches if isinstance(one.get(word), (int, float))]
        if word in merged and said:
            wrong[word] = min(said)
    return Rewrite({**merged, **wrong}, effect=answer.effect if isinstance(answer, Rewrite) else None)


def forgets_not(schema: Schema, ask: Callable[[], Any]) -> Any:
    """What the branches exclude is lost."""
    answer = ask()
    merged = schema_of(answer)
    if answer is schema or not isinstance(merged, dict):
        return answer
    return Rewrite(without(merged, {"not"}), effect=answer.effect if isinstance(answer, Rewrite) else None)


def drops_all_required(schema: Schema, ask: Callable[[], Any]) -> Any:
    return schema if ask() is schema else Rewrite(without(schema, {"required"}), effect=Effect.EXACT)


def ignores_the_family_of_strings(schema: Schema, ask: Callable[[], Any]) -> Any:
    answer = ask()
    if "anyOf" in schema or "anyOf" not in answer:
        return answer
    strings = {"pattern", "minLength", "maxLength"}
    return {**answer, "anyOf": [without(branch, strings) for branch in answer["anyOf"]]}


def forgets_who_evaluates(schema: Schema, ask: Callable[[], Any]) -> Any:
    """Taken for closed by its own properties, whatever stands beside."""
    if "additionalProperties" in schema:
        return ask()
    return {
        "additionalProperties" if word == "unevaluatedProperties" else word: value for word, value in schema.items()
    }


def forgets_bounds(schema: Schema, ask: Callable[[], Any]) -> Any:
    """A number's bounds, as if they were dead beside an integer."""
    answer = ask()
    simple = schema_of(answer)
    if not isinstance(simple, dict) or simple.get("type") != "integer":
        return answer
    return Rewrite(without(simple, {"minimum", "maximum"}), effect=Effect.EXACT)


def takes_the_first_member(schema: Schema, ask: Callable[[], Any]) -> Any:
    """One member, as if it held all others."""
    members = schema.get("anyOf")
    if not isinstance(members, list) or len(members) < 2 or schema.keys() != {"anyOf"}:
        return ask()
    return Rewrite(members[0], effect=Effect.EXACT)


def drops_what_is_false(schema: Schema, ask: Callable[[], Any]) -> Any:
    """A member of `allOf` that accepts nothing, as if it were one of `anyOf`."""
    members = schema.get("allOf")
    if not isinstance(members, list) or not any(member is False for member in members):
        return ask()
    kept = [member for member in members if member is not False]
    return Rewrite({**schema, "allOf": kept} if kept else without(schema, {"allOf"}), effect=Effect.EXACT)


def goes_by_the_first_value(schema: Schema, ask: Callable[[], Any]) -> Any:
    answer = ask()
    stated = answer.get("type")
    return answer if answer is schema or not isinstance(stated, list) else {**answer, "type": stated[0]}


def closes_in_place(schema: Schema, ask: Callable[[], Any]) -> Any:
    schema["additionalProperties"] = False
    return schema


def always_answers_anew(schema: Schema, ask: Callable[[], Any]) -> Any:
    return {**ask()}


MUTANTS = [
    Mutant("const_to_enum", "frame", drops_a_sibling, ("const", "minimum", "minLength")),
    Mutant("const_to_enum", "effect", forgets_the_enum, ("const", "enum")),
    Mutant("one_of_to_any_of", "effect", says_exact, ("oneOf",)),
    Mutant("merge_all_of", "effect", merges_bounds_the_wrong_way, ("allOf", "minimum", "minLength", "minProperties")),
    Mutant("merge_all_of", "effect", forgets_not, ("allOf", "not")),
    Mutant("close_objects", "effect", says_exact, ("properties", "additionalProperties")),
    Mutant("close_objects", "purity", closes_in_place, ("properties",)),
    Mutant("collapse_type_arrays", "effect", says_exact, ("type",)),
    Mutant("limit_enums", "effect", says_narrows, ("enum",)),
    Mutant("drop_unknown_required", "effect", drops_all_required, ("required", "properties")),
    Mutant("type_to_any_of", "effect", ignores_the_family_of_strings, ("pattern", "minLength", "maxLength")),
    Mutant("strip_null_from_enum", "effect", says_exact, ("enum",)),
    Mutant("unevaluated_to_additional", "effect", forgets_who_evaluates, ("unevaluatedProperties", "allOf")),
    Mutant("single_items", "effect", says_narrows, ("items", "prefixItems")),
    Mutant("simplify", "effect", forgets_bounds, ("type", "minimum", "maximum")),
    Mutant("simplify", "effect", takes_the_first_member, ("anyOf",)),
    Mutant("fold_constants", "effect|idempotence", drops_what_is_false, ("allOf",)),
    Mutant("infer_types", "effect", goes_by_the_first_value, ("enum",)),
    Mutant("order_keywords", "same object", always_answers_anew, ("title",), options={"keywords": ["title"]}),
    # Without what a sibling reads, more is refused: "widens" is false.
    Mutant(
        "drop_keywords",
        "effect",
        right,
        ("properties", "additionalProperties"),
        options={"keywords": ["properties"]},
        declares={"effect": Effect.WIDENS},
    ),
]


def test_ten_rules_are_made_wrong() -> None:
    assert len({mutant.rule for mutant in MUTANTS}) >= 10


@pytest.mark.parametrize("mutant", MUTANTS, ids=str)
def test_a_wrong_rule_is_caught(mutant: Mutant) -> None:
    drawn = schemas(depth=2, drafts=["2020-12"], roots="any", focus=mutant.focus)

    with pytest.raises(AssertionError, match=f"breaks the law of ({mutant.law}): "):
        check_rule(mutant.made(), drawn, examples=EXAMPLES, options=[mutant.options], exempt={"examples"})


@pytest.mark.parametrize("mutant", MUTANTS, ids=str)
def test_the_same_rule_unspoiled_is_not(mutant: Mutant) -> None:
    real = evolve(mutant, spoil=right, declares={}).made()
    drawn = schemas(depth=2, drafts=["2020-12"], roots="any", focus=mutant.focus)

    check_rule(real, drawn, examples=60, options=[mutant.options], exempt={"examples"})
