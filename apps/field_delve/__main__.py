"""``python -m apps.field_delve mission.moos``."""

from steerageway.apps.field_delve.app import FieldDelve
from steerageway.apps.shell import main

if __name__ == "__main__":
    main(FieldDelve)
