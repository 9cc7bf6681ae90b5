from schemaflow import Effect, dropping
from schemaflow_rules.strip_conditional_keywords import strip_conditional_keywords


def test_a_condition_without_consequence_says_nothing() -> None:
    schema = {"if": {"required": ["a"]}}

    assert dropping(schema, schema) is Effect.EXACT


def test_goes_from_definitions_and_branches() -> None:
    document = {"$defs": {"A": {"if": True, "then": False}}, "contains": {"then": False}}

    assert strip_conditional_keywords.apply(document) == {"$defs": {"A": {}}, "contains": {}}
