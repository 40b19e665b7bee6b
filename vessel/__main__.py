"""Look at vessels: ``python -m vessel show NAME``, ``keys``, ``import FILE``.

Exit codes: 0 done, 2 a folder or an option is wrong.
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

from steerageway.vessel.errors import InvalidValue, NotFinite, OutsideEnvelope, VesselError
from steerageway.vessel.tools.place import folder_of
from steerageway.world.nearest import did_you_mean

if TYPE_CHECKING:
    from steerageway.vessel.fossen.dynamics import Dynamics

PROGRAM = "python -m vessel"
KEYS = "Print every key of a vessel's files: unit, default, range, meaning."
OF_A_BLOCK = (
    ("--file", "a file of it elsewhere, as thrusters=azimuths.yml: a mission's vessel_file"),
    ("--override", "a value of its files, as inertia.mass=60: a mission's vessel_override"),
)
ESTIMATE = "what follows from mesh, mass and main dimensions: stability, added mass, damping"
DIMENSIONS = (
    ("length", "of a hull without a folder [m]"),
    ("breadth", "[m]"),
    ("draft", "[m]"),
    ("mass", "[kg]"),
    ("density", "of the water [kg/m3] (1025)"),
)
CONTROLLERS = ("pid", "dp", "pose", "velocity")


def parser(prog: str = PROGRAM) -> argparse.ArgumentParser:
    """Give the command line."""
    top = argparse.ArgumentParser(prog=prog, description="Look at a vessel's folder.")
    tools = top.add_subparsers(dest="tool", required=True)
    for name, tells in (
        (
            "show",
            "masses, damping, eigenvalues, periods, top speed, turning circle, zig-zags",
        ),
        ("energy", "whether the free body keeps its energy"),
        ("check", "whether the files are right"),
        ("tune", "a marine_pid block from the linearised model"),
        ("trials", "straight run, stop, circle, zig-zags, steps, roll decay, waves"),
    ):
        tool = tools.add_parser(name, help=tells, description=f"Print {tells}.")
        tool.add_argument("vessel", metavar="NAME", help="a folder, or a name below inputs/")
        for option, tells in OF_A_BLOCK:
            tool.add_argument(option, action="append", default=[], metavar="KEY=VALUE", help=tells)
        if name == "energy":
            tool.add_argument("--hz", type=float, default=200.0, help="steps a second (200)")
        if name == "show":
            tool.add_argument("--output", type=Path, help="a picture of the GZ curve, as gz.png")
        if name == "trials":
            tool.add_argument("--json", action="store_true", help="as data, a line for each event")
            tool.add_argument("--only", help="some of them, as stop,roll_decay")
            tool.add_argument("--sea-state", type=int, default=3, help="of the waves (3)")
        if name == "tune":
            tool.add_argument("--json", action="store_true", help="of pid: the gains as data")
            tool.add_argument("--thrust", type=float, default=60.0, help="to go at [%%] (60)")
            tool.add_argument(
                "--controller",
                choices=CONTROLLERS,
                default=CONTROLLERS[0],
                help="pid: of heading and speed; dp, pose, velocity: of forces",
            )
            tool.add_argument(
                "--bandwidth", type=float, default=0.5, help="of dp, pose, velocity [rad/s] (0.5)"
            )
    tool = tools.add_parser("estimate", help=ESTIMATE, description=f"Print {ESTIMATE}.")
    tool.add_argument("vessel", nargs="?", metavar="NAME", help="a folder, or a name below inputs/")
    tool.add_argument("--json", action="store_true", help="as data")
    tool.add_argument("--mesh", type=Path, help="of a hull without a folder")
    tool.add_argument("--axes", default="FRD", help="where the mesh's axes point (FRD)")
    tool.add_argument("--scale", type=float, default=1.0, help="to metres, of the mesh (1)")
    for name, unit in DIMENSIONS:
        tool.add_argument(f"--{name}", type=float, default=0.0, help=unit)
    tool = tools.add_parser("keys", help="the keys of a vessel's files", description=KEYS)
    tool.add_argument("file", nargs="?", metavar="FILE", help="one of them, as geometry")
    tool.add_argument("--json", action="store_true", help="as data")
    tool.add_argument("--output", type=Path, help="a page to write, as vessel_keys.md")
    tells = "a vessel's folder of a URDF with the UUV Simulator's plugins"
    tool = tools.add_parser("import", help=tells, description=f"Write {tells}.")
    tool.add_argument("file", type=Path, metavar="FILE", help="a URDF that xacro has expanded")
    tool.add_argument("--output", type=Path, help="the folder to make (the robot's name)")
    return top


def lines(options: argparse.Namespace) -> Iterator[str]:
    """Give what a tool prints; numba is loaded only now."""
    if options.tool == "import":
        from steerageway.vessel.tools.urdf import imported, written

        found = imported(options.file)
        yield from written(found, options.output or Path(found.name))
        return
    if options.tool == "estimate":
        yield from _estimates(options)
        return
    if options.tool == "keys":
        yield from _keys(options)
        return
    from steerageway.vessel.fossen.folder import load
    from steerageway.vessel.fossen.warm import warm

    folder = folder_of(options.vessel)
    if options.tool == "check":
        from steerageway.vessel.tools.check import mistakes_of

        if mistakes := mistakes_of(folder):
            raise InvalidValue("\n".join(mistakes))
    vessel = load(folder, overrides=_pairs(options.override), elsewhere=_elsewhere(options, folder))
    with suppress(NotFinite, OutsideEnvelope):  # each tool says itself what is wrong with it
        warm(vessel, _to_stderr)
    if options.tool == "check":
        yield f"{folder}: right; {len(vessel.commands)} commands, model of {vessel.name}"
        yield from _doubts(folder, vessel)
    elif options.tool == "show":
        from steerageway.vessel.tools.righting import draw
        from steerageway.vessel.tools.show import show

        yield from show(vessel)
        yield from (f"doubtful: {told}" for told in _doubts(folder, vessel))
        if options.output is not None:
            draw(vessel, options.output)
    elif options.tool == "energy":
        from steerageway.vessel.tools.energy import energy

        yield from energy(vessel, options.hz)
    elif options.tool == "trials":
        yield from _trials(vessel, options)
    elif options.controller != CONTROLLERS[0]:
        from steerageway.vessel.tools.tune_forces import tune_forces

        yield from tune_forces(vessel, options.controller, options.bandwidth)
    else:
        from steerageway.vessel.tools.tune import as_data, tune

        block = list(tune(vessel, options.thrust))
        yield from [json.dumps(as_data(block), indent=1)] if options.json else block


def _estimates(options: argparse.Namespace) -> Iterator[str]:
    """Give the estimates of a folder, or of a hull that the options describe."""
    from steerageway.vessel import estimates

    density = options.density or estimates.DENSITY
    if options.vessel:
        sheet = estimates.of_folder(folder_of(options.vessel))
    elif options.mesh:
        from steerageway.world.mesh import read as read_mesh

        mesh = read_mesh(options.mesh, options.scale, options.axes)
        hull = estimates.of_mesh(mesh, mass=options.mass, draught=options.draft, density=density)
        sheet = estimates.of_hull(hull)
    else:
        sizes = (options.length, options.breadth, options.draft)
        hull = estimates.of_dimensions(*sizes, mass=options.mass, density=density)
        sheet = estimates.of_hull(hull)
    if options.json:
        yield json.dumps(sheet.record(), indent=1, ensure_ascii=False)
    else:
        yield from sheet.lines()


def _pairs(given: Sequence[str]) -> dict[str, str]:
    """Read KEY=VALUE, as a mission's blocks have it with blanks."""
    pairs = [text.partition("=") for text in given]
    for text, (key, equals, value) in zip(given, pairs, strict=True):
        if not (key.strip() and equals and value.strip()):
            raise InvalidValue(f"{text}: expected KEY=VALUE")
    return {key.strip(): value.strip() for key, _, value in pairs}


def _elsewhere(options: argparse.Namespace, folder: Path) -> dict[str, Path]:
    """Give the files that lie elsewhere: from here, or else from the vessel's folder."""
    found = {name: Path(value) for name, value in _pairs(options.file).items()}
    return {name: path if path.is_file() else folder / path for name, path in found.items()}


def _trials(vessel: Dynamics, options: argparse.Namespace) -> Iterator[str]:
    """Give each event of the trials as it comes."""
    from steerageway.vessel.tools.manoeuvres import NAMES, Trials, lines_of

    names = options.only.split(",") if options.only else NAMES
    for event in Trials(vessel, options.sea_state).events(names):
        yield from [json.dumps(event)] if options.json else lines_of(event)


def _keys(options: argparse.Namespace) -> Iterator[str]:
    """Give the keys of one file, or of all."""
    from steerageway.vessel.fossen.keys import listing

    files = dict(listing.FILES)
    if options.file:
        name = options.file.removesuffix(".yml")
        if name not in files:
            raise InvalidValue(f"{options.file}: no such file; {did_you_mean(name, list(files))}")
        files = {name: files[name]}
    if options.output:
        options.output.write_text(listing.page(files), "utf-8")
        yield f"{options.output}: written"
    elif options.json:
        told = {file: [listing.record(key) for key in keys] for file, keys in files.items()}
        yield json.dumps(told, indent=1, ensure_ascii=False)
    else:
        yield from listing.lines(files)


def _doubts(folder: Path, vessel: Dynamics) -> Iterator[str]:
    """Give what is doubtful about a right vessel, each with the folder it lies in."""
    from steerageway.vessel.fossen.folder import read_folder
    from steerageway.vessel.tools.doubts import remarks
    from steerageway.vessel.tools.inertia import is_coefficient_form
    from steerageway.vessel.tools.matrices import matrix_remarks
    from steerageway.vessel.tools.righting import stability_remarks

    if is_coefficient_form(vessel):
        yield from (f"{folder}/{remark}" for remark in matrix_remarks(read_folder(folder)))
    yield from (f"{folder}: {remark}" for remark in remarks(vessel))
    yield from (f"{folder}: {remark}" for remark in stability_remarks(vessel))


def _to_stderr(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


def main(arguments: Sequence[str] | None = None, prog: str = PROGRAM) -> int:
    """Run a tool and give its exit code."""
    options = parser(prog).parse_args(arguments)
    try:
        for line in lines(options):
            print(line, flush=True)
    except BrokenPipeError:  # whoever reads has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except VesselError as error:
        print(error, file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
