from schemaflow_rules.strip_unsupported_formats import strip_unsupported_formats


def test_the_lost_format_is_named() -> None:
    answer = strip_unsupported_formats.bind(allowed=["date"]).call({"type": "string", "format": "ipv4"})

    assert answer.lost == {"format": "ipv4"}


def test_a_format_that_is_no_string_stays() -> None:
    schema = {"format": {"type": "string"}}

    assert strip_unsupported_formats(schema) is schema


def test_a_property_called_format_stays() -> None:
    document = {"properties": {"format": {"type": "string"}}}

    assert strip_unsupported_formats.apply(document) is document
