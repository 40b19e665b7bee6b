"""``steerageway warm``: compiles the models of vessels ahead of later runs.

Machine code is cached on each machine (``world.machine_cache``). Vessels of one model share it.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence

from steerageway.declarations.arguments import Parser
from steerageway.vessel.errors import VesselError
from steerageway.vessel.tools.place import folder_of, shipped_vessels

PROGRAM = "python -m vessel.tools.warm"


def main(arguments: Sequence[str] | None = None, prog: str = PROGRAM) -> int:
    """Compile the named vessels; return the exit code: 0, or 2 for an unknown or invalid vessel."""
    parser = Parser(prog=prog, description="Compile the models of vessels.")
    parser.add_argument("vessels", nargs="*", metavar="NAME", help="a vessel (all shipped ones)")
    options = parser.parse_args(arguments)
    try:
        compile_vessels(options.vessels or shipped_vessels(), _say)
    except VesselError as error:
        print(error, file=sys.stderr)
        return 2
    return 0


def compile_vessels(names: Sequence[str], say: Callable[[str], None]) -> None:
    """Compile the models of vessels that are not in the cache.

    Raises:
        VesselError: an unknown vessel, or invalid files.
    """
    from steerageway.vessel.fossen.folder import load
    from steerageway.vessel.fossen.warm import warm
    from steerageway.world.machine_cache import folder

    folders = [folder_of(name) for name in names]
    for number, place in enumerate(folders, start=1):
        warm(load(place), lambda text: None)
        say(f"{number}/{len(folders)} {place.name}")
    say(f"compiled models are in {folder()}")


def _say(text: str) -> None:
    print(text, flush=True)


if __name__ == "__main__":
    sys.exit(main())
