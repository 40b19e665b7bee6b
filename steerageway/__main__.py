"""``steerageway``, or ``python -m steerageway``: one command for missions and all tools."""

from steerageway.launcher.entry import steerageway

if __name__ == "__main__":
    steerageway()
