"""``python -m apps.basic_contact_mgr mission.moos``."""

from steerageway.apps.compat.basic_contact_mgr.app import BasicContactMgr
from steerageway.apps.framework.shell import main

if __name__ == "__main__":
    main(BasicContactMgr)
