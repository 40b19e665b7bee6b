"""Compilation is announced while machine code is not cached, and not afterwards."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace

from steerageway.vessel.fossen.folder import load
from steerageway.vessel.fossen.warm import announce_compilation

OTTER = Path(__file__).parents[3] / "inputs" / "otter"


def test_a_compilation_is_announced_while_any_part_is_not_on_disk(tmp_path: Path) -> None:
    def part(name: str) -> SimpleNamespace:
        """Return numba's messages about a function cached in this folder."""
        function = SimpleNamespace(__qualname__=name)
        return SimpleNamespace(stats=SimpleNamespace(cache_path=str(tmp_path)), py_func=function)

    received: list[str] = []
    parts = [part("derivative"), part("rk4")]
    (tmp_path / "model.derivative-15.py311.nbi").touch()
    announce_compilation(load(OTTER), parts, received.append)
    (tmp_path / "model.rk4-89.py311.nbi").touch()
    announce_compilation(load(OTTER), parts, received.append)
    assert received == ["compiling the model of otter: once, for less than 40 s"]
