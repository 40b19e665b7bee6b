"""The older programs of the field, for missions that name them or must repeat them."""
