"""``python -m apps.realm mission.moos``."""

from steerageway.apps.communication.realm.app import Realm
from steerageway.apps.shared.shell import main

if __name__ == "__main__":
    main(Realm)
