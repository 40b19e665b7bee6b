"""``pEchoVar``: republishes variables under other names, and rearranges lists of fields."""

from steerageway.apps.scripts.echo_var.app import EchoVar

__all__ = ["EchoVar"]
