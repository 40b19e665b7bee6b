"""Launch scripts: bash runs them, with our own commands in place of MOOS-IvP's, in a copy.

run_script      -> the script has run: what it launched, and what it printed
mission_copy       the copy of the mission's folder in which it runs
commands           nsplug, pAntler, pickpos and the others, as the script calls them
ask                the program that a script starts for each of these
"""

from __future__ import annotations

from steerageway.peers.launch_script.bash import ScriptRun, run_script

__all__ = ["ScriptRun", "run_script"]
