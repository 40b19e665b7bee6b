"""``check-determinism``: run a mission twice, and print where its logs differ first."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from steerageway.apps.logs.alog.command import main as compare
from steerageway.apps.shared.terminal import say
from steerageway.launcher.command import main as launch

RUNS = {
    "first": ("--warp", "max", "--placement", "process"),
    "second": ("--warp", "20", "--placement", "one"),
}
ENDED = (0, 3)  # exit codes of runs that came to their end
HELP = """\
usage: {prog} MISSION [options of run]

Run a mission twice: as fast as possible with a process for each app, and at warp 20 in one
process. Print the first difference of the logs.

exit codes: 0 there is none; 1 there is one; else that of a run that failed"""


def main(arguments: Sequence[str] | None = None, prog: str = "check-determinism") -> int:
    """Run a mission twice, and compare the logs.

    Args:
        arguments: a mission and options of ``run``; None for those of this process.
        prog: how the program was called.
    Returns: the exit code.
    """
    words = list(sys.argv[1:] if arguments is None else arguments)
    if not words or words[0] in ("-h", "--help"):
        say(HELP.format(prog=prog), to=None if words else sys.stderr)
        return 0 if words else 2
    with TemporaryDirectory(prefix="steerageway-") as folder:
        logs = [str(Path(folder) / name) for name in RUNS]
        for log, how in zip(logs, RUNS.values(), strict=True):
            code = launch([*words, "--quiet", "--log", log, *how], prog=prog)
            if code not in ENDED:
                return code
        return compare(["diff", *logs])
