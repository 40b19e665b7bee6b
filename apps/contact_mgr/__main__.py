"""``python -m apps.contact_mgr mission.moos``."""

from apps.contact_mgr.app import ContactMgr
from apps.shell import main

if __name__ == "__main__":
    main(ContactMgr)
