"""The control engineer's bench: trim, linear models, identification of vessels.

It needs scipy, and for some of its functions python-control and matplotlib: the extra ``control``.
"""

from steerageway.control.command import replace_values
from steerageway.control.estimation import Estimate, Unknown, estimate
from steerageway.control.identify import fossen3, mmg, nomoto, surge
from steerageway.control.linear import LinearModel, linearise
from steerageway.control.loop import Loop, depth_loop, heading_loop, pitch_loop, speed_loop
from steerageway.control.recording import Recording, read_recording
from steerageway.control.trials import Criterion, Trial, imo, run_trials
from steerageway.control.trim import Trim, trim
from steerageway.vessel.force_control import lqr

__all__ = [
    "Criterion",
    "Estimate",
    "LinearModel",
    "Loop",
    "Recording",
    "Trial",
    "Trim",
    "Unknown",
    "depth_loop",
    "estimate",
    "fossen3",
    "heading_loop",
    "imo",
    "linearise",
    "lqr",
    "mmg",
    "nomoto",
    "pitch_loop",
    "read_recording",
    "replace_values",
    "run_trials",
    "speed_loop",
    "surge",
    "trim",
]
