"""Environment outside the hulls: water surface, waves, current, tide, sea bottom, wind, contact.

The package does not import bus or vessel. One description, ``environment.yml``, specifies it
(``world.environment``); every quantity is a pure function of position, time and the mission's
seed, so that all processes evaluate the same sea without exchanging messages.

Conventions: SI units, radians, NED (x north, y east, z down), elevation positive up, gravity
9.81 m/s² unless specified; directions are those a thing goes to, clockwise from north.
"""

from steerageway import refuse_bare_import

refuse_bare_import(__name__)
