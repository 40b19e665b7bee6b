"""Launch as on a system without forks, locks, user ids and local sockets: ``elsewhere.py ARGS``.

What Python lacks there is taken away before anything of the project is loaded.
"""

import faulthandler
import os
import select
import signal
import socket
import sys

for module in ("fcntl", "resource", "pty", "termios", "pwd", "grp"):
    sys.modules[module] = None
for name in ("fork", "getuid", "geteuid", "killpg", "sched_yield", "sched_getaffinity", "getpgid"):
    if hasattr(os, name):
        delattr(os, name)
for name in ("SIGHUP", "SIGALRM", "SIGUSR1", "SIGKILL", "SIGQUIT", "setitimer", "ITIMER_REAL"):
    if hasattr(signal, name):
        delattr(signal, name)
del socket.AF_UNIX, select.poll, faulthandler.register

from steerageway.launcher.command import main  # noqa: E402

sys.exit(main(sys.argv[1:]))
