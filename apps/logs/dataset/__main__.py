"""``python -m apps.dataset RUN -o FOLDER``."""

import sys

from steerageway.apps.logs.dataset.command import main

if __name__ == "__main__":
    sys.exit(main())
