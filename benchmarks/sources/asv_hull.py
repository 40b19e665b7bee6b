"""Bjerke and Haukeland's figures of hulls in water: 7, 8, 11 to 15, 22 to 26, 29, and table 1."""

from __future__ import annotations

from math import pi
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.sources.finding import COLOURS, Finding, Value, by_formula, style_panel
from steerageway.bus import wall
from steerageway.vessel.control_allocation import Allocator, Layout, Options, Slot
from steerageway.vessel.fossen.folder import load
from steerageway.vessel.mesh import hydrostatics, voxels
from steerageway.vessel.tools.resistance import FOOT, KNOT, hull_speed, resistance, top_speed
from steerageway.world import shapes
from steerageway.world.sea import Sea
from steerageway.world.sea_state import SeaState

INPUTS = Path(__file__).parents[2] / "inputs"
RADIUS = 0.5  # [m], of the sphere whose errors the document states
DENSITY, GRAVITY = 1025.0, 9.81
TABLE_1 = {80: (0.0663, 12.65), 320: (0.0177, 3.38), 1280: (0.0045, 0.86), 5120: (0.0011, 0.22)}
DEPTHS = np.linspace(0.0, 2.0 * RADIUS, 401)  # of the lowest point [m]
PATCH = 9  # the water patch's n in figure 11


def cap(d: Any) -> Any:
    """Return the volume [m³] of a sphere's part below water, the lowest point at a depth d [m]."""
    return pi * d**2 / 3.0 * (3.0 * RADIUS - d)


def volumes(divisions: int, *, cutting: bool = True) -> np.ndarray:
    """Return the volume of an icosphere at all ``DEPTHS``."""
    mesh = shapes.sphere(RADIUS, divisions)
    return np.array(
        [hydrostatics.afloat(mesh, float(d) - RADIUS, cutting=cutting).volume for d in DEPTHS]
    )


def of_voxels(edge: float, *, cutting: bool) -> np.ndarray:
    """Return the volume of voxels of a sphere at all ``DEPTHS``."""
    found = voxels.centres(shapes.sphere(RADIUS, 4), edge)
    return np.array(
        [voxels.volume_below(found, edge, float(d) - RADIUS, cutting=cutting) for d in DEPTHS]
    )


def table_1() -> Finding:
    """Reproduce figure 22 and table 1."""
    whole = 4.0 / 3.0 * pi * RADIUS**3
    curves = {20 * 4**divisions: volumes(divisions) for divisions in range(1, 5)}
    values = []
    for triangles, (stated, percent) in TABLE_1.items():
        worst = float(np.abs(cap(DEPTHS) - curves[triangles]).max())
        values.append(Value(f"{triangles} triangles, greatest error", stated, worst, "m³", 3))
        values.append(
            Value(f"{triangles} triangles, of the volume", percent, 100 * worst / whole, "%")
        )

    def draw(figure: Any) -> None:
        panel = figure.subplots()
        for colour, (triangles, curve) in zip(COLOURS, curves.items(), strict=False):
            panel.plot(DEPTHS, curve, color=colour, label=f"{triangles} triangles")
        panel.plot(DEPTHS, cap(DEPTHS), "k--", lw=1, label="analytical")
        style_panel(panel, "depth of the lowest point [m]", "displaced volume [m³]")

    why = (
        "The text says R = 1 m; its volumes and errors are those of R = 0.5 m, "
        "which is used here: percentages hold for any size. The error is that of "
        "the mesh, whose vertices lie on the sphere; `mesh.volume` in "
        "`geometry.yml` scales a hull to its true volume. "
        "That the coarse sphere is 12.655 % off in the text and 12.65 in the table is rounding."
    )
    return Finding(tuple(values), why, draw)


def voxel_sizes() -> Finding:
    """Reproduce figure 23."""
    edges = np.array([0.3, 0.25, 0.2, 0.15, 0.1, 0.08, 0.06, 0.05])
    found = [voxels.centres(shapes.sphere(RADIUS, 4), float(edge)) for edge in edges]
    counts = np.array([len(centres) for centres in found])
    forces = DENSITY * GRAVITY * counts * edges**3
    exact = DENSITY * GRAVITY * 4.0 / 3.0 * pi * RADIUS**3
    values = (
        Value("voxels per halving, of 0.2 m", 8.0, counts[4] / counts[2], "times", 3),
        Value("voxels per halving, of 0.1 m", 8.0, counts[7] / counts[4], "times", 3),
        Value("volume of those of 0.2 m", None, counts[2] * edges[2] ** 3, "m³"),
        Value("of those of 0.1 m", None, counts[4] * edges[4] ** 3, "m³"),
        Value("of those of 0.05 m", None, counts[7] * edges[7] ** 3, "m³"),
        Value("force, voxels of 0.3 m", None, float(forces[0]), "N", 5),
        Value("force, voxels of 0.05 m", None, float(forces[-1]), "N", 5),
        Value("force of the sphere itself", None, exact, "N", 5),
    )

    def draw(figure: Any) -> None:
        panel = figure.subplots()
        panel.plot(edges, forces, "o-", color=COLOURS[0], label="force")
        panel.axhline(exact, color="k", ls="--", lw=1, label="analytical")
        panel.set_xlim(0.31, 0.04)
        style_panel(panel, "edge of the voxels [m]", "force [N]")
        other = panel.twinx()
        other.semilogy(edges, counts, "s-", color=COLOURS[1])
        other.set_ylabel("voxels", color=COLOURS[1])

    why = (
        "Voxels of a submerged sphere. The analytical force is the value "
        "to which the document's curve converges; with few voxels it is "
        "random how many centres are inside, so the convergence is not monotonic. "
        "The number grows by less than eight in the first halving, as the document says, and by "
        "more in the second: the voxels of 0.2 m hold more than the sphere's 0.5236 m³, those of "
        "0.1 m less."
    )
    return Finding(values, why, draw)


def _three(curves: dict[str, np.ndarray], figure: Any) -> None:
    panel = figure.subplots()
    for colour, (name, curve) in zip(COLOURS, curves.items(), strict=False):
        panel.plot(DEPTHS, curve, color=colour, label=name)
    panel.plot(DEPTHS, cap(DEPTHS), "k--", lw=1, label="analytical")
    style_panel(panel, "depth of the lowest point [m]", "displaced volume [m³]")


def _jump(curve: np.ndarray) -> float:
    return float(np.abs(np.diff(curve)).max())


def _voxel_curves(*, cutting: bool) -> dict[str, np.ndarray]:
    return {f"{edge:g} m": of_voxels(edge, cutting=cutting) for edge in (0.3, 0.2, 0.1, 0.05)}


def voxels_uncut() -> Finding:
    """Reproduce figure 24."""
    curves = _voxel_curves(cutting=False)
    values = tuple(
        Value(f"greatest jump, {name}", None, _jump(curve), "m³", 3)
        for name, curve in curves.items()
    )
    why = (
        "`loads: {cutting: false}` in `hydrodynamics.yml`: volume rises by whole "
        "layers of voxels. The document shows the steps and states no number."
    )
    return Finding(values, why, lambda figure: _three(curves, figure))


def triangles_uncut() -> Finding:
    """Reproduce figure 25."""
    curves = {f"{20 * 4**n} triangles": volumes(n, cutting=False) for n in (1, 2, 3)}
    falls = sum(int((np.diff(curve) < -1e-12).sum()) for curve in curves.values())
    values = (
        *(
            Value(f"greatest jump, {name}", None, _jump(curve), "m³", 3)
            for name, curve in curves.items()
        ),
        Value("steps at which the volume falls", None, falls),
    )
    why = (
        "Without cutting: triangles contribute once all their vertices are wet. As "
        "in the document, volume jumps up with those that face down and "
        "falls with those that face up; the jumps decrease with the size of the triangles."
    )
    return Finding(values, why, lambda figure: _three(curves, figure))


def voxels_cut() -> Finding:
    """Reproduce figure 26."""
    curves = _voxel_curves(cutting=True)
    uncut = _voxel_curves(cutting=False)
    step = float(DEPTHS[1])
    values = (
        *(
            Value(f"greatest slope, {name}", None, _jump(curve) / step, "m²", 3)
            for name, curve in curves.items()
        ),
        by_formula("jumps left, of those without cutting", 0.0, _left(curves, uncut), "%", 2),
    )
    why = (
        "The same voxels, cut at the surface: piecewise linear, without jumps. The value "
        "in the last row is the rise over one sample of "
        f"{step * 1000:.1f} mm; it falls with the sampling."
    )
    return Finding(values, why, lambda figure: _three(curves, figure))


def _left(cut: dict[str, np.ndarray], uncut: dict[str, np.ndarray]) -> float:
    return 100.0 * max(_jump(cut[name]) / _jump(uncut[name]) for name in cut)


def one_voxel() -> Finding:
    """Reproduce figure 15 and the formula below it."""
    edge, centre = 0.2, np.zeros((1, 3))
    heights = np.linspace(-0.2, 0.2, 201)
    formula = np.clip(edge / 2 - heights, 0.0, edge) * edge**2
    here = np.array([voxels.volume_below(centre, edge, -float(h)) for h in heights])
    whole = [voxels.volume_below(centre, edge, -float(h), cutting=False) for h in heights]
    values = (
        by_formula("h = -l/2 or below", 1.0, here[0] / edge**3, "l³"),
        by_formula("h = l/4", 0.25, voxels.volume_below(centre, edge, -edge / 4) / edge**3, "l³"),
        by_formula("h = l/2 or above", 0.0, here[-1] / edge**3, "l³"),
        by_formula("from the formula, at most", 0.0, float(np.abs(here - formula).max()), "m³"),
    )

    def draw(figure: Any) -> None:
        panel = figure.subplots()
        panel.plot(heights / edge, here / edge**3, color=COLOURS[0], label="cut")
        panel.plot(heights / edge, np.array(whole) / edge**3, "--", color=COLOURS[1], label="uncut")
        style_panel(panel, "height of the centre above the water [l]", "volume [l³]")

    return Finding(values, "One voxel that leaves the water. Nothing differs.", draw)


def voxelized() -> Finding:
    """Reproduce figures 13 and 14."""
    counts = {
        edge: voxels.centres(shapes.sphere(RADIUS, 4), edge) for edge in (0.25, 0.125, 0.0625)
    }
    values = tuple(
        Value(f"volume, {len(found)} voxels of {edge:g} m", None, len(found) * edge**3, "m³")
        for edge, found in counts.items()
    )

    def draw(figure: Any) -> None:
        from matplotlib.patches import Circle, Rectangle

        for panel, (edge, found) in zip(figure.subplots(1, 3), counts.items(), strict=True):
            middle = found[np.abs(found[:, 1] - np.abs(found[:, 1]).min()) < 1e-9]
            for x, _, z in middle:
                corner = (x - edge / 2, z - edge / 2)
                panel.add_patch(Rectangle(corner, edge, edge, fc="#a8d5a2", ec="#588157"))
            panel.add_patch(Circle((0, 0), RADIUS, fc="none", ec=COLOURS[1], lw=1.5))
            panel.set_xlim(-0.6, 0.6)
            panel.set_ylim(-0.6, 0.6)
            panel.set_aspect("equal")
            style_panel(panel, f"{edge:g} m", "", legend=False)

    why = (
        "The middle section of a sphere of 0.5236 m³. Points extend from the centre of the "
        "mesh's box, as in the document; whether one is inside follows from how often a "
        "ray leaves the body, not from rays to the box's centre, valid for convex bodies only."
    )
    return Finding(values, why, draw, (6.4, 2.5))


def submerged() -> Finding:
    """Reproduce figure 12 with the WAM-V."""
    vessel = load(INPUTS / "wamv")
    floating = vessel.floating
    assert floating is not None
    assert floating.mesh is not None
    assert floating.stability is not None
    mesh, z = floating.mesh, float(floating.rest[0])
    wet = (mesh.corners[:, :, 2] + z >= 0.0).sum(axis=1)
    here = hydrostatics.afloat(mesh, *floating.rest.tolist())
    values = (
        Value("volume displaced", None, here.volume, "m³"),
        Value("mass over density", None, floating.stability.volume, "m³"),
        Value("triangles wet as a whole", None, int((wet == 3).sum())),
        Value("triangles cut", None, int(((wet > 0) & (wet < 3)).sum())),
        Value("triangles dry", None, int((wet == 0).sum())),
        Value("wetted surface", None, here.wetted, "m²"),
    )

    def draw(figure: Any) -> None:
        from matplotlib.collections import PolyCollection

        panel = figure.subplots()
        order = np.argsort(mesh.corners[:, :, 1].mean(axis=1))
        colours = np.array(["#e6e8eb", "#b8dbe6", "#b8dbe6", "#a8d5a2"])[wet[order]]
        sides = np.stack((mesh.corners[order, :, 0], -mesh.corners[order, :, 2] - z), axis=2)
        panel.add_collection(
            PolyCollection(sides, facecolors=colours, edgecolors="#588157", lw=0.2)
        )
        panel.axhline(0.0, color=COLOURS[0], lw=1)
        panel.set_xlim(-3, 3)
        panel.set_ylim(-0.6, 0.8)
        panel.set_aspect("equal")
        style_panel(panel, "ahead [m]", "up [m]", legend=False)

    why = (
        "The WAM-V at rest: green triangles are fully wet, blue ones are cut at the surface. "
        "The document draws its own hull and states no number."
    )
    return Finding(values, why, draw, (6.4, 2.4))


def water_patch() -> Finding:
    """Reproduce figure 11, and the error of such a patch."""
    sea = Sea.of([SeaState("jonswap", 0.3, 3.0, components=40, direction=30.0)], 1)
    n, size = PATCH, 6.0  # [m], the patch of a hull of 5 m
    nodes = np.linspace(-size / 2, size / 2, n + 2)
    zeta = sea.elevation(*np.meshgrid(nodes, nodes, indexing="ij"), 3.0)
    fine = np.linspace(-size / 2, size / 2, 121)
    X, Y = np.meshgrid(fine, fine, indexing="ij")
    exact, flat = sea.elevation(X, Y, 3.0), _on_planes(nodes, zeta, X, Y)
    error = float(np.abs(flat - exact).max())
    values = (
        Value("planes of a patch with n = 9", 200.0, 2 * (PATCH + 1) ** 2),
        Value("error of its heights, at most", None, 1000 * error, "mm", 3),
    )

    def draw(figure: Any) -> None:
        panel = figure.add_subplot(projection="3d")
        N, E = np.meshgrid(nodes, nodes, indexing="ij")
        panel.plot_surface(E, N, zeta, color="#b8dbe6", edgecolor=COLOURS[0], lw=0.4, shade=True)
        panel.set_zlim(-0.6, 0.6)
        panel.set_box_aspect((1, 1, 0.3))

    why = (
        "A demonstration: a patch of 6 m in a sea of Hs = 0.3 m, Tp = 3 s. No such patch is used "
        "here: waves are evaluated at the hull's own vertices, "
        "at the same cost and without its error, see [the world](world.md#loads-on-a-vessel)."
    )
    return Finding(values, why, draw, (5.2, 3.4))


def _on_planes(nodes: np.ndarray, zeta: np.ndarray, X: np.ndarray, Y: np.ndarray) -> np.ndarray:
    """Return heights on the two triangles of each cell of a grid."""
    step = nodes[1] - nodes[0]
    i = np.clip(((X - nodes[0]) / step).astype(int), 0, len(nodes) - 2)
    j = np.clip(((Y - nodes[0]) / step).astype(int), 0, len(nodes) - 2)
    u, v = (X - nodes[i]) / step, (Y - nodes[j]) / step
    a, b, c, d = zeta[i, j], zeta[i + 1, j], zeta[i, j + 1], zeta[i + 1, j + 1]
    lower, upper = a + u * (b - a) + v * (d - b), a + u * (d - c) + v * (c - a)
    return np.where(u >= v, lower, upper)


def allocation() -> Finding:
    """Reproduce figure 7: four azimuth thrusters that produce a force together."""
    x, y = np.array([2.0, 2.0, -2.0, -2.0]), np.array([-1.0, 1.0, -1.0, 1.0])
    tau = np.array([200.0, 120.0, 300.0])
    slots = [
        Slot(f"th_{i}", ahead, 0.0, 1000.0, across, f"az_{i}")
        for i, (ahead, across) in enumerate(
            (np.array([1, 0, 0, 0, 0, -b]), np.array([0, 1, 0, 0, 0, a]))
            for a, b in zip(x, y, strict=True)
        )
    ]
    by_inverse = Allocator(Layout(tuple(slots)), Options("pseudoinverse"))
    thrusts, angles, _, _ = by_inverse.step(tau, 1.0)
    fx, fy = thrusts * np.cos(angles), thrusts * np.sin(angles)
    made = np.array([fx.sum(), fy.sum(), (x * fy - y * fx).sum()])
    # of thrusters that lie symmetrically: X²/4 + Y²/4 + N²/Σ(x² + y²), by Lagrange multipliers
    least = 200.0**2 / 4.0 + 120.0**2 / 4.0 + 300.0**2 / 20.0
    values = (
        by_formula("X, by Bu = τ", 200.0, made[0], "N"),
        by_formula("Y, by Bu = τ", 120.0, made[1], "N"),
        by_formula("N, by Bu = τ", 300.0, made[2], "N m"),
        by_formula("u'u, the least", least, float(thrusts @ thrusts), "N²", 6),
    )

    def draw(figure: Any) -> None:
        panel = figure.subplots()
        panel.plot([-1, -1, 1, 1, -1], [-2.6, 2.6, 2.6, -2.6, -2.6], color="#8a8f98", lw=1)
        for i in range(4):
            tip = (y[i] + fy[i] / 60, x[i] + fx[i] / 60)
            arrow = {"arrowstyle": "->", "color": COLOURS[0], "lw": 2}
            panel.annotate("", tip, (y[i], x[i]), arrowprops=arrow)
            panel.text(y[i] + 0.1, x[i] - 0.35, f"$u_{i + 1}$")
        tip = (tau[1] / 60, tau[0] / 60)
        panel.annotate(
            "", tip, (0, 0), arrowprops={"arrowstyle": "->", "color": COLOURS[1], "lw": 2.5}
        )
        panel.text(*tip, " τ", color=COLOURS[1])
        panel.set_xlim(-4, 4)
        panel.set_ylim(-3.5, 5)
        panel.set_aspect("equal")
        style_panel(panel, "starboard [m]", "ahead [m]", legend=False)

    why = (
        "Minimum thrusts that produce 200 N ahead, 120 N to starboard and 300 N m: the "
        "document's problem, min u'u with Bu = τ. It states no numbers; those by "
        "formula are by hand, with Lagrange multipliers. With limits and rates of turning, "
        "see [actuators](actuators.md)."
    )
    return Finding(values, why, draw, (4.0, 4.0))


def resistances() -> Finding:
    """Reproduce figure 8 with our vessels, and equation 7."""
    curves = {}
    for name, length in (("otter", 2.0), ("wamv", 4.85), ("tanker", 304.8)):
        vessel = load(INPUTS / name)
        speeds = np.linspace(0.0, max(1.2 * hull_speed(length), top_speed(vessel)), 100)
        forces = resistance(vessel, speeds.tolist())
        assert forces is not None
        ratio = speeds / KNOT / np.sqrt(length / FOOT)
        curves[name] = ratio, forces / np.interp(1.34, ratio, forces)
    values = (
        Value("V/√L of a hull of 100 ft at its hull speed", 1.34, hull_speed(30.48) / KNOT / 10.0),
        by_formula(
            "the speed of a wave as long, √(gL/2π)",
            (GRAVITY * 30.48 / 2.0 / pi) ** 0.5,
            hull_speed(30.48),
            "m/s",
        ),
        Value("hull speed of the Otter, 2 m", None, hull_speed(2.0), "m/s"),
        Value("hull speed of the WAM-V, 4.85 m", None, hull_speed(4.85), "m/s"),
    )

    def draw(figure: Any) -> None:
        panel = figure.subplots()
        for colour, (name, (ratio, forces)) in zip(COLOURS, curves.items(), strict=False):
            panel.plot(ratio, forces, color=colour, label=name)
        panel.axvline(1.34, color="k", ls="--", lw=1)
        style_panel(panel, "V/√L [knots, √feet]", "resistance, of that at 1.34")

    why = (
        "A demonstration, but for the first rows. The document quotes a ship's curve that grows "
        "steeply beyond 1.34, where its waves are as long as the hull. Damping of powers of u, as "
        "all of these have, has no such hump, which `resistance` models with "
        "measured points. `steerageway vessel show NAME --resistance` prints and "
        "draws "
        "the curve, and warns of a top speed beyond the hull speed."
    )
    return Finding(values, why, draw)


def costs() -> Finding:
    """Reproduce figure 29: the cost of one evaluation of buoyancy."""
    fine, coarse = shapes.sphere(RADIUS, 3), shapes.sphere(RADIUS, 2)
    found = voxels.centres(shapes.sphere(RADIUS, 4), 0.05)
    cases = {
        f"triangles, {len(fine.triangles)}, cut": lambda: hydrostatics.afloat(fine, 0.1),
        f"triangles, {len(fine.triangles)}, uncut": lambda: hydrostatics.afloat(
            fine, 0.1, cutting=False
        ),
        f"triangles, {len(coarse.triangles)}, cut": lambda: hydrostatics.afloat(coarse, 0.1),
        f"voxels, {len(found)}, cut": lambda: voxels.volume_below(found, 0.05, 0.1),
        f"voxels, {len(found)}, uncut": lambda: voxels.volume_below(
            found, 0.05, 0.1, cutting=False
        ),
    }
    times = {}
    for name, action in cases.items():
        action()
        taken = []
        for _ in range(300):
            start = wall()
            action()
            taken.append(1e6 * (wall() - start))
        times[name] = np.array(taken)
    values = tuple(
        Value(f"{name}: median", None, float(np.median(t)), "µs", 3) for name, t in times.items()
    )

    def draw(figure: Any) -> None:
        panel = figure.subplots()
        for colour, (name, taken) in zip(COLOURS, times.items(), strict=False):
            panel.plot(taken, color=colour, lw=0.8, label=name)
        panel.set_yscale("log")
        style_panel(panel, "evaluation", "time [µs]")

    why = (
        "The document's curves are of Unity's `FixedUpdate` on another machine, in "
        "hundreds of µs; here a call from Python is about half of the smaller "
        "times. The conclusion is the same: cutting costs little."
    )
    return Finding(values, why, draw)
