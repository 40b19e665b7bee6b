"""The processes of a mission, in groups, and the tools beside a run and for its logs.

An app is found under its own name, too: ``python -m apps.marine_pid`` runs the one in
``apps/control/``. Code imports it by its group.
"""

from pathlib import Path

GROUPS = (
    *("framework", "consoles", "contacts", "sensing", "vessels", "control", "communication"),
    *("scripts", "watches", "experiments", "logs", "web", "compat"),
)

__path__ += [str(Path(__file__).parent / group) for group in GROUPS]
