"""``python -m apps.basic_contact_mgr mission.moos``."""

from apps.basic_contact_mgr.app import BasicContactMgr
from apps.shell import main

if __name__ == "__main__":
    main(BasicContactMgr)
