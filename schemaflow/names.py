"""Tool names as a provider takes them."""

from schemaflow.pipeline import NameRule


def truncate_tool_name(name: str, max_bytes: int = 64) -> str:
    """
    The name cut to at most `max_bytes` bytes of UTF-8, at a character's boundary.

    Raises ValueError for a negative limit.
    """
    if max_bytes < 0:
        raise ValueError(f"max_bytes must not be negative, not {max_bytes}")
    # A lone surrogate has no UTF-8 form; it counts, and stays, as the three bytes of its code point.
    encoded = name.encode("utf-8", "surrogatepass")
    if len(encoded) <= max_bytes:
        return name
    cut = encoded[:max_bytes]
    while cut and (encoded[len(cut)] & 0xC0) == 0x80:
        cut = cut[:-1]
    return cut.decode("utf-8", "surrogatepass")


def normalize_tool_name(name: str, rule: NameRule) -> str:
    """The name as a provider with that rule takes it."""
    return name if rule.max_bytes is None else truncate_tool_name(name, rule.max_bytes)
