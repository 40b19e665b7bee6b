"""The processes of a mission, a package each, and the tools beside a run and for its logs."""
