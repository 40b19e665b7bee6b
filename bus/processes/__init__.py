"""The processes of a run: who starts them, hosts apps in them, and ends them."""
