"""``python -m apps.realm mission.moos``."""

from apps.realm.app import Realm
from apps.shell import main

if __name__ == "__main__":
    main(Realm)
