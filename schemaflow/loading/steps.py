"""Steps of a pipeline file, and what a child pipeline does to its parent's."""

from collections.abc import Mapping
from typing import Any, Final

from attrs import evolve, frozen

from schemaflow.errors import OptionError, PluginError, UnknownNameError, suggestion
from schemaflow.loading.fields import Problems, condition, read_mapping, shown, some_text
from schemaflow.loading.yaml_nodes import Node
from schemaflow.options import read_options
from schemaflow.pipeline import Condition, OptionRef, PipelineOption, Place, Step
from schemaflow.registry import Registry
from schemaflow.rule import Rule

ANCHORS: Final = ("before", "after", "replaces")
NOWHERE: Final = Place()


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
    return [one for item in node.value if (one := _read_step(problems, item)) is not None]


def _read_step(problems: Problems, node: Node) -> Placed | None:
    if isinstance(node.value, str) and node.tag is None:
        return Placed(Step(node.value, place=node.place), node.place, bare=True)
    if not node.is_mapping:
        problems.expect(node, "a step: a rule's name, or a mapping with rule")
        return None
    read = read_mapping(problems, node, _FIELDS, "a step")
    if "rule" not in read:
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
        place=node.value["rule"].place,
    )
    anchor = anchors[0] if anchors else ""
    bare = not node.value.keys() & {"with", "id", "when", "unless"}
    return Placed(step, node.place, anchor, read.get(anchor, ""), node.keys.get(anchor, node.place), bare)


def _option_values(problems: Problems, node: Node) -> dict[str, Any]:
    if not node.is_mapping:
        problems.expect(node, "a mapping of options")
        return {}
    return {name: _Given(_option_value(problems, value), value.place) for name, value in node.value.items()}


@frozen
class _Given:
    """An option's value, with its place until the option is checked."""

    value: Any
    place: Place


def _option_value(problems: Problems, node: Node) -> Any:
    if node.tag != "!option":
        return problems.plain(node)
    if isinstance(node.value, str):
        return OptionRef(node.value)
    problems.add(f"!option takes the name of a pipeline option, not {shown(Node(node.value, node.place))}", node.place)
    return None


_FIELDS: Final = {
    "rule": some_text,
    "with": _option_values,
    "id": some_text,
    **dict.fromkeys(ANCHORS, some_text),
    "when": condition,
    "unless": condition,
}


def arrange(problems: Problems, inherited: tuple[Step, ...], own: list[Placed], parent: str) -> tuple[Step, ...]:
    """The inherited steps with a file's own ones put among them, in the order in which they are written."""
    steps = list(inherited)
    for placed in own:
        _put(problems, steps, placed, parent)
    return tuple(steps)


def _put(problems: Problems, steps: list[Step], placed: Placed, parent: str) -> None:
    step = placed.step
    known = [one.name for one in steps]
    if placed.anchor and placed.target not in known:
        where = f" in {parent}" if parent else ""
        near = suggestion(placed.target, known)
        problems.add(f"{placed.anchor}: no step {placed.target!r}{where}{near}", placed.target_place)
        return
    if placed.anchor != "replaces" and step.name in known:
        if not placed.moves:
            problems.add(_twice(step.name), placed.place)
            return
        if placed.target == step.name:
            problems.add(f"{placed.anchor}: step {step.name!r} cannot be moved next to itself", placed.target_place)
            return
        step = steps.pop(known.index(step.name))
    _insert(problems, steps, step, placed)


def _insert(problems: Problems, steps: list[Step], step: Step, placed: Placed) -> None:
    known = [one.name for one in steps]
    if not placed.anchor:
        steps.append(step)
        return
    index = known.index(placed.target)
    if placed.anchor == "replaces":
        if step.name != placed.target and step.name in known:
            problems.add(_twice(step.name), placed.place)
            return
        steps[index] = step
        return
    steps.insert(index + (placed.anchor == "after"), step)


def _twice(name: str) -> str:
    return f"a second step called {name!r}: give it an id, or before/after alone to move the first"


def leave_out(problems: Problems, steps: tuple[Step, ...], node: Node, parent: str) -> tuple[Step, ...]:
    """The inherited steps without those that `without` lists."""
    if not node.is_sequence:
        problems.expect(node, "a list of step ids")
        return steps
    known = [step.name for step in steps]
    gone: set[str] = set()
    for item in node.value:
        name = some_text(problems, item)
        if name is not None and name not in known:
            problems.add(f"without: no step {name!r} in {parent or 'a parent'}{suggestion(name, known)}", item.place)
        elif name is not None:
            gone.add(name)
    return tuple(step for step in steps if step.name not in gone)


def check_steps(
    problems: Problems,
    own: list[Placed],
    inherited: tuple[Step, ...],
    options: Mapping[str, PipelineOption],
    registry: Registry,
) -> list[Placed]:
    """
    A file's own steps, checked against the rules that they name; the places of option values are dropped.

    What only moves an inherited step names no rule, but that step's id.
    """
    known = {step.name for step in inherited}
    return [
        placed
        if placed.moves and placed.step.name in known
        else evolve(placed, step=_checked(problems, placed.step, options, registry))
        for placed in own
    ]


def _checked(problems: Problems, step: Step, options: Mapping[str, PipelineOption], registry: Registry) -> Step:
    for kind, one in (("when", step.when), ("unless", step.unless)):
        _check_condition(problems, one, step, kind, options)
    rule = _rule(problems, step, registry)
    if rule is not None:
        for name, given in step.options.items():
            _check_option(problems, rule, name, given, options)
        if rule.is_document:
            _check_place(problems, step)
    return evolve(step, options={name: given.value for name, given in step.options.items()})


def _rule(problems: Problems, step: Step, registry: Registry) -> Rule | None:
    try:
        return registry.rule(step.rule_name)
    except (UnknownNameError, PluginError) as error:
        problems.add(str(error), step.place)
        return None


def _check_option(
    problems: Problems, rule: Rule, name: str, given: _Given, options: Mapping[str, PipelineOption]
) -> None:
    value = given.value
    if isinstance(value, OptionRef):
        if value.name not in options:
            near = suggestion(value.name, options)
            problems.add(f"!option: the pipeline has no option {value.name!r}{near}", given.place)
            return
        value = options[value.name].default
    try:
        read_options(rule.options, {name: value}, f"rule {rule.name!r}")
    except OptionError as error:
        problems.add(str(error), given.place)


def _check_condition(
    problems: Problems, one: Condition | None, step: Step, kind: str, options: Mapping[str, PipelineOption]
) -> None:
    if one is None or one.option is None:
        return
    if one.option not in options:
        near = suggestion(one.option, options)
        problems.add(f"{kind}: the pipeline has no option {one.option!r}{near}", step.place)
    elif not isinstance(options[one.option].default, bool):
        problems.add(f"{kind}: option {one.option!r} is not a boolean", step.place)


def _check_place(problems: Problems, step: Step) -> None:
    for kind, one in (("when", step.when), ("unless", step.unless)):
        if one is not None and (one.at_root or one.has or one.under):
            what = f"{step.rule_name} takes the whole document: {kind} may only ask for an option"
            problems.add(what, step.place)
