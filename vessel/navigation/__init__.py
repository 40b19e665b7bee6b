"""Where a vessel believes she is: an error-state Kalman filter over what her sensors tell.

from vessel.navigation import NavigationFilter, Tuning, read_instruments

navigation = NavigationFilter(read_instruments(json_text), Tuning())
navigation.take(name, record)     # of NAME_DATA, in any order
navigation.work()
solution = navigation.solution()  # at the newest measurement; solution.at(now) is carried on
"""

from vessel.navigation.filter import NavigationFilter
from vessel.navigation.instruments import Instrument, read_instruments
from vessel.navigation.solution import Solution
from vessel.navigation.tuning import Tuning

__all__ = ["Instrument", "NavigationFilter", "Solution", "Tuning", "read_instruments"]
