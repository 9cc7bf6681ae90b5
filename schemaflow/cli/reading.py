"""Files and standard input as JSON values."""

import sys
from pathlib import Path
from typing import BinaryIO, Final

from schemaflow.errors import InputError, LimitError
from schemaflow.keywords import JsonValue
from schemaflow.reading import parse

STDIN: Final = "-"
LARGEST: Final = 256 * 2**20
"""How many bytes a file may have."""


def read_value(file: str) -> JsonValue:
    """
    The JSON value in a file (`-` is standard input).

    Raises InputError, naming the file, and OSError.
    """
    return parse(read_bytes(file), label(file))


def stdin() -> BinaryIO:
    """
    Standard input as bytes.

    Raises InputError where it is closed.
    """
    if sys.stdin is None:
        raise InputError("standard input is closed: name a file", source=label(STDIN))
    return sys.stdin.buffer


def label(file: str) -> str:
    """What messages call a file."""
    return "<stdin>" if file == STDIN else file


def read_bytes(file: str) -> bytes:
    if file != STDIN:
        with Path(file).open("rb") as stream:
            data = stream.read(LARGEST + 1)
    else:
        data = stdin().read(LARGEST + 1)
    if len(data) > LARGEST:
        raise LimitError(f"more than {LARGEST} bytes", source=label(file))
    return data
