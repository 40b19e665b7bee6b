"""``python -m apps.search_grid mission.moos``."""

from steerageway.apps.search_grid.app import SearchGrid
from steerageway.apps.shell import main

if __name__ == "__main__":
    main(SearchGrid)
