"""
The command line.

Exit codes of every command:

    0    fine
    1    some tool was set aside, or some line was in error (all others went out), or a pipeline breaks a law
    2    wrong usage, an unreadable file, a broken pipeline or plug-in
    130  interrupted
    141  whoever read the output went away

Nothing heavy is imported before a command needs it: `schemaflow --help` costs little
more than click.
"""

import sys
from importlib.util import find_spec


def main() -> None:
    """The `schemaflow` command."""
    missing = [module for module in ("click", "rich") if find_spec(module) is None]
    if missing:
        needed = " and ".join(missing)
        print(f"the command line needs {needed}: pip install 'schemaflow-tools[cli]'", file=sys.stderr)
        sys.exit(2)
    try:
        from schemaflow.cli.root import root

        root(prog_name="schemaflow")
    except KeyboardInterrupt:
        # Ctrl-C while modules are imported; commands have their own answer to it.
        sys.exit(130)
