"""Hulls of vessels for Foxglove: entities of its scene, and the STL files that it fetches.

Foxglove's vessels are FLU; the meshes are those of the vessels' files, relative to CO.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from steerageway.bridges.scene import Out, entity
from steerageway.web.viewer.hull import NoModel, VesselFiles, stl_in_flu

SCHEME, FILE = "package://", "/hull.stl"  # of a community's name, as Foxglove asks a server
_UNIT = {"x": 1.0, "y": 1.0, "z": 1.0}
_HERE = {
    "position": {"x": 0.0, "y": 0.0, "z": 0.0},
    "orientation": {"x": 0.0, "y": 0.0, "z": 0.0, "w": 1.0},
}
_GREY = {"r": 0.8, "g": 0.8, "b": 0.85, "a": 1.0}


class Hulls:
    """The meshes of some vessels; those without one are left out.

    Args:
        vessels: community -> its vessel's files.
    """

    def __init__(self, vessels: Mapping[str, VesselFiles]) -> None:
        self._files: dict[str, bytes] = {}
        for community, vessel in vessels.items():
            try:
                self._files[community] = stl_in_flu(vessel)
            except NoModel:
                continue

    def file(self, uri: str) -> bytes | None:
        """Return the STL file of a URI; None if there is none."""
        return self._files.get(uri.removeprefix(SCHEME).removesuffix(FILE))

    def updates(self, at: int) -> Iterator[Out]:
        """Yield topic, schema and message that place each hull in its vessel's frame [ns]."""
        for name in self._files:
            model = {
                "pose": _HERE,
                "scale": _UNIT,
                "color": _GREY,
                "override_color": True,
                "url": f"{SCHEME}{name}{FILE}",
                "media_type": "model/stl",
                "data": "",
            }
            hull = {**entity("hull", at, models=[model]), "frame_id": name}
            yield f"/{name}/hull", "foxglove.SceneUpdate", {"deletions": [], "entities": [hull]}
