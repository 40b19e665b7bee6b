"""The control engineer's bench: trim, linearise, design, trials and identification of vessels.

It needs scipy, and for some of its functions python-control and matplotlib: the extra ``control``.
"""

from steerageway.control.linear import LinearModel, linearise
from steerageway.control.trim import Trim, trim

__all__ = ["LinearModel", "Trim", "linearise", "trim"]
