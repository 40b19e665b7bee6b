"""Turn model of the vessel: the turn radius of the helm's ``pmgen`` parameter."""

from __future__ import annotations

from steerageway.moos.values import bite, is_numeral

RADIUS = 30.0  # default turn radius of a dubins model [m]
_RADII = ("radius", "rad")
_STEPS = ("spoke_degs", "degs")


def turn_radius(text: str) -> float:
    """Read ``alg=holo`` or ``alg=dubins # radius=5 # degs=2`` as a turn radius [m].

    Args:
        text: fields separated by ``#``, in any order; ``degs``, the step of MOOS-IvP's arcs, has no
            effect.
    Returns:
        0 for a vessel that turns on the spot.
    Raises:
        ValueError: a field is invalid.
    """
    radius, algorithm = RADIUS, ""
    for field in filter(None, map(str.strip, text.split("#"))):
        key, value = bite(field, "=")
        if key.lower() == "alg" and value.lower() in ("holo", "dubins"):
            algorithm = value.lower()
        elif key.lower() in _RADII and is_numeral(value) and float(value) >= 0.0:
            radius = float(value)
        elif not (key.lower() in _STEPS and is_numeral(value) and float(value) > 0.0):
            raise ValueError(f"{field}: expected alg=holo, or alg=dubins # radius=M # degs=DEG")
    if not algorithm:
        raise ValueError("expected alg=holo, or alg=dubins # radius=M # degs=DEG")
    return radius if algorithm == "dubins" else 0.0
