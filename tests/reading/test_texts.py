import pytest

from schemaflow import InputError
from schemaflow.reading import parse


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ('{"a": 1', "f.json:1:8: not JSON: "),
        ("[\n  1,\n]", "f.json:3:1: not JSON: "),
        ("type: object", "f.json:1:1: not JSON: "),
        ("", "f.json: empty"),
        ("  \n", "f.json: empty"),
        ('{"a~/b": [1, NaN]}', "f.json: /a~0~1b/1: NaN is not a JSON number"),
        ('{"a": {"b": -Infinity}, "c": NaN}', "f.json: /a/b: -Infinity is not a JSON number"),
        ('{"a": 1e999}', "f.json: /a: 1e999 is not a JSON number"),
        ("1" * 5000, "f.json: an integer of more than 4300 digits"),
        ("[" * 100_000, "f.json: nested too deep"),
    ],
)
def test_what_is_no_json_is_told_at_its_place(text: str, told: str) -> None:
    with pytest.raises(InputError) as caught:
        parse(text.encode(), "f.json")

    assert str(caught.value).startswith(told)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("a: [1", "f.yaml:2:1: not YAML: "),
        ("a: b: c", "f.yaml:1:5: not YAML: "),
        ("a: 1\na: 2", "f.yaml:2:1: the key 'a' stands twice"),
        ("a:\n  200: x", 'f.yaml:2:3: a key must be a string: write "200" in quotes'),
        ("? [a]\n: b", "f.yaml:1:3: a key must be a string"),
        ("null: x", "f.yaml:1:1: a key must be a string"),
        ("a: &x {b: 1}\nc:\n  <<: *x", "f.yaml:3:3: merge keys"),
        ("a: .nan", "f.yaml:1:4: .nan is not a JSON number"),
        ("a: -.inf", "f.yaml:1:4: -.inf is not a JSON number"),
        ("a: !!binary aGk=", "f.yaml:1:4: the tag !!binary has no JSON form"),
        ("a: !thing {b: 1}", "f.yaml:1:4: the tag !thing has no JSON form"),
        ("a: !!int 1_000", "f.yaml:1:4: '1_000' cannot be read as !!int"),
        ("a: !!null x", "f.yaml:1:4: 'x' cannot be read as !!null"),
        ("a: !!bool yes", "f.yaml:1:4: 'yes' cannot be read as !!bool"),
        ("a: 1e999", "f.yaml:1:4: a number too large for JSON: leave it out"),
        ("a: " + "9" * 5000, "f.yaml:1:4: a number too large for JSON: leave it out"),
        ("a: 0x" + "f" * 5000, "f.yaml:1:4: a number too large for JSON: leave it out"),
        ("a: !!int x", "f.yaml:1:4: 'x' cannot be read as !!int"),
        ("a: 1\n---\nb: 2", "f.yaml:2:1: not YAML: "),
        ("a: &x [*x]", "f.yaml:1:4: more than 300 levels deep"),
        ("- " * 100_000, "f.yaml:1:1999: not YAML: "),
        ("# nothing", "f.yaml: nothing but comments"),
        ("a: \x07", "f.yaml: not YAML: "),
    ],
)
def test_what_is_no_yaml_or_no_json_value_is_told_at_its_place(text: str, told: str) -> None:
    with pytest.raises(InputError) as caught:
        parse(text.encode(), "f.yaml")

    assert str(caught.value).startswith(told)


def test_aliases_are_written_out_within_bounds() -> None:
    shared = "a: &a {type: string}\nb: *a\n"
    bomb = "a0: &a0 [x]\n" + "".join(f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]\n" for n in range(1, 10))

    assert parse(shared.encode(), "f.yaml") == {"a": {"type": "string"}, "b": {"type": "string"}}
    with pytest.raises(InputError, match="aliases spell more than"):
        parse(bomb.encode(), "f.yaml")


def test_yaml_is_read_as_json_would_mean_it() -> None:
    text = "on: [yes, no, off, ~, true, 2026-01-01, 12:30:00, 0o17, 0x1F, 012, 1.5, 1e3, +1, '1', 1_000]"
    expected = ["yes", "no", "off", None, True, "2026-01-01", "12:30:00", 15, 31, 12, 1.5, 1000.0, 1, "1", "1_000"]

    assert parse(text.encode(), "f.yaml") == {"on": expected}


def test_json_is_read_as_json_whatever_the_name() -> None:
    assert parse(b'{"a": 1e2, "a": "\\ud800"}', "f.yaml") == {"a": "\ud800"}


def test_a_byte_order_mark_does_no_harm() -> None:
    assert parse(b"\xef\xbb\xbf{}", "f.json") == {}


def test_broken_json_without_a_suffix_is_told_as_json() -> None:
    with pytest.raises(InputError) as caught:
        parse(b'{"a": "b" "c"}', "<stdin>")

    assert str(caught.value).startswith("<stdin>:1:11: not JSON: ")


def test_other_encodings_are_told() -> None:
    with pytest.raises(InputError, match="not UTF-8 text"):
        parse('{"a": 1}'.encode("utf-16"), "f.json")
