"""
Whether a name matches a pattern, where that can be seen without a regex engine.

Patterns come from strangers: running one may take forever, and the engines of Python
and of the validators differ. Only literals with anchors are decided here.
"""

import re
from typing import Final

_LITERAL: Final = re.compile(r"(?:[^\\.*+?()\[\]{}|^$]|\\[-/.*+?()\[\]{}|^$\\])*")
_ESCAPE: Final = re.compile(r"\\(.)")
_LINE_ENDS: Final = frozenset("\n\r\u2028\u2029")


def matches(pattern: str, name: str) -> bool | None:
    """Whether a name matches, None where that cannot be seen."""
    from_start = pattern.startswith("^")
    body = pattern.removeprefix("^")
    to_end = body.endswith("$") and not body.endswith("\\$")
    body = body.removesuffix("$") if to_end else body
    if body == ".*":
        return None if _LINE_ENDS & set(name) and from_start and to_end else True
    if not _LITERAL.fullmatch(body):
        return None
    literal = _ESCAPE.sub(r"\1", body)
    if from_start and to_end:
        return name == literal
    if from_start:
        return name.startswith(literal)
    return name.endswith(literal) if to_end else literal in name
