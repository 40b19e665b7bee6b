"""The gateway's process."""

import sys

from steerageway.bridges.moosdb.gate import main

sys.exit(main())
