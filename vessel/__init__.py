"""Marine craft: vessel models, environmental loads, sensors, estimation. Does not import bus.

from steerageway.vessel.craft import Craft
from steerageway.vessel.kinematic import KinematicParameters
from steerageway.vessel.kinematic_documented import Documented
from steerageway.vessel.model import Motion

craft = Craft(Documented(KinematicParameters(turn_rate=95)), Motion(heading=180))
craft.inputs.thrust = 40
craft.advance(10.0)
craft.motion  # 10 s later, 2 m/s, south of where it was
"""

from steerageway import refuse_bare_import

refuse_bare_import(__name__)
