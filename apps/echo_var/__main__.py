"""``python -m apps.echo_var mission.moos``."""

from apps.echo_var.app import EchoVar
from apps.shell import main

if __name__ == "__main__":
    main(EchoVar)
