"""The apps of a mission, in groups, and the tools for running missions and their logs.

An app or tool is also found by its own name: ``python -m apps.marine_pid`` runs the one in
``apps/control/``, ``python -m apps.viewer`` the one in ``web/``.
Code imports it by its group: by the short name it would be a second module object.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib.abc import InspectLoader
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import ModuleType

from steerageway import refuse_bare_import

refuse_bare_import(__name__)


GROUPS = (
    *("shared", "consoles", "contacts", "sensing", "vessels", "control", "communication"),
    *("scripts", "watches", "experiments", "logs"),
)

_home = Path(__file__).parent
__path__ += [str(_home / group) for group in GROUPS]
__path__ += [
    str(_home.parent / other) for other in ("web", "bridges", "bridges/ros", "peers/older")
]


class _CommandLine(InspectLoader):
    """Finds what ``python -m`` is to run: the command line that all apps share, or a tool's own.

    So no app's or tool's file needs code for being run. The finder works once: the app or tool
    itself is imported from its file.
    """

    def __init__(self, asked: str) -> None:
        self._asked, self._program = asked, ""

    def find_spec(
        self, name: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if name != self._asked:
            return None
        sys.meta_path.remove(self)
        from steerageway.apps.shared.registry import process_named

        if process := process_named(name):
            self._program = (
                "from steerageway.apps.shared.registry import load\n"
                "from steerageway.apps.shared.shell import main\n"
                f"main(load({process!r}))\n"
            )
        elif tool := _tool_named(name.removeprefix("steerageway.")):
            self._program = f"import sys\nfrom {tool} import main\nsys.exit(main())\n"
        return ModuleSpec(name, self, origin=__file__) if self._program else None

    def get_source(self, fullname: str) -> str:
        return self._program


def _tool_named(module: str) -> str:
    """Return the module with a tool's command, by any name of its package; "" for no tool."""
    short = module.rpartition(".")[2]
    for group in GROUPS:
        is_named = module in (f"apps.{short}", f"apps.{group}.{short}")
        if is_named and (_home / group / short / "command.py").is_file():
            return f"steerageway.apps.{group}.{short}.command"
    return ""


if sys.argv[:1] == ["-m"] and "-m" in sys.orig_argv[:-1]:
    _asked = sys.orig_argv[sys.orig_argv.index("-m") + 1]
    sys.meta_path.insert(0, _CommandLine(_asked))
