"""Look at vessels: ``python -m vessel show|energy|check|tune NAME``.

Exit codes: 0 done, 2 a folder or an option is wrong.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterator
from pathlib import Path

from steerageway.vessel.errors import InvalidValue, VesselError
from steerageway.vessel.tools.place import folder_of


def parser() -> argparse.ArgumentParser:
    """Give the command line."""
    top = argparse.ArgumentParser(prog="python -m vessel", description="Look at a vessel's folder.")
    tools = top.add_subparsers(dest="tool", required=True)
    for name, tells in (
        (
            "show",
            "masses, damping, eigenvalues, periods, top speed, turning circle, zig-zags",
        ),
        ("energy", "whether the free body keeps its energy"),
        ("check", "whether the files are right"),
        ("tune", "a marine_pid block from the linearised model"),
    ):
        tool = tools.add_parser(name, help=tells, description=f"Print {tells}.")
        tool.add_argument("vessel", metavar="NAME", help="a folder, or a name below inputs/")
        if name == "energy":
            tool.add_argument("--hz", type=float, default=200.0, help="steps a second (200)")
        if name == "show":
            tool.add_argument("--output", type=Path, help="a picture of the GZ curve, as gz.png")
        if name == "tune":
            tool.add_argument("--thrust", type=float, default=60.0, help="to go at [%%] (60)")
    return top


def lines(options: argparse.Namespace) -> Iterator[str]:
    """Give what a tool prints; numba is loaded only now."""
    from steerageway.vessel.fossen.folder import load
    from steerageway.vessel.fossen.warm import announce_compilation

    folder = folder_of(options.vessel)
    if options.tool == "check":
        from steerageway.vessel.tools.check import mistakes_of

        if mistakes := mistakes_of(folder):
            raise InvalidValue("\n".join(mistakes))
    vessel = load(folder)
    steps = vessel.model.quaternion if vessel.quaternions else vessel.model.rk4
    announce_compilation(vessel, [vessel.model.derivative, steps], _to_stderr)
    if options.tool == "check":
        from steerageway.vessel.fossen.folder import read_folder
        from steerageway.vessel.tools.doubts import remarks
        from steerageway.vessel.tools.inertia import is_coefficient_form
        from steerageway.vessel.tools.matrices import matrix_remarks
        from steerageway.vessel.tools.righting import stability_remarks

        yield f"{folder}: right; {len(vessel.commands)} commands, model of {vessel.name}"
        if is_coefficient_form(vessel):
            yield from (f"{folder}/{remark}" for remark in matrix_remarks(read_folder(folder)))
        yield from (f"{folder}: {remark}" for remark in remarks(vessel))
        yield from (f"{folder}: {remark}" for remark in stability_remarks(vessel))
    elif options.tool == "show":
        from steerageway.vessel.tools.righting import draw
        from steerageway.vessel.tools.show import show

        yield from show(vessel)
        if options.output is not None:
            draw(vessel, options.output)
    elif options.tool == "energy":
        from steerageway.vessel.tools.energy import energy

        yield from energy(vessel, options.hz)
    else:
        from steerageway.vessel.tools.tune import tune

        yield from tune(vessel, options.thrust)


def _to_stderr(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


def main(arguments: list[str] | None = None) -> int:
    """Run a tool and give its exit code."""
    options = parser().parse_args(arguments)
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
