"""What tests of codec rules share: a schema adapted by steps, and values on both ways held against what is claimed."""

from typing import Any

from hypothesis import strategies as st

import schemaflow
from schemaflow import Schema
from schemaflow.adapters import Result
from schemaflow.drawing import values_near
from schemaflow.laws.coding import Broken, broken_on_the_way_back, broken_on_the_way_out
from schemaflow.laws.judging import judge_or_none


def adapted(schema: Schema, *steps: Any) -> Result:
    """A schema adapted by steps alone; each the name of a rule, or a step with its options."""
    return schemaflow.compose("own", *steps).adapt(schema)


def broken_on_either_way(data: st.DataObject, schema: Schema, result: Result, count: int = 8) -> Broken | None:
    """The first of some drawn values that refutes what the report says; none where no validator reads the schema."""
    if result.schema is schema or not all(judge_or_none(one, result.dialect) for one in (schema, result.schema)):
        return None
    outward = data.draw(st.lists(values_near(schema), max_size=count))
    inward = data.draw(st.lists(values_near(result.schema), max_size=count))
    return broken_on_the_way_out(schema, result, outward) or broken_on_the_way_back(schema, result, inward)
