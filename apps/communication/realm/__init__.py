"""``pRealm``: publishes tables of the variables that a process subscribes to and publishes."""

from steerageway.apps.communication.realm.app import Realm

__all__ = ["Realm"]
