"""Documents in which nothing but the root's `$schema` has to be said otherwise: told by their text, for speed."""

import re
from functools import cache

import orjson

from schemaflow.drafts import LATEST, Age, age_of, later_names
from schemaflow.effect import Effect
from schemaflow.keywords import JsonValue
from schemaflow.references.places import NAMES
from schemaflow.rule import Rewrite
from schemaflow.trace import Traced
from schemaflow.upgrading.survey import FLAGS, OLD
from schemaflow.upgrading.words import AS_LATEST


def declared_alone(document: JsonValue) -> Traced | None:
    """
    What becomes of a document that says nothing in older words but which draft it is in.

    None where it has to be looked at: what a keyword is called may also be the name of
    a property.
    """
    age = age_of(document)
    if not isinstance(document, dict) or age is None or age < Age.DRAFT_6:
        return None
    try:
        text = orjson.dumps({name: value for name, value in document.items() if name != "$schema"})
    except (TypeError, ValueError):
        return None
    if _older_words(age).search(text):
        return None
    if age is Age.DRAFT_2020:
        return Traced(document)
    schema = {**document, "$schema": LATEST}
    said = Rewrite(schema, effect=Effect.EXACT, note=AS_LATEST, lost={})
    return Traced(schema, [(None, 0, document, schema, said)])


@cache
def _older_words(age: Age) -> re.Pattern[bytes]:
    """What finds, in compact JSON, words that this draft says otherwise, or that need a look at others."""
    names = {*OLD, *NAMES, *later_names(age), "contains"} - {"id"}  # which draft 4 has
    spelled = [re.escape(name) + '":' for name in sorted(names)]
    flags = [f'{name}":[tf]' for name in FLAGS]
    return re.compile('"(?:{})'.format("|".join([*spelled, r'items":\[', *flags])).encode())
