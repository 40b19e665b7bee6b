"""Interpreter of MOOS-IvP launch scripts (``launch.sh``): their nsplug and pAntler calls.

Nothing is executed: the usual forms of such scripts are supported, that is defaults, ``for ARGI``,
``if``, ``nsplug``, ``pAntler`` and scripts that call each other; all else is reported as unread.
"""

from steerageway.launcher.launch_script.interpreter import Script, read_script

__all__ = ["Script", "read_script"]
