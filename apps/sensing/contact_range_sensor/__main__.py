"""``python -m apps.contact_range_sensor mission.moos``."""

from steerageway.apps.framework.shell import main
from steerageway.apps.sensing.contact_range_sensor.app import ContactRangeSensor

if __name__ == "__main__":
    main(ContactRangeSensor)
