"""Wishes that only keep a decision from going too far."""

from __future__ import annotations

import numpy as np

from ivp import Function, Variable, one_dimensional


def at_most(variable: Variable, limit: float, basewidth: float) -> Function:
    """Make a function that is 100 up to a limit and falls evenly to 0 over the base width.

    A limit below the domain counts as its lowest value, so that one is left to choose.

    Source: ZAIC_LEQ of the field's IvP build toolbox.
    """
    limit = max(limit, variable.low)
    if basewidth > 0:
        return one_dimensional(
            variable, np.interp(variable.values, [limit, limit + basewidth], [100.0, 0.0])
        )
    return one_dimensional(variable, np.where(variable.values <= limit, 100.0, 0.0))
