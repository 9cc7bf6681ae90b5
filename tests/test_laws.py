"""The laws: every registered rule keeps them, and each of them catches a rule that does not."""

from collections.abc import Callable, Mapping
from typing import Any

import pytest
from attrs import frozen
from hypothesis import strategies as st

from schemaflow import (
    EVERY,
    EVERYTHING,
    Below,
    Effect,
    JsonValue,
    Order,
    Rule,
    Schema,
    Unsupported,
    document_rule,
    inherit,
    laws,
    node_rule,
    option,
    without,
)
from schemaflow.drawing import schemas
from schemaflow.registry import installed
from tests.corpus_data import OWN
from tests.synthetic_rules import RULES as SYNTHETIC

REGISTERED = [installed().rule(name) for name in installed().rule_names()]
CASES = [
    pytest.param(rule, settings, id=f"{rule.name}-{' '.join(f'{name}={value}' for name, value in settings.items())}")
    for rule in REGISTERED
    for settings in laws.settings_of(rule)
]
CORPUS = [entry.schema for entry in OWN]
EXACT = Effect.EXACT
DRAWN = schemas(depth=2, malformed=True)


def broken_by(rule: Rule, schema: JsonValue, law: str, **options: Any) -> str:
    """What a law says of a rule at a schema; nothing where it holds."""
    check = {**laws.NODE_LAWS, **laws.DOCUMENT_LAWS}[law]
    try:
        check(rule.bind(**options), schema)
    except AssertionError as error:
        return str(error)
    return ""


# --- every registered rule


def test_every_registered_rule_can_be_imported() -> None:
    assert installed().broken() == []


@pytest.mark.parametrize(("rule", "settings"), CASES)
def test_registered_rules_keep_every_law_on_our_corpus(rule: Rule, settings: Mapping[str, Any]) -> None:
    laws.check_rule(rule, CORPUS, options=[settings])


@pytest.mark.parametrize(("rule", "settings"), CASES)
def test_registered_rules_keep_every_law_on_drawn_schemas(rule: Rule, settings: Mapping[str, Any]) -> None:
    laws.check_rule(rule, DRAWN, examples=40, options=[settings])


@pytest.mark.parametrize(("rule", "settings"), CASES)
def test_what_registered_rules_say_of_their_effect_is_so(rule: Rule, settings: Mapping[str, Any]) -> None:
    bound = rule.bind(**settings)
    near = schemas(depth=2, drafts=["2020-12"], roots="any", focus=bound.contract.trigger.keywords)
    others = {"examples", *laws.NODE_LAWS, *laws.DOCUMENT_LAWS}
    laws.check_rule(rule, near, examples=60, options=[settings], exempt=others)


@pytest.mark.parametrize("rule", SYNTHETIC, ids=lambda rule: rule.name)
def test_the_rules_of_the_engines_own_tests_keep_every_law(rule: Rule) -> None:
    laws.check_rule(rule, DRAWN, examples=40, options=[{}], exempt={"examples", "idempotence", "effect"})


# --- the examples of a docstring


@frozen
class Options:
    names: tuple[str, ...] = option((), "Names.")
    loud: bool = option(False, "Loud.")


@node_rule(on={"title"}, writes={"title"}, effect=EXACT, options=Options)
def shouts(schema: Schema, options: Options) -> Schema:
    """
    Shout.

    Before (loud: true, names: [a, "b: c"]):
        {
          "title": "x"
        }

    After:
        {"title": "X"}

    Unchanged:
        {"title": "x"}
    """
    return {**schema, "title": "X"} if options.loud and schema["title"] == "x" else schema


def test_examples_are_read_with_their_options() -> None:
    loud = {"loud": True, "names": ["a", "b: c"]}
    expected = [
        laws.Example({"title": "x"}, {"title": "X"}, loud, 'Before (loud: true, names: [a, "b: c"]):'),
        laws.Example({"title": "x"}, {"title": "x"}, {}, "Unchanged:"),
    ]

    assert laws.examples(shouts) == expected


def test_the_settings_of_a_rule_are_those_enumerated_and_those_of_its_examples() -> None:
    expected = [{}, {"loud": True}, {"loud": True, "names": ["a", "b: c"]}]

    assert laws.settings_of(shouts) == expected


def described(text: str) -> Rule:
    """A rule with that docstring, which does what `shouts` does."""

    def function(schema: Schema, options: Options) -> Any:
        return shouts.function(schema, options)

    function.__doc__ = "\n" + text
    return Rule("shouts", function, Options, shouts.declared)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("Shout.", "has no example"),
        ('Unchanged:\n    {"title": "x"}', "has no example"),
        ('Before (loud: true):\n    {"title": "x"}\nAfter:\n    {"title": "Y"}', 'promises {"title":"Y"}'),
        ('Before (loud: true):\n    {"title": "x", "type": "a"}\nAfter:\n    {"type": "a", "title": "X"}', "promises"),
        ('Before:\n    {"title": "x"}', "'Before:' in the docstring has no partner"),
        ('After:\n    {"title": "x"}', "'After:' in the docstring has no partner"),
        ('Before:\n    {title}\nAfter:\n    {"title": "x"}', "no JSON below 'Before:'"),
        ('Before (laud: true):\n    {"title": "x"}\nAfter:\n    {}', "wrong options .* no option 'laud'"),
        ('Before (loud: [):\n    {"title": "x"}\nAfter:\n    {}', "wrong options"),
    ],
)
def test_a_docstring_that_shows_something_else_is_caught(text: str, said: str) -> None:
    with pytest.raises(AssertionError, match=said):
        laws.check_examples(described(text))


def test_an_example_of_what_stays_wants_the_same_object() -> None:
    @node_rule(on={"title"}, writes={"title"}, effect=EXACT)
    def copies(schema: Schema) -> Schema:
        """
        Copy.

        Before:
            {"title": "x"}
        After:
            {"title": "y"}

        Unchanged:
            {"title": "z"}
        """
        return {**schema, "title": "y" if schema["title"] == "x" else schema["title"]}

    with pytest.raises(AssertionError, match="promises the same object"):
        laws.check_examples(copies)


def test_an_example_of_what_stays_has_to_stay() -> None:
    @node_rule(on={"title"}, writes={"title"}, effect=EXACT)
    def blanks(schema: Schema) -> Schema:
        """
        Blank.

        Before:
            {"title": "x"}
        After:
            {"title": ""}

        Unchanged:
            {"title": "z"}
        """
        return {**schema, "title": ""}

    with pytest.raises(AssertionError, match="law of examples: the docstring promises"):
        laws.check_examples(blanks)


# --- each law catches a rule that breaks it


def rule_of(function: Callable[[Any], Any], on: Any, writes: Any, **contract: Any) -> Rule:
    return node_rule(on=on, writes=writes, effect=EXACT, **contract)(function)


def document_rule_of(function: Callable[[Any], Any], **contract: Any) -> Rule:
    return document_rule(effect=EXACT, **contract)(function)


def test_trigger_catches_a_document_rule_that_acts_without_its_keyword() -> None:
    rule = document_rule_of(lambda document: {**document, "title": "x"}, on={"$defs"})

    assert "law of trigger: another object comes back" in broken_by(rule, {"type": "string"}, "trigger")


def test_trigger_leaves_a_document_rule_alone_where_its_keyword_is_deep_inside() -> None:
    rule = document_rule_of(lambda document: {**document, "title": "x"}, on={"$defs"})

    laws.check_trigger(rule.bind(), {"items": {"not": {"$defs": {}}}})


@pytest.mark.parametrize(
    ("function", "said"),
    [
        (lambda schema: without(schema, {"type"}), "'type' is gone"),
        (lambda schema: {**schema, "type": "null"}, "'type' differs"),
        (lambda schema: {**schema, "items": dict(schema["items"])}, "'items' differs"),
        (lambda schema: {**schema, "$comment": "new"}, "'$comment' is new"),
        (
            lambda schema: {"items": schema["items"], "type": schema["type"], "title": ""},
            "keywords that `writes` does not name change places",
        ),
        (lambda schema: False, "'type' is gone"),
    ],
)
def test_frame_catches_what_is_not_in_writes(function: Callable[[Schema], Any], said: str) -> None:
    rule = rule_of(function, {"title"}, {"title"})

    assert f"law of frame: {said}" in broken_by(rule, {"type": "array", "items": {"a": 1}, "title": "T"}, "frame")


def test_frame_catches_a_rule_that_drops_what_it_keeps() -> None:
    rule = node_rule(keeps={"type", "title"})(lambda schema: {"type": schema["type"]})

    assert "law of frame: 'title' is gone" in broken_by(rule, {"type": "array", "title": "T", "x": 1}, "frame")


@pytest.mark.parametrize(
    ("function", "contract", "said"),
    [
        (
            lambda schema: {**schema, "title": schema["not"].get("title", "")},
            {},
            "the result depends on what `peeks` does not name",
        ),
        (
            lambda schema: {**schema, "title": str(schema["not"].get("type"))},
            {"peeks": {"title"}},
            "the result depends on what `peeks` does not name",
        ),
        (lambda schema: {**schema, "not": {"not": schema["not"]}}, {}, "a subschema is built"),
        (lambda schema: {**schema, "not": {"type": "null"}}, {"spawns": [{"type": "array"}]}, "a subschema is built"),
        (lambda schema: {**schema, "not": {**schema["not"], "x": 1}}, {"spawns": True}, "a child is changed"),
        (
            lambda schema: {"not": {"title": schema["not"].get("title")}},
            {"spawns": True},
            "the result depends on what `peeks` does not name",
        ),
        (lambda schema: schema["not"], {}, "keywords of a child become the node's"),
        (lambda schema: schema["not"], {"peeks": {"title", "type"}}, "keywords of a child become the node's"),
        (lambda schema: {**without(schema, {"not"}), **schema["not"]}, {}, "keywords of a child become the node's"),
        (lambda schema: {**schema, "enum": [schema["not"]]}, {}, "the result depends on what `peeks` does not name"),
    ],
)
def test_opacity_catches_a_look_at_children(function: Callable[[Schema], Any], contract: Any, said: str) -> None:
    rule = rule_of(function, {"not"}, EVERYTHING, **contract)

    assert f"law of opacity: {said}" in broken_by(rule, {"not": {"title": "T", "type": "string"}}, "opacity")


def test_opacity_catches_a_look_at_whether_a_child_is_boolean() -> None:
    rule = rule_of(lambda schema: {**schema, "title": str(schema["not"] is True)}, {"not"}, EVERYTHING)

    assert "law of opacity: the result depends on what" in broken_by(rule, {"not": True}, "opacity")


@pytest.mark.parametrize(
    ("function", "contract"),
    [
        (lambda schema: {"prefixItems": [schema["not"], schema["not"]]}, {}),
        (lambda schema: {"title": "dropped"}, {}),
        (lambda schema: {**schema, "title": schema["not"].get("title", "")}, {"peeks": {"title"}}),
        (lambda schema: {"allOf": [{"title": "new"}, {"not": schema["not"]}]}, {"spawns": True}),
        (lambda schema: {**schema, "items": {"type": "null"}}, {"spawns": [{"type": "null"}]}),
        (lambda schema: {**schema, "items": False}, {}),
        (lambda schema: schema["not"], {"peeks": EVERYTHING}),
    ],
)
def test_opacity_allows_what_is_declared(function: Callable[[Schema], Any], contract: Any) -> None:
    rule = rule_of(function, {"not"}, EVERYTHING, **contract)

    laws.check_opacity(rule.bind(), {"not": {"title": "T", "type": "string"}, "title": "U"})


def test_purity_catches_a_changed_input() -> None:
    def function(schema: Schema) -> Schema:
        schema["items"]["title"] = "x"
        return schema

    rule = rule_of(function, {"items"}, EVERYTHING, peeks=EVERYTHING)

    assert 'law of purity: the input was changed to {"items":{"title":"x"}}' in broken_by(rule, {"items": {}}, "purity")


def test_purity_catches_a_rule_that_remembers() -> None:
    calls: list[int] = []

    def function(schema: Schema) -> Schema:
        calls.append(1)
        return {**schema, "title": str(len(calls))}

    rule = rule_of(function, {"title"}, {"title"})

    assert "law of purity: called again the rule answers" in broken_by(rule, {"title": ""}, "purity")


def test_same_object_catches_a_needless_copy() -> None:
    rule = rule_of(dict, {"title"}, {"title"})

    assert "law of same object: nothing changes" in broken_by(rule, {"title": "x"}, "same object")


def test_drops_catches_a_function_that_does_something_else() -> None:
    rule = node_rule(drops={"title", "type"})(lambda schema: without(schema, {"title"}))

    assert "law of drops: by `drops` or `keeps` it should be {}" in broken_by(
        rule, {"title": "x", "type": "null"}, "drops"
    )


@pytest.mark.parametrize(
    ("introduces", "function", "said"),
    [
        ((), lambda schema: {"description": "x"}, "'description' is new"),
        ({"description"}, lambda schema: {"description": "x", "type": "null"}, "'type' is new"),
        ((), lambda schema: {"title": ["x"]}, "a list in 'title' is new"),
    ],
)
def test_introduces_catches_a_new_keyword(introduces: Any, function: Callable[[Schema], Any], said: str) -> None:
    rule = rule_of(function, {"title"}, EVERYTHING, introduces=introduces)

    assert f"law of introduces: {said}" in broken_by(rule, {"title": "x"}, "introduces")


def test_introduces_allows_what_stands_anywhere_in_the_document() -> None:
    rule = rule_of(lambda schema: {"type": ["null"]}, {"title"}, EVERYTHING, introduces=())

    laws.check_introduces(rule.bind(), {"title": "x", "default": [{"type": []}]})


def test_levels_catches_a_document_rule_that_acts_on_shallow_documents() -> None:
    rule = document_rule_of(lambda document: {**document, "title": "x"}, levels=2)

    assert "law of levels: another object comes back, within 2 levels" in broken_by(
        rule, {"items": {"items": True}}, "levels"
    )


def test_levels_catches_a_document_rule_that_acts_on_short_documents() -> None:
    rule = document_rule_of(lambda document: {**document, "title": "x"}, length=20)

    assert "law of levels: another object comes back, within 20 bytes" in broken_by(rule, {"items": True}, "levels")
    laws.check_levels(rule.bind(), {"items": {"title": "longer than that"}})


def test_levels_leaves_deeper_documents_alone() -> None:
    rule = document_rule_of(lambda document: {**document, "title": "x"}, levels=2)

    laws.check_levels(rule.bind(), {"items": {"items": {}}})


def test_idempotence_catches_a_rule_that_goes_on() -> None:
    rule = rule_of(lambda schema: {"title": schema["title"] + "x"}, {"title"}, {"title"})

    assert 'law of idempotence: applied again it gives {"title":"xx"}' in broken_by(rule, {"title": ""}, "idempotence")


def test_a_rule_that_fails_is_caught_with_its_schema() -> None:
    rule = rule_of(lambda schema: schema["nowhere"], {"title"}, {"title"})

    assert 'the rule raises KeyError(\'nowhere\')\n  schema: {"title":""}' in broken_by(rule, {"title": ""}, "frame")


def test_a_node_at_which_a_rule_is_unsupported_is_unchanged() -> None:
    def function(schema: Schema) -> Schema:
        raise Unsupported("never")

    rule = rule_of(function, {"title"}, {"title"})

    assert [broken_by(rule, {"title": ""}, law) for law in laws.NODE_LAWS] == [""] * len(laws.NODE_LAWS)


def test_a_message_names_rule_options_law_schema_and_result() -> None:
    @node_rule(on={EVERY}, writes={"title"}, effect=EXACT, options=Options)
    def comments(schema: Schema, options: Options) -> Schema:
        return {**schema, "$comment": "x"}

    expected = (
        "rule 'comments' (names: [\"a\"]) breaks the law of frame: '$comment' is new, and `writes` does not name it"
        '\n  schema: {"type":"null"}\n  result: {"type":"null","$comment":"x"}'
    )

    assert broken_by(comments, {"type": "null"}, "frame", names=["a"]) == expected


# --- the one entry


@document_rule(on={"title"}, introduces=(), effect=EXACT)
def blanks_titles(document: JsonValue) -> Any:
    """
    Blank titles.

    Before:
        {"items": {"title": "x"}}
    After:
        {"items": {"title": ""}}
    """

    def visit(node: Any, state: bool) -> Below[bool]:
        blank = {**node, "title": ""} if isinstance(node, dict) and node.get("title", "") != "" else node
        return Below(blank, state)

    return inherit(document, visit, True, levels=250)


def test_check_rule_takes_rules_of_both_kinds() -> None:
    laws.check_rule(shouts, examples=20)
    laws.check_rule(blanks_titles, examples=20)


@pytest.mark.parametrize("documents", [[{"items": {"type": "x"}}], st.just({"items": {"type": "x"}}), None])
def test_check_rule_looks_at_every_node(documents: Any) -> None:
    @node_rule(on={"type"}, writes={"type"}, effect=EXACT)
    def loses_more(schema: Schema) -> Schema:
        """
        Lose more.

        Before:
            {"type": "x", "title": "T"}
        After:
            {"title": "T"}
        """
        return without(schema, {"type"}) if "title" in schema else {**schema, "pattern": ""}

    with pytest.raises(AssertionError, match="law of frame: 'pattern' is new"):
        laws.check_rule(loses_more, documents)


def test_check_rule_tries_every_setting() -> None:
    @node_rule(on={"title"}, writes={"title"}, effect=EXACT, options=Options)
    def wrong_when_loud(schema: Schema, options: Options) -> Schema:
        """
        Be wrong when loud.

        Before:
            {"title": "x"}
        After:
            {"title": ""}
        """
        return {"title": "x" if options.loud else ""} if schema["title"] != "" else schema

    with pytest.raises(AssertionError, match=r"'wrong_when_loud' \(loud: true\) breaks the law of same object"):
        laws.check_rule(wrong_when_loud, [{"title": "x"}])


def test_check_rule_leaves_out_exempt_laws() -> None:
    @node_rule(on={"title"}, writes={"title"}, order=Order.CHILDREN_FIRST, effect=EXACT)
    def grows(schema: Schema) -> Schema:
        """
        Grow.

        Before:
            {"title": "x"}
        After:
            {"title": "xx"}
        """
        return {**schema, "title": schema["title"] + "x"}

    with pytest.raises(AssertionError, match="law of idempotence"):
        laws.check_rule(grows, [{"title": ""}])
    laws.check_rule(grows, [{"title": ""}], exempt={"idempotence"})


def test_check_rule_refuses_to_leave_out_what_is_no_law() -> None:
    with pytest.raises(ValueError, match="no such law: idempotency"):
        laws.check_rule(shouts, [], exempt={"idempotency"})


def test_check_rule_judges_effects_by_values_near_the_schema() -> None:
    @node_rule(on={"pattern"}, writes={"pattern"}, effect=EXACT)
    def loosens(schema: Schema) -> Schema:
        """
        Loosen.

        Before:
            {"type": "array", "pattern": "x"}
        After:
            {"type": "array"}
        """
        return without(schema, {"pattern"})

    with pytest.raises(AssertionError, match="law of effect: the report says exact, but the value was refused before"):
        laws.check_rule(loosens)
    laws.check_rule(loosens, exempt={"effect"})


def test_check_rule_shows_the_smallest_schema() -> None:
    @node_rule(on={"title"}, writes={"title"}, effect=EXACT)
    def tells_more(schema: Schema) -> Schema:
        """
        Tell more.

        Before:
            {"title": "x"}
        After:
            {"title": ""}
        """
        return {**schema, "title": "", "pattern": ""} if "type" in schema else {**schema, "title": ""}

    with pytest.raises(AssertionError, match=r"schema: \{.{,40}\}\n"):
        laws.check_rule(tells_more)


def test_check_rule_sees_what_is_written_into_the_input() -> None:
    @node_rule(on={"title"}, writes={"title"}, effect=EXACT)
    def blanks_in_place(schema: Schema) -> Schema:
        schema["title"] = ""
        return schema

    with pytest.raises(AssertionError, match="law of purity: the input was changed"):
        laws.check_rule(blanks_in_place, [{"title": "x"}], exempt={"examples"})


# --- effects


def drops_constants(effect: Effect) -> Rule:
    return node_rule(on={"const"}, writes={"const"}, effect=effect)(lambda schema: without(schema, {"const"}))


@pytest.mark.parametrize("effect", [Effect.WIDENS, Effect.BOTH, Effect.UNKNOWN])
def test_a_true_claim_and_none_at_all_stand(effect: Effect) -> None:
    laws.check_effect(drops_constants(effect).bind(), {"const": 1}, [1, 2])


@pytest.mark.parametrize("effect", [Effect.EXACT, Effect.NARROWS])
@pytest.mark.parametrize("schema", [{"const": "rare"}, {"not": {"not": {"const": "rare"}}}])
def test_a_false_claim_is_refuted(effect: Effect, schema: Schema) -> None:
    with pytest.raises(AssertionError, match=f"the report says {effect.word}, but .* accepted after\n  value: null"):
        laws.check_effect(drops_constants(effect).bind(), schema)


def test_a_claim_is_refuted_by_the_values_that_are_given() -> None:
    schema = {"enum": ["very", "rare"], "const": "rare"}
    laws.check_effect(drops_constants(EXACT).bind(), schema)

    with pytest.raises(AssertionError, match='value: "very"'):
        laws.check_effect(drops_constants(EXACT).bind(), schema, ["very"])


def test_a_rule_that_writes_what_no_validator_reads_is_caught() -> None:
    rule = rule_of(lambda schema: {**schema, "type": 5}, {"type"}, {"type"})

    with pytest.raises(AssertionError, match="a validator reads the schema, and none what became of it"):
        laws.check_effect(rule.bind(), {"type": "string"})


@pytest.mark.parametrize("schema", [{"type": "strong"}, {"$ref": "#/nowhere"}, {"$schema": "urn:x", "type": 5}])
def test_what_no_validator_reads_is_not_judged(schema: Schema) -> None:
    rule = rule_of(lambda schema: {**schema, "const": 1}, {"type", "$ref"}, {"const"})

    laws.check_effect(rule.bind(), schema)
