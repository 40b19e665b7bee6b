"""The thrust map: speed through the water by thrust, and its inverse.

Thrust is -100 to 100 %, speed in m/s. The map is piecewise linear through 0:0, nondecreasing, and
constant beyond its outermost pairs.
Source: uSimMarineV22 manual, section 8.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import pairwise
from typing import NamedTuple

from steerageway.declarations import all_finite
from steerageway.vessel.errors import InvalidValue

FULL = 100.0

Half = tuple[tuple[float, float], ...]


@dataclass(frozen=True, slots=True)
class ThrustMap:
    """A thrust map as defined in the manual.

    Attributes:
        ahead: (thrust, speed) pairs with thrust > 0, ascending; none: speed = thrust / factor.
        astern: (thrust, speed) pairs with thrust < 0, ascending.
        factor: thrust per speed [% s/m] without pairs ahead; 0: the speed is 0.
        reflect: without pairs astern, mirror the positive half; else negative thrust gives speed 0.
    """

    ahead: Half = ()
    astern: Half = ()
    factor: float = 20.0
    reflect: bool = False
    _thrusts: tuple[float, ...] = field(init=False, repr=False, compare=False)
    _speeds: tuple[float, ...] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        ahead = _to_the_end(self.ahead) or ((FULL, FULL / self.factor if self.factor else 0.0),)
        astern = _mirrored(_to_the_end(_mirrored(self.astern)))
        if not astern:
            astern = _mirrored(ahead) if self.reflect else ((-FULL, 0.0),)
        knots = (*astern, (0.0, 0.0), *ahead)
        object.__setattr__(self, "_thrusts", tuple(thrust for thrust, _ in knots))
        object.__setattr__(self, "_speeds", tuple(speed for _, speed in knots))

    def speed(self, thrust: float) -> float:
        """Return the speed [m/s] for a thrust [%]; constant beyond 100 %."""
        return interpolate(self._thrusts, self._speeds, thrust)

    def thrust(self, speed: float) -> float:
        """Return the smallest thrust [%] for a speed [m/s], or for the nearest one reached."""
        if speed >= 0:
            zero = self._thrusts.index(0.0)
            return _least_thrust(self._thrusts[zero:], self._speeds[zero:], speed)
        zero = self._thrusts.index(0.0) + 1
        thrusts = tuple(-thrust for thrust in reversed(self._thrusts[:zero]))
        speeds = tuple(-value for value in reversed(self._speeds[:zero]))
        return -_least_thrust(thrusts, speeds, -speed)


def _to_the_end(half: Half) -> Half:
    """Return the half with the implied pair at full thrust."""
    if not half or half[-1][0] == FULL:
        return half
    return (*half, (FULL, half[-1][1]))


def _mirrored(half: Half) -> Half:
    return tuple((-thrust, -speed) for thrust, speed in reversed(half))


def interpolate(xs: tuple[float, ...], ys: tuple[float, ...], x: float) -> float:
    """Return the linear interpolation in ascending xs; constant beyond them."""
    if x <= xs[0]:
        return ys[0]
    if x >= xs[-1]:
        return ys[-1]
    i = bisect_left(xs, x)
    x0, y0 = xs[i - 1], ys[i - 1]
    return y0 + (x - x0) / (xs[i] - x0) * (ys[i] - y0)


def _least_thrust(thrusts: tuple[float, ...], speeds: tuple[float, ...], speed: float) -> float:
    """Return the thrust for a speed in one half of the map; speeds may have plateaus."""
    wanted = min(speed, speeds[-1])
    if wanted <= 0:
        return 0.0
    i = bisect_left(speeds, wanted)
    slope = (thrusts[i] - thrusts[i - 1]) / (speeds[i] - speeds[i - 1])
    return thrusts[i - 1] + (wanted - speeds[i - 1]) * slope


class Reading(NamedTuple):
    """A thrust map read from text: pairs ahead and astern, and ignored ones."""

    ahead: Half
    astern: Half
    ignored: tuple[str, ...]


def read_pairs(text: str, *, stop_at_bad: bool = False) -> Reading:
    """Read "-100:-3, 20:1, 100:5".

    A pair is ignored if its thrust is outside [-100, 100], if it has a speed at zero thrust, or if
    the map would decrease. A later pair of the same thrust replaces it.

    Args:
        stop_at_bad: ignore everything from the first bad pair on, and treat a malformed pair as
            bad, as the released simulator does.
    Raises:
        InvalidValue: a pair is not of the form number:number (unless ``stop_at_bad``).
    """
    ahead: dict[float, float] = {}
    astern: dict[float, float] = {}
    texts = [part.strip() for part in text.split(",")]
    if texts[-1] == "":
        texts.pop()
    ignored: list[str] = []
    for index, part in enumerate(texts):
        pair = _pair(part, lenient=stop_at_bad)
        if pair is not None and _fits(pair, ahead, astern):
            continue
        if stop_at_bad:
            ignored = texts[index:]
            break
        ignored.append(part)
    return Reading(_sorted(ahead), _sorted(astern), tuple(ignored))


def _pair(text: str, *, lenient: bool) -> tuple[float, float] | None:
    numbers = all_finite(text.split(":"))
    if numbers is not None and len(numbers) == 2:
        return numbers[0], numbers[1]
    if lenient:
        return None
    raise InvalidValue(f"{text!r}: expected thrust:speed pairs such as 20:1, 40:2, 100:5")


def _fits(pair: tuple[float, float], ahead: dict[float, float], astern: dict[float, float]) -> bool:
    """Add a pair to its half if the map stays valid; return whether it was added."""
    thrust, speed = pair
    if thrust == 0:
        return speed == 0
    if abs(thrust) > FULL:
        return False
    half = ahead if thrust > 0 else astern
    tried = _sorted({**half, thrust: speed, 0.0: 0.0})
    if not _never_falls(tried):
        return False
    half[thrust] = speed
    return True


def _sorted(half: dict[float, float]) -> Half:
    return tuple(sorted(half.items()))


def _never_falls(pairs: Iterable[tuple[float, float]]) -> bool:
    speeds = [speed for _, speed in pairs]
    return all(low <= high for low, high in pairwise(speeds))
