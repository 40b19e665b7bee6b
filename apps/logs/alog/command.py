"""Command line of the log tools: grep, csv, plot, diff, hash, replay and those of overviews."""

from __future__ import annotations

import signal
import sys
from argparse import ArgumentParser, ArgumentTypeError, Namespace, RawDescriptionHelpFormatter
from collections import deque
from collections.abc import Sequence
from math import inf
from pathlib import Path
from typing import TYPE_CHECKING, Any

from steerageway.apps.logs.alog.curves import Curve, read_curves, read_posts
from steerageway.apps.logs.alog.errors import ToolError
from steerageway.apps.logs.alog.overview import add_tools
from steerageway.apps.logs.alog.pick import find_columns, grep, why_missing, write_csv
from steerageway.apps.logs.alog.plot import draw, draw_curves
from steerageway.apps.logs.alog.recorded import (
    Table,
    datum_of,
    difference,
    distance_apart,
    posts_of,
    read_table,
    track_of,
    unit_of,
    with_positions,
)
from steerageway.apps.logs.alog.routes import write_routes
from steerageway.apps.logs.alog.tracks import Track, read_track
from steerageway.apps.logs.alog.tracks import track_of as track_of_log
from steerageway.apps.shared.log_compare import first_difference
from steerageway.apps.shared.log_files import bridge, log_at, logs_at
from steerageway.apps.shared.terminal import Copied, ignoring_closed_pipe, say
from steerageway.bus import WARP, BusError, any_matches, matches
from steerageway.declarations import Number, Whole
from steerageway.declarations.arguments import Parser, add_options, argument
from steerageway.moos.alog import data_hash, read_entries, whole_lines
from steerageway.moos.errors import FormatError
from steerageway.moos.recorded_table import MAP, mapped

if TYPE_CHECKING:
    from steerageway.bus import Client

PROGRAM = "python -m apps.alog"
DONE, WRONG = 0, 2
FOXGLOVE_PORT, PORT = 8765, Whole(low=0, high=65535)
DIFFERENT = NOT_FOUND = REFUSED = 1

FIELD_NAMES = {
    "aloggrep": "grep",
    "alogclip": "clip",
    "aloghead": "head",
    "alogscan": "scan",
    "alogavg": "avg",
    "aloghelm": "helm",
    "alogpick": "csv",
    "alogview": "plot",
}
"""MOOS-IvP's log tools, and the corresponding tools here."""

EXIT_CODES = """\
exit: 0 done (grep, clip, helm: messages were found; diff: the logs are equal)
      1 grep, clip, helm: no messages were found; diff: the logs differ;
        replay: the bus rejected a post
      2 a file or an option is invalid; replay: no broker replies, or its run ended first
Compressed logs (.alog.gz) and files of mcap are read as they are; a folder selects the log in it;
for plot, diff, hash and what writes other forms, all logs in it."""


def main(arguments: Sequence[str] | None = None, prog: str = PROGRAM) -> int:
    """Run one tool and return its exit code."""
    arguments = sys.argv[1:] if arguments is None else arguments
    parser = _parser(prog)
    if arguments and arguments[0] in FIELD_NAMES:
        parser.error(f"{arguments[0]} of MOOS-IvP: the tool here is {FIELD_NAMES[arguments[0]]}")
    options = parser.parse_args(arguments)
    code: int = DONE
    try:
        with ignoring_closed_pipe():
            code = options.run(options)
    except KeyboardInterrupt:
        return 128 + signal.SIGINT
    except (FormatError, ToolError, BusError) as error:
        say(str(error), to=sys.stderr)
        return WRONG
    return code


def _parser(prog: str = PROGRAM) -> ArgumentParser:
    parser = Parser(
        prog=prog,
        description="Search, compare, plot and replay .alog files.",
        epilog=EXIT_CODES,
        formatter_class=RawDescriptionHelpFormatter,
    )
    tools = parser.add_subparsers(title="tools", required=True, metavar="TOOL")

    tool = tools.add_parser("grep", help="print the messages of some variables, as a log")
    tool.add_argument("file", type=_log)
    tool.add_argument(
        "variable", nargs="*", default=["*"], help="a name, or a pattern with * and ? (all)"
    )
    tool.add_argument("--source", default="*", help="only posts of this app (name or pattern)")
    tool.set_defaults(run=_grep)

    tool = tools.add_parser("csv", help="print variables as a table, one column each")
    tool.add_argument("file", type=_log)
    tool.add_argument("variable", nargs="+", help="a name, or a pattern with * and ?")
    tool.set_defaults(run=_csv)

    add_tools(tools, _log)

    _add_plot(tools)

    tool = tools.add_parser("diff", help="print the first message in which two runs differ")
    tool.add_argument("file", type=_logs)
    tool.add_argument("other", type=_logs)
    tool.set_defaults(run=_diff)

    tool = tools.add_parser("hash", help="print the SHA-256 of the messages, without comments")
    tool.add_argument("file", type=_logs, nargs="+")
    tool.set_defaults(run=_hash)

    _add_exports(tools)

    tool = tools.add_parser("foxglove", help="show logs in Foxglove, which plays and seeks")
    tool.add_argument("file", type=_logs)
    tool.add_argument(
        "--port", type=argument(PORT), default=FOXGLOVE_PORT, metavar="PORT", help="(8765)"
    )
    tool.set_defaults(run=_foxglove)

    tool = tools.add_parser("replay", help="post a log to a running mission, at the recorded times")
    _add_replay_arguments(tool)
    tool.set_defaults(run=_replay)
    return parser


def _add_plot(tools: Any) -> None:
    tool = tools.add_parser("plot", help="draw one or several tracks, or variables over time")
    tool.add_argument("file", type=_logs, nargs="+")
    tool.add_argument("-o", "--output", type=Path, default=Path("track.png"))
    add_options(
        tool,
        f"""
            --over-time VAR[,VAR]: draw variables over time, one panel per group
            --from=start T: start time [s]
            --to=end T: end time [s]
            --with=beside FILE.csv: draw a table recorded elsewhere beside it: a head as time [s], \
                NAV_HEADING [deg]
            {MAP}=map VAR=COLUMN: columns of that table with other names: NAV_HEADING=yaw \
                time=stamp; with NAV_LAT and NAV_LONG, by the mission's origin, for NAV_X and NAV_Y
            --shift SECONDS: add this to that table's times, if its log began later than the run (0)
        """,
        over_time={"nargs": "+", "action": "extend", "default": []},
        start=(Number(), -inf),
        end=(Number(), inf),
        beside=Path,
        map={"nargs": "+", "action": "extend", "type": argument(mapped), "default": []},
        shift=(Number(), 0.0),
    )
    tool.set_defaults(run=_plot)


def _add_exports(tools: Any) -> None:
    for name, what, default in (
        ("mcap", "write a run as an MCAP file, for Foxglove, Lichtblick, PlotJuggler", "run.mcap"),
        ("rosbag2", "write a run as a bag of ROS 2", "run_bag"),
        ("rerun", "write a run as a recording of Rerun", "run.rrd"),
        ("kml", "write tracks for Google Earth", "track.kml"),
        ("gpx", "write tracks for chart plotters", "track.gpx"),
    ):
        tool = tools.add_parser(name, help=what)
        tool.add_argument("file", type=_logs, nargs="+")
        tool.add_argument("-o", "--output", type=Path, default=Path(default), help=f"({default})")
        if name == "mcap":
            tool.add_argument(
                "--schema",
                choices=("foxglove", "ros2"),
                default="foxglove",
                help="foxglove: JSON, which can be read back; ros2: messages of ROS 2",
            )
            tool.add_argument(
                "--layout", type=Path, metavar="FILE", help="write a layout for Foxglove, too"
            )
        tool.set_defaults(run=_export, form=name)


def _add_replay_arguments(tool: ArgumentParser) -> None:
    tool.add_argument("file", type=_log)
    tool.add_argument(
        "variable", nargs="*", default=["*"], help="variables or patterns to post (all)"
    )
    add_options(
        tool,
        """
            --to HOST:PORT: the broker's address; default: the running mission
            --name NAME: source of the posts
            --community COMMUNITY: the community to post to, if there are several
            --keys KEYS: file of CURVE keys, if the broker requires one
            --warp N|max: seconds of log per wall second (1)
        """,
        name=(str, "uAlogReplay"),
        keys=Path,
        warp=(WARP, 1.0),
    )


def _log(text: str) -> Path:
    """Parse a log, or a run's folder with one log in it."""
    try:
        return log_at(Path(text))
    except FormatError as error:
        raise ArgumentTypeError(str(error)) from None


def _logs(text: str) -> list[Path]:
    """Parse a log, or a run's folder with any number of logs."""
    try:
        return logs_at(Path(text))
    except FormatError as error:
        raise ArgumentTypeError(str(error)) from None


def _grep(options: Namespace) -> int:
    found: dict[str, None] = {}
    for line, name in grep(options.file, options.variable, options.source):
        Copied().write_line(line)
        if name:
            found[name] = None
    for wanted in options.variable:
        if not any(matches(wanted, name) for name in found):
            say(why_missing(options.file, wanted, options.source), to=sys.stderr)
    return DONE if found else NOT_FOUND


def _csv(options: Namespace) -> int:
    write_csv(options.file, options.variable, Copied())
    return DONE


def _plot(options: Namespace) -> int:
    files = [file for logs in options.file for file in logs]
    start, end = options.start, options.end
    if end <= start:
        raise ToolError(f"expected an end after {start:g} s, found {end:g}")
    columns = dict(options.map)
    beside = None
    if options.beside is not None:
        beside = read_table(options.beside, columns, options.shift)
        for doubt in beside.recorded.doubtful():
            say(f"warning: {doubt}", to=sys.stderr)
        beside = with_positions(beside, columns, lambda: datum_of(files[0]))
    if beside is None and (columns or options.shift):
        raise ToolError(f"{MAP}, --shift: expected --with FILE.csv, which they concern")
    if options.over_time:
        panels = [_panel(files, text.split(",")) for text in options.over_time]
        if beside is not None:
            _add_beside(panels, beside, columns, options.over_time)
        if (start, end) != (-inf, inf):
            panels = [[curve.within(start, end) for curve in panel] for panel in panels]
        draw_curves(panels, options.output)
        say(options.output)
        return DONE
    tracks: dict[Path, Track] = {}
    for file in files:
        try:
            tracks[file] = read_track(file, start, end)
        except ToolError as error:
            if len(files) == 1:
                raise
            if track_of_log("", read_entries(file)) is not None:  # not that of a shore
                say(f"left out: {error}", to=sys.stderr)
    if not tracks:
        raise ToolError("there is no track in any of them")
    drawn = _with_distinct_names(tracks)
    if beside is not None:
        track, said = track_of(beside, columns)
        _say_taken(beside, said)
        for one in drawn:
            say(f"{track.name}, {one.name}: {distance_apart(one, track)}")
        drawn.append(track)
    draw(drawn, options.output)
    say(options.output)
    return DONE


def _add_beside(
    panels: Sequence[list[Curve]], table: Table, columns: dict[str, str], groups: Sequence[str]
) -> None:
    """Add the curves of a table to the panels of their variables, and say what was taken."""
    names = [name for group in groups for name in group.split(",")]
    posts, said = posts_of(table, columns, names)
    for panel, group in zip(panels, groups, strict=True):
        mine = [name for name in posts.known if any_matches(group.split(","), name)]
        curves = posts.curves(mine, f"{table.path.stem}: ") if mine else []
        for name in mine:
            times, values = zip(*posts.numbers[name], strict=True)
            for curve in panel:
                if curve.name.rpartition(": ")[2] == name:
                    run, unit = (curve.times, curve.values), unit_of(table, columns, name)
                    apart = difference(name, run, (times, values), unit)
                    say(f"{table.path.stem}, {curve.name.removesuffix(name) or 'run: '}{apart}")
        panel += curves
    _say_taken(table, said)


def _say_taken(table: Table, said: Sequence[str]) -> None:
    for line in dict.fromkeys((f"{table.time} is the time", *said)):  # two axes may say the same
        say(f"{table.path}: {line}", to=sys.stderr)


def _export(options: Namespace) -> int:
    logs = [log for found in options.file for log in found]
    form = "rosbag2" if getattr(options, "schema", "") == "ros2" else options.form
    layout: Path | None = getattr(options, "layout", None)
    if layout is not None and form != "mcap":
        raise ToolError("--layout: not with --schema ros2: expected --schema foxglove")
    if form == "mcap":
        count = bridge("mcap.file", "mcap", "mcap").write(logs, options.output)
    elif form == "rosbag2":
        bag = bridge("ros.bag", "rosbags", "ros2")
        count = (bag.write_mcap if options.form == "mcap" else bag.write_bag)(logs, options.output)
    elif form == "rerun":
        count = bridge("rerun", "rerun", "rerun").write(logs, options.output)
    else:
        count = write_routes(form, logs, options.output)
    if layout is not None:
        bridge("mcap.layout", "mcap", "mcap").write(options.output, layout)
        say(f"{layout}: a layout, to be imported in Foxglove")
    say(f"{options.output}: {count} {'points' if form in ('kml', 'gpx') else 'messages'}")
    return DONE


def _foxglove(options: Namespace) -> int:
    playback = bridge("foxglove_playback", "foxglove", "foxglove")
    try:
        shown = playback.Playback(options.file, options.port)
    except RuntimeError as error:
        raise ToolError(f"--port {options.port}: {error}") from error
    say(f"Foxglove: ws://127.0.0.1:{shown.server.port}", to=sys.stderr)
    shown.run()
    return DONE


def _with_distinct_names(tracks: dict[Path, Track]) -> list[Track]:
    """Name tracks by the differing parts of their paths if communities do not distinguish them."""
    if len({track.name for track in tracks.values()}) == len(tracks):
        return list(tracks.values())
    names = _distinct_names(list(tracks))
    return [track.renamed(name) for track, name in zip(tracks.values(), names, strict=True)]


def _panel(files: Sequence[Path], variables: Sequence[str]) -> list[Curve]:
    """Read the curves of some variables in every log that has them."""
    if len(files) == 1:
        return read_curves(files[0], variables)
    curves: list[Curve] = []
    found: set[str] = set()
    whys: dict[str, ToolError] = {}
    for file, name in zip(files, _distinct_names(files), strict=True):
        posts = read_posts(file, variables)
        for variable in variables:
            try:
                curves += posts.curves([variable], f"{name}: ")
                found.add(variable)
            except ToolError as error:  # e.g. a shore's log
                whys[variable] = error
    for variable in variables:
        if variable not in found:
            raise whys[variable]
    return curves


def _distinct_names(files: Sequence[Path]) -> list[str]:
    """Name files by the differing parts of their paths, as few as distinguish all of them."""
    parts = [file.parts for file in files]
    if len({len(each) for each in parts}) > 1:
        return [str(file) for file in files]
    differ = [i for i, column in enumerate(zip(*parts, strict=True)) if len(set(column)) > 1]
    names = [str(file) for file in files]
    for count in range(len(differ), 0, -1):
        shorter = ["/".join(file.parts[i] for i in differ[:count]) for file in files]
        if len(set(shorter)) < len(files):
            break
        names = shorter
    return names


def _diff(options: Namespace) -> int:
    pairs = _paired(options.file, options.other)
    found = [first_difference(one, other) for one, other in pairs]
    differences = [difference for difference in found if difference is not None]
    if not differences:
        say("no difference")
        return DONE
    say(str(min(differences, key=lambda difference: difference.first.time)))
    return DIFFERENT


def _paired(ones: Sequence[Path], others: Sequence[Path]) -> list[tuple[Path, Path]]:
    """Pair the logs of two runs by community.

    Raises:
        ToolError: the runs do not have the same communities.
    """
    if len(ones) == len(others) == 1:
        return [(ones[0], others[0])]
    names = [[log.parent.parent.name for log in logs] for logs in (ones, others)]
    if names[0] != names[1]:
        names_text = " and of ".join(", ".join(each) for each in names)
        raise ToolError(f"expected runs of the same communities, found logs of {names_text}")
    return list(zip(ones, others, strict=True))


def _replay(options: Namespace) -> int:
    from steerageway.apps.logs.alog.replay import replay
    from steerageway.moos.alog import messages

    if named := [name for name in options.variable if name != "*"]:
        find_columns(read_entries(options.file), named)  # raises for an unknown variable
    with _client(options) as client:
        refused = replay(messages(options.file, options.variable), client, options.warp)
    for text in refused:
        say(text, to=sys.stderr)
    return REFUSED if refused else DONE


def _client(options: Namespace) -> Client:
    """Connect to the given address, or to the running mission."""
    from steerageway.apps.shared.runs import find_run
    from steerageway.bus import Client

    if not options.to:
        run = find_run(community=options.community, keys=options.keys)
        return run.connect(options.name)
    return Client.connect(options.to, options.name, community=options.community, keys=options.keys)


def _hash(options: Namespace) -> int:
    for path in (path for logs in options.file for path in logs):
        deque(read_entries(path), maxlen=0)  # raises for a line that is no log entry
        say(f"{data_hash(whole_lines(path))}  {path}")
    return DONE
