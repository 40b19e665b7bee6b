"""``uFldDelve``: tells how much is shared between the shore and its vessels."""

from steerageway.apps.field_delve.app import FieldDelve

__all__ = ["FieldDelve"]
