"""``steerageway``, or ``python -m steerageway``: one command for missions and the tools beside."""

import sys

if __name__ == "__main__":
    try:
        from steerageway.launcher.verbs import main

        sys.exit(main())
    except KeyboardInterrupt:  # while what it needs is being loaded
        sys.exit(130)
