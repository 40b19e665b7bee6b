"""What the simulators of the field do differently around the vessel itself, one flag each."""

from __future__ import annotations

from dataclasses import dataclass

DOCUMENTED, RELEASED, LEGACY, FOSSEN = "documented", "released", "legacy", "fossen"


@dataclass(frozen=True, slots=True)
class Conduct:
    """How a simulator deals with mail and posts; the defaults are the manual's.

    Attributes:
        posts_every: navigation is posted in every n-th iteration.
        acts_at_ticks: mail, and what the embedded PID orders, acts on the whole step that ends
            with the iteration in which it is taken, as if it had come at the step's beginning;
            otherwise it acts from the instant at which it was committed.
        snaps_speed: the posted speed is a multiple of 0.01 m/s.
        speed_cap: the posted speed's bound [m/s] where max_speed is not set; 0: none.
        caps_posts: max_speed bounds the posted speed only, not the vessel's.
        doubles_underscore: the prefix gets its underscore even if it ends with one.
        counts_start_pos: a start_pos line counts as a reset.
        catches_up: time under OBSTACLE_HIT is made up for in one step afterwards.
        tells_new_sources: USM_DRIFT_SUMMARY is posted when an app first changes the drift, not
            when the drift changes.
        hears_usm_names: mail whose name has a needless USM_ is taken too.
        obeys_override: the embedded PID rests while MOOS_MANUAL_OVERRIDE is true.
        silent_when_hit: nothing is posted while OBSTACLE_HIT is true.
        moves_disabled: the vessel moves on while USM_ENABLED is false.
        old_summary: the drift summary is posted as USM_FSUMMARY too.
        five_second_fades: wormholes fade a vessel for 5 s, leave its rudder amidships, let nobody
            in with connection = both, and know neither delay nor id_change.
    """

    posts_every: int = 1
    acts_at_ticks: bool = False
    snaps_speed: bool = False
    speed_cap: float = 0.0
    caps_posts: bool = False
    doubles_underscore: bool = False
    counts_start_pos: bool = False
    catches_up: bool = False
    tells_new_sources: bool = False
    hears_usm_names: bool = True
    obeys_override: bool = True
    silent_when_hit: bool = False
    moves_disabled: bool = False
    old_summary: bool = False
    five_second_fades: bool = False


CONDUCTS = {
    DOCUMENTED: Conduct(),
    RELEASED: Conduct(
        posts_every=2,
        acts_at_ticks=True,
        snaps_speed=True,
        speed_cap=5.0,
        caps_posts=True,
        doubles_underscore=True,
        counts_start_pos=True,
        catches_up=True,
        tells_new_sources=True,
        hears_usm_names=False,
        obeys_override=False,
        five_second_fades=True,
    ),
    LEGACY: Conduct(
        acts_at_ticks=True,
        snaps_speed=True,
        doubles_underscore=True,
        catches_up=True,
        hears_usm_names=False,
        silent_when_hit=True,
        moves_disabled=True,
        old_summary=True,
    ),
    FOSSEN: Conduct(),
}
