"""``uFldCollObDetect``: counts encounters of vessels with obstacles."""

from apps.coll_ob_detect.app import CollObDetect

__all__ = ["CollObDetect"]
