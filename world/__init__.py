"""What is outside a hull: water surface, waves, current, tide, ground and wind.

It knows no bus and no vessel. One description, ``environment.yml``, says what there is
(``world.environment``); everything in it is a pure function of position, time and the mission's
seed, so that any process evaluates the same sea without a message.

Inside: SI units, radians, NED (x north, y east, z down), elevation positive up, gravity 9.81 m/s²
unless said otherwise; directions are where a thing goes to, clockwise from north.
"""
