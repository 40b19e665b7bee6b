"""Learning environments: many vessels stepped at once, as Gymnasium's environments.

``gymnasium.make("steerageway/PathFollowing-v0", vessel="otter")`` finds them without an import of
this package; see ``docs/learning.md``.
"""

from steerageway import refuse_bare_import

TASKS = ("PathFollowing", "StationKeeping", "WaypointRace", "Docking", "DepthKeeping")


def register() -> None:
    """Tell Gymnasium the environments; it calls this itself (entry point ``gymnasium.envs``)."""
    from gymnasium import register as known

    for task in TASKS:
        known(
            f"steerageway/{task}-v0",
            entry_point="steerageway.envs.single:VesselEnv",
            vector_entry_point="steerageway.envs.vector:VesselVectorEnv",
            kwargs={"task": task},
        )


refuse_bare_import(__name__)
