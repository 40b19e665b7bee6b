"""``pHostInfo``: tells where its community can be reached."""

from steerageway.apps.host_info.app import HostInfo

__all__ = ["HostInfo"]
