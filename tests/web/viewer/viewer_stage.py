"""Helpers: a viewer's server, small clients that act as pages, and runs to show."""

from __future__ import annotations

import json
import os
import signal
import struct
import subprocess
import sys
from array import array
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from http.client import HTTPConnection
from pathlib import Path
from typing import Any, NamedTuple

from websockets.sync.client import ClientConnection, connect

from steerageway.bus import sleep, wall

ROOT = Path(__file__).parents[3]
PATIENCE = 60.0  # wall seconds; only what fails takes so long


class Answer(NamedTuple):
    """A response of a server."""

    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        """Its body."""
        return json.loads(self.body)


class Scene(NamedTuple):
    """A scene frame: eight numbers for each vessel."""

    roster: int
    time: float
    rows: list[tuple[float, ...]]


class Page:
    """A small client instead of a page, with the same state."""

    def __init__(self, socket: ClientConnection) -> None:
        self.socket = socket
        self.last: dict[str, Any] = {}
        self.shapes: dict[str, Any] = {}
        self.vessels: list[Any] = []
        self.helms: dict[str, Any] = {}
        self.scene: Scene | None = None
        self.trails: dict[int, list[tuple[float, float, float]]] = {}
        self.values: dict[tuple[str, str], Any] = {}
        self.counts: dict[str, int] = {}
        self.marks: list[Any] = []
        self._number = 0

    def read(self, seconds: float = 0.0) -> bool:
        """Read one frame, if one comes within some wall seconds."""
        try:
            frame = self.socket.recv(timeout=seconds)
        except TimeoutError:
            return False
        if isinstance(frame, bytes):
            self._take_binary(frame)
        else:
            self._take(json.loads(frame))
        return True

    def read_for(self, seconds: float) -> None:
        """Read the frames that come within some wall seconds."""
        deadline = wall() + seconds
        while (left := deadline - wall()) > 0:
            self.read(left)

    def until(self, kind: str, seconds: float = PATIENCE) -> Any:
        """Wait for the next frame of a kind."""
        count, deadline = self.counts.get(kind, 0), wall() + seconds
        while self.counts.get(kind, 0) == count:
            assert wall() < deadline, f"no {kind} came: {self.counts}"
            self.read(0.2)
        return self.last.get(kind)

    def wait(self, seen: Any, seconds: float = PATIENCE) -> None:
        """Wait until something holds of this page."""
        deadline = wall() + seconds
        while not seen(self):
            assert wall() < deadline, f"{self.counts} {self.last.get('status')}"
            self.read(0.2)

    def ask(self, verb: str, **fields: Any) -> Any:
        """Ask for something; give the result, or the error as a text that begins with "error: "."""
        self._number += 1
        self.socket.send(json.dumps({"id": self._number, "do": verb, **fields}))
        while True:
            reply = self.until("reply")
            if reply["id"] == self._number:
                return reply["result"] if reply["ok"] else f"error: {reply['error']}"

    def picture(self) -> dict[str, Any]:
        """Return the drawings without the trails."""
        assert self.scene is not None
        return {
            "vessels": [(one["name"], one["type"]) for one in self.vessels],
            "rows": [row[:7] for row in self.scene.rows],
            "shapes": self.shapes,
        }

    def _take(self, frame: Any) -> None:
        kind = frame["k"]
        self.last[kind] = frame
        self.counts[kind] = self.counts.get(kind, 0) + 1
        if kind == "picture":
            self.shapes = {shape["key"]: shape for shape in frame["shapes"]}
            self.helms = {helm["community"]: helm for helm in frame["helm"]}
            self.vessels, self.last["status"] = frame["vessels"], frame["status"]
            self.trails.clear()
        elif kind == "vessels":
            self.vessels = frame["vessels"]
        elif kind == "shapes":
            self.shapes |= {shape["key"]: shape for shape in frame["put"]}
            for key in frame["drop"]:
                self.shapes.pop(key, None)
        elif kind == "helm":
            self.helms |= {helm["community"]: helm for helm in frame["rows"]}
        elif kind == "marks":
            self.marks = ([] if frame["whole"] else self.marks) + frame["rows"]
        elif kind == "values":
            if frame["whole"]:
                self.values.clear()
            self.values |= {(home, name): value for home, name, value, *_ in frame["rows"]}

    def _take_binary(self, frame: bytes) -> None:
        kind, version, count, number, time = struct.unpack_from("<BBHId", frame)
        assert version == 1
        name = {1: "scene", 2: "tracks", 3: "actuators"}[kind]
        self.counts[name] = self.counts.get(name, 0) + 1
        if kind == 1:
            numbers = array("f", frame[16:])
            rows = [tuple(numbers[8 * i : 8 * i + 8]) for i in range(count)]
            self.scene = Scene(number, time, rows)
        elif kind == 2:
            self._take_trails(frame, count)
        self.last[name] = frame

    def _take_trails(self, frame: bytes, count: int) -> None:
        heads = [struct.unpack_from("<HHI", frame, 16 + 8 * i) for i in range(count)]
        at = 16 + 8 * count
        for row, flags, n in heads:
            times = array("d", frame[at : at + 8 * n])
            x = array("f", frame[at + 8 * n : at + 12 * n])
            y = array("f", frame[at + 12 * n : at + 16 * n])
            at += 16 * n
            if flags & 1:
                self.trails[row] = []
            self.trails.setdefault(row, []).extend(zip(times, x, y, strict=True))


class Viewer:
    """A viewer's process, and a way in."""

    def __init__(self, address: str, process: subprocess.Popen[str] | None, stack: ExitStack):
        self.base, _, self.token = address.partition("/#")
        self.port = int(self.base.rpartition(":")[2])
        self.process, self._stack = process, stack
        self.cookie = ""

    def request(self, method: str, path: str, body: Any = None, **headers: str) -> Answer:
        """Send a request, with exactly these headers and Host (unless that is among them)."""
        connection = HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        data = body.encode() if isinstance(body, str) else body
        try:
            connection.putrequest(method, path, skip_host="Host" in headers)
            for name, value in headers.items():
                connection.putheader(name, value)
            if data is not None:
                connection.putheader("Content-Length", str(len(data)))
            connection.endheaders(data)
            response = connection.getresponse()
            return Answer(response.status, dict(response.getheaders()), response.read())
        finally:
            connection.close()

    def handshake(self) -> None:
        """Hand in the token for the cookie."""
        answer = self.request("POST", "/session", self.token, Origin=self.base)
        assert answer.status == 204, answer
        self.cookie = answer.headers["set-cookie"].partition(";")[0]

    def get(self, path: str) -> Any:
        """Get JSON."""
        return self.request("GET", path, Cookie=self.cookie).json

    def post(self, path: str, **fields: Any) -> Answer:
        """Post JSON."""
        origin = {"Origin": self.base, "Cookie": self.cookie}
        return self.request("POST", path, json.dumps(fields), **origin)

    def page(self, source: str = "", until: str = "picture") -> Page:
        """Open a page of a source, by default of the one named at start; wait for a frame."""
        if not self.cookie:
            self.handshake()
        source = source or self.get("/api/home")["default"]
        socket = self._stack.enter_context(
            connect(
                f"ws://127.0.0.1:{self.port}/ws?source={source}",
                origin=self.base,  # type: ignore[arg-type]
                additional_headers={"Cookie": self.cookie},
                max_size=None,
                close_timeout=1,
            )
        )
        page = Page(socket)
        page.until(until)
        return page


class Stage:
    """Starts runs and viewers, and ends them all.

    Attributes:
        folder: where they are started, of this test alone.
    """

    def __init__(self, folder: Path, stack: ExitStack) -> None:
        self.folder, self._stack = folder, stack
        self.env = {**os.environ, "PYTHONPATH": str(ROOT)}
        self.env["XDG_RUNTIME_DIR"] = str(folder / "runtime")
        self.env["XDG_STATE_HOME"] = str(folder / "state")

    def launch(self, *arguments: object) -> subprocess.Popen[str]:
        """Launch a mission, and wait until it can be found."""
        command = [sys.executable, str(ROOT / "launch.py"), "--port", "auto", *map(str, arguments)]
        run = self._start(command)
        notes = self.folder / "runtime" / "steerageway"
        deadline = wall() + PATIENCE
        while not any(_is_of(note, run.pid) for note in notes.glob("*.json")):
            assert run.poll() is None, run.communicate()[1]
            assert wall() < deadline
            sleep(0.02)
        return run

    def run_to_end(self, *arguments: object) -> None:
        """Launch a mission and wait for its end."""
        command = [sys.executable, str(ROOT / "launch.py"), "--port", "auto", *map(str, arguments)]
        subprocess.run(command, cwd=self.folder, env=self.env, check=True, capture_output=True)

    def view(self, *arguments: object) -> Viewer:
        """Start a viewer, and wait until it serves."""
        process = self._start([sys.executable, "-m", "apps.viewer", *map(str, arguments)])
        assert process.stdout is not None
        line = process.stdout.readline()
        if not line.startswith("viewer: "):
            raise AssertionError(f"{line}{process.communicate()[1]}")
        return Viewer(line.split()[1], process, self._stack)

    def refused(self, *arguments: object) -> str:
        """Start a viewer that does not begin; return its one sentence."""
        command = [sys.executable, "-m", "apps.viewer", *map(str, arguments)]
        ended = subprocess.run(
            command, cwd=self.folder, env=self.env, capture_output=True, text=True, timeout=PATIENCE
        )
        assert ended.returncode == 2, ended
        return ended.stderr.strip()

    def _start(self, command: list[str]) -> subprocess.Popen[str]:
        process = subprocess.Popen(
            command,
            cwd=self.folder,
            env=self.env,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        self._stack.callback(_end, process)
        return process


def _is_of(note: Path, pid: int) -> bool:
    """Whether a run's note is of the launch of a process."""
    about = json.loads(note.read_text())
    return pid in (about["pid"], about["parent"])


def _end(process: subprocess.Popen[str]) -> None:
    if process.poll() is None:
        process.send_signal(signal.SIGTERM)
        try:
            process.wait(10)
        except subprocess.TimeoutExpired:
            process.kill()
    process.communicate()


@contextmanager
def stand(folder: Path) -> Iterator[Stage]:
    """Return a folder from which runs and viewers are started; all end with it."""
    with ExitStack() as stack:
        yield Stage(folder, stack)
