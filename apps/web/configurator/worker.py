"""The child that reads vessels: warm, so that a check takes no start-up, and ended without harm.

It takes jobs as lines of JSON, and answers each with lines of JSON: ``progress``, then ``result``
or ``error``. What the libraries print goes to the standard error.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, TextIO

from steerageway.apps.web.configurator.located import located
from steerageway.vessel.errors import VesselError

Job = Callable[[Mapping[str, Any]], Any]


def check(job: Mapping[str, Any]) -> Any:
    """Give what is wrong with a vessel's files, each at its place."""
    from steerageway.vessel.tools.check import mistakes_of

    folder = Path(job["folder"])
    return located(folder, mistakes_of(folder))


def look(job: Mapping[str, Any]) -> Any:
    """Tell what a mesh file holds."""
    from steerageway.apps.web.configurator import meshes

    path = Path(job["path"])
    about = meshes.looked_at(path, float(job.get("length") or 0.0))
    scale = float(job.get("scale") or meshes.UNITS[about["unit"]])
    axes = str(job.get("axes") or about["axes"])
    return {**about, **meshes.placed(path, scale, axes), "scale": scale, "axes": axes}


def doubts(job: Mapping[str, Any]) -> Any:
    """Give what is doubtful about a right vessel."""
    from steerageway.vessel.fossen.folder import load
    from steerageway.vessel.tools.warnings import remarks

    return list(remarks(load(job["folder"])))


def estimates(job: Mapping[str, Any]) -> Any:
    """Give what follows from mesh, mass and main dimensions."""
    from steerageway.vessel.estimates import of_folder

    return of_folder(Path(job["folder"])).record()


def trial(job: Mapping[str, Any]) -> Any:
    """Give the figures and curves of a trial."""
    from steerageway.apps.web.configurator.trials import trial

    return trial(Path(job["folder"]), str(job.get("kind")))


def gains(job: Mapping[str, Any]) -> Any:
    """Give the controller's block that ``vessel tune`` finds."""
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
    """Do a job; give its answer."""
    try:
        return {"id": job["id"], "result": JOBS[job["do"]](job)}
    except VesselError as error:
        return {"id": job["id"], "error": str(error)}
    except (ArithmeticError, LookupError, ValueError, MemoryError, OSError) as error:
        return {"id": job["id"], "error": f"{type(error).__name__}: {error}"}


def serve(jobs: TextIO, answers: TextIO) -> None:
    """Answer jobs until there are no more."""
    for line in jobs:
        print(json.dumps(answered(json.loads(line))), file=answers, flush=True)


def main() -> int:
    """Serve the standard streams; what else is printed goes to the standard error."""
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    serve(sys.stdin, answers)
    return 0


if __name__ == "__main__":
    sys.exit(main())
