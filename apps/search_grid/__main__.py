"""``python -m apps.search_grid mission.moos``."""

from apps.search_grid.app import SearchGrid
from apps.shell import main

if __name__ == "__main__":
    main(SearchGrid)
