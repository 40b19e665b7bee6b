"""The mission of the suites: the shipped one, with a vessel, behaviors and their ranges put in."""

from __future__ import annotations

import re
from functools import partial
from pathlib import Path

from steerageway.apps.shared.encounters import LENGTH, SPEED, Ship
from steerageway.launcher.errors import LaunchError
from steerageway.launcher.mission_names import SHIPPED

FOLDER = SHIPPED / "encounter"
MISSION = "encounter.moos"
HELMS = ("v22", "v19", "avoid", "both", "ground", "none")
SCALED = (
    *("pwt_outer_dist", "pwt_inner_dist", "completed_dist", "min_util_cpa_dist"),
    *("max_util_cpa_dist", "capture_radius", "slip_radius"),
)
TIMES = ("eval_tol", "time_on_leg", "allowable_ttc")
_SCALED = re.compile(rf"^(\s*({'|'.join((*SCALED, *TIMES))})\s*=\s*)([\d.]+)", re.MULTILINE)
_BLOCK = r"ProcessConfig = {}\n\{{\n.*?\n\}}\n"
_SPEEDS = re.compile(r"domain( +)= speed:\S+")


def write_mission(ship: Ship, helm: str, folder: Path) -> Path:
    """Write mission and behaviors for a vessel into a folder; return the mission's path.

    Args:
        ship: the own vessel.
        helm: one of ``HELMS``, or the path of a behavior file, which is taken as it is.

    Raises:
        LaunchError: there is no such behavior file, or the folder cannot be written.
    """
    text = (FOLDER / MISSION).read_text()
    if ship.path is not None:
        text = _with_ship(text, ship, ship.path)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        own = folder / "helm.bhv" if helm in HELMS else Path(helm).resolve()
        if helm in HELMS:
            shipped = (FOLDER / f"{helm}.bhv").read_text()
            own.write_text(_SCALED.sub(partial(_scaled, ship), shipped))
        elif not own.is_file():
            expected = f"expected {', '.join(HELMS)}, or a behavior file"
            raise LaunchError(f"--helm {helm}: {expected}")
        (folder / MISSION).write_text(text.replace("v22.bhv", str(own)))
    except OSError as error:
        raise LaunchError(f"--results {error.filename or folder}: {error.strerror}") from error
    return folder / MISSION


def _scaled(ship: Ship, found: re.Match[str]) -> str:
    """Return a line with its distance or time scaled to a vessel."""
    size = ship.length / LENGTH
    if found[2] in TIMES:
        size *= SPEED / ship.speed
    return f"{found[1]}{float(found[3]) * size:g}"


def _with_ship(text: str, ship: Ship, path: Path) -> str:
    """Return the mission with a vessel, its gains, and its speed in domain and scenario."""
    text = _SPEEDS.sub(f"domain\\1= speed:0:{ship.speed:g}:11", text)
    text = text.replace(f"length = {LENGTH:g}\n", f"length = {ship.length:g}\n")
    text = text.replace(f"speed  = {SPEED:g}\n", f"speed  = {ship.speed:g}\n")
    simulator = (
        "ProcessConfig = uSimMarineV22\n{\n  AppTick = 4\n\n  model  = fossen\n"
        f"  vessel = {path}\n  prefix = NAV\n}}\n"
    )
    text = re.sub(_BLOCK.format("uSimMarineV22"), lambda _: simulator, text, flags=re.DOTALL)
    gains = path / "marine_pid.moos"
    if not gains.is_file():
        expected = f"a vessel with marine_pid.moos: steerageway vessel tune {ship.name} makes it"
        raise LaunchError(f"--vessel {ship.name}: expected {expected}")
    block = re.search(_BLOCK.format("pMarinePIDV22"), gains.read_text(), re.DOTALL)
    if block is None:
        raise LaunchError(f"{gains}: expected a block of pMarinePIDV22")
    afloat = re.sub(r"(depth_control\s*=\s*)true", r"\1false", block[0])
    return re.sub(_BLOCK.format("pMarinePIDV22"), lambda _: afloat, text, flags=re.DOTALL)
