"""``python -m apps.field_delve mission.moos``."""

from apps.field_delve.app import FieldDelve
from apps.shell import main

if __name__ == "__main__":
    main(FieldDelve)
