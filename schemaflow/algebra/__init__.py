"""
The algebra of schemas: what several schemas say together, as one schema.

`intersect` and `intersect_all` give the conjunction. Every result says how it
compares with the true one. `exclusive` tells whether no value matches two schemas.
"""

from schemaflow.algebra.exclusion import exclusive
from schemaflow.algebra.intersection import intersect, intersect_all
from schemaflow.algebra.outcome import Outcome

__all__ = ["Outcome", "exclusive", "intersect", "intersect_all"]
