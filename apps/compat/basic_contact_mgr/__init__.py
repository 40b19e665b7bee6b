"""``pBasicContactMgr``: the older contact manager, which raises each alert once per contact."""

from steerageway.apps.compat.basic_contact_mgr.app import BasicContactMgr

__all__ = ["BasicContactMgr"]
