"""Marine craft: models of vessels, what acts on them, where they are. Knows no bus.

from vessel.craft import Craft
from vessel.kinematic import KinematicParameters
from vessel.kinematic_documented import Documented
from vessel.model import Motion

craft = Craft(Documented(KinematicParameters(turn_rate=95)), Motion(heading=180))
craft.inputs.thrust = 40
craft.advance(10.0)
craft.motion  # 10 s later, 2 m/s, south of where it was
"""
