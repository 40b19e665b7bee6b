"""``pBasicContactMgr``: the older manager of contacts, which raises an alert for each once."""

from steerageway.apps.contacts.basic_contact_mgr.app import BasicContactMgr

__all__ = ["BasicContactMgr"]
