"""``python -m apps.basic_contact_mgr mission.moos``."""

from steerageway.apps.basic_contact_mgr.app import BasicContactMgr
from steerageway.apps.shell import main

if __name__ == "__main__":
    main(BasicContactMgr)
