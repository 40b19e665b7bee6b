"""``steerageway vessel estimate``: estimates of a folder or a hull, or a folder made from them."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator

from steerageway.vessel.errors import InvalidValue
from steerageway.vessel.estimates.boat import draft_of, files_of
from steerageway.vessel.estimates.hull import Hull, of_dimensions, of_mesh
from steerageway.vessel.estimates.sheet import of_folder, of_hull
from steerageway.vessel.estimates.speed import Propeller, TopSpeed
from steerageway.vessel.tools.place import folder_of, write_folder
from steerageway.world.constants import DENSITY

EFFICIENCY = 0.5  # thrust times speed over a propeller's power; boats have some 0.4 to 0.6
HULL = ("mesh", "length", "breadth", "draft", "mass", "density", "output")
NEW = ("length", "breadth", "mass", "top_speed")


def lines(options: argparse.Namespace) -> Iterator[str]:
    """Yield the estimates, or the files that are written.

    Raises:
        InvalidValue: options are missing, or do not belong together.
    """
    _check(options)
    push = _push(options)
    if options.vessel:
        sheet = of_folder(folder_of(options.vessel), options.top_speed, push)
    else:
        hull = _hull(options)
        known = TopSpeed(options.top_speed, *push) if push and options.top_speed else None
        thrusters = [Propeller("1", 1.0, push=push[0])] if push else []
        sheet = of_hull(hull, thrusters, known=known)
        if options.output is not None and push:
            files = files_of(hull, sheet, push[0], options.output.name, options.thrusters)
            yield from write_folder(files, options.output)
            return
    if options.json:
        yield json.dumps(sheet.record(), indent=1, ensure_ascii=False)
    else:
        yield from sheet.lines()


def _check(options: argparse.Namespace) -> None:
    given = [f"--{name}" for name in HULL if getattr(options, name)]
    if options.vessel and given:
        raise InvalidValue(
            f"{given[0]}: expected no folder beside it: {options.vessel} has its own values"
        )
    if options.thrust and options.power:
        raise InvalidValue("--power: expected it without --thrust: one follows from the other")
    if options.power and not options.top_speed:
        raise InvalidValue(f"--power {options.power:g}: expected --top-speed, too")
    pushed = options.thrust or options.power
    if options.top_speed and not options.vessel and not pushed:
        raise InvalidValue(f"--top-speed {options.top_speed:g}: expected --thrust or --power, too")
    if options.output is None:
        return
    missing = [f"--{name.replace('_', '-')}" for name in NEW if not getattr(options, name)]
    missing += [] if pushed else ["--thrust or --power"]
    if missing or options.mesh:
        expected = ", ".join(missing) if missing else "main dimensions instead of --mesh"
        raise InvalidValue(f"--output {options.output}: expected {expected}, too")


def _push(options: argparse.Namespace) -> tuple[float, str] | None:
    """Return the thrust ahead [N] that the options give, and its source; None: none."""
    if options.power:
        by = f"{options.power:g} W at an efficiency of {EFFICIENCY:g} over the speed"
        return EFFICIENCY * options.power / options.top_speed, by
    return (options.thrust, "thrust as given") if options.thrust else None


def _hull(options: argparse.Namespace) -> Hull:
    """Return the hull that the options describe."""
    density, mass = options.density or DENSITY, options.mass
    if options.mesh:
        from steerageway.world.mesh import read

        mesh = read(options.mesh, options.scale, options.axes)
        return of_mesh(mesh, mass=mass, draught=options.draft, density=density)
    length, breadth = options.length, options.breadth
    draft = options.draft or draft_of(length, breadth, mass, density)
    KG = draft if options.output is not None else None  # centre of gravity in the waterline
    return of_dimensions(length, breadth, draft, mass=mass, KG=KG, density=density)
