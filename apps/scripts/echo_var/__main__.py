"""``python -m apps.echo_var mission.moos``."""

from steerageway.apps.framework.shell import main
from steerageway.apps.scripts.echo_var.app import EchoVar

if __name__ == "__main__":
    main(EchoVar)
