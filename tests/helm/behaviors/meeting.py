"""Contacts for tests of single behaviors: node reports and positions."""

from __future__ import annotations

from typing import Any

from alone import START

from steerageway.geometry.encounter import Track


def report(track: Track, utc: float, *, name: str = "ben", **fields: object) -> str:
    """Write a node report of a craft at a time (UTC [s])."""
    extra = "".join(f",{key.upper()}={value}" for key, value in fields.items())
    return (
        f"NAME={name},X={track.x:.4f},Y={track.y:.4f},SPD={track.speed:.6f}"
        f",HDG={track.heading:.6f},TIME={utc:.2f}{extra}"
    )


def meet(
    alone: Any, x: float, y: float, heading: float = 0.0, speed: float = 0.0, **given: Any
) -> dict[str, Any]:
    """Run a behavior's iterations with a contact present; return the last values posted.

    Args:
        given: ``name`` and other fields of its report; ``dt`` and ``nav`` for ``alone.step``.
    """
    nav, dt, world = given.pop("nav", {}), given.pop("dt", 0.25), alone.world
    utc = START + world.time + dt
    world.ledger.take(report(Track(x, y, heading, speed), utc, **given), utc)
    found: dict[str, Any] = alone.step(dt=dt, **nav)
    return found
