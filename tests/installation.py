"""An environment in which the wheel of this checkout is installed."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[1]
NEIGHBOURS = ("launch", "apps")  # names that other projects install
FOREIGN = "raise ImportError('this package is another project')\n"
BUILD = "from setuptools import build_meta; print(build_meta.build_sdist('dist'))"


class Installation(NamedTuple):
    """The source distribution, the wheel built from it, and the environment that has it."""

    sdist: Path
    wheel: Path
    environment: Path


def run(*command: str | Path, folder: Path) -> str:
    """Run a command independent of this checkout; return its output."""
    hidden = ("PYTHONPATH", "VIRTUAL_ENV")
    environment = {name: value for name, value in os.environ.items() if name not in hidden}
    ended = subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, check=False
    )
    assert ended.returncode == 0, f"{command}\n{ended.stdout}\n{ended.stderr}"
    return ended.stdout


def installed_in(folder: Path) -> Installation:
    """Build and install in a folder: as an index's users do, from a source distribution."""
    sdist = _source_distribution(folder / "checkout")
    build = ("-m", "pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation")
    run(sys.executable, *build, "--wheel-dir", sdist.parent, sdist, folder=folder)
    (wheel,) = sdist.parent.glob("*.whl")
    environment = folder / "environment"
    _install(wheel, environment)
    return Installation(sdist, wheel, environment)


def _source_distribution(copy: Path) -> Path:
    """Build the source distribution from a checkout on a machine without symbolic links."""
    run("git", "clone", "--quiet", "--no-checkout", ROOT, copy, folder=copy.parent)
    run("git", "config", "core.symlinks", "false", folder=copy)
    run("git", "checkout", "--quiet", "HEAD", folder=copy)
    tracked = run("git", "ls-files", "-z", folder=ROOT).split("\0")
    for name in filter(None, tracked):  # as it is now, uncommitted changes included
        if (ROOT / name).is_file() and not (ROOT / name).is_symlink():
            (copy / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, copy / name)
    assert (copy / "steerageway" / "bus").read_text() == "../bus"
    run(sys.executable, "-c", BUILD, folder=copy)
    (found,) = (copy / "dist").iterdir()
    return found


def _install(wheel: Path, environment: Path) -> None:
    """Install a wheel beside foreign packages; its dependencies are those of this environment."""
    run(sys.executable, "-m", "venv", "--without-pip", environment, folder=environment.parent)
    python = environment / "bin" / "python"
    install = ("-m", "pip", "--python", python, "install", "--quiet", "--no-deps", wheel)
    run(sys.executable, *install, folder=environment)
    (packages,) = environment.glob("lib/python*/site-packages")
    others = [path for path in sys.path if Path(path).name == "site-packages"]
    (packages / "dependencies.pth").write_text("\n".join(others) + "\n")
    for name in NEIGHBOURS:
        (packages / name).mkdir()
        (packages / name / "__init__.py").write_text(FOREIGN)
