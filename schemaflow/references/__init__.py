"""
References: what a `$ref` leads to, which targets lie on a cycle, and how big inlining would make a document.

- `places`: values that know where they stand, and what names them
- `targets`: what a reference leads to
- `resolution`: `References`, which resolves by the standard and within one document
- `readings`: what references mean that the standard does not resolve
- `extents`: how far something reaches when written out, and how far it may
- `survey`: every schema object looked at once
- `joint`: the references that speak of an object together with other schemas
- `units`, `uses`, `components`: the graph of who refers to whom
"""

from schemaflow.references.extents import (
    EXPANSION_BYTES,
    EXPANSION_NODES,
    LEVELS,
    STEPS,
    Extent,
    exceeds,
    weigh,
)
from schemaflow.references.places import DEFINITIONS, KEYS
from schemaflow.references.resolution import References
from schemaflow.references.targets import Nowhere, Target, fragment
from schemaflow.references.units import Inside, Use, composed, is_object_level
from schemaflow.references.uses import Steps, Uses

__all__ = [
    "DEFINITIONS",
    "EXPANSION_BYTES",
    "EXPANSION_NODES",
    "KEYS",
    "LEVELS",
    "STEPS",
    "Extent",
    "Inside",
    "Nowhere",
    "References",
    "Steps",
    "Target",
    "Use",
    "Uses",
    "composed",
    "exceeds",
    "fragment",
    "is_object_level",
    "weigh",
]  # fmt: skip
