import pytest

from schemaflow import Unsupported
from schemaflow_rules.unevaluated_to_additional import unevaluated_to_additional


def test_it_stands_where_the_other_stood() -> None:
    schema = {"unevaluatedProperties": {"type": "string"}, "type": "object"}

    assert list(unevaluated_to_additional(schema)) == ["additionalProperties", "type"]


@pytest.mark.parametrize("keyword", ["anyOf", "$ref", "dependentSchemas", "if"])
def test_beside_schemas_of_the_same_object_it_stays(keyword: str) -> None:
    with pytest.raises(Unsupported, match="stands beside unevaluatedProperties"):
        unevaluated_to_additional({keyword: {}, "unevaluatedProperties": False})
