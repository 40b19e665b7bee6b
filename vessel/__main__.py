"""Command line for vessels: ``steerageway vessel show NAME``, ``check``, ``tune``, ``trials``, ...

Exit codes: 0 success, 2 a wrong folder or option.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from steerageway.declarations import Number, Whole
from steerageway.declarations.arguments import Parser, add_options, argument
from steerageway.diagnostics.diagnostic import harmless
from steerageway.diagnostics.nearest import did_you_mean
from steerageway.vessel.errors import InvalidValue, NotFinite, OutsideEnvelope, VesselError
from steerageway.world.compiling import compilation_shown

if TYPE_CHECKING:
    from steerageway.vessel.fossen.dynamics import Dynamics
    from steerageway.vessel.fossen.folder import Choice

PROGRAM = "python -m vessel"
KEYS = "Print every key of a vessel's files: unit, default, range, meaning."
ESTIMATE = "stability, added mass and damping, estimated from mesh, mass and main dimensions"
DIMENSIONS = (
    ("length", "length of a hull without a folder [m]"),
    ("breadth", "its breadth [m]"),
    ("draft", "its draft [m] (of a block coefficient of 0.5)"),
    ("mass", "its mass [kg]"),
    ("density", "density of the water [kg/m3] (1025)"),
    ("top-speed", "known top speed [m/s]: resistance there is the thrust"),
    ("thrust", "thrust ahead at top speed [N] (of a folder: its thrusters')"),
    ("power", "power of the propellers at top speed [W], instead of thrust"),
)
TOPICS = {
    "actuators": "step responses of the actuators",
    "resistance": "resistance over speed ahead",
}
CONTROLLERS = ("pid", "dp", "pose", "velocity")
BANDWIDTH = 0.5  # [rad/s]
COMPILER = (sys.executable, "-P", "-m", "steerageway.vessel.tools.warm")


def parser(prog: str = PROGRAM) -> argparse.ArgumentParser:
    """Return the parser of the command line."""
    top = Parser(prog=prog, description="Analyse a vessel's folder.")
    tools = top.add_subparsers(dest="tool", required=True)
    for name, tells in (
        (
            "show",
            "masses, damping, eigenvalues, periods, top speed, turning circle, zig-zags",
        ),
        ("energy", "whether the free body conserves its energy"),
        ("check", "whether the files are valid"),
        ("tune", "a marine_pid block from the linearised model"),
        ("trials", "straight run, stop, circle, zig-zags, steps, roll decay, waves"),
        ("fmu", "the vessel as an FMU for co-simulation"),
    ):
        verb = "Write" if name == "fmu" else "Print"
        tool = tools.add_parser(name, help=tells, description=f"{verb} {tells}.")
        tool.add_argument(
            "vessel",
            metavar="NAME",
            help="a folder, a name below inputs/, FILE.yml@NAME of a main file, or a mission's "
            "FILE.moos, with the lines of its simulator's block",
        )
        if name != "check":
            tool.add_argument(
                "--vessel-file",
                action="append",
                default=[],
                metavar="FILE=PATH",
                help="another file instead, as a mission's vessel_file: thrusters=two.yml",
            )
        if name in _OPTIONS:
            _OPTIONS[name](tool)
    tells = "a vessel's folder from a URDF with the UUV Simulator's plugins"
    tool = tools.add_parser("import", help=tells, description=f"Write {tells}.")
    tool.add_argument("file", type=Path, metavar="FILE", help="a URDF or a .xacro file")
    tool.add_argument("--output", type=Path, help="the folder to make (the robot's name)")
    _add_own_parsers(tools)
    return top


def _add_own_parsers(tools: argparse._SubParsersAction[Parser]) -> None:
    """Add the tools that work without a valid vessel."""
    tool = tools.add_parser("estimate", help=ESTIMATE, description=f"Print {ESTIMATE}.")
    tool.add_argument("vessel", nargs="?", metavar="NAME", help="a folder, or a name below inputs/")
    tool.add_argument("--json", action="store_true", help="as data")
    tool.add_argument("--mesh", type=Path, help="mesh of a hull without a folder")
    tool.add_argument("--axes", default="FRD", help="directions of the mesh's axes (FRD)")
    tool.add_argument(
        "--scale",
        type=argument(Number(above=0.0)),
        default=1.0,
        help="scale of the mesh to metres (1)",
    )
    for name, unit in DIMENSIONS:
        tool.add_argument(f"--{name}", type=argument(Number(low=0.0)), default=0.0, help=unit)
    tells = "folder to write, of a boat with a known top speed"
    tool.add_argument("--output", type=Path, metavar="FOLDER", help=tells)
    tool.add_argument(
        "--thrusters",
        type=int,
        choices=(1, 2),
        default=1,
        help="of --output: 1 that turns, or 2 fixed beside each other (1)",
    )
    tool = tools.add_parser("identify", help="parameters from a recorded run (extra control)")
    tool.add_argument("words", nargs="*")
    tool = tools.add_parser("keys", help="the keys of a vessel's files", description=KEYS)
    tool.add_argument("file", nargs="?", metavar="FILE", help="keys of this file only, as geometry")
    tool.add_argument("--json", action="store_true", help="as data")


def _trials_options(tool: argparse.ArgumentParser) -> None:
    tool.add_argument("--json", action="store_true", help="print JSON, a line for each event")
    tool.add_argument("--only", help="these trials only, as stop,roll_decay")
    tool.add_argument(
        "--sea-state",
        type=argument(Whole(low=0, high=8)),
        default=3,
        help="sea state of the waves (3)",
    )


def _energy_options(tool: argparse.ArgumentParser) -> None:
    tool.add_argument("--hz", default="200", help="step rates [Hz], as 2,20,200 (200)")
    tool.add_argument("--start", help="initial velocity, u,v,r or u,v,w,p,q,r [m/s, rad/s]")
    tool.add_argument("--plot", type=Path, help="plot of the energy to write, as energy.png")


def _show_options(tool: argparse.ArgumentParser) -> None:
    tool.add_argument("--output", type=Path, help="plot of the GZ curve to write, as gz.png")
    only = tool.add_mutually_exclusive_group()
    for topic, what in TOPICS.items():
        only.add_argument(
            f"--{topic}",
            dest="topic",
            action="store_const",
            const=topic,
            help=f"{what} only, plotted to --output",
        )


def _tune_options(tool: argparse.ArgumentParser) -> None:
    add_options(
        tool,
        """
            --json: of pid: print the gains as JSON
            --thrust THRUST: of pid: operating thrust [%%] (60)
            --controller: pid: of heading and speed; dp, pose, velocity: of forces
            --bandwidth BANDWIDTH: closed-loop bandwidth of dp, pose, velocity [rad/s] (0.5)
            --method: of dp, pose, velocity: pole placement, or a linear quadratic regulator (poles)
        """,
        thrust=Number(),
        controller={"choices": CONTROLLERS, "default": CONTROLLERS[0]},
        bandwidth=Number(),
        method={"choices": ("poles", "lqr")},
    )


def _fmu_options(tool: argparse.ArgumentParser) -> None:
    tool.add_argument("--output", type=Path, metavar="FILE.fmu", help="file to write (NAME.fmu)")
    tool.add_argument("--fmi", choices=("2.0", "3.0"), default="2.0", help="version of FMI (2.0)")
    tool.add_argument(
        "--actuators", action="store_true", help="inputs: commands of each actuator, not orders"
    )
    tool.add_argument(
        "--time-step",
        type=argument(Number(above=0.0)),
        default=0.02,
        help="length of its integration steps [s] (0.02)",
    )


_OPTIONS = {
    "energy": _energy_options,
    "fmu": _fmu_options,
    "show": _show_options,
    "trials": _trials_options,
    "tune": _tune_options,
}


def lines(options: argparse.Namespace, choice: Choice | None = None) -> Iterator[str]:
    """Yield the lines that a tool prints; numba is loaded only here.

    Args:
        options: those of the command line.
        choice: the vessel; None: as ``options`` names it.
    """
    if options.tool in _OWN:
        yield from _OWN[options.tool](options)
        return
    from steerageway.vessel.fossen.folder import chosen, load
    from steerageway.vessel.fossen.warm import ready, warm

    if options.tool == "tune":
        _check_tune_options(options)
    choice = choice or chosen(options.vessel)
    folder = choice.folder
    if options.tool == "check":
        from steerageway.vessel.tools.check import mistakes_of

        if mistakes := mistakes_of(folder, choice.overrides, choice.elsewhere):
            raise InvalidValue("\n".join(map(str, mistakes)))
    other = _elsewhere(getattr(options, "vessel_file", []))
    choice = choice._replace(elsewhere={**choice.elsewhere, **other})
    vessel = load(*choice)
    # What the vessel cannot do is reported by each tool itself.
    with suppress(NotFinite, OutsideEnvelope), compilation_shown(sys.stderr):
        if options.tool == "fmu":  # programs that load it do not wait for compiling
            warm(vessel)
        else:
            vessel = ready(vessel, COMPILER)
    if options.tool == "fmu":
        yield from _fmu(choice, options)
    elif options.tool == "check":
        yield f"{folder}: no errors; {len(vessel.commands)} commands, model of {vessel.name}"
        yield from _warnings(choice, vessel)
    elif options.tool == "show" and options.topic is not None:
        yield from _topic(vessel, choice, options)
    elif options.tool == "show":
        from steerageway.vessel.tools.righting import draw
        from steerageway.vessel.tools.show import show

        yield from show(vessel)
        yield from _resistance(vessel, choice)
        yield from (f"warning: {warning}" for warning in _warnings(choice, vessel))
        if options.output is not None:
            draw(vessel, options.output)
    elif options.tool == "energy":
        yield from _energy(vessel, options)
    elif options.tool == "trials":
        yield from _trials(vessel, options)
    else:
        yield from _tuned(vessel, options)


def _imported(options: argparse.Namespace) -> Iterator[str]:
    """Write the vessel folder of a URDF, and yield the lines to print."""
    from steerageway.vessel.tools.urdf import imported, written

    found = imported(options.file)
    yield from written(found, options.output or Path(found.name))


def _estimates(options: argparse.Namespace) -> Iterator[str]:
    """Yield the estimates of a folder, or of the hull described by the options."""
    from steerageway.vessel.estimates.command import lines

    yield from lines(options)


def _check_tune_options(options: argparse.Namespace) -> None:
    """Refuse an option that the chosen controller does not use."""
    pid, *others = CONTROLLERS
    unused, those = (
        (("bandwidth", "method"), ", ".join(others))
        if options.controller == pid
        else (("thrust", "json"), pid)
    )
    for name in unused:
        if getattr(options, name) not in (None, False):
            raise InvalidValue(f"--{name}: expected --controller {those}; not {options.controller}")


def _tuned(vessel: Dynamics, options: argparse.Namespace) -> Iterator[str]:
    from steerageway.vessel.tools.tune import THRUST, as_data, tune
    from steerageway.vessel.tools.tune_forces import METHODS, tune_forces

    if options.controller == CONTROLLERS[0]:
        block = list(tune(vessel, THRUST if options.thrust is None else options.thrust))
        yield from [json.dumps(as_data(block), indent=1)] if options.json else block
    else:
        bandwidth = BANDWIDTH if options.bandwidth is None else options.bandwidth
        yield from tune_forces(vessel, options.controller, bandwidth, options.method or METHODS[0])


def _trials(vessel: Dynamics, options: argparse.Namespace) -> Iterator[str]:
    """Yield each event of the trials as it occurs."""
    from steerageway.vessel.tools.manoeuvres import NAMES, Trials, lines_of

    names = options.only.split(",") if options.only else NAMES
    for event in Trials(vessel, options.sea_state).events(names):
        yield from [json.dumps(event)] if options.json else lines_of(event)


def _keys(options: argparse.Namespace) -> Iterator[str]:
    """Yield the keys of one file, or of all."""
    from steerageway.vessel.fossen.keys import listing

    files = dict(listing.FILES)
    if options.file:
        name = options.file.removesuffix(".yml")
        if name not in files:
            raise InvalidValue(
                f"no such file; {did_you_mean(name, list(files))}", str(options.file)
            )
        files = {name: files[name]}
    if options.json:
        data = {file: [listing.record(key) for key in keys] for file, keys in files.items()}
        yield json.dumps(data, indent=1, ensure_ascii=False)
    else:
        yield from listing.lines(files)


def _identified(options: argparse.Namespace) -> Iterator[str]:
    """Refuse: ``steerageway`` runs this tool, which is of a package above this one."""
    raise InvalidValue("expected the command steerageway vessel identify", "identify")


_OWN = {"import": _imported, "estimate": _estimates, "keys": _keys, "identify": _identified}


def _elsewhere(given: Sequence[str]) -> dict[str, Path]:
    files = {}
    for text in given:
        name, _, path = (part.strip() for part in text.partition("="))
        if not path:
            raise InvalidValue(f"--vessel-file {text}: expected FILE=PATH, as thrusters=two.yml")
        files[name] = Path(path)
    return files


def _topic(vessel: Dynamics, choice: Choice, options: argparse.Namespace) -> Iterator[str]:
    """Yield, and plot to ``--output``, one topic of ``show``."""
    from steerageway.vessel.tools.resistance import draw_resistance
    from steerageway.vessel.tools.responses import draw_responses, response_lines

    if options.topic == "actuators":
        yield from response_lines(vessel)
    else:
        yield from _resistance(vessel, choice)
    if options.output is not None:
        draw = draw_responses if options.topic == "actuators" else draw_resistance
        draw(vessel, options.output)


def _resistance(vessel: Dynamics, choice: Choice) -> Iterator[str]:
    """Yield the resistance by speed; for a surface craft with its hull speed."""
    from steerageway.vessel.fossen.folder import read_folder
    from steerageway.vessel.tools.resistance import resistance_lines, top_speed

    geometry = read_folder(*choice)["geometry"]
    afloat = vessel.floating is not None or vessel.envelope.draught is not None
    length = geometry.positive("length") if afloat and "length" in geometry else None
    yield from resistance_lines(vessel, top_speed(vessel), length)


def _energy(vessel: Dynamics, options: argparse.Namespace) -> Iterator[str]:
    from steerageway.vessel.tools.energy import START, draw, energy, read_rates, read_start

    rates = read_rates(options.hz)
    start = START if options.start is None else read_start(options.start)
    yield from energy(vessel, rates, start)
    if options.plot is not None:
        draw(vessel, rates, start, options.plot)


def _fmu(choice: Choice, options: argparse.Namespace) -> Iterator[str]:
    """Write the FMU, and yield what is in it and what it needs."""
    from steerageway.vessel.fmi.export import export

    output = options.output or Path(f"{choice.folder.resolve().name}.fmu")
    vessel = export(
        choice,
        output,
        version=options.fmi,
        time_step=options.time_step,
        by_actuator=options.actuators,
    )
    yield f"{output}: {vessel.name} for co-simulation by FMI {options.fmi}"
    yield "It needs Python with steerageway where it runs, on Linux or Windows (x86-64)."


def _warnings(choice: Choice, vessel: Dynamics) -> Iterator[str]:
    """Yield the plausibility warnings of a valid vessel, each with its folder."""
    from steerageway.vessel.fossen.folder import read_folder
    from steerageway.vessel.tools.plausible import warnings_of

    yield from warnings_of(read_folder(*choice), vessel)


def main(
    arguments: Sequence[str] | None = None, prog: str = PROGRAM, choice: Choice | None = None
) -> int:
    """Run a tool, of a vessel that is named or given, and return its exit code."""
    options = parser(prog).parse_args(arguments)
    try:
        for line in lines(options, choice):
            print(harmless(line), flush=True)
    except BrokenPipeError:  # the reader has closed the pipe, as head does
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except VesselError as error:
        print(error, file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
