"""List of all figures and tables of the source documents, each with its reproduction."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

from benchmarks.sources import (
    asv_cameras,
    asv_cost,
    asv_hull,
    asv_loops,
    asv_planning,
    asv_stereo,
    panisim,
    panisim_fleet,
    turtleboat,
    usim_marine,
    uuv,
    wormholes,
)
from benchmarks.sources.finding import Finding


class Document(NamedTuple):
    """A document: its short name, its title, and a remark."""

    short: str
    name: str
    about: str


DOCUMENTS = {
    "panisim": Document(
        "Panisim",
        "Panisim's documentation",
        "Its figures show web pages; its numbers are in files and tables.",
    ),
    "turtleboat": Document(
        "TurtleBoat", "TurtleBoat's README", "One picture, without a number, and one check."
    ),
    "usim_marine": Document(
        "uSimMarineV22",
        "The manual of uSimMarineV22 (2022)",
        "Figures without axes' numbers; values are those of its text and formulas.",
    ),
    "asv": Document(
        "USV twin",
        "Bjerke and Haukeland (2024), Digital Twin Platform for Unmanned Surface Vehicles",
        "A thesis on a simulator in Unity.",
    ),
    "uuv": Document(
        "UUV Simulator",
        "The UUV Simulator's documentation of actuators",
        "Three pictures without numbers, and models by formula.",
    ),
}
VIEWER = "A page of the program: [the viewer's](viewer.md) shows the same, {}."
CONFIGURATOR = (
    "A page that creates vessel files. Those it writes are read unchanged, see "
    "[Panisim](panisim.md); [the configurator](configurator.md) takes the same steps, and also "
    "runs trials: ![the configurator](configurator_parts.png)"
)
BACKGROUND = "Background: {}. It is simulated neither by the document's program nor here."


@dataclass(frozen=True)
class Row:
    """A figure or table.

    Attributes:
        document: its key.
        number: in the document, as ``figure 22``.
        title: its subject.
        repeat: reproduces it; None: ``instead`` describes the alternative.
        instead: see there.
    """

    document: str
    number: str
    title: str
    repeat: Callable[[], Finding] | None = None
    instead: str = ""

    @property
    def key(self) -> str:
        """Return its name, as ``asv_figure_22``."""
        return f"{self.document}_{self.number.split(' and ')[0].replace(' ', '_')}"


DETECTOR = "See [training a detector](scenes.md#training-a-detector)."
ROWS = (
    Row(
        "panisim",
        "figure 1",
        "the visualization page",
        instead=VIEWER.format(
            "a plan with position, speed, attitude and actuators: ![the viewer](viewer_plan.png)"
        ),
    ),
    Row(
        "panisim",
        "figure 2",
        "a box in three dimensions",
        instead=VIEWER.format(
            "of the hull's own mesh where there is one: ![the viewer in three "
            "dimensions](viewer_solid.png)"
        ),
    ),
    Row(
        "panisim",
        "figures 3 to 12",
        "the vessel configurator, step by step",
        instead=CONFIGURATOR,
    ),
    Row("panisim", "table of an aerofoil", "an aerofoil's coefficients", panisim.aerofoil),
    Row("panisim", "complete vessel", "as it stands, and sailing", panisim.complete_vessel),
    Row("panisim", "several agents", "three that keep clear", panisim_fleet.agents),
    Row(
        "turtleboat",
        "picture of the propeller",
        "a propeller behind its reference",
        turtleboat.rate_limited,
    ),
    Row("turtleboat", "check of energy", "kinetic energy at 2 and 200 Hz", turtleboat.energy),
    Row(
        "usim_marine",
        "figure 1",
        "a simulator for each vehicle",
        instead=(
            "Publishers and subscribers: `steerageway run alpha --check --graph` prints "
            "them for any mission. Helm, PID and simulator are those of the figure, one "
            "community for each vessel; see [the simulator](simulator.md)."
        ),
    ),
    Row("usim_marine", "figure 2", "the rate of depth change over speed", usim_marine.depth_rates),
    Row("usim_marine", "figure 3", "external drift vectors", usim_marine.drift_vectors),
    Row("usim_marine", "figure 4", "a thrust map", usim_marine.thrust_map),
    Row("usim_marine", "figure 5", "the default thrust map", usim_marine.default_map),
    Row("usim_marine", "figure 6", "a lane without wormholes", wormholes.without),
    Row("usim_marine", "figure 7", "a lane with wormholes", wormholes.with_them),
    Row(
        "asv",
        "figure 1",
        "Blender's primitives",
        instead=(
            "Box, sphere, cylinder and lofted bodies are made by "
            "`world/shapes.py`; meshes of any program are read from STL, OBJ and "
            "GDF."
        ),
    ),
    Row(
        "asv",
        "figure 2",
        "nodes, topics, services",
        instead="The bus and its apps: [architecture](architecture.md).",
    ),
    Row(
        "asv",
        "figure 3",
        "an Ouster's point cloud",
        instead=BACKGROUND.format("a real sensor's data"),
    ),
    Row("asv", "figure 4", "epipolar geometry, and depth by stereo", asv_stereo.stereo),
    Row(
        "asv",
        "figure 5",
        "the time-of-flight principle",
        instead=BACKGROUND.format("how a depth camera measures"),
    ),
    Row(
        "asv",
        "figure 6",
        "loop closure",
        instead="Background: another's data. Figure 36 has loop closures from our own images.",
    ),
    Row("asv", "figure 7", "a thrust allocation", asv_hull.allocation),
    Row("asv", "figure 8", "resistance over V/√L", asv_hull.resistances),
    Row(
        "asv",
        "figure 9",
        "a Kármán vortex street",
        instead=BACKGROUND.format("a photograph of a wake; drag here is by coefficients"),
    ),
    Row(
        "asv",
        "figure 10",
        "development on a Windows machine",
        instead=(
            "Supported systems, and how they are verified: "
            "[platforms](platforms.md). No ROS; there is a container, but none is needed."
        ),
    ),
    Row("asv", "figure 11", "the water patch", asv_hull.water_patch),
    Row("asv", "figure 12", "submerged triangles", asv_hull.submerged),
    Row("asv", "figures 13 and 14", "voxels of a body", asv_hull.voxelized),
    Row("asv", "figure 15", "a voxel cut at the surface", asv_hull.one_voxel),
    Row("asv", "figure 16", "a LiDAR's scan", asv_cost.cloud),
    Row("asv", "figure 17", "a camera's picture", asv_cameras.colours),
    Row("asv", "figure 18", "a depth map", asv_cameras.depths),
    Row("asv", "figure 19", "distortion by a lens", asv_cameras.lenses),
    Row("asv", "figure 20", "a coloured cloud", asv_cameras.coloured),
    Row(
        "asv",
        "figure 21",
        "velocity control and thrust allocation",
        instead=(
            "`cmd_vel` and `cmd_force` are `pVelocityPID` and `pThrustAllocation`: "
            "[actuators](actuators.md)."
        ),
    ),
    Row("asv", "figure 22 and table 1", "the volume of spheres, and its error", asv_hull.table_1),
    Row("asv", "figure 23", "force and number of voxels", asv_hull.voxel_sizes),
    Row("asv", "figure 24", "voxels without cutting", asv_hull.voxels_uncut),
    Row("asv", "figure 25", "triangles without cutting", asv_hull.triangles_uncut),
    Row("asv", "figure 26", "voxels with cutting", asv_hull.voxels_cut),
    Row("asv", "figure 27", "time of a LiDAR over its beams", asv_cost.lidar_time),
    Row("asv", "figure 28", "cost of hulls, cameras and LiDARs", asv_cost.cost_of_features),
    Row("asv", "figure 29", "time of one evaluation of buoyancy", asv_hull.costs),
    Row(
        "asv",
        "figures 30 to 31",
        "objects detected, and samples of data sets",
        instead=(
            "A small network that was trained on recorded images detects objects of other "
            "harbours, in clear weather and in fog: "
            f"![detections in clear weather and in fog](detections.png) {DETECTOR}"
        ),
    ),
    Row(
        "asv",
        "figure 32",
        "confusion matrices of two data sets",
        instead=(
            "The document's detector, which was trained on images of real buoys, is worse in fog "
            "and waves by most of its figures, which it only draws. So is ours, by average "
            f"precision and matrix. {DETECTOR}"
        ),
    ),
    Row("asv", "figure 33", "a map while it is made", asv_planning.half_map),
    Row("asv", "figure 34", "a map and the world", asv_planning.whole_map),
    Row("asv", "figure 35", "a map by a camera", asv_planning.coloured_cloud),
    Row("asv", "table 2", "loop closures in still water and in waves", asv_loops.closures),
    Row("asv", "figure 36", "loop closures rejected and accepted", asv_loops.pairs),
    Row("asv", "figure 37", "a cost map and a path", asv_planning.cost_map),
    Row("asv", "figure 38", "around a corner", asv_planning.corner),
    Row("asv", "figure 39", "commands of linear and angular velocity", asv_planning.commands),
    Row(
        "asv",
        "figures 40 to 41",
        "sceneries with fog, bloom and lens flare",
        instead=BACKGROUND.format("visual effects of a game engine"),
    ),
    Row(
        "asv",
        "figure 42",
        "three vessels",
        instead=(
            "`otter` and `wamv` are shipped, see [the vessels](vessels.md); the "
            "document has no files of the Navier. The viewer shows a vessel by its mesh."
        ),
    ),
    Row("uuv", "picture of zero_order", "a rotor that follows at once", uuv.zero_order),
    Row("uuv", "picture of first_order", "a rotor with a first-order lag", uuv.first_order),
    Row("uuv", "picture of yoerger", "Yoerger's rotor", uuv.yoerger),
    Row("uuv", "model two_lines", "lift and drag of a fin", uuv.two_lines),
)
