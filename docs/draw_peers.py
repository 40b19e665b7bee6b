"""Draws what other programs' libraries read of runs: ``python docs/draw_peers.py [FOLDER]``.

nmea_ais.png  positions in the AIS sentences that pNmea sends by UDP, decoded by pyais
foxglove.png  poses and scene of an MCAP file, read by mcap
ros2.png      odometry of a bag of ROS 2, read by rosbags
"""

from __future__ import annotations

import json
import socket
import subprocess
import sys
import tempfile
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
QUIET = 3.0  # wall seconds without a sentence after which the run is over
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")
Points = dict[str, list[tuple[float, float]]]


def steerageway(*words: str) -> subprocess.Popen[bytes]:
    """Start a command."""
    return subprocess.Popen([sys.executable, "-m", "steerageway", *words], cwd=ROOT)


def of_ais(folder: Path) -> Points:
    """Return longitude and latitude of the stations that a chart plotter hears of."""
    import pyais

    found: Points = defaultdict(list)
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as plotter:
        plotter.bind(("127.0.0.1", 0))
        plotter.settimeout(60.0)
        port = f"pNmea.udp_out={plotter.getsockname()[1]}"
        ends = ("--warp", "20", "--port", "auto", "--until", "MISSION = complete", "--no-log")
        with steerageway("run", "harbour_traffic", *ends, "--config", port) as run:
            for sentence in _heard(plotter):
                if sentence.startswith((b"!AIVDM,1,", b"!AIVDO,1,")):  # positions are not divided
                    one = pyais.decode(sentence).asdict()
                    if one.get("lat") is not None and abs(one["lat"]) <= 90.0:
                        found[str(one["mmsi"])].append((one["lon"], one["lat"]))
            run.terminate()
    return found


def _heard(plotter: socket.socket) -> Iterator[bytes]:
    while True:
        try:
            yield from plotter.recv(65536).split()
        except TimeoutError:
            return
        plotter.settimeout(QUIET)


def of_mcap(folder: Path) -> Points:
    """Return the vessel's frame in ``map``, and the points of drawings."""
    from mcap.reader import make_reader

    _recorded(folder)
    steerageway("alog", "mcap", str(folder / "run"), "-o", str(folder / "run.mcap")).wait()
    found: Points = defaultdict(list)
    with (folder / "run.mcap").open("rb") as file:
        for _, channel, record in make_reader(file).iter_messages(["/tf", "/alpha/scene"]):
            one: Any = json.loads(record.data)
            if channel.topic == "/tf":
                found["/tf: alpha in map"].append(_place(one["translation"]))
            for entity in one.get("entities", ()):
                for line in entity["lines"]:
                    if line["points"]:
                        found["/alpha/scene: lines"] = [_place(p) for p in line["points"]]
    return found


def of_bag(folder: Path) -> Points:
    """Return the positions of the odometry."""
    from rosbags.highlevel import AnyReader

    _recorded(folder)
    steerageway("alog", "rosbag2", str(folder / "run"), "-o", str(folder / "bag")).wait()
    found: Points = defaultdict(list)
    with AnyReader([folder / "bag"]) as reader:
        wanted = [one for one in reader.connections if one.topic == "/alpha/pose"]
        for connection, _, data in reader.messages(wanted):
            pose: Any = reader.deserialize(data, connection.msgtype)
            at = pose.pose.pose.position
            found["/alpha/pose: nav_msgs/Odometry"].append((at.x, at.y))
    return found


def _recorded(folder: Path) -> None:
    ends = ("--warp", "max", "--until", "MISSION = complete", "--port", "auto")
    steerageway("run", "alpha", *ends, "--log", str(folder / "run")).wait()


def _place(vector: dict[str, float]) -> tuple[float, float]:
    return vector["x"], vector["y"]


PICTURES = {
    "nmea_ais.png": (of_ais, "longitude [deg]", "latitude [deg]"),
    "foxglove.png": (of_mcap, "x, east [m]", "y, north [m]"),
    "ros2.png": (of_bag, "x, east [m]", "y, north [m]"),
}


def draw(name: str, output: Path) -> None:
    """Draw a picture into a folder."""
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    make, across, up = PICTURES[name]
    with tempfile.TemporaryDirectory() as folder:
        found = make(Path(folder))
    figure, axes = plt.subplots(figsize=(7, 4), layout="constrained")
    for number, (label, points) in enumerate(found.items()):
        x, y = zip(*points, strict=True)
        style = "--" if "scene" in label else "."
        axes.plot(x, y, style, markersize=3, color=COLOURS[number % len(COLOURS)], label=label)
    axes.set_aspect("equal" if up.startswith("y") else 2.0, adjustable="datalim")
    axes.ticklabel_format(useOffset=False)
    axes.set_xlabel(across)
    axes.set_ylabel(up)
    axes.legend(frameon=False, fontsize=8, loc="center left", bbox_to_anchor=(1.0, 0.5))
    figure.savefig(output / name, dpi=110)


if __name__ == "__main__":
    for each in PICTURES:
        draw(each, Path(sys.argv[1]) if sys.argv[1:] else DOCS)
