"""``uFldCollObDetect``: counts encounters of vessels with obstacles."""

from steerageway.apps.contacts.coll_ob_detect.app import CollObDetect

__all__ = ["CollObDetect"]
