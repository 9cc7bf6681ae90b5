"""What each keyword without subschemas may say."""

import json
import re
from collections.abc import Mapping
from typing import Final

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from schemaflow.drawing.vocabulary import ANY_NAMES, COIN, PATTERNS, dependent_names
from schemaflow.keywords import (
    KEYWORDS,
    JsonValue,
)

_TEXT: Final = st.sampled_from(("A text.", "", "é", "type", '"quoted"\n'))
NUMBER: Final = st.sampled_from((0, 1, 1, 2, 3, -1, 0.5, 1.0, 2.5, 2**53 + 1, 2**65, -(10**20)))
WHOLE: Final = st.sampled_from((*(1, 2, 0, 3) * 5, 2**64))
_LEAST: Final = st.sampled_from((*(1, 1, 0, 2, 2.0) * 5, 3, 2**64))
_MOST: Final = st.sampled_from((3, 2, 4, 1, 2.0, 3, 2, 0, 2**64))
BOUNDS: Final = "multipleOf maximum minimum exclusiveMaximum exclusiveMinimum".split()
COUNTS: Final = [name for name in KEYWORDS if re.fullmatch("(min|max)(Length|Items|Properties|Contains)", name)]


def _any_of(text: str) -> SearchStrategy[JsonValue]:
    """One of the JSON values in a text, which are separated by white space."""
    return st.sampled_from(text.split()).map(json.loads)


_FORMATS: Final = '"date" "date-time" "email" "uri" "uuid" "regex" "int32" "double" "file-path" ""'
PLAIN: Final[Mapping[str, SearchStrategy[JsonValue]]] = {
    **dict.fromkeys("nullable uniqueItems deprecated readOnly writeOnly".split(), COIN),
    **dict.fromkeys("title description $comment contentEncoding contentMediaType".split(), _TEXT),
    **dict.fromkeys(BOUNDS, NUMBER),
    **{name: _LEAST if name.startswith("min") else _MOST for name in COUNTS},
    "multipleOf": st.sampled_from((1, 2, 3, 0.5, 1.0, 2**64)),
    "pattern": st.sampled_from(PATTERNS),
    "format": _any_of(_FORMATS),
    "required": ANY_NAMES,
    "dependentRequired": dependent_names(),
    "$id": _any_of('"urn:x:own" "own.json"'),
    "id": _any_of('"urn:x:own" "own.json" "#own"'),
    "$anchor": _any_of('"here" "own"'),
    "$dynamicAnchor": _any_of('"node" "own"'),
    "$recursiveAnchor": _any_of('"own"'),
    "$vocabulary": _any_of('{"urn:x:words":true} {"urn:x:words":false}'),
    "$recursiveRef": _any_of('"#"'),
    "discriminator": _any_of('{"propertyName":"a"} {"propertyName":"type","mapping":{"a":"#/$defs/A","b":"B"}}'),
    "xml": _any_of('{"name":"a"} {"attribute":true}'),
    "externalDocs": _any_of('{"url":"https://docs.invalid/a","description":"$ref"}'),
}
