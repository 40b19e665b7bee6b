"""``python -m apps.contact_range_sensor mission.moos``."""

from apps.contact_range_sensor.app import ContactRangeSensor
from apps.shell import main

if __name__ == "__main__":
    main(ContactRangeSensor)
