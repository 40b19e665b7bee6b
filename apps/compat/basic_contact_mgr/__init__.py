"""``pBasicContactMgr``: the older manager of contacts, which raises an alert for each once."""

from steerageway.apps.compat.basic_contact_mgr.app import BasicContactMgr

__all__ = ["BasicContactMgr"]
