"""
The algebra of schemas: conjunction, union and complement, each as one schema.

`intersect` and `intersect_all`, `unite` and `complement` say how their result compares
with the true one. `is_empty`, `disjoint` and `exclusive` say what can be seen.
"""

from schemaflow.algebra.exclusion import exclusive
from schemaflow.algebra.operations import (
    complement,
    conjoined,
    disjoint,
    excluding,
    intersect,
    intersect_all,
    is_empty,
    unite,
)
from schemaflow.algebra.outcome import Outcome

__all__ = [
    "Outcome", "complement", "conjoined", "disjoint", "excluding", "exclusive", "intersect", "intersect_all",
    "is_empty", "unite",
]  # fmt: skip
