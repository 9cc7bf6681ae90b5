from schemaflow_rules.drop_keywords import drop_keywords


def test_nothing_listed_drops_nothing() -> None:
    schema = {"type": "string"}

    assert drop_keywords(schema) is schema


def test_goes_everywhere_but_not_into_data() -> None:
    document = {"$defs": {"A": {"title": "a"}}, "default": {"title": "b"}, "items": {"title": "c"}}
    expected = {"$defs": {"A": {}}, "default": {"title": "b"}, "items": {}}

    assert drop_keywords.apply(document, keywords=["title"]) == expected
