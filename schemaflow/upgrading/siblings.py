"""
What a declared draft ignores and 2020-12 does not: what stands beside `$ref`, and newer keywords.

Authors mean what they write, so by default it holds from then on; the standard says
that it does nothing, so the other way is to drop it.
"""

from schemaflow.drafts import later_keywords
from schemaflow.effect import Effect
from schemaflow.keywords import KEYWORDS, Role
from schemaflow.upgrading.holders import drop
from schemaflow.upgrading.respelling import Respelling, Where

_SAYING = frozenset({Role.ASSERTION, Role.APPLICATOR})


def ignored_siblings(one: Respelling, where: Where) -> None:
    """What stands beside `$ref` in drafts that ignore it: it holds, or goes."""
    if not ignores_siblings(one, where):
        return
    saying = [name for name in one.schema if name in KEYWORDS and KEYWORDS[name].role in _SAYING and name != "nullable"]
    saying = [name for name in saying if name not in ("then", "else") or "if" in one.schema]
    if where.terms.ref_siblings == "standard":
        for name in saying:
            drop(one, name, where, "this draft ignores what stands beside $ref")
    elif saying:
        one.say("what stands beside $ref holds too, which this draft ignores", Effect.NARROWS)


def newer_keywords(one: Respelling, where: Where) -> None:
    """Keywords that the declared draft does not know: they hold, or go."""
    if not where.is_declared or ignores_siblings(one, where):
        return
    for name, effect in list(later_keywords(one.schema, where.age)):
        if name == "prefixItems" and isinstance(one.schema.get("items"), list):
            continue
        if where.terms.newer_keywords == "drop":
            drop(one, name, where, "dropped what this draft does not know")
        elif name == "prefixItems" and where.facts.has_unevaluated:
            one.say(f"{name} holds too, which this draft does not know", Effect.UNKNOWN)
        else:
            one.say(f"{name} holds too, which this draft does not know", effect)


def ignores_siblings(one: Respelling, where: Where) -> bool:
    """Whether what stands beside a node's `$ref` does nothing in its draft."""
    return where.age.ignores_siblings and isinstance(one.original.get("$ref"), str)
