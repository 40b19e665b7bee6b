"""``python -m apps.contact_range_sensor mission.moos``."""

from steerageway.apps.contact_range_sensor.app import ContactRangeSensor
from steerageway.apps.shell import main

if __name__ == "__main__":
    main(ContactRangeSensor)
