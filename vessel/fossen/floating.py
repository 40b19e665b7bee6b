"""How a vessel floats by its hull form, and its wave loads."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from steerageway.vessel.mesh import hydrostatics, orbital
from steerageway.vessel.wave_forces.table import ForceRao
from steerageway.world.arrays import Floats
from steerageway.world.mesh import Mesh


@dataclass(frozen=True, eq=False)
class Floating:
    """Hydrostatics of a vessel by its mesh, and its wave loads.

    Attributes:
        mesh: hull mesh; None for a vessel with hydrostatics by coefficients.
        stability: hydrostatics of the mesh at rest; likewise None.
        rest: (3,) z [m], roll and pitch [rad] at rest.
        r_bg: (3,) centre of gravity [m].
        waves: wave load model, one of ``WAVES``.
        rao: force RAOs, with waves ``rao``.
        draught: [m].
        drift: mean drift table; None: none.
    """

    mesh: Mesh | None
    stability: hydrostatics.Stability | None
    rest: Floats
    r_bg: Floats
    waves: str
    rao: ForceRao | None
    draught: float
    drift: ForceRao | None = None

    @cached_property
    def fit(self) -> orbital.Fit:
        """The hull's share in the orbital motion of waves."""
        if self.mesh is None:
            return orbital.of_point(0.5 * self.draught)
        return orbital.of_hull(self.mesh, self.rest)
