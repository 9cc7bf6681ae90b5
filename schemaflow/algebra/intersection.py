"""The conjunction of schemas as one schema: what `Question` asks."""

from collections.abc import Iterator, Sequence

from schemaflow.algebra.distribution import distribute, is_union
from schemaflow.algebra.families import Family, family_of
from schemaflow.algebra.outcome import Ledger
from schemaflow.algebra.pools import distinct
from schemaflow.algebra.settling import nothing, settle
from schemaflow.algebra.sides import UNEVALUATED, Sides, is_trivial
from schemaflow.algebra.steps import Question, Steps
from schemaflow.keywords import JsonValue, Schema, json_equal


def conjoin(question: Question, ledger: Ledger) -> Steps[Schema | bool]:
    """What the members say together."""
    telling = [member for member in question.members if not is_trivial(member)]
    if not telling:
        return question.members[0] if question.members else True
    if False in telling:
        return False
    schemas = distinct([member for member in telling if isinstance(member, dict)])
    if len(schemas) == 1 and not (question.opens and _opens(schemas[0], ledger)):
        return schemas[0]
    if not ledger.spend(schemas):
        return _unworked(schemas, ledger)
    return (yield from _merge(schemas, ledger, flat=question.flat))


def _opens(schema: Schema, ledger: Ledger) -> bool:
    return "allOf" in schema or (ledger.distributes and is_union(schema))


def _may_distribute(sides: Sides) -> bool:
    """Whether there are unions, and nothing that minds which subschemas evaluate what."""
    return any(map(is_union, sides.open)) and all(map(UNEVALUATED.isdisjoint, sides.open))


def _merge(members: Sequence[Schema], ledger: Ledger, *, flat: bool) -> Steps[Schema | bool]:
    """One node of all that can be merged, with what cannot in its `allOf`."""
    lost = ledger.losses
    sides = Sides.of(members, ledger)
    if sides.empty:
        return False
    if ledger.distributes and not flat and _may_distribute(sides):
        return (yield from distribute(members, sides, ledger))
    if not sides.open:
        return (yield from _keep_whole(members, sides.whole, ledger))
    merged, rest = yield from _combine(sides.open, ledger)
    if merged is None:
        return False
    merged |= _held([*rest, *sides.whole], ledger)
    if ledger.losses > lost:
        # What was left out may have evaluated something.
        merged = _without_unevaluated(merged, ledger)
    node = _ordered(merged, [members[0], *sides.open])
    if _is_same(members[0], node):
        return members[0]
    return settle(node, ledger) if len(sides.open) > 1 else node


def _combine(sides: Sequence[Schema], ledger: Ledger) -> Steps[tuple[Schema | None, list[Schema]]]:
    """The keywords of all sides, family by family, and what is left; no keywords where nothing can match."""
    merged: Schema = {}
    rest: list[Schema] = []
    for family, shares in _shares(sides):
        found = yield from family.combine(shares)
        if found.empty is not None:
            nothing(found.empty, ledger)
            return None, []
        merged |= found.keywords
        rest.extend(found.rest)
    return merged, rest


def _shares(sides: Sequence[Schema]) -> Iterator[tuple[Family, list[Schema]]]:
    """What each side says in the words of each family, by the first keyword of each family."""
    found: dict[str, tuple[Family, list[Schema]]] = {}
    for side in sides:
        own: dict[str, Schema] = {}
        for word, value in side.items():
            family = family_of(word)
            name = family.words[0]
            if name not in own:
                own[name] = {}
                found.setdefault(name, (family, []))[1].append(own[name])
            own[name][word] = value
    yield from found.values()


def _held(conditions: Sequence[Schema], ledger: Ledger) -> Schema:
    """The conditions that the node cannot hold, as its `allOf`."""
    kept = distinct(conditions)
    if ledger.residual:
        return {"allOf": kept} if kept else {}
    for lost in kept:
        ledger.leave_out(lost)
    return {}


def _without_unevaluated(node: Schema, ledger: Ledger) -> Schema:
    lost = {word: value for word, value in node.items() if word in UNEVALUATED}
    if lost:
        ledger.leave_out(lost)
    return {word: value for word, value in node.items() if word not in lost}


def _keep_whole(members: Sequence[Schema], whole: Sequence[Schema], ledger: Ledger) -> Steps[Schema | bool]:
    """Where nothing can be merged: an `allOf` of what there is, or one of them alone."""
    kept = distinct(whole)
    if not kept:
        return {}
    if len(members) == 1 and kept[0] is members[0]:
        return members[0]
    if len(kept) > 1 and ledger.residual:
        node = {"allOf": kept}
        return members[0] if _is_same(members[0], node) else node
    for lost in kept[1:]:
        ledger.leave_out(lost)
    answer: Schema | bool = yield Question(kept[:1], opens=True)
    return answer


def _unworked(members: Sequence[Schema], ledger: Ledger) -> Schema:
    """The members as they are, where the budget does not allow to merge them."""
    if ledger.residual:
        return members[0] if len(members) == 1 else {"allOf": list(members)}
    for lost in members[1:]:
        ledger.leave_out(lost)
    first = members[0]
    if "allOf" in first:
        ledger.leave_out({"allOf": first["allOf"]})
    return {word: value for word, value in first.items() if word != "allOf"}


def _ordered(merged: Schema, models: Sequence[Schema]) -> Schema:
    """The keywords in the order of the sides, then those that no side spells so."""
    order = dict.fromkeys(word for model in models for word in model)
    return {word: merged[word] for word in [*order, *merged] if word in merged}


def _is_same(original: Schema, node: Schema) -> bool:
    """Whether a node says what the original says, part for part."""
    return list(original) == list(node) and all(
        value is node[word] or (word == "allOf" and _is_same_list(value, node[word]))
        for word, value in original.items()
    )


def _is_same_list(original: JsonValue, rebuilt: list[Schema]) -> bool:
    return (
        isinstance(original, list)
        and len(original) == len(rebuilt)
        and all(one is other or json_equal(one, other) for one, other in zip(original, rebuilt, strict=True))
    )
