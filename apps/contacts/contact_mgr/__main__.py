"""``python -m apps.contact_mgr mission.moos``."""

from steerageway.apps.contacts.contact_mgr.app import ContactMgr
from steerageway.apps.shared.shell import main

if __name__ == "__main__":
    main(ContactMgr)
