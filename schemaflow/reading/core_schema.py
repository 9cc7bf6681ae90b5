"""
Plain YAML scalars by the core schema of YAML 1.2, spelled once for all that reads YAML.

`yes`, `on` and `2026-01-01` are strings, as they would be in JSON.
"""

import re
from typing import Final

NULLS: Final = ("null", "Null", "NULL", "~", "")
BOOLEANS: Final = {
    **dict.fromkeys(("true", "True", "TRUE"), True),
    **dict.fromkeys(("false", "False", "FALSE"), False),
}
INTEGER: Final = re.compile(r"[-+]?[0-9]+|0o[0-7]+|0x[0-9a-fA-F]+")
FLOAT: Final = re.compile(r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?")
NOT_FINITE: Final = re.compile(r"[-+]?\.(inf|Inf|INF)|\.(nan|NaN|NAN)")
"""Numbers of YAML that JSON does not have."""


def integer(text: str) -> int:
    """The number that an integer's text spells. Raises ValueError where it spells none, or one too long."""
    return int(text, 0) if text.startswith(("0o", "0x")) else int(text)
