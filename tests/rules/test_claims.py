"""What rules claim of one node is so, on drawn schemas and values. The judge is jsonschema-rs."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema_rs import Draft202012Validator

from schemaflow import Rewrite, Schema, Unsupported
from schemaflow.drawing import schemas, values_near
from schemaflow.registry import installed
from tests.algebra.related import SMALL_VALUES

PLAIN = schemas(depth=2, references=False, drafts=["2020-12"])
RULES: dict[str, list[dict[str, Any]]] = {
    "drop_additional_schemas": [{}],
    "drop_unknown_required": [{}],
    "fold_constants": [{}],
    "infer_types": [{}, {"beside_unions": True}, {"whole_numbers": True}],
    "limit_enums": [{}, {"types": ["string", "number"]}],
    "one_of_to_any_of": [{}],
    "order_keywords": [{"keywords": ["type", "description"]}],
    "push_siblings_into_branches": [{}],
    "require_types": [{}, {"types": ["string", "number"]}],
    "simplify": [{}],
    "spell_out_objects": [{}],
    "type_to_any_of": [{}],
    "unevaluated_to_additional": [{}],
}


@pytest.mark.parametrize(
    ("name", "options"), [(name, options) for name, settings_ in RULES.items() for options in settings_]
)
def test_a_rule_claims_no_more_than_is_so(name: str, options: dict[str, Any]) -> None:
    bound = installed().rule(name).bind(**options)

    @settings(max_examples=150)
    @given(PLAIN, st.data())
    def law(schema: Schema, data: st.DataObject) -> None:
        if not bound.contract.trigger.fires(schema):
            return
        try:
            answer = bound.call(schema)
        except Unsupported:
            return
        after = answer.schema if isinstance(answer, Rewrite) else answer
        claimed = answer.effect if isinstance(answer, Rewrite) else None
        effect = bound.contract.effect if claimed is None else claimed
        values = [*SMALL_VALUES, data.draw(values_near(schema)), data.draw(values_near(after))]
        try:
            old, new = (Draft202012Validator(one, validate_formats=False).is_valid for one in (schema, after))
        except ValueError:
            return  # names itself by what the validator cannot resolve
        assert effect is not None
        assert effect.may_widen or not any(new(value) and not old(value) for value in values)
        assert effect.may_narrow or not any(old(value) and not new(value) for value in values)

    law()
