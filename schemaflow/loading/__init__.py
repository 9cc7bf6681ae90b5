"""
Loading: YAML text to a `Pipeline`, with every problem of a file at once, at its line and column.

A file may extend another, whose steps come first; problems of the parent are told
under the parent's own name.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from schemaflow.errors import PipelineError, PluginError, Problem, UnknownNameError
from schemaflow.loading.fields import (
    DIALECT,
    TOLERATE,
    Problems,
    Read,
    envelope,
    names,
    options,
    read_mapping,
    schema_object,
    some_text,
    sources,
    text,
    texts,
)
from schemaflow.loading.steps import (
    Known,
    arrange,
    check_overrides,
    check_steps,
    leave_out,
    read_steps,
    read_without,
)
from schemaflow.loading.yaml_nodes import MAX_BYTES, Node, read_nodes
from schemaflow.pipeline import Pipeline, PipelineOption, Place, Step
from schemaflow.registry import Registry

__all__ = ["load_pipeline", "load_registered", "read_pipeline"]

MAX_CHAIN: Final = 16
"""How many files may extend one another."""


def load_pipeline(path: Path | str, registry: Registry) -> Pipeline:
    """
    The pipeline in a file.

    Raises PipelineError, with every problem, also where the file cannot be read.
    """
    return _load(Path(path), Path(path).stem, registry, ())


def load_registered(name: str, registry: Registry) -> Pipeline:
    """
    The registered pipeline of that name.

    Raises PipelineError, UnknownNameError or PluginError.
    """
    return _load(registry.pipeline_path(name), name, registry, ())


def read_pipeline(
    text: str, *, source: str, registry: Registry, folder: Path | None = None, name: str = ""
) -> Pipeline:
    """
    The pipeline in a text; `source` names it in errors, `folder` is where `extends` looks for files.

    Raises PipelineError, with every problem.
    """
    return _read(text, source, name or Path(source).stem, folder, registry, ())


def _load(path: Path, name: str, registry: Registry, chain: tuple[Path, ...]) -> Pipeline:
    source = str(path)
    try:
        with path.open("rb") as file:
            # One byte more than may be there tells that there is too much.
            raw = file.read(MAX_BYTES + 1)
    except OSError as error:
        raise PipelineError((Problem(f"cannot be read: {error.strerror or error}", source),)) from None
    except ValueError as error:
        # A path that no file can have: with a NUL in it, say.
        raise PipelineError((Problem(f"cannot be read: {error}", source),)) from None
    if len(raw) > MAX_BYTES:
        raise PipelineError((Problem(f"larger than {MAX_BYTES} bytes", source, 1, 1),))
    try:
        content = raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise PipelineError((Problem(f"not UTF-8, at byte {error.start + 1}", source),)) from None
    return _read(content, source, name, path.parent, registry, (*chain, path.resolve()))


def _read(
    content: str, source: str, name: str, folder: Path | None, registry: Registry, chain: tuple[Path, ...]
) -> Pipeline:
    root, found = read_nodes(content, source)
    problems = Problems(found)
    place = Place(source, 1, 1)
    if root is None or (root.value is None and root.tag is None):
        problems.add("an empty file: a pipeline needs at least provider and steps", place)
        raise PipelineError(tuple(problems.found))
    pipeline = _Reading(problems, root, registry, folder, chain).pipeline(name, source)
    if problems.found:
        raise PipelineError(_in_order(problems.found, source))
    return pipeline


def _in_order(problems: list[Problem], source: str) -> tuple[Problem, ...]:
    """A file's own problems from top to bottom, then those of its parents, which are in order already."""
    own = sorted((one for one in problems if one.source == source), key=lambda one: (one.line, one.column))
    return (*own, *(one for one in problems if one.source != source))


_FIELDS: Final[Mapping[str, Read]] = {
    "provider": some_text,
    "extends": some_text,
    "summary": text,
    "dialect": DIALECT,
    "sources": sources,
    "models": texts,
    "options": options,
    "without": read_without,
    "steps": read_steps,
    "names": names,
    "empty": schema_object,
    "field": some_text,
    "envelope": envelope,
    "tolerate": TOLERATE,
}
_OWN: Final = ("summary", "dialect", "sources", "models", "names", "empty", "field", "envelope", "tolerate")
_INHERITED: Final = ("dialect", "tool_names", "empty", "field", "envelope", "tolerate")


class _Reading:
    """One file being read."""

    def __init__(
        self, problems: Problems, root: Node, registry: Registry, folder: Path | None, chain: tuple[Path, ...]
    ) -> None:
        self.problems = problems
        self.root = root
        self.registry = registry
        self.folder = folder
        self.chain = chain

    def pipeline(self, name: str, source: str) -> Pipeline:
        """The pipeline, as far as it could be read; what is wrong is in the problems."""
        read = read_mapping(self.problems, self.root, _FIELDS, "a pipeline")
        if self.root.is_mapping and "provider" not in self._fields:
            self.problems.add("a pipeline needs a provider", self.root.place)
        parent = self._parent(read.get("extends"))
        known: dict[str, PipelineOption] = {**(parent.options if parent else {}), **read.get("options", {})}
        fields: dict[str, Any] = {} if parent is None else {key: getattr(parent, key) for key in _INHERITED}
        fields |= {"tool_names" if key == "names" else key: read[key] for key in _OWN if key in read}
        return Pipeline(
            name,
            self._steps(read, parent, known),
            provider=read.get("provider", ""),
            options=known,
            extends=(parent.name, *parent.extends) if parent else (),
            source=source,
            **fields,
        )

    def _steps(
        self, read: Mapping[str, Any], parent: Pipeline | None, options: Mapping[str, PipelineOption]
    ) -> tuple[Step, ...]:
        is_whole = parent is not None or "extends" not in self._fields
        inherited = parent.steps if parent else ()
        label = Path(parent.source).name if parent else ""
        if is_whole:
            inherited = leave_out(self.problems, inherited, read.get("without", []), label)
        known = Known(self.registry, options, frozenset(step.name for step in inherited), is_whole)
        own = check_steps(self.problems, read.get("steps", []), known)
        if not is_whole:
            # What is said of the parent's steps cannot be judged.
            return ()
        steps = arrange(self.problems, inherited, own, label)
        kept = [step for step in inherited if any(step is one for one in steps)]
        check_overrides(self.problems, kept, self._places_of_defaults(read.get("options", {})), known)
        return steps

    def _places_of_defaults(self, options: Mapping[str, PipelineOption]) -> Mapping[str, Place]:
        """Where the file gives its options their defaults; options without one were told of."""
        nodes = self._fields["options"].value if options else {}
        fields = {name: nodes[name].value for name in options if nodes[name].is_mapping}
        return {name: field["default"].place for name, field in fields.items() if "default" in field}

    @property
    def _fields(self) -> Mapping[str, Node]:
        return self.root.value if self.root.is_mapping else {}

    def _parent(self, name: str | None) -> Pipeline | None:
        """The pipeline that this one extends: a file in the same folder, else a registered one."""
        if name is None:
            return None
        place = self._fields["extends"].place
        if len(self.chain) >= MAX_CHAIN:
            self.problems.add(f"extends: a chain of more than {MAX_CHAIN} files", place)
            return None
        try:
            path, registered = self._find(name)
            if path.resolve() in self.chain:
                self.problems.add(f"extends: {name!r} extends this file: a cycle", place)
                return None
            return _load(path, registered, self.registry, self.chain)
        except PipelineError as error:
            self.problems.found.extend(error.problems)
        except (UnknownNameError, PluginError) as error:
            self.problems.add(f"extends: {error}", place)
        return None

    def _find(self, name: str) -> tuple[Path, str]:
        local = name if name.endswith(".yaml") else f"{name}.yaml"
        if self.folder is not None and "/" not in local and _is_file(self.folder / local):
            return self.folder / local, Path(local).stem
        return self.registry.pipeline_path(name), name


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except OSError:
        # A name too long for the file system is no file's name.
        return False
