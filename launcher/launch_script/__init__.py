"""Reads the launch scripts of MOOS-IvP's missions: what they make of templates, and launch.

Nothing is executed: the common forms of such scripts are understood, defaults, ``for ARGI``,
``if``, ``nsplug``, ``pAntler`` and scripts that call each other; what else they hold is told.
"""

from steerageway.launcher.launch_script.interpreter import Script, read_script

__all__ = ["Script", "read_script"]
