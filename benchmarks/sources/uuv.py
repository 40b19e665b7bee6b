"""The UUV Simulator's pictures of rotors, and its fin model ``two_lines``."""

from __future__ import annotations

from math import exp
from typing import Any

import numpy as np

from benchmarks.sources.finding import COLOURS, Finding, Value, by_formula, style_panel
from steerageway.vessel.actuators.fins import TwoLines
from steerageway.vessel.actuators.rotors import FirstOrder, Rotor, Yoerger, ZeroOrder

STEP, SECONDS = 0.01, 2.0  # [s]


def stepped(rotor: Rotor, command: float, dt: float = STEP) -> np.ndarray:
    """Return the speeds of a rotor after each documented step."""
    omega, found = 0.0, [0.0]
    for _ in range(round(SECONDS / dt)):
        omega = rotor.step(omega, command, dt)
        found.append(omega)
    return np.array(found)


def _drawn(curves: dict[str, np.ndarray], command: float) -> Any:
    def draw(figure: Any) -> None:
        panel = figure.subplots()
        times = np.linspace(0.0, SECONDS, round(SECONDS / STEP) + 1)
        panel.axhline(command, color="k", ls="--", lw=1, label="reference")
        for colour, (name, curve) in zip(COLOURS, curves.items(), strict=False):
            panel.plot(times, curve, color=colour, label=name)
        style_panel(panel, "time [s]", "speed of the rotor [rad/s]")

    return draw


def zero_order() -> Finding:
    """Reproduce the picture of the zero-order rotor."""
    curve = stepped(ZeroOrder(), 100.0)
    values = (by_formula("speed one step after the reference", 100.0, float(curve[1]), "rad/s"),)
    return Finding(values, "Nothing differs.", _drawn({"zero order": curve}, 100.0))


def first_order() -> Finding:
    """Reproduce the picture of the first-order rotor."""
    curves = {f"τ = {tau:g} s": stepped(FirstOrder(tau), 100.0) for tau in (0.1, 0.2, 0.4)}
    alpha = exp(-STEP / 0.2)
    values = (
        by_formula(
            "one step, τ = 0.2 s", (1.0 - alpha) * 100.0, float(curves["τ = 0.2 s"][1]), "rad/s"
        ),
        by_formula(
            "after 0.2 s, τ = 0.2 s",
            100.0 * (1.0 - exp(-1.0)),
            float(curves["τ = 0.2 s"][20]),
            "rad/s",
        ),
    )
    why = "The document's difference equation, which is exact for any step length. Nothing differs."
    return Finding(values, why, _drawn(curves, 100.0))


def yoerger() -> Finding:
    """Reproduce the picture of Yoerger's rotor."""
    rotor = Yoerger(alpha=0.05, beta=5.0)
    curve = stepped(rotor, 100.0)
    exact = np.array([rotor.after(0.0, 100.0, k * STEP) for k in range(len(curve))])
    values = (
        by_formula("one step", STEP * 5.0 * 100.0, float(curve[1]), "rad/s"),
        by_formula(
            "speed at the end, √(βΩ/α)", (5.0 * 100.0 / 0.05) ** 0.5, float(curve[-1]), "rad/s"
        ),
        Value(
            "document's steps from the exact solution, at most",
            None,
            float(np.abs(curve - exact).max()),
            "rad/s",
        ),
    )
    why = (
        "The document's equation is an explicit Euler step; vessels here follow "
        "the differential equation, to which it converges. What it calls "
        "Ω_ref is a torque: the rotor settles at √(βΩ/α), 100 rad/s only for these α and β."
    )
    return Finding(values, why, _drawn({"documented steps": curve, "exact": exact}, 100.0))


def two_lines() -> Finding:
    """Reproduce the fin model ``two_lines``."""
    fin = TwoLines(0.02, 0.0, 0.3, 4.0, -0.9, 0.5, 1.5)
    angles = np.radians(np.linspace(-60.0, 60.0, 241))
    lift, drag = fin.coefficients(angles)
    at = np.array([0.1, 0.3, 0.5])
    stated = (4.0 * 0.1, 4.0 * 0.3, 4.0 * 0.3 - 0.9 * 0.2)
    values = tuple(
        by_formula(f"C_L at {a:g} rad", s, float(c), "", 3)
        for a, s, c in zip(at, stated, fin.coefficients(at)[0], strict=True)
    )

    def draw(figure: Any) -> None:
        panel = figure.subplots()
        panel.plot(np.degrees(angles), lift, color=COLOURS[0], label="C_L")
        panel.plot(np.degrees(angles), drag, color=COLOURS[1], label="C_D")
        style_panel(panel, "angle of attack [°]", "coefficient")

    why = (
        "Gazebo's approximation, with a stall at 0.3 rad. The document names its "
        "keys and gives neither numbers nor a picture."
    )
    return Finding(values, why, draw)
