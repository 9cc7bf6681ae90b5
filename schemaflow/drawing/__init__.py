"""
Draw schemas with Hypothesis, and values that meet them or nearly do.

This module knows what odd but legal schemas look like. It draws from few names, few
values and small bounds, so that the parts of a schema often speak about the same
thing: two branches about one property, an enum about a bound, a required name about
a closed object. What there is to draw comes from the keyword table.

A draw is dear (20 µs and more), so one draw decides as much as it can: a set of
names, a family with its type. Needs the extra `fuzz`.
"""

from schemaflow.drawing.drafts import DRAFTS
from schemaflow.drawing.pen import schemas
from schemaflow.drawing.slips import json_documents, values, values_near

__all__ = ["DRAFTS", "json_documents", "schemas", "values", "values_near"]
