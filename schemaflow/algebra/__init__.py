"""
The algebra of schemas: what several schemas say together, as one schema.

`intersect` and `intersect_all` give the conjunction. Every result says how it
compares with the true one.
"""

from schemaflow.algebra.intersection import intersect, intersect_all
from schemaflow.algebra.outcome import Outcome

__all__ = ["Outcome", "intersect", "intersect_all"]
