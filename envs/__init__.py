"""Learning environments: many vessels stepped at once, as Gymnasium's environments.

Its import registers them: ``gymnasium.make("steerageway/PathFollowing-v0", vessel="otter")``; see
``docs/learning.md``.
"""

from steerageway import refuse_bare_import, require

TASKS = (
    *("PathFollowing", "StationKeeping", "WaypointRace", "Docking", "DepthKeeping"),
    *("TerrainFollowing", "Formation", "Encounter", "Identification"),
)

refuse_bare_import(__name__)
require("learn", __name__, "gymnasium")

from gymnasium import register  # noqa: E402

for task in TASKS:
    register(
        f"steerageway/{task}-v0",
        entry_point="steerageway.envs.single:VesselEnv",
        vector_entry_point="steerageway.envs.vector:VesselVectorEnv",
        kwargs={"task": task},
    )
