"""
Describing: what a step dropped, told in the node's description.

Done once for all rules, on the way out of the rule: a described rule is a rule that
also writes `description`, and its contract says so.
"""

import re
from collections.abc import Callable, Mapping
from functools import cached_property
from typing import Any, Final

from attrs import evolve, frozen

from schemaflow.effect import Effect
from schemaflow.errors import OptionError
from schemaflow.families import dropping
from schemaflow.keywords import JsonValue, Schema
from schemaflow.pipeline import Describe
from schemaflow.rule import BoundRule, Rewrite
from schemaflow.wording import phrases


def described(bound: BoundRule, describe: Describe) -> BoundRule:
    """
    The rule, made to tell in the node's description what it drops.

    Raises OptionError for a rule that rewrites no single node, or that drops
    descriptions itself.
    """
    problem = _why_not(bound)
    if problem:
        raise OptionError(f"describe: {problem}", "describe")
    function = _describing(bound, describe)
    declared = {**bound.rule.declared, "describes": True}
    return BoundRule(evolve(bound.rule, function=function, declared=declared), bound.options)


def _why_not(bound: BoundRule) -> str:
    if bound.rule.is_document:
        return f"rule {bound.name!r} takes the whole document: there is no one node to describe"
    contract = bound.contract
    keeps = contract.keeps is None or "description" in contract.keeps
    if not keeps or "description" in (contract.drops or ()):
        return f"rule {bound.name!r} drops the description itself: let it keep that keyword"
    return ""


def _describing(bound: BoundRule, describe: Describe) -> Callable[..., Any]:
    """The rule's function, followed by the description of what it dropped."""
    contract = bound.contract

    def function(schema: Schema | bool, *options: Any) -> Any:
        answer = bound.rule.function(schema, *options)
        after = answer.schema if isinstance(answer, Rewrite) else answer
        if after is schema or not isinstance(schema, dict) or not isinstance(after, dict):
            return answer
        change = _Change(schema, answer if isinstance(answer, Rewrite) else Rewrite(after), contract.effect)
        if contract.only_drops:
            # A report of a rule that only drops names all that is gone, whatever that does.
            change = evolve(change, rewrite=Rewrite(after, lost=change.lost))
        return change.told(describe.budget)

    function.__doc__ = bound.rule.function.__doc__
    function.__name__ = bound.rule.function.__name__
    return function


@frozen(eq=False, slots=False)
class _Change:
    """What a rule made of a node, `worst` being its worst case."""

    before: Schema
    rewrite: Rewrite
    worst: Effect | None

    @cached_property
    def lost(self) -> Mapping[str, JsonValue]:
        """The keywords whose meaning is gone, as a report names them."""
        return self.rewrite.lost or {
            keyword: value for keyword, value in self.before.items() if keyword not in self.after
        }

    @property
    def after(self) -> Schema:
        assert isinstance(self.rewrite.schema, dict), "only schema objects are described"
        return self.rewrite.schema

    def told(self, budget: int) -> Rewrite:
        """The rewrite with what was lost in the description, and with what could not be told in the note."""
        found = list(phrases(self._constraints(), {**self.before, **self.lost}))
        old = self.after.get("description", "")
        if not found:
            return self.rewrite
        if not isinstance(old, str):
            return self._noting("the description is no string: nothing was added to it")
        text, too_long = appended(old, [(keyword, phrase) for keyword, phrase in found if phrase], budget)
        wordless = [keyword for keyword, phrase in found if not phrase]
        noted = self._noting(
            f"no room in the description for {', '.join(too_long)}" if too_long else "",
            f"no words in the description for {', '.join(wordless)}" if wordless else "",
        )
        return noted if text == old else evolve(noted, schema={**self.after, "description": text})

    def _noting(self, *more: str) -> Rewrite:
        return evolve(self.rewrite, note="; ".join(filter(None, [self.rewrite.note, *more])))

    def _constraints(self) -> dict[str, JsonValue]:
        """The keywords that refused something before, and do not do so any more."""
        effect = self.rewrite.effect if self.rewrite.effect is not None else self.worst
        if effect is not None and not effect.may_widen:
            return {}
        lost = {keyword: self._rest(keyword, value) for keyword, value in self.lost.items()}
        schema = {**self.before, **lost}
        return {keyword: value for keyword, value in lost.items() if dropping(schema, {keyword}).may_widen}

    def _rest(self, keyword: str, value: JsonValue) -> JsonValue:
        """What is gone of a keyword's value: of a list of required names those that are not required any more."""
        kept = self.after.get(keyword) if keyword == "required" else None
        return (
            [name for name in value if name not in kept]
            if isinstance(kept, list) and isinstance(value, list)
            else value
        )


def appended(description: str, found: list[tuple[str, str]], budget: int) -> tuple[str, list[str]]:
    """
    A description with phrases as one sentence at its end, and the keywords whose phrases find no room.

    At most `budget` characters are added, whole phrases only: one that is too long is left
    out, and shorter ones after it are not. What the description says already, as a sentence or
    a part of one between semicolons, takes its room but is not said again: to append
    twice is to append once.
    """
    chosen: list[str] = []
    left: list[str] = []
    room = budget - _AROUND
    for keyword, raw in found:
        # A lone surrogate would make a text that has no bytes of one that has.
        phrase = raw.encode("utf-8", "backslashreplace").decode()
        if phrase in chosen:
            continue
        if len(phrase) > room:
            left.append(keyword)
            continue
        chosen.append(phrase)
        room -= len(phrase) + len(_BETWEEN)
    return _sentence(description, [phrase for phrase in chosen if not _says(description, phrase)]), left


_BETWEEN: Final = "; "
_AROUND: Final = len(". ") + len(".")
_STOPS: Final = ".;!?\u3002\uff01\uff1f\u2026"


def _sentence(description: str, chosen: list[str]) -> str:
    if not chosen:
        return description
    text = _BETWEEN.join(chosen)
    before = description.rstrip()
    if not before:
        between = ""
    elif before[-1] in _STOPS:
        between = " "
    else:
        between = "\n" if before[-1] == ":" else ". "
    return f"{before}{between}{text[0].upper()}{text[1:]}."


def _says(description: str, phrase: str) -> bool:
    first = f"[{re.escape(phrase[0].upper() + phrase[0].lower())}]" if phrase[0].isalpha() else re.escape(phrase[0])
    part = rf"(?:^|\n|[{re.escape(_STOPS)}]\s+){first}{re.escape(phrase[1:])}(?=;|[.!?](?:\s|\Z)|\s*\Z)"
    return re.search(part, description) is not None
