"""The control engineer's bench: trim, linear models, identification of vessels.

It needs scipy, and for some of its functions python-control and matplotlib: the extra ``control``.
"""

from steerageway import require

require("control", __name__, "scipy")

from steerageway.control.command import replace_values  # noqa: E402
from steerageway.control.estimation import Estimate, Unknown, estimate  # noqa: E402
from steerageway.control.identify import fossen3, mmg, nomoto, surge  # noqa: E402
from steerageway.control.linear import LinearModel, linearise  # noqa: E402
from steerageway.control.loop import Loop, depth_loop, heading_loop, pitch_loop, speed_loop  # noqa: E402
from steerageway.control.recording import Recording, read_recording  # noqa: E402
from steerageway.control.trials import Criterion, Trial, imo, run_trials  # noqa: E402
from steerageway.control.trim import Trim, trim  # noqa: E402
from steerageway.vessel.force_control import lqr  # noqa: E402

__all__ = [
    "Criterion", "Estimate", "LinearModel", "Loop", "Recording", "Trial", "Trim", "Unknown",
    "depth_loop", "estimate", "fossen3", "heading_loop", "imo", "linearise", "lqr", "mmg",
    "nomoto", "pitch_loop", "read_recording", "replace_values", "run_trials", "speed_loop",
    "surge", "trim",
]  # fmt: skip
