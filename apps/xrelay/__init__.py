"""``pXRelay``: answers each message of one variable with a count in another."""

from steerageway.apps.xrelay.app import XRelay, XRelayTest

__all__ = ["XRelay", "XRelayTest"]
