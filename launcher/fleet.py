"""Fleets: ``launch.py FOLDER --vessels 20`` launches a template for many vessels.

The folder contains ``meta_vehicle.moos``, optionally ``meta_vehicle.bhv`` for every helm, which
reads it as ``targ_<VNAME>.bhv``, and ``meta_shoreside.moos`` for a shore community. This module
generates the options that a user would have to write for each vessel: mission instances, their
macros, and the templates of their behavior files.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from math import isfinite
from pathlib import Path

from steerageway.launcher.errors import LaunchError
from steerageway.launcher.options import Options
from steerageway.launcher.start_positions import Start, start_positions
from steerageway.moos.values import trimmed, trimmed360

VEHICLE, BEHAVIORS, SHORE = "meta_vehicle.moos", "meta_vehicle.bhv", "meta_shoreside.moos"
SHORE_NAME = "shoreside"
NAMES = (
    *("abe", "ben", "cal", "deb", "eve", "fin", "gil", "hal", "ida", "jon", "kim", "lou", "max"),
    *("ned", "oli", "pam", "quin", "ray", "sue", "tim", "una", "vic", "wes", "xia", "yan", "zoe"),
)
USUAL = 2  # default number of vessels
PORT, SHARE_PORT = 9000, 9200  # ports of the shore; those of vessels are the next ones
COLORS = ("yellow", "red", "dodger_blue", "green", "purple", "orange", "white", "cyan")
BARE_NUMBERS_FOLLOW = re.compile(  # more than a lone 0, a speed
    r"^(?:(?!//).)*[$%]\(START_POS\)\s*,\s*(?!0\s*(?://.*)?$)[-+.\d]", re.MULTILINE
)
# Gaps between launches of apps [ms]: LAUNCH_GAP to LAUNCH_GAP + SPREAD - 1. The stride is coprime
# to the spread, so 100 vessels have different gaps, and their apps iterate at different instants.
LAUNCH_GAP, SPREAD, STRIDE = 100, 100, 37


def with_vessels(options: Options) -> Options:
    """Return options with the default number of vessels, if the mission is a folder's template."""
    templates = [path for path in options.missions if (Path(path) / VEHICLE).is_file()]
    if options.vessels or len(templates) != 1 or len(options.missions) != 1:
        return options
    return replace(options, vessels=USUAL)


def with_fleet(options: Options) -> Options:
    """Return options in which a fleet's folder is replaced by the instances of its templates.

    Macros of the user have precedence over those defined here.

    Raises:
        LaunchError: there is no such template, or the start positions are not valid.
    """
    if not options.vessels:
        if options.start:
            raise LaunchError(f"--start {options.start}: expected one folder with a {VEHICLE}")
        return options
    folder = _template(options)
    names = vessel_names(options.vessels)
    places = start_positions(options.start or "random", options.vessels, options.seed)
    missions = [f"{folder / VEHICLE}@{name}" for name in names]
    shared = (f"VESSELS={options.vessels}", f"VNAMES={':'.join(names)}", f"WARP={_warp(options)}")
    numbered = (f"VNAME{number}={name}" for number, name in enumerate(names, 1))
    defines = [*shared, *numbered, *_shore_defines()]
    positional = _goes_on_with_numbers(folder)
    for index, (name, place) in enumerate(zip(names, places, strict=True)):
        macros = (*_defines(index, name, place), f"START_POS={_start_pos(place, positional)}")
        defines += (f"{name}:{macro}" for macro in macros)
    if (folder / SHORE).is_file():
        missions.insert(0, f"{folder / SHORE}@{SHORE_NAME}")
        defines.append(f"{SHORE_NAME}:VNAME={SHORE_NAME}")
    has_behaviors = (folder / BEHAVIORS).is_file()
    plugs = [f"{BEHAVIORS}=targ_{name}.bhv@{name}" for name in names if has_behaviors]
    return replace(
        options,
        missions=tuple(missions),
        define=(*defines, *options.define),
        plug=(*plugs, *options.plug),
    )


def vessel_names(count: int) -> list[str]:
    """Return the names of ``count`` vessels: abe, ben, ... zoe, then abe2, ben2, ..."""
    rounds = [divmod(number, len(NAMES)) for number in range(count)]
    return [NAMES[index] + (str(lap + 1) if lap else "") for lap, index in rounds]


def _warp(options: Options) -> str:
    """Return the WARP macro: in lockstep always 1.

    ``MOOSTimeWarp`` of a file is posted, and a log must not depend on the warp.
    """
    if not options.free_run or not options.warp or not isfinite(options.warp):
        return "1"
    return trimmed(options.warp)


def _template(options: Options) -> Path:
    expected = f"expected one folder with a {VEHICLE}"
    if len(options.missions) != 1:
        raise LaunchError(f"--vessels {options.vessels}: {expected}")
    folder = Path(options.missions[0])
    if not (folder / VEHICLE).is_file():
        raise LaunchError(f"--vessels {options.vessels}: {folder}: {expected}")
    return folder


def _goes_on_with_numbers(folder: Path) -> bool:
    """Whether numbers follow START_POS in a line, as in ``start_pos = $(START_POS), 180, 0``.

    Such a line is positional: the macro has to be ``x,y``, without names.
    """
    texts = (path.read_text(errors="replace") for path in sorted(folder.glob("*.moos")))
    return any(BARE_NUMBERS_FOLLOW.search(text) for text in texts)


def _start_pos(start: Start, positional: bool) -> str:
    x, y, heading = trimmed(start.x, 2), trimmed(start.y, 2), trimmed360(start.heading, 2)
    return f"{x},{y}" if positional else f"x={x},y={y},heading={heading}"


def _shore_defines() -> Iterator[str]:
    """Yield the macros of the shore, also by older names; a vessel's own have precedence."""
    yield from _each("MOOS_PORT SPORT VPORT SHORE_MOOSDB", PORT)
    yield from _each("PSHARE_PORT SHORE_PSHARE SHARE_LISTEN BOT_PSHARE SHORE_LISTEN", SHARE_PORT)
    yield from _each("SHORE_IP IP_ADDR", "localhost")
    yield f"SHORE=localhost:{SHARE_PORT}"
    yield f"SNAME={SHORE_NAME}"
    yield "XMODE=SIM"
    yield "LAUNCH_GUI=no"
    yield "MMOD="


def _defines(index: int, name: str, start: Start) -> Iterator[str]:
    yield f"VNAME={name}"
    yield f"VINDEX={index}"
    yield f"COLOR={COLORS[index % len(COLORS)]}"
    yield from _each("MOOS_PORT VPORT BOT_MOOSDB", PORT + 1 + index)
    yield from _each("PSHARE_PORT SHARE_LISTEN BOT_PSHARE", SHARE_PORT + 1 + index)
    yield f"START_X={trimmed(start.x, 2)}"
    yield f"START_Y={trimmed(start.y, 2)}"
    yield f"START_HDG={trimmed360(start.heading, 2)}"
    yield f"LAUNCH_GAP={LAUNCH_GAP + index * STRIDE % SPREAD}"


def _each(names: str, value: object) -> Iterator[str]:
    return (f"{name}={value}" for name in names.split())
