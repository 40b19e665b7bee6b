"""The apps of a mission, in groups, and the tools for running missions and their logs.

An app is also found by its own name: ``python -m apps.marine_pid`` runs the one in
``apps/control/``, ``python -m apps.viewer`` the one in ``web/``.
Code imports it by its group: by the short name it would be a second module object.
"""

from pathlib import Path

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
