"""How the package compiles: as ``world.compiled`` says."""

from steerageway.world.compiled import compiled, fingerprint, part, pointer

__all__ = ["compiled", "fingerprint", "part", "pointer"]
