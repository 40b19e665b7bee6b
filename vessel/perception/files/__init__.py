"""Writers of standard formats: point clouds as PCD and PLY, images as PNG."""

from steerageway.vessel.perception.files.clouds import pcd, ply
from steerageway.vessel.perception.files.png import png, read_png

__all__ = ["pcd", "ply", "png", "read_png"]
