"""``pContactMgrV20``: maintains the list of contacts, and posts alerts for near ones."""

from steerageway.apps.contacts.contact_mgr.app import ContactMgr

__all__ = ["ContactMgr"]
