"""Envelope: range of states for which a vessel's model holds, and warnings beyond it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import asin, atan2, degrees, hypot, inf, isfinite, radians

from steerageway.vessel.fossen.keys.vessel import CAPSIZED
from steerageway.vessel.model import meets_ground

SHALLOW = 1.2  # minimum depth over draught for which shallow-water coefficients are known
SLOW = 0.1  # of the maximum speed: below it flow angles are not significant


@dataclass(frozen=True)
class Envelope:
    """The range of states for which a vessel's data hold.

    Attributes:
        speed: minimum and maximum speed ahead through the water [m/s].
        drift_angle, angle_of_attack: maximum magnitude [rad].
        heel: heel of capsize: where the righting arm vanishes, or 60 degrees [rad].
        draught: depth of the keel below CO [m]; None for a submerged vehicle, or if unknown.
        deep: True for a submerged vehicle whose model has no surface effects.
        waves: how the present sea is outside the range of the wave loads; "": it is not.
    """

    speed: tuple[float, float] = (-inf, inf)
    drift_angle: float = inf
    angle_of_attack: float = inf
    heel: float = radians(CAPSIZED)
    draught: float | None = None
    deep: bool = False
    waves: str = ""

    def left(
        self, z: float, heel: float, flow: tuple[float, float, float], water_depth: float
    ) -> Iterator[tuple[str, str]]:
        """Return each limit that a state exceeds: its name, and a description.

        Args:
            z: position of CO, down [m]. heel: [rad]. flow: u, v, w through the water [m/s].
            water_depth: [m]; inf if unknown.
        """
        u, v, w = flow
        low, high = self.speed
        if not low <= u <= high:
            yield "speed", f"speed {u:.3g} m/s, outside {low:g} to {high:g}"
        fastest = max(abs(limit) if isfinite(limit) else 0.0 for limit in self.speed)
        speed = hypot(u, v, w)
        if speed > SLOW * max(fastest, 1.0):
            drift = asin(min(1.0, abs(v) / speed))
            if drift > self.drift_angle:
                yield "drift angle", _beyond("drift angle", drift, self.drift_angle)
            attack = abs(atan2(w, abs(u)))
            if attack > self.angle_of_attack:
                yield "angle of attack", _beyond("angle of attack", attack, self.angle_of_attack)
        if abs(heel) > self.heel:
            yield "heel", f"capsized: {_beyond('heel', abs(heel), self.heel)}"
        keel = self.draught
        if keel is not None and keel + z < water_depth < SHALLOW * keel:
            yield (
                "depth",
                f"depth {water_depth:.4g} m, less than {SHALLOW:g} times the draught of {keel:g} m",
            )
        if self.deep and z < 0.0:
            yield (
                "surface",
                f"{-z:.3g} m above the surface, which its files know nothing of (meets_surface in "
                "hydrodynamics.yml)",
            )

        if self.waves:
            yield "waves", self.waves

    def aground(self, z: float, water_depth: float) -> bool:
        """Whether the keel (CO of a submerged vehicle) is in the ground, or there is no water."""
        return meets_ground(z + (self.draught or 0.0), water_depth)


def _beyond(name: str, value: float, limit: float) -> str:
    return f"{name} {degrees(value):.1f} degrees, beyond {degrees(limit):g}"
