"""WebSocket session of a page; a slow page delays nothing."""

from __future__ import annotations

import asyncio
import struct
from itertools import pairwise
from pathlib import Path

import pytest

from steerageway.bus import wall
from steerageway.moos.alog import EntryFormat, banner
from steerageway.web.viewer.requests import Requests
from steerageway.web.viewer.session import Session
from steerageway.web.viewer.sources import Replay
from steerageway.web.viewer.views import ReplayView

START = 1_767_225_600.2
SCENE = 1


class Socket:
    """A connection whose page reads or does not; it sends no requests.

    Attributes:
        reads: set while the page reads.
        frames: what it has read.
    """

    def __init__(self) -> None:
        self.reads = asyncio.Event()
        self.reads.set()
        self.frames: list[str | bytes] = []

    async def send_text(self, data: str) -> None:
        await self.reads.wait()
        self.frames.append(data)

    async def send_bytes(self, data: bytes) -> None:
        await self.reads.wait()
        self.frames.append(data)

    async def receive_text(self) -> str:
        await asyncio.Event().wait()
        return ""

    def scenes(self) -> list[float]:
        """Return the times of the scenes that came."""
        binary = [frame for frame in self.frames if isinstance(frame, bytes)]
        return [struct.unpack_from("<d", one, 8)[0] for one in binary if one[0] == SCENE]


def sailed(folder: Path) -> Path:
    """Write the log of a vessel that sails for ten minutes."""
    line, lines = EntryFormat(0.0).line, []
    for tick in range(6000):
        lines.append(line("NAV_X", tick / 10, tick / 10, "uSim"))
        lines.append(line("NAV_Y", 0.0, tick / 10, "uSim"))
    path = folder / "abe.alog"
    path.write_text(banner("abe", START, START) + "".join(lines))
    return path


@pytest.mark.slow
def test_a_page_that_does_not_read_delays_no_other_and_gets_the_latest(tmp_path: Path) -> None:
    reader, stopped = asyncio.run(_watched_by_two(sailed(tmp_path)))
    assert len(reader.scenes()) >= 20
    gap = max(later - earlier for earlier, later in pairwise(stopped))
    assert gap > 5.0  # what it missed while it did not read was not kept for it
    assert stopped[-1] > 15.0


async def _watched_by_two(log: Path) -> tuple[Socket, list[float]]:
    """Play a log to a page that reads and to one that does not for a while."""
    source = Replay("1", log)
    source.start()
    await source.ready.wait()
    assert source.logs is not None
    sockets, tasks = [Socket(), Socket()], []
    for socket in sockets:
        view = ReplayView(source, source.logs)
        view.play(10.0)
        tasks.append(asyncio.create_task(Session(socket, view, Requests(view, False, {})).run()))
    reader, other = sockets

    async def until(scenes: int) -> None:
        limit = wall() + 60.0
        while len(reader.scenes()) < scenes:
            assert wall() < limit
            await asyncio.sleep(0.01)

    await until(3)
    other.reads.clear()
    await until(23)
    held = len(other.frames)
    await asyncio.sleep(0)
    assert len(other.frames) == held
    other.reads.set()
    await until(40)
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    await source.close()
    return reader, other.scenes()
