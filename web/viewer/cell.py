"""``view``: the viewer in a cell of a notebook."""

from __future__ import annotations

import atexit
import subprocess
from collections import deque
from html import escape
from pathlib import Path
from threading import Thread
from urllib.parse import urlsplit

from steerageway.apps.shared.user_code import program
from steerageway.web.serving import CommandError, check_environment

SAID = "viewer: "  # before the address
FRAME = """<iframe id="viewer-{port}" width="100%" height="{height}" style="border: 0"></iframe>
<script>
// cookies of the frame's page need the host name of the notebook's page
document.getElementById("viewer-{port}").src = "http://" +
    (location.hostname === "localhost" ? "localhost" : "127.0.0.1") + ":{port}/#{token}";
</script>
<a href="{address}" target="_blank">in a tab of its own</a>"""


class Cell:
    """A viewer's process, which a notebook shows in a frame; it ends with the notebook's kernel.

    Attributes:
        address: of its page, for a browser on this machine.
    """

    def __init__(self, process: subprocess.Popen[str], address: str, height: int) -> None:
        self.address = address
        self._process, self._height = process, height
        # what it says later is read, too, so that it never waits for a reader
        self._reader = Thread(target=deque, args=(process.stdout, 0), daemon=True)
        self._reader.start()
        atexit.register(self.close)

    def close(self) -> None:
        """End the viewer."""
        atexit.unregister(self.close)
        self._process.terminate()
        self._reader.join()
        self._process.communicate()

    def _repr_html_(self) -> str:
        parts = urlsplit(self.address)
        return FRAME.format(
            port=parts.port,
            token=escape(parts.fragment),
            address=escape(self.address),
            height=self._height,
        )


def view(*targets: str | Path, height: int = 600) -> Cell:
    """Start a viewer of runs or logs, which can show but not change, and return it for a cell.

    Args:
        targets: as of ``steerageway view``. height: of the frame [pixels].

    Raises:
        CommandError: it cannot start; the text says why.
    """
    check_environment("viewer")
    command = [*program("steerageway.web.viewer"), "--in-frame", *map(str, targets)]
    process = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, encoding="utf-8"
    )
    assert process.stdout is not None
    said = []
    for line in process.stdout:
        if line.startswith(SAID):
            return Cell(process, line.removeprefix(SAID).strip(), height)
        said.append(line)
    process.communicate()
    raise CommandError("".join(said).strip())
