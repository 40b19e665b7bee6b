"""``python -m apps.echo_var mission.moos``."""

from steerageway.apps.echo_var.app import EchoVar
from steerageway.apps.shell import main

if __name__ == "__main__":
    main(EchoVar)
