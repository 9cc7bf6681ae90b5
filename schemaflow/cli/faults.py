"""What went wrong with one tool or one line, in words, so that the others can go on."""

import traceback
from pathlib import Path

from schemaflow.errors import InputError, LossyConversion, SchemaflowError
from schemaflow.reading import too_deep


def explain(error: Exception, *, source: str | None = None, tool: str | None = None) -> str:
    """Where (as far as known), why, and what to do."""
    if isinstance(error, RecursionError):
        error = too_deep()
    if isinstance(error, InputError):
        return str(error.at(tool=tool, source=source))
    if isinstance(error, LossyConversion):
        # The tool is named before the pipeline already.
        error = error.naming(None)
    problem = str(error) if isinstance(error, SchemaflowError) else _unexpected(error)
    return str(InputError(problem, tool=tool, source=source))


def _unexpected(error: Exception) -> str:
    frames = traceback.extract_tb(error.__traceback__)
    place = f" at {Path(frames[-1].filename).name}:{frames[-1].lineno}" if frames else ""
    return f"unexpected {error!r}{place}: a bug in a rule or in schemaflow, please report it with this input"
