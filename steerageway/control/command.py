"""``steerageway vessel identify LOG``: parameters of a vessel, and its folder, from a run."""

from __future__ import annotations

import argparse
import json
import re
import shutil
import sys
from collections.abc import Iterator, Mapping
from math import radians
from pathlib import Path

from steerageway.control.estimation import Estimate
from steerageway.control.identify import fossen3, mmg, nomoto, surge
from steerageway.control.recording import Recording, read_recording
from steerageway.declarations import words_of, write_whole
from steerageway.diagnostics.diagnostic import harmless
from steerageway.vessel.errors import InvalidValue, VesselError
from steerageway.vessel.fossen.folder import load
from steerageway.vessel.tools.inertia import inertia_of
from steerageway.vessel.tools.place import folder_of

RESISTANCE = {"R1": "hydrodynamics.X_u", "R2": "hydrodynamics.X_u_au"}
NORRBIN = {
    "vessel.yml": 'name: {name}\nmodel: norrbin\nsource: "{source}"\n',
    "geometry.yml": "{{}} # the model does not use it\n",
    "inertia.yml": "{{}} # the model has no mass\n",
    "hydrodynamics.yml": (
        "# T dr/dt + n_3 r^3 + n_1 r = K delta: speed [m/s], K [1/s], T [s], n_3 [s^2/rad^2]\n"
        "n_1: 1\ngains:\n  - {{U: {U:.6g}, K: {K:.6g}, T: {T:.6g}, n_3: {n_3:.6g}}}\n"
    ),
    "control_surfaces.yml": (
        "control_surfaces:\n  - control_surface_type: Rudder\n    control_surface_id: 1\n"
        "    control_surface_T: 0.1\n    control_surface_delta_max: {full:.6g}\n"
        "    control_surface_deltad_max: 60\n"
    ),
    "initial_conditions.yml": (
        "start_location: [0, 0, 0]\nstart_orientation: [0, 0, 0]\n"
        "start_velocity: [{U:.6g}, 0, 0, 0, 0, 0]\n"
    ),
}


def main(options: argparse.Namespace) -> int:
    """Run the command, with the options of ``launcher.identify``, and return its exit code."""
    try:
        for line in lines(options):
            print(harmless(line), flush=True)
    except VesselError as error:
        print(error, file=sys.stderr)
        return 2
    return 0


def lines(options: argparse.Namespace) -> Iterator[str]:
    """Yield the lines to print."""
    if options.output is not None and options.output.exists():
        raise InvalidValue("exists: expected a new folder", str(options.output))
    run = read_recording(options.log, dict(options.map))
    for doubt in run.doubts:
        print(f"warning: {doubt}", file=sys.stderr)
    if options.model == "nomoto":
        found = nomoto(run, options.order, held_back=options.held_back)
    elif options.model == "surge":
        found = surge(run, _mass(options.vessel), held_back=options.held_back)
    elif options.vessel is None or not options.free:
        expected = "expected --vessel NAME and --free KEYS, as X_u,Y_v"
        raise InvalidValue(f"--model {options.model}: {expected}")
    else:
        free = words_of(options.free)
        back = options.held_back
        simulated = mmg if options.model == "mmg" else fossen3
        found = simulated(run, options.vessel, free, prior=options.prior, held_back=back)
    if options.json:
        yield json.dumps(as_data(found), indent=1, ensure_ascii=False)
    else:
        yield str(found)
    if options.output is not None:
        _write(options, run, found)
        if not options.json:
            yield f"written: {options.output}"


def as_data(found: Estimate) -> dict[str, object]:
    """Return an estimate as data."""
    return {
        "parameters": {
            one.name: {"value": found[one.name], "interval": found.interval(one.name)}
            for one in found.unknowns
            if not one.nuisance
        },
        "fit": found.train_fit,
        "fit_held_back": found.fit,
        "noise": found.noise,
        "whiteness": found.white,
        "remarks": list(found.remarks),
    }


def _mass(vessel: str | None) -> float | None:
    """Return the mass in surge of a vessel, with added mass [kg]; None without one."""
    if vessel is None:
        return None
    M = inertia_of(load(vessel))
    if M is None:
        raise InvalidValue(f"{vessel}: its model has no mass; expected one that has, or none")
    return float(M[0, 0])


def _write(options: argparse.Namespace, run: Recording, found: Estimate) -> None:
    if options.model == "nomoto":
        if options.order == "second":
            raise InvalidValue(
                "--order second: no vessel's model has it; expected first or norrbin"
            )
        _write_norrbin(options, run, found)
        return
    if options.vessel is None:
        raise InvalidValue("--output: expected --vessel NAME, whose other files are copied")
    values = {
        RESISTANCE.get(one.name, one.name): (-1 if one.name in RESISTANCE else 1) * found[one.name]
        for one in found.unknowns
        if not one.nuisance and (options.model in ("fossen3", "mmg") or one.name in RESISTANCE)
    }
    shutil.copytree(folder_of(options.vessel), options.output)
    replace_values(options.output, values, str(options.log))


def replace_values(folder: str | Path, values: Mapping[str, float], source: str) -> None:
    """Replace numbers at the top level of a folder's files, ``X_u`` or ``inertia.mass``.

    Raises:
        InvalidValue: a key's value stands elsewhere in its file.
    """
    for dotted, value in values.items():
        file, _, key = (dotted if "." in dotted else f"hydrodynamics.{dotted}").partition(".")
        path = Path(folder) / f"{file}.yml"
        text = path.read_text(encoding="utf-8") if path.is_file() else ""
        line = f"{key}: {value:.8g} # identified from {source}"
        changed, count = re.subn(rf"^{re.escape(key)}\s*:.*$", line, text, flags=re.MULTILINE)
        if not count and file == "hydrodynamics" and key.startswith("X_u"):
            changed, count = f"{text.rstrip()}\n{line}\n", 1
        if count != 1:
            raise InvalidValue(f"{dotted}: expected a line of its own, to replace", str(path))
        write_whole(path, changed)


def _write_norrbin(options: argparse.Namespace, run: Recording, found: Estimate) -> None:
    speed = options.speed or (float(run.columns["u"].mean()) if run.has("u") else None)
    if speed is None or not speed > 0.0:
        raise InvalidValue("--speed: expected the speed of the run, of which it has no u [m/s]")
    per_cent = run.units["rudder"] == "%"
    given = {
        "U": speed,
        "K": found["K"] * (100.0 / radians(options.full_rudder) if per_cent else 1.0),
        "T": found["T"],
        "n_3": found["n_3"] if options.order == "norrbin" else 0.0,
        "full": options.full_rudder,
    }
    options.output.mkdir(parents=True)
    source = f"identified from {options.log.name}"
    for name, text in NORRBIN.items():
        made = text.format(name=options.output.name, source=source, **given)
        write_whole(options.output / name, made)
