"""Cost of the bridges beside that of the log: ``python benchmarks/bridges.py LOG``.

Each message of a run's log is written again as a log, as MCAP with Foxglove's messages and as a bag
of ROS 2, and given to Foxglove's live server and to pRos2. Rounds alternate; the relevant figure is
the ratio of processor time to that of the log, which is parsed in all of them.
"""

from __future__ import annotations

import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import foxglove

sys.path.insert(0, str(Path(__file__).parent.parent))

from benchmarks.figures import load_before, options_of, write
from steerageway.apps.shared.log_files import log_at
from steerageway.bridges.foxglove_live import Post, Topics
from steerageway.bridges.mcap import file
from steerageway.bridges.ros import bag
from steerageway.bridges.ros.ros2 import Ros2
from steerageway.bridges.scene import Scene
from steerageway.bus import NANO, Config, Kind, Message, Runner, Setting, nanoseconds
from steerageway.moos.alog import EntryFormat, posted_value, read_entries

TICK = NANO // 10


def as_log(log: Path, folder: Path) -> Path:
    """Write the log again."""
    form, output = EntryFormat(0.0), folder / "copy.alog"
    with output.open("w") as copy:
        for time_, name, value, source, *_ in read_entries(log):
            copy.write(form.line(name, value, time_, source))
    return output


def as_mcap(log: Path, folder: Path) -> Path:
    """Write the log as MCAP."""
    file.write([log], folder / "run.mcap")
    return folder / "run.mcap"


def as_bag(log: Path, folder: Path) -> Path:
    """Write the log as a bag's MCAP file."""
    bag.write_mcap([log], folder / "bag.mcap")
    return folder / "bag.mcap"


def as_live(log: Path, folder: Path) -> Path:
    """Give the log to Foxglove's server, to which nobody is connected."""
    context = foxglove.Context()
    server = foxglove.start_server(port=0, context=context)
    topics, scene = Topics(context), Scene("vessel")
    for time_, name, value, source, *_ in read_entries(log):
        topics.show(scene, Post(nanoseconds(time_), time_, name, value, source))
    server.stop()
    return folder


def as_node(transport: str) -> Callable[[Path, Path], Path]:
    """Return what gives the log to pRos2, ten times a second, without another node."""

    def play(log: Path, folder: Path) -> Path:
        lines = [("transport", transport, ""), ("domain", "99", "")]
        config = Config(lines)
        app = Ros2(Setting(name="pRos2", community="vessel", config=config, folder=folder))
        app.configure()
        runner = Runner(app)
        runner.run(Kind.START, 0, [])
        mail: list[Message] = []
        due = TICK
        for time_, name, value, source, *_ in read_entries(log):
            at = nanoseconds(time_)
            if at >= due:
                runner.run(Kind.ITERATE, due, mail)
                mail, due = [], at + TICK
            known = posted_value(log, value)
            mail.append(Message(name, known, time_, source, "", "vessel", at))
        runner.run(Kind.STOP, due, mail)
        return folder

    return play


FORMS: dict[str, Callable[[Path, Path], Path]] = {
    "log": as_log,
    "mcap": as_mcap,
    "ros2": as_bag,
    "foxglove live": as_live,
    "ros2 dds": as_node("dds"),
    "ros2 zenoh": as_node("zenoh"),
}


def main() -> None:
    """Print the table."""
    parser = options_of(__doc__ or "", "bridges")
    parser.add_argument("log", type=Path)
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    foxglove.set_log_level("CRITICAL")
    log = log_at(options.log)
    count = sum(1 for _ in read_entries(log))
    seconds: dict[str, list[float]] = {name: [] for name in FORMS}
    sizes: dict[str, int] = {}
    before = load_before()
    for _ in range(options.rounds):
        for name, form in FORMS.items():
            with tempfile.TemporaryDirectory() as folder:
                start = time.process_time()
                output = form(log, Path(folder))
                seconds[name].append(time.process_time() - start)
                sizes[name] = output.stat().st_size if output.is_file() else 0
    own = min(seconds["log"])
    print(f"{'form':14} {'µs/message':>10} {'ratio':>6} {'MB':>6}")
    table = {}
    for name in FORMS:
        cost = min(seconds[name])
        table[name] = {"us": cost / count * 1e6, "ratio": cost / own, "bytes": sizes[name]}
        print(f"{name:14} {cost / count * 1e6:10.1f} {cost / own:6.2f} {sizes[name] / 1e6:6.1f}")
    write({**before, "messages": count, "forms": table}, options.json)


if __name__ == "__main__":
    main()
