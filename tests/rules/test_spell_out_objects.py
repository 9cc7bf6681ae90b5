from schemaflow_rules.spell_out_objects import spell_out_objects


def test_what_is_there_stays() -> None:
    schema = {"type": "object", "required": ["a"]}

    assert spell_out_objects(schema) == {**schema, "properties": {}}


def test_nothing_is_asked_for() -> None:
    schema = {"type": "object"}

    assert spell_out_objects(schema, properties=False, required=False) is schema
