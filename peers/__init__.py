"""Other programs' formats, faults and launch scripts, each loaded when a mission names it.

``older`` has the simulators, the PID and the contact manager that MOOS-IvP had before, ``panisim``
reads Panisim's worlds and repeats its equations, and ``launch_script`` runs a mission's
``launch.sh``. No other package imports them: they are loaded by name (tested), so a run that needs
none of them loads none.
"""

from steerageway import refuse_bare_import

refuse_bare_import(__name__)
