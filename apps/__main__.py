"""Lists what a launch list may name: ``python -m apps``."""

from __future__ import annotations

from steerageway.apps.registry import APPS, SKIPPED, load
from steerageway.apps.terminal import while_somebody_reads

TOOLS = {
    "steerageway.apps.poke": "a console beside a running mission (uPokeDB)",
    "steerageway.apps.scope": "its variables, live or once (uXMS)",
    "steerageway.apps.query": "questions to it from shell scripts (uQueryDB)",
    "steerageway.apps.alog": "tools for logs",
}


def main() -> None:
    """Print the apps, the names that are skipped with why, and the tools that are no apps."""
    print("Started under their names; python -m MODULE --example prints a block:\n")
    for name, target in APPS.items():
        what = (load(name).__doc__ or "").partition("\n")[0]
        print(f"  {name:22} {target.partition(':')[0]:34} {what}")
    print("\nAccepted in a launch list and not started:\n")
    for name, why in SKIPPED.items():
        print(f"  {name:16} {why}")
    print("\nTools, started by hand as python -m MODULE:\n")
    for module, what in TOOLS.items():
        print(f"  {module:22} {what}")
    print("\nYour own: package.module:ClassName, a subclass of steerageway.App.")


if __name__ == "__main__":
    with while_somebody_reads():
        main()
