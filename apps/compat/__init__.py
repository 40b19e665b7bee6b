"""How the older programs of the field differ, for missions that must repeat them."""
