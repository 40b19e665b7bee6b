"""Draws docs/raos.png, responses to regular head seas beside BEM: ``python docs/draw_raos.py``."""

from __future__ import annotations

import sys
import tempfile
from math import pi
from pathlib import Path

import numpy as np

ROOT = Path(__file__).parents[1]
sys.path[:0] = [str(ROOT / "tests" / place) for place in ("world", "vessel/wave_forces")]

import regular_waves as regular  # noqa: E402

from steerageway.world import pictures  # noqa: E402

HEAVE, PITCH, HEAD, GRAVITY = 2, 4, pi, 9.81
LONGEST = 6.0  # of the waves, in hull lengths
ROWS = ("heave force [kN/m]", "heave [m/m]", "pitch over wave slope")


def main() -> None:
    """Simulate and draw."""
    figure, panels = pictures.panels(3, 3, (10.0, 7.5))
    with tempfile.TemporaryDirectory() as folder:
        cases = {
            "box barge, 4 m": (4.0, {"mesh": regular.barge("mesh"), "RAOs": regular.barge("rao")}),
            "WAM-V, 4.85 m": (4.85, {"mesh": regular.wamv()}),
            "S175, 175 m": (175.0, {"RAOs": regular.s175(Path(folder))}),
        }
        for column, (title, (length, vessels)) in enumerate(cases.items()):
            known = next(iter(vessels.values()))[1]
            ratio = 2.0 * pi * GRAVITY / np.array(known.omega) ** 2 / length
            chosen = [w for w, r in zip(known.omega, ratio, strict=True) if 0.5 < r < LONGEST]
            draw(panels[:, column], "BEM", chosen, length, [known.at(HEAD, w) for w in chosen])
            for name, (vessel, _) in vessels.items():
                found = [
                    (regular.held(vessel, w, HEAD), regular.free(vessel, w, HEAD)) for w in chosen
                ]
                draw(panels[:, column], name, chosen, length, found)
            panels[0, column].set_title(title, loc="left")
            panels[2, column].set_xlabel("wave length over hull length")
    for row, text in enumerate(ROWS):
        panels[row, 0].set_ylabel(text)
    panels[0, 0].legend(frameon=False)
    for panel in panels.ravel():
        panel.axvline(2.0, color="#999999", lw=0.8, ls=":")
        panel.grid(visible=True, alpha=0.25)
        panel.set_ylim(bottom=0.0)
        panel.spines[["top", "right"]].set_visible(False)
    pictures.write(figure, ROOT / "docs" / "raos.png")


def draw(panels: np.ndarray, name: str, omega: list[float], length: float, found: list) -> None:
    """Draw a curve into each panel of a column; ``found`` are forces and motions."""
    k = np.array(omega) ** 2 / GRAVITY
    force, motion = (np.abs(np.array(part)) for part in zip(*found, strict=True))
    style = {"BEM": "k-", "mesh": "o", "RAOs": "x"}[name]
    curves = force[:, HEAVE] / 1000.0, motion[:, HEAVE], motion[:, PITCH] / k
    for panel, values in zip(panels, curves, strict=True):
        panel.plot(2.0 * pi / k / length, values, style, label=name, ms=5)


if __name__ == "__main__":
    main()
