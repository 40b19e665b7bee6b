"""``steerageway warm``: compiles models of vessels, waves and ray casting ahead of later runs.

Machine code is cached on each machine (``world.machine_cache``). Vessels of one model share it.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence

from steerageway.declarations.arguments import Parser
from steerageway.diagnostics.progress import progress_bar
from steerageway.vessel.errors import VesselError
from steerageway.vessel.tools.place import folder_of, shipped_vessels
from steerageway.world.compiling import compilation_shown

PROGRAM = "python -m vessel.tools.warm"
WORLD = ("waves", "scenes")


def main(arguments: Sequence[str] | None = None, prog: str = PROGRAM) -> int:
    """Compile what is named; return the exit code: 0, or 2 for an unknown or invalid vessel."""
    about = "Compile models of vessels, waves and the ray casting of scenes."
    parser = Parser(prog=prog, description=about)
    named = f"a vessel, {' or '.join(WORLD)} (everything that is shipped)"
    parser.add_argument("names", nargs="*", metavar="NAME", help=named)
    options = parser.parse_args(arguments)
    try:
        with compilation_shown(sys.stderr):
            compile_all(options.names or [*WORLD, *shipped_vessels()], _say)
    except VesselError as error:
        print(error, file=sys.stderr)
        return 2
    return 0


def compile_all(names: Sequence[str], say: Callable[[str], None]) -> None:
    """Compile the models of vessels, and parts of the world, that are not in the cache.

    Raises:
        VesselError: an unknown vessel, or invalid files.
    """
    from steerageway.world.machine_cache import folder

    wanted = [_warming(name) for name in names]
    for number, (name, warm) in enumerate(zip(names, wanted, strict=True)):
        say(f"{progress_bar(number / len(names))}  {number + 1}/{len(names)} {name}")
        warm()
    say(f"compiled models are in {folder()}")


def _warming(name: str) -> Callable[[], None]:
    """Return what compiles a part of the world or a vessel.

    Raises:
        VesselError: an unknown vessel.
    """
    if name == "waves":
        from steerageway.world.sea import Sea
        from steerageway.world.sea_state import SeaState

        return Sea.of([SeaState("regular", 0.1, 3.0)], 0).warm
    if name == "scenes":
        from steerageway.world.scene import warm as scene

        return scene.warm
    from steerageway.vessel.fossen.folder import load
    from steerageway.vessel.fossen.warm import warm

    place = folder_of(name)
    return lambda: warm(load(place))


def _say(text: str) -> None:
    print(text, flush=True)


if __name__ == "__main__":
    sys.exit(main())
