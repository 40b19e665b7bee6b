"""Cost of waves and meshes, compared with the Otter's step: ``python benchmarks/world.py``.

1. Error and cost of the volume and of Froude-Krylov forces of a sphere, by number of triangles.
2. Difference of the fast evaluator from the exact one.
3. A Runge-Kutta step of a mesh vessel with 500 wet triangles and 50 components, by both
   evaluators, and of the Otter, all within one call of many steps.
4. Memory at the limits of sizes.
"""

from __future__ import annotations

import sys
import tempfile
from functools import partial
from math import pi
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parent.parent))

from benchmarks.figures import best
from steerageway.vessel.fossen.dynamics import Dynamics
from steerageway.vessel.fossen.folder import load
from steerageway.vessel.fossen.in_sea import in_sea, sea_loads
from steerageway.vessel.mesh import hydrostatics, loads
from steerageway.world import shapes
from steerageway.world.ground import MOST_CELLS
from steerageway.world.mesh import MOST_TRIANGLES
from steerageway.world.sea import Sea
from steerageway.world.sea_state import MOST_COMPONENTS, SeaState

INPUTS = Path(__file__).parents[1] / "inputs"
REPEATS = 7


def spheres() -> None:
    """Print error and cost by number of triangles."""
    print("triangles  volume error  flat [us]  N = 20 [us]  N = 50 [us]  fast to exact, at most")
    states = [SeaState("jonswap", 0.3, 4.0, components=n, direction=30.0) for n in (20, 50)]
    seas = [Sea.of([state], 1) for state in states]
    calm = Sea.of([], 1)
    exact = 4.0 / 3.0 * pi * 0.125
    for divisions in range(5):
        mesh = shapes.sphere(0.5, divisions)
        eta = [0.0, 0.0, 0.05, 0.1, 0.05, 0.3]
        costs = [
            best(partial(loads.pressed, mesh, sea, eta, 3.0), REPEATS) for sea in (calm, *seas)
        ]
        fast, whole = (
            loads.pressed(mesh, seas[1], eta, 3.0, exact=e).wrench for e in (False, True)
        )
        difference = np.abs(fast - whole).max() / np.abs(whole).max()
        error = hydrostatics.afloat(mesh, 2.0).volume / exact - 1.0
        texts = "  ".join(f"{cost * 1e6:11.1f}" for cost in costs)
        most = loads.bound(mesh, seas[1]) / np.abs(whole).max()
        print(f"{len(mesh.triangles):9d}  {error:12.2%}  {texts}  {difference:.1e}, {most:.1e}")


def step_cost(vessel: Dynamics, steps: int) -> float:
    """Return the time per step [s], within a call of many steps."""
    command, around = np.zeros(len(vessel.commands)), vessel.surroundings()
    return best(lambda: vessel.step(vessel.initial, command, around, 0.02, steps), REPEATS) / steps


def steps() -> None:
    """Print the cost of steps."""
    mesh = shapes.box(4.0, 2.0, 1.0, 0.267)
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "box.stl"
        shapes.write_stl(mesh, file)
        overrides = {"geometry.mesh.file": str(file)}
        sea = Sea.of([SeaState("jonswap", 0.3, 4.0, components=50, direction=30.0)], 1)
        otter = step_cost(load(INPUTS / "otter"), 20_000)
        print(f"Otter: {otter * 1e6:.2f} us a step")
        for evaluator, count in (("nodal", 200), ("exact", 20)):
            keys = {**overrides, "hydrodynamics.loads.evaluator": evaluator}
            vessel = in_sea(load(INPUTS / "box_barge", overrides=keys), sea)
            wet = sum(
                bool((vessel.floating.mesh.corners[i, :, 2] >= 0).any())  # type: ignore[union-attr]
                for i in range(len(mesh.triangles))
            )
            cost = step_cost(vessel, count)
            wetted = sea_loads(vessel, vessel.initial, 0.0)[2]
            print(
                f"mesh, {evaluator}: {cost * 1e6:.0f} us a step of {wet} wet triangles "
                f"({wetted:.1f} m2) and 50 components: {cost / otter:.0f} times the Otter's"
            )


def limits() -> None:
    """Print the memory at the limits of sizes."""
    vertices = MOST_TRIANGLES // 2 + 2
    mesh = MOST_TRIANGLES * 3 * 8 + vertices * 8 * (3 + 3 + 2 + 2)
    waves = (MOST_COMPONENTS + 1) * 256 * 8 + MOST_COMPONENTS * 8 * 8
    print(f"{MOST_TRIANGLES} triangles: {mesh / 1e6:.0f} MB")
    print(f"{MOST_COMPONENTS} components: {waves / 1e6:.1f} MB")
    print(f"{MOST_CELLS} cells: {MOST_CELLS * 8 / 1e6:.0f} MB")


if __name__ == "__main__":
    spheres()
    steps()
    limits()
