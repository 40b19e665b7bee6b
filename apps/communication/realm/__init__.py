"""``pRealm``: shows a person what any process hears and says."""

from steerageway.apps.communication.realm.app import Realm

__all__ = ["Realm"]
