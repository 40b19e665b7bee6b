"""Navigation filter: error-state Kalman filter of a vessel's sensor measurements.

from steerageway.vessel.navigation import NavigationFilter, Tuning, read_instruments

navigation = NavigationFilter(read_instruments(json_text), Tuning())
navigation.take(name, record)     # of NAME_DATA, in any order
navigation.work()
solution = navigation.solution()  # at the newest measurement; solution.at(now) predicts it to now
"""

from steerageway.vessel.navigation.filter import Innovation, NavigationFilter
from steerageway.vessel.navigation.instruments import Instrument, read_instruments
from steerageway.vessel.navigation.solution import Solution
from steerageway.vessel.navigation.tuning import Tuning

__all__ = [
    "Innovation",
    "Instrument",
    "NavigationFilter",
    "Solution",
    "Tuning",
    "read_instruments",
]
