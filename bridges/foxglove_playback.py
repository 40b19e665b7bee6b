"""``alog foxglove RUN``: shows logs in Foxglove, which plays, pauses, seeks and sets the speed.

The logs are read as they are played, and again from their beginning after a seek, so that memory
does not grow with them.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterator, Sequence
from math import isfinite
from pathlib import Path
from threading import Lock

import foxglove
from foxglove.websocket import (
    Capability,
    PlaybackCommand,
    PlaybackControlRequest,
    PlaybackState,
    PlaybackStatus,
    ServerListener,
)

from steerageway.bridges.crowd import Crowd
from steerageway.bridges.foxglove_live import TOLD, Post, Topics
from steerageway.bridges.hulls import Hulls
from steerageway.bridges.scene import Scene
from steerageway.bus import NANO, nanoseconds, sleep, wall
from steerageway.moos.alog import community_of, posted_value, read_banner, read_entries
from steerageway.moos.errors import FormatError
from steerageway.web.viewer.hull import VesselFiles
from steerageway.web.viewer.log_set import homes_of
from steerageway.web.viewer.mission_facts import facts_of, files_beside

LOOK = 0.02  # wall seconds between two looks at what is due
FASTEST = 1000.0  # speed


class Player(ServerListener):
    """Where the playback is; Foxglove's requests come in threads of its library.

    Attributes:
        first, last: UTC of the logs' ends [ns].
        now: UTC up to which posts have been shown [ns].
        speed: of the playback.
        playing: whether time goes on.
        sought: whether ``now`` was set by a request that is still to be obeyed.
    """

    def __init__(self, first: int, last: int) -> None:
        self.first, self.last, self.now = first, last, first
        self.speed, self.playing, self.sought = 1.0, True, True
        self.lock = Lock()

    def on_playback_control_request(self, request: PlaybackControlRequest) -> PlaybackState:
        """Play, pause, seek or change the speed, as a client requests; return the new state."""
        with self.lock:
            self.playing = request.playback_command == PlaybackCommand.Play
            if isfinite(request.playback_speed) and 0.0 < request.playback_speed <= FASTEST:
                self.speed = request.playback_speed
            if request.seek_time is not None:
                self.now = min(max(request.seek_time, self.first), self.last)
                self.sought = True
            return self.state(request.request_id, did_seek=request.seek_time is not None)

    def state(self, request: str | None = None, *, did_seek: bool = False) -> PlaybackState:
        """Return the state, as Foxglove is told."""
        ended = self.now >= self.last and not self.sought
        going = PlaybackStatus.Playing if self.playing else PlaybackStatus.Paused
        status = PlaybackStatus.Ended if ended else going
        return PlaybackState(status, self.now, self.speed, did_seek, request)


class Playback:
    """Logs, shown to Foxglove.

    Args:
        logs: of one run.
        port: of the WebSocket; 0: any free one.
    Raises:
        FormatError: a log is damaged, or all are empty.
        RuntimeError: the port is in use.
    """

    def __init__(self, logs: Sequence[Path], port: int) -> None:
        self._logs = logs
        ends = [at for log in logs for at in _ends(log)]
        if not ends:
            raise FormatError(str(logs[0]), "", "", "expected posts in it, found none")
        self._player = Player(min(ends), max(ends))
        context = foxglove.Context()
        self._topics = Topics(context)
        self._hulls, self._placed = Hulls(_vessels(logs)), 0.0
        self._scenes: dict[str, Scene] = {}
        self._rest: Iterator[tuple[str, Post]] = iter(())
        self._next: tuple[str, Post] | None = None
        server = foxglove.start_server(
            name="Steerageway",
            port=port,
            capabilities=[Capability.Time, Capability.PlaybackControl],
            server_listener=self._player,
            asset_handler=self._hulls.file,
            playback_time_range=(self._player.first, self._player.last),
            context=context,
        )
        self.server, self._crowd = server, Crowd(server.port)

    def run(self) -> None:
        """Play until interrupted."""
        player, before = self._player, wall()
        while True:
            passed, before = wall() - before, wall()
            with player.lock:
                sought, player.sought = player.sought, False
                going = player.playing and player.now < player.last
                if going and not sought:
                    step = round(passed * player.speed * NANO)
                    player.now = min(player.now + step, player.last)
                now, ended = player.now, going and player.now >= player.last
            if sought:
                self._seek(now)
            elif going:
                while self._next is not None and self._next[1].at <= now:
                    self._show(*self._next)
                    self._next = next(self._rest, None)
            if sought or going:
                self.server.broadcast_time(now)
            if before > self._placed + TOLD:
                self._placed = before
                self._crowd.limit()
                self._topics.show_all(self._hulls.updates(now))
            if ended:
                self.server.broadcast_playback_state(player.state())
            sleep(LOOK)

    def _seek(self, now: int) -> None:
        """Go to a time, and show the last value of every variable before it."""
        self._scenes = {}
        self._rest = heapq.merge(*map(_posts, self._logs), key=lambda row: row[1].at)
        self._next, held = next(self._rest, None), dict[tuple[str, str], Post]()
        while self._next is not None and self._next[1].at <= now:
            community, post = self._next
            held.pop((community, post.name), None)
            held[community, post.name] = post  # the order of the last posts
            self._next = next(self._rest, None)
        for (community, _), post in held.items():
            self._show(community, post)

    def _show(self, community: str, post: Post) -> None:
        self._topics.show(self._scenes.setdefault(community, Scene(community)), post)


def _vessels(logs: Sequence[Path]) -> dict[str, VesselFiles]:
    """Return the files of each community's vessel, as the mission files beside the logs say."""
    named = {community_of(log): log for log in logs}
    homes = {name: home for log in logs for name, home in homes_of(log).items()}
    return facts_of(files_beside(named), homes).vessels


def _posts(log: Path) -> Iterator[tuple[str, Post]]:
    """Yield the posts of a log, with its community."""
    start, community = nanoseconds(read_banner(log).start), community_of(log)
    for entry in read_entries(log):
        at = start + nanoseconds(entry.time)
        value = posted_value(log, entry.value)
        yield community, Post(at, entry.time, entry.name, value, entry.source)


def _ends(log: Path) -> Iterator[int]:
    """Yield UTC of the first and of the last post [ns]; nothing of an empty log."""
    start = nanoseconds(read_banner(log).start)
    times = [entry.time for entry in read_entries(log)]
    if times:
        yield start + nanoseconds(min(times))
        yield start + nanoseconds(max(times))
