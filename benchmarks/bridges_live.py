"""Cost of live bridges of a fleet: ``python benchmarks/bridges_live.py``.

Twenty vessels of ``missions/fleet`` run at warp 10 without a logger, with it, with it and shown in
Foxglove to a client of all topics, and with it and ``pRos2`` in each vessel and one on the shore
that hears the positions of all. Rounds alternate. What a part costs is the difference of processor
time of all processes to the run without it, by posted message; the relevant figure is its ratio to
that of the logger.
"""

from __future__ import annotations

import json
import resource
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from statistics import median
from threading import Thread
from typing import Any

from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect
from websockets.typing import Subprotocol

sys.path.insert(0, str(Path(__file__).parent.parent))

from benchmarks.figures import load_before, options_of, write
from steerageway.bus import sleep, wall

ROOT = Path(__file__).parent.parent
VESSELS, WARP = 20, 10
LAST = 120.0  # wall seconds in which a run must begin
VARIANTS = ("bare", "logger", "foxglove", "ros2")
DOMAIN = 77
_RUN = "  Run = pShare\n"


def with_ros(folder: Path, names: list[str]) -> Path:
    """Return a copy of the mission in which every vessel is a node of ROS 2."""
    copy = folder / "fleet"
    shutil.copytree(ROOT / "missions" / "fleet", copy)
    topics = (
        f"topic = /{name}/pose nav_msgs/Odometry pose.pose.position.x : SEEN_{name.upper()}"
        for name in names
    )
    blocks = {"meta_vehicle.moos": "AppTick = 10", "meta_shoreside.moos": "\n  ".join(topics)}
    for file, lines in blocks.items():
        text = (copy / file).read_text()
        block = f"ProcessConfig = pRos2\n{{\n  domain = {DOMAIN}\n  {lines}\n}}\n"
        (copy / file).write_text(text.replace(_RUN, f"{_RUN}  Run = pRos2\n") + block)
    return copy


def listen(port: int, heard: list[int]) -> None:
    """Subscribe to all channels of Foxglove's server until it ends; count the messages."""
    deadline = wall() + LAST
    while wall() < deadline:
        try:
            link = connect(
                f"ws://127.0.0.1:{port}",
                subprotocols=[Subprotocol("foxglove.sdk.v1")],
                max_size=None,
            )
        except OSError:
            sleep(0.1)
            continue
        with link:
            try:
                for frame in link:
                    if isinstance(frame, bytes):
                        heard[0] += 1
                    elif (told := json.loads(frame))["op"] == "advertise":
                        new = [{"id": c["id"], "channelId": c["id"]} for c in told["channels"]]
                        link.send(json.dumps({"op": "subscribe", "subscriptions": new}))
            except ConnectionClosed:
                return
        return


def launch(variant: str, mission: Path, seconds: float, folder: Path) -> dict[str, Any]:
    """Run the fleet; return processor time [s], posted messages, warp, and messages heard."""
    summary, port, heard = folder / "summary.json", 8799, [0]
    command = [sys.executable, "launch.py", str(mission), "--vessels", str(VESSELS)]
    command += ["--placement", "community", "--warp", str(WARP), "--for", str(seconds)]
    command += ["--port", "auto", "--json", str(summary), "--log", str(folder / "log")]
    command += ["--skip", "pLogger"] if variant == "bare" else []
    command += ["--foxglove", str(port)] if variant == "foxglove" else []
    listener = Thread(target=listen, args=(port, heard), daemon=True)
    if variant == "foxglove":
        listener.start()
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    told = json.loads(summary.read_text())
    if variant == "ros2":
        (log,) = (folder / "log" / "shoreside").rglob("*.alog")
        heard[0] = sum(" SEEN_" in line for line in log.open())
    shutil.rmtree(folder / "log", ignore_errors=True)
    used = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    row = {"cpu": used, "posted": told["posted"], "warp": told["warp_achieved"], "heard": heard[0]}
    return {**row, "communities": [name for name in told["communities"] if name != "shoreside"]}


def main() -> None:
    """Print the table."""
    parser = options_of(__doc__ or "", "bridges_live")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=120.0, help="simulated")
    options = parser.parse_args()
    before, rows = load_before(), {name: list[dict[str, Any]]() for name in VARIANTS}
    with tempfile.TemporaryDirectory() as name:
        folder, fleet = Path(name), ROOT / "missions" / "fleet"
        launch("bare", fleet, 1.0, folder)  # warm
        names = launch("bare", fleet, 1.0, folder)["communities"]
        ros = with_ros(folder, names)
        for _ in range(options.rounds):
            for variant in VARIANTS:
                mission = ros if variant == "ros2" else fleet
                rows[variant].append(launch(variant, mission, options.seconds, folder))
    cpu = {name: median(row["cpu"] for row in some) for name, some in rows.items()}
    posted = rows["logger"][0]["posted"]
    logger = (cpu["logger"] - cpu["bare"]) / posted * 1e6
    print(
        f"{posted} messages\n{'part':10} {'µs/message':>10} {'ratio':>6} {'warp':>5} {'heard':>8}"
    )
    table = {}
    for name in VARIANTS[1:]:
        cost = (cpu[name] - cpu["bare" if name == "logger" else "logger"]) / posted * 1e6
        warp, heard = (median(row[key] for row in rows[name]) for key in ("warp", "heard"))
        table[name] = {"us": cost, "ratio": cost / logger, "warp": warp, "heard": heard}
        print(f"{name:10} {cost:10.1f} {cost / logger:6.2f} {warp:5.1f} {heard:8.0f}")
    write({**before, "messages": posted, "parts": table, "runs": rows}, options.json)


if __name__ == "__main__":
    main()
