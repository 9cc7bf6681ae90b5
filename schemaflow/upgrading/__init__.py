"""
Upgrading: documents of older drafts and of OpenAPI 3.0, said in 2020-12.

- `respelling`: a schema object being respelt, and what became of its parts
- `holders`: what becomes of older keywords that hold schemas
- `words`: what becomes of the others
- `siblings`: what stands beside `$ref`, and what a draft does not know
- `declarations`: documents that only declare a draft
- `survey`: every schema object looked at once, and who refers to what
- `run`: one rewriting of a document, in which references are led to where things stand now
"""

from schemaflow.keywords import JsonValue
from schemaflow.trace import Traced
from schemaflow.upgrading.declarations import declared_alone
from schemaflow.upgrading.respelling import Terms
from schemaflow.upgrading.run import Run
from schemaflow.upgrading.survey import needs_a_look

__all__ = ["Terms", "upgrade"]


def upgrade(document: JsonValue, terms: Terms) -> Traced:
    """
    A document in 2020-12, and what was done; the same object where it is in 2020-12 already.

    Raises Unsupported where the document is in draft 3.
    """
    declared = declared_alone(document)
    if declared is not None:
        return declared
    if not needs_a_look(document):
        return Traced(document)
    return Run(document, terms).traced()
