"""Steps of a pipeline file, and what a child pipeline does to its parent's."""

from collections.abc import Iterable, Mapping
from functools import cached_property
from pathlib import Path
from typing import Any, Final

from attrs import define, evolve, frozen

from schemaflow.errors import OptionError, PluginError, UnknownNameError, suggestion
from schemaflow.loading.fields import Problems, above_zero, condition, read_mapping, some_text
from schemaflow.loading.yaml_nodes import UNREAD, Node, Unread, in_words
from schemaflow.options import read_options
from schemaflow.pipeline import Condition, Describe, OptionRef, PipelineOption, Place, Step
from schemaflow.registry import Registry
from schemaflow.rule import Rule

ANCHORS: Final = ("before", "after", "replaces")
NOWHERE: Final = Place()
MAX_STEPS: Final = 500


@frozen
class Placed:
    """
    A step as a file writes it: the step, and where it goes among the inherited ones.

    `anchor` is `before`, `after` or `replaces`, with the id of the step that it names
    and the place where it is named; empty where the step goes to the end. `bare` says
    that nothing but a name was given, so that it may mean an inherited step.
    """

    step: Step
    place: Place
    anchor: str = ""
    target: str = ""
    target_place: Place = NOWHERE
    bare: bool = False

    @property
    def moves(self) -> bool:
        """Whether the step moves an inherited one, if there is one of its name."""
        return self.bare and self.anchor in ("before", "after")


def read_steps(problems: Problems, node: Node) -> list[Placed]:
    """The steps of a file, not yet checked against rules."""
    if not node.is_sequence:
        problems.expect(node, "a list of steps")
        return []
    if len(node.value) > MAX_STEPS:
        problems.add(f"more than {MAX_STEPS} steps", node.value[MAX_STEPS].place)
    return [one for item in node.value[:MAX_STEPS] if (one := _read_step(problems, item)) is not None]


def _read_step(problems: Problems, node: Node) -> Placed | None:
    if node.is_text:
        return Placed(Step(node.value, place=node.place), node.place, bare=True)
    if not node.is_mapping:
        problems.expect(node, "a step: a rule's name, or a mapping with rule")
        return None
    read = read_mapping(problems, node, _FIELDS, "a step")
    if "rule" not in read:
        if "rule" not in node.value:
            problems.add("a step needs a rule", node.place)
        return None
    anchors = [name for name in ANCHORS if name in read]
    for extra in anchors[1:]:
        problems.add(f"{extra} beside {anchors[0]}: a step goes to one place", node.keys[extra])
    step = Step(
        read["rule"],
        read.get("with", {}),
        id=read.get("id", ""),
        when=read.get("when"),
        unless=read.get("unless"),
        describe=read.get("describe"),
        place=node.value["rule"].place,
    )
    anchor = anchors[0] if anchors else ""
    bare = not node.value.keys() & {"with", "id", "when", "unless", "describe"}
    return Placed(step, node.place, anchor, read.get(anchor, ""), node.keys.get(anchor, node.place), bare)


def _option_values(problems: Problems, node: Node) -> dict[str, Any]:
    if not node.is_mapping:
        problems.expect(node, "a mapping of options")
        return {}
    values = {name: _option_value(problems, value) for name, value in node.value.items()}
    return {name: given for name, given in values.items() if given is not None}


@frozen
class _Given:
    """An option's value, with its place until the option is checked."""

    value: Any
    place: Place


def _option_value(problems: Problems, node: Node) -> _Given | None:
    if node.tag != "!option":
        return _Given(problems.plain(node), node.place)
    if isinstance(node.value, str):
        return _Given(OptionRef(node.value), node.place)
    if node.value is not UNREAD:
        message = f"!option takes the name of a pipeline option, not {in_words(node.value)}"
        problems.add(message, node.place)
    return None


def _describe(problems: Problems, node: Node) -> Describe | None:
    """`true`, `false`, or a mapping with a budget."""
    if isinstance(node.value, bool) and node.tag is None:
        return Describe(place=node.place) if node.value else None
    if not node.is_mapping:
        problems.expect(node, "true, false or {budget: …}")
        return None
    return Describe(**read_mapping(problems, node, {"budget": above_zero("characters")}, "describe"), place=node.place)


_FIELDS: Final = {
    "rule": some_text,
    "with": _option_values,
    "id": some_text,
    **dict.fromkeys(ANCHORS, some_text),
    "when": condition,
    "unless": condition,
    "describe": _describe,
}


def arrange(problems: Problems, inherited: tuple[Step, ...], own: list[Placed], parent: str) -> tuple[Step, ...]:
    """The inherited steps with a file's own ones put among them, in the order in which they are written."""
    movable = frozenset(step.name for step in inherited)
    arranging = _Arranging(problems, parent, list(inherited), movable)
    for placed in own:
        arranging.put(placed)
    return tuple(arranging.steps)


@define
class _Arranging:
    """Steps that are being put in order; only those that were there first are movable."""

    problems: Problems
    parent: str
    steps: list[Step]
    movable: frozenset[str]

    def put(self, placed: Placed) -> None:
        """Put a step at its place, or tell why it has none."""
        name, known = placed.step.name, self._names()
        if placed.anchor and placed.target not in known:
            self._add_missing(placed, known)
        elif name not in known or (placed.anchor == "replaces" and placed.target == name):
            self._insert(placed.step, placed)
        elif placed.anchor == "replaces" or not placed.moves or name not in self.movable:
            self.problems.add(self._twice(name), placed.place)
        elif placed.target == name:
            message = f"{placed.anchor}: step {name!r} cannot be moved next to itself"
            self.problems.add(message, placed.target_place)
        else:
            self._insert(self.steps.pop(known.index(name)), placed)

    def _insert(self, step: Step, placed: Placed) -> None:
        index = self._names().index(placed.target) if placed.anchor else len(self.steps)
        if placed.anchor == "replaces":
            self.steps[index] = step
        else:
            self.steps.insert(index + (placed.anchor == "after"), step)

    def _names(self) -> list[str]:
        return [step.name for step in self.steps]

    def _add_missing(self, placed: Placed, known: list[str]) -> None:
        where = f" in {self.parent}" if self.parent else ""
        near = suggestion(placed.target, known)
        self.problems.add(f"{placed.anchor}: no step {placed.target!r}{where}{near}", placed.target_place)

    def _twice(self, name: str) -> str:
        move = ", or before/after alone to move the first" if name in self.movable else ""
        return f"a second step called {name!r}: give it an id{move}"


def read_without(problems: Problems, node: Node) -> list[Node]:
    """The nodes of the step ids that `without` lists."""
    if not node.is_sequence:
        problems.expect(node, "a list of step ids")
        return []
    return [item for item in node.value if some_text(problems, item) is not None]


def leave_out(problems: Problems, steps: tuple[Step, ...], gone: list[Node], parent: str) -> tuple[Step, ...]:
    """The inherited steps without those that `without` lists."""
    known = [step.name for step in steps]
    for item in gone:
        if item.value not in known:
            near = suggestion(item.value, known)
            problems.add(f"without: no step {item.value!r} in {parent or 'a parent'}{near}", item.place)
    names = {item.value for item in gone}
    return tuple(step for step in steps if step.name not in names)


@frozen(slots=False)
class Known:
    """
    What a file's steps may name: rules, pipeline options, and the steps that they may move.

    `is_whole` is false where the parent could not be read: then a name that is not
    here may be the parent's, and nothing is said of it.
    """

    registry: Registry
    options: Mapping[str, PipelineOption]
    steps: frozenset[str]
    is_whole: bool

    def rule(self, name: str) -> Rule | UnknownNameError | PluginError:
        """The rule of that name, or why there is none."""
        if name not in self._rules:
            try:
                self._rules[name] = self.registry.rule(name)
            except (UnknownNameError, PluginError) as error:
                self._rules[name] = error
        return self._rules[name]

    @cached_property
    def _rules(self) -> dict[str, Rule | UnknownNameError | PluginError]:
        # Asking the registry reads folders: once for each name is enough.
        return {}

    def may_move(self, placed: Placed) -> bool:
        """Whether a step may be no new one, but an inherited one that moves."""
        return placed.moves and (placed.step.name in self.steps or not self.is_whole)

    def option(self, problems: Problems, name: str, place: Place, where: str) -> Any:
        """The default of a pipeline option; UNREAD where there is nothing to judge."""
        if name in self.options:
            return self.options[name].default
        if self.is_whole:
            near = suggestion(name, self.options)
            problems.add(f"{where}: the pipeline has no option {name!r}{near}", place)
        return UNREAD


def check_steps(problems: Problems, own: list[Placed], known: Known) -> list[Placed]:
    """
    A file's own steps, checked against the rules that they name; the places of option values are dropped.

    What only moves an inherited step names no rule, but that step's id.
    """
    return [
        placed if known.may_move(placed) else evolve(placed, step=_checked(problems, placed.step, known))
        for placed in own
    ]


def _checked(problems: Problems, step: Step, known: Known) -> Step:
    for kind, one in _conditions(step):
        if one.option is not None:
            default = known.option(problems, one.option, step.place, kind)
            if not isinstance(default, (bool, Unread)):
                problems.add(f"{kind}: option {one.option!r} is not a boolean", step.place)
    rule = known.rule(step.rule_name)
    if not isinstance(rule, Rule):
        problems.add(str(rule), step.place)
    else:
        for name, given in step.options.items():
            _check_option(problems, rule, name, given, known)
        if rule.is_document:
            _check_place(problems, step)
            if step.describe is not None:
                what = f"describe: {step.rule_name} takes the whole document: there is no one node to describe"
                problems.add(what, step.describe.place)
    return evolve(step, options={name: given.value for name, given in step.options.items()})


def _conditions(step: Step) -> list[tuple[str, Condition]]:
    return [(kind, one) for kind, one in (("when", step.when), ("unless", step.unless)) if one is not None]


def _check_option(problems: Problems, rule: Rule, name: str, given: _Given, known: Known) -> None:
    value = given.value
    if isinstance(value, OptionRef):
        value = known.option(problems, value.name, given.place, "!option")
    wrong = _wrong(rule, name, value)
    if wrong:
        is_field = name == "describe" and wrong.startswith(f"rule {rule.name!r} has no option")
        problems.add(wrong + "; describe is a field of the step, beside with" * is_field, given.place)


def _wrong(rule: Rule, name: str, value: Any) -> str:
    """What is wrong with an option's value, if anything that was not told before."""
    if value is UNREAD:
        return ""
    try:
        read_options(rule.options, {name: value}, f"rule {rule.name!r}")
    except OptionError as error:
        return str(error)
    return ""


def _check_place(problems: Problems, step: Step) -> None:
    for kind, one in _conditions(step):
        if one.asks_node:
            what = f"{step.rule_name} takes the whole document: {kind} may only ask for an option"
            problems.add(what, step.place)


def check_overrides(problems: Problems, steps: Iterable[Step], places: Mapping[str, Place], known: Known) -> None:
    """
    Whether inherited steps can do with the defaults that a file gives their options anew, at these places.

    They were checked with other defaults.
    """
    for step in steps:
        label = f"step {step.name!r} of {Path(step.place.source).name}"
        for _, one in _conditions(step):
            name = one.option or ""
            if name in places and not isinstance(known.options[name].default, (bool, Unread)):
                problems.add(f"option {name!r} must be a boolean: {label} asks for it", places[name])
        rule = known.rule(step.rule_name)
        for option, ref in step.options.items():
            if isinstance(rule, Rule) and isinstance(ref, OptionRef) and ref.name in places:
                wrong = _wrong(rule, option, known.options[ref.name].default)
                if wrong:
                    problems.add(f"{wrong}: {label} takes it", places[ref.name])
