"""Worker process of the configurator: checks, estimates, trials and gains of a vessel.

It stays alive, so that a check needs no start-up, and can be killed at any time. Jobs are lines of
JSON on the standard input, and each is answered by a line with ``result`` or ``error``. Output of
libraries goes to the standard error, whose last line is shown as the progress.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, TextIO

from steerageway.diagnostics.diagnostic import Diagnostic
from steerageway.vessel.errors import VesselError

SUFFIXES = (".yml", ".yaml")
Job = Callable[[Mapping[str, Any]], Any]


def check(job: Mapping[str, Any]) -> Any:
    """Return the diagnostics of a vessel's files, with file, line and key."""
    from steerageway.vessel.tools.check import mistakes_of

    folder = Path(job["folder"])
    return located(folder, mistakes_of(folder))


def located(folder: Path, mistakes: Iterable[Diagnostic]) -> list[dict[str, Any]]:
    """Return each diagnostic's ``file``, ``line`` (0: unknown), ``key`` and ``text``."""
    return [_located(f"{folder}/", mistake) for mistake in mistakes]


def _located(folder: str, mistake: Diagnostic) -> dict[str, Any]:
    parts = ("missing" if mistake.missing else "", mistake.value, mistake.expected)
    text = ": ".join(filter(None, parts)).replace(folder, "")
    place = mistake.where.replace(folder, "")
    file, _, line = place.rpartition(":") if not place.endswith(SUFFIXES) else (place, "", "0")
    if not file.endswith(SUFFIXES):
        whole = str(replace(mistake, where=place)).replace(folder, "")
        return {"file": "", "line": 0, "key": "", "text": whole}
    return {"file": file, "line": int(line), "key": mistake.key, "text": text}


def look(job: Mapping[str, Any]) -> Any:
    """Describe a mesh file, with the given or the likely unit and axes."""
    from steerageway.web.configurator import meshes

    path = Path(job["path"])
    about = meshes.looked_at(path, float(job.get("length") or 0.0))
    scale = float(job.get("scale") or meshes.UNITS[about["unit"]])
    axes = str(job.get("axes") or about["axes"])
    return {**about, **meshes.placed(path, scale, axes), "scale": scale, "axes": axes}


def doubts(job: Mapping[str, Any]) -> Any:
    """Return what plausibility rules say of a valid vessel: rows of kind and text."""
    from steerageway.vessel.fossen.folder import load, read_folder
    from steerageway.vessel.tools.plausible import findings

    folder = Path(job["folder"])
    found = findings(read_folder(folder), load(folder))
    return [
        [kind, text.replace(f"{folder}/", "").removeprefix(f"{folder}: ")] for kind, text in found
    ]


def estimates(job: Mapping[str, Any]) -> Any:
    """Return estimates of parameters from mesh, mass and main dimensions."""
    from steerageway.vessel.estimates.sheet import of_folder

    return of_folder(Path(job["folder"])).record()


def trial(job: Mapping[str, Any]) -> Any:
    """Return the figures and curves of a trial."""
    from steerageway.web.configurator.trials import trial

    return trial(Path(job["folder"]), str(job.get("kind")))


def gains(job: Mapping[str, Any]) -> Any:
    """Return the controller's configuration block that ``vessel tune`` computes."""
    from steerageway.vessel.fossen.folder import load
    from steerageway.vessel.tools.tune import tune

    return "\n".join(tune(load(job["folder"])))


JOBS: dict[str, Job] = {
    "check": check,
    "look": look,
    "doubts": doubts,
    "estimates": estimates,
    "trial": trial,
    "gains": gains,
}


def answered(job: Mapping[str, Any]) -> dict[str, Any]:
    """Do a job; return its reply."""
    try:
        return {"id": job["id"], "result": JOBS[job["do"]](job)}
    except VesselError as error:
        return {"id": job["id"], "error": str(error)}
    except (ArithmeticError, LookupError, ValueError, MemoryError, OSError) as error:
        return {"id": job["id"], "error": f"{type(error).__name__}: {error}"}


def serve(jobs: TextIO, answers: TextIO) -> None:
    """Do jobs and write replies until the input ends."""
    for line in jobs:
        print(json.dumps(answered(json.loads(line))), file=answers, flush=True)


def main() -> int:
    """Serve on the standard streams, with other output redirected to the standard error."""
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    serve(sys.stdin, answers)
    return 0


if __name__ == "__main__":
    sys.exit(main())
