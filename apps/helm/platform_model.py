"""How the helm supposes its vessel to turn: ``pmgen`` of its block."""

from __future__ import annotations

from steerageway.moos.values import bite, is_numeral

RADIUS = 30.0  # of the turn of a dubins model that tells none [m]
_RADII = ("radius", "rad")
_STEPS = ("spoke_degs", "degs")


def turn_radius(text: str) -> float:
    """Read ``alg=holo`` or ``alg=dubins # radius=5 # degs=2`` as the radius of a turn [m].

    Args:
        text: fields by ``#``, in any order; ``degs``, the step of MOOS-IvP's arcs, has no effect.
    Returns:
        0 for a vessel that turns at once.
    Raises:
        ValueError: a field is wrong; the text says what is expected.
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
