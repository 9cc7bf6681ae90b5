import pytest

from schemaflow import Schema, Unsupported
from schemaflow_rules.drop_definitions import drop_definitions

DEFINITIONS: Schema = {"$defs": {"A": {"$ref": "#/$defs/B"}, "B": {"$id": "b", "$anchor": "b"}}}


@pytest.mark.parametrize("reference", ["#/$defs/A", "#/%24defs/A", "#b", "b", "#/components/A"])
def test_definitions_stay_while_a_reference_may_lead_there(reference: str) -> None:
    with pytest.raises(Unsupported):
        drop_definitions({"properties": {"a": {"$ref": reference}}, **DEFINITIONS})


@pytest.mark.parametrize("reference", ["#", "#/properties/a"])
def test_references_to_elsewhere_do_not_hold_them(reference: str) -> None:
    rest = {"properties": {"a": {"type": "string"}, "b": {"$ref": reference}}}

    assert drop_definitions({**rest, **DEFINITIONS}) == rest


def test_definitions_that_only_refer_to_each_other_go() -> None:
    assert drop_definitions({"type": "object", **DEFINITIONS}) == {"type": "object"}


def test_a_property_called_ref_is_no_reference() -> None:
    rest = {"properties": {"$ref": {"type": "string"}}, "default": {"$ref": "#/$defs/A"}}

    assert drop_definitions({**rest, **DEFINITIONS}) == rest
