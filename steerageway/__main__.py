"""``steerageway``, or ``python -m steerageway``: one command for missions and all tools."""

import sys

if __name__ == "__main__":
    try:
        from steerageway.launcher.verbs import main

        sys.exit(main())
    except KeyboardInterrupt:  # during the imports
        sys.exit(130)
