"""``uFldCollObDetect``: counts encounters of vessels with obstacles and their closest ranges."""

from steerageway.apps.contacts.coll_ob_detect.app import CollObDetect

__all__ = ["CollObDetect"]
