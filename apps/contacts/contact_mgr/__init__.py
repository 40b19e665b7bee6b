"""``pContactMgrV20``: keeps the list of contacts, and alerts others of those that come near."""

from steerageway.apps.contacts.contact_mgr.app import ContactMgr

__all__ = ["ContactMgr"]
