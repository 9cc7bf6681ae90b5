"""
Codecs: how values are written in what a provider can express, and read back.

A codec belongs to one location. A rule that says something in another shape leaves a
**mark** on the node that it builds; encode and decode walk the marked document beside a
value, so that nesting is all the composition that there is.

- `marks`: the private key under which a node holds its codec
- `kinds`: the codecs
- `walking`: a value encoded or decoded, location by location
"""

from schemaflow.codecs.kinds import Absence, Codec, Constants, Members, Pairs, Text, Tuple, Wrapped
from schemaflow.codecs.marks import MARK, codec_of, marked, stripped

__all__ = [
    "MARK", "Absence", "Codec", "Constants", "Members", "Pairs", "Text", "Tuple", "Wrapped", "codec_of", "marked",
    "stripped",
]  # fmt: skip
