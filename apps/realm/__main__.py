"""``python -m apps.realm mission.moos``."""

from steerageway.apps.realm.app import Realm
from steerageway.apps.shell import main

if __name__ == "__main__":
    main(Realm)
