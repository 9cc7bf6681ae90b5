"""
The registry: names to rules and pipelines, found through entry points.

The entry-point group `schemaflow.rules` names import packages. A package holds one
rule per module, under the module's own name, and pipelines as `pipelines/**/*.yaml`.
The entry point called `builtin` gives plain names; any other gives `package/name`.
A registry is immutable, and imports a rule's module only when it is first asked for.
"""

import pkgutil
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache, cached_property
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from types import MappingProxyType
from typing import Final

from attrs import field, frozen

from schemaflow.errors import ContractError, PluginError, UnknownNameError
from schemaflow.rule import Rule

GROUP: Final = "schemaflow.rules"
BUILTIN: Final = "builtin"


def _folders(package: str) -> tuple[Path, ...]:
    spec = find_spec(package)
    return tuple(Path(place) for place in (spec.submodule_search_locations or ())) if spec else ()


@frozen
class Plugin:
    """
    An import package with rules and pipelines, under the name of its entry point.

    `distributions` are the installed distributions that declare that name: more
    than one is a conflict, which is an error as soon as the name is used.
    """

    name: str
    package: str
    distributions: tuple[str, ...] = ()

    def qualified(self, name: str) -> str:
        """The name by which pipelines call one of the plug-in's rules or pipelines."""
        return name if self.name == BUILTIN else f"{self.name}/{name}"

    def rule_names(self) -> tuple[str, ...]:
        """The names of its rules, by their modules: nothing is imported. Raises PluginError."""
        folders = [str(folder) for folder in self.folders()]
        return tuple(sorted(info.name for info in pkgutil.iter_modules(folders) if not info.name.startswith("_")))

    def rule(self, name: str) -> Rule:
        """
        One of its rules.

        Raises PluginError where its module does not import, does not hold it, or where
        its contract cannot be read.
        """
        module = f"{self.package}.{name}"
        self._require_single()
        try:
            found = getattr(import_module(module), name, None)
        except (Exception, SystemExit) as cause:
            raise PluginError(f"cannot import {module}: {cause!r}", self.name) from cause
        if not isinstance(found, Rule):
            instead = (
                "" if found is None else f", but a {type(found).__name__}: make it with node_rule or document_rule"
            )
            raise PluginError(f"{module} holds no rule called {name}{instead}", self.name)
        self._require_contract(found, module)
        return found

    def pipelines(self) -> dict[str, Path]:
        """Its pipeline files by name (`folder/name` for those in subfolders). Raises PluginError."""
        found: dict[str, Path] = {}
        for folder in self.folders():
            root = folder / "pipelines"
            for path in sorted(root.rglob("*.yaml")):
                found[path.relative_to(root).with_suffix("").as_posix()] = path
        return found

    def folders(self) -> tuple[Path, ...]:
        """Where its package lies. Raises PluginError where it cannot be found."""
        self._require_single()
        try:
            folders = _folders(self.package)
        except Exception as cause:
            raise PluginError(f"cannot import {self.package}: {cause!r}", self.name) from cause
        if not folders:
            raise PluginError(f"package {self.package!r} cannot be found", self.name)
        return folders

    def _require_contract(self, rule: Rule, module: str) -> None:
        """A contract is read when a rule is first used, too late to say whose rule it is."""
        try:
            _ = rule.bind().contract
        except ContractError as cause:
            raise PluginError(f"{module}: {cause}", self.name) from cause
        except Exception as cause:
            raise PluginError(f"{module}: the contract of rule {rule.name!r} fails: {cause!r}", self.name) from cause

    def _require_single(self) -> None:
        if len(self.distributions) > 1:
            names = " and ".join(self.distributions)
            raise PluginError(f"the name is claimed by {names}: uninstall one of them", self.name)


def _read_only(plugins: Mapping[str, Plugin]) -> Mapping[str, Plugin]:
    return MappingProxyType(dict(plugins))


@frozen
class Registry:
    """An immutable set of plug-ins, asked for rules and pipelines by name."""

    plugins: Mapping[str, Plugin] = field(factory=dict, converter=_read_only)

    @classmethod
    def of(cls, plugins: Iterable[Plugin]) -> "Registry":
        """A registry of these plug-ins."""
        return cls({plugin.name: plugin for plugin in plugins})

    @classmethod
    def installed(cls) -> "Registry":
        """The registry of every installed distribution's entry points."""
        from importlib.metadata import entry_points

        claims: dict[str, dict[str, str]] = {}
        for point in entry_points(group=GROUP):
            distribution = point.dist.name if point.dist else "?"
            claims.setdefault(point.name, {})[distribution] = point.value
        return cls.of(
            Plugin(name, next(iter(values.values())), tuple(sorted(values))) for name, values in claims.items()
        )

    def rule(self, name: str) -> Rule:
        """The rule of that name. Raises UnknownNameError or PluginError."""
        plugin, local = self._owner(name, "rule")
        if local not in plugin.rule_names():
            raise UnknownNameError("rule", name, tuple(self.rule_names()))
        return plugin.rule(local)

    def pipeline_path(self, name: str) -> Path:
        """The file of the pipeline of that name. Raises UnknownNameError or PluginError."""
        plugin, local = self._owner(name, "pipeline")
        path = plugin.pipelines().get(local)
        if path is None:
            raise UnknownNameError("pipeline", name, tuple(self.pipeline_names()))
        return path

    def rule_names(self) -> list[str]:
        """Every rule's name, sorted; plug-ins that cannot be found have none."""
        return sorted(plugin.qualified(name) for plugin, names in self._each(Plugin.rule_names) for name in names)

    def pipeline_names(self) -> list[str]:
        """Every pipeline's name, sorted; plug-ins that cannot be found have none."""
        return sorted(plugin.qualified(name) for plugin, names in self._each(Plugin.pipelines) for name in names)

    def broken(self) -> list[PluginError]:
        """What is wrong with plug-ins, rules included: imports every rule."""
        errors: list[PluginError] = []
        for plugin in self.plugins.values():
            try:
                self.require_name(plugin)
                names = plugin.rule_names()
            except PluginError as error:
                errors.append(error)
                continue
            for name in names:
                try:
                    plugin.rule(name)
                except PluginError as error:
                    errors.append(error)
        return errors

    def require_name(self, plugin: Plugin) -> None:
        """Raises PluginError where a plug-in is called like a folder of the built-in pipelines, which come first."""
        if plugin.name in self._folders:
            problem = f"the name belongs to built-in pipelines ({plugin.name}/...): give its entry point another"
            raise PluginError(problem, plugin.name)

    @cached_property
    def _folders(self) -> frozenset[str]:
        """The folders of the built-in pipelines; none where nobody else could be called so."""
        if self.plugins.keys() <= {BUILTIN} or BUILTIN not in self.plugins:
            return frozenset()
        try:
            names = self.plugins[BUILTIN].pipelines()
        except PluginError:
            # Told where a built-in name is used.
            return frozenset()
        return frozenset(name.partition("/")[0] for name in names if "/" in name)

    def _each(self, ask: Callable[[Plugin], Iterable[str]]) -> Iterator[tuple[Plugin, Iterable[str]]]:
        for plugin in self.plugins.values():
            try:
                self.require_name(plugin)
                yield plugin, ask(plugin)
            except PluginError:
                continue

    def _owner(self, name: str, kind: str) -> tuple[Plugin, str]:
        """The plug-in that a name belongs to, and the name within it."""
        prefix, _, rest = name.partition("/")
        if rest and prefix in self.plugins and prefix != BUILTIN:
            plugin = self.plugins[prefix]
            if kind == "pipeline" and prefix in self._folders and name in self.plugins[BUILTIN].pipelines():
                return self.plugins[BUILTIN], name
            self.require_name(plugin)
            return plugin, rest
        if BUILTIN in self.plugins:
            return self.plugins[BUILTIN], name
        raise UnknownNameError(kind, name)


@cache
def installed() -> Registry:
    """The registry of what is installed, read once a process."""
    return Registry.installed()
