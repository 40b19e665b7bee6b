"""Lists what a launch list may name: ``python -m apps``."""

from __future__ import annotations

from apps.registry import APPS, SKIPPED, load


def main() -> None:
    """Print each app with its module and first line, and each name that is skipped with why."""
    print("Started under their names; python -m MODULE --example prints a block:\n")
    for name, target in APPS.items():
        what = (load(name).__doc__ or "").partition("\n")[0]
        print(f"  {name:16} {target.partition(':')[0]:20} {what}")
    print("\nAccepted in a launch list and not started:\n")
    for name, why in SKIPPED.items():
        print(f"  {name:16} {why}")
    print("\nYour own: package.module:ClassName, a subclass of bus.App.")


if __name__ == "__main__":
    main()
