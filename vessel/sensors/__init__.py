"""A vessel's sensors: measurements of its true motion, with noise, bias, drift and failures.

from steerageway.vessel.sensors import Aboard
from steerageway.vessel.sensors.reading import Reader, actuators_of
from steerageway.vessel.sensors.suite import Suite

reader = Reader(Aboard(actuators=actuators_of(read_folder("inputs/sookshma"))))
reader.file(Path("inputs/sookshma/sensors.yml"))
suite = Suite(reader.finish(), gravity=9.81, seed=...)
suite.track.take_steps(times, states)
suite.measure()
for reading in suite.instruments[0].arrived(now): ...

A user-defined sensor is a subclass of ``Sensor``.
"""

from steerageway.vessel.sensors.sensor import Aboard, Sensor
from steerageway.vessel.sensors.truth import Truth

__all__ = ["Aboard", "Sensor", "Truth"]
