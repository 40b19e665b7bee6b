"""Files for others: PNG as another program reads it, PCD and PLY by their specifications."""

from __future__ import annotations

import struct
import tracemalloc
import zlib
from contextlib import nullcontext

import numpy as np
import pytest

from steerageway.vessel.perception.files import pcd, ply, png, read_png

FIELDS = ("x", "y", "z", "intensity", "ring")
CLOUD = np.array([[1, 2, 3, 0.5, 0], [np.nan, np.nan, np.nan, 0, 1], [4, 5, 6, 0.25, 2]], "<f4")


@pytest.mark.parametrize(("dtype", "shape"), [("u1", (7, 5)), ("u2", (4, 9)), ("u1", (6, 3, 3))])
def test_an_image_comes_back_as_it_was(dtype: str, shape: tuple[int, ...]) -> None:
    image = np.random.default_rng(0).integers(0, 256, shape).astype(dtype)
    again = read_png(png(image))
    assert again.dtype == dtype
    assert (again == image).all()


def test_a_png_conforms_to_its_specification() -> None:
    """Two rows of one grey pixel each, taken apart by hand."""
    data = png(np.array([[7], [9]], np.uint8))
    assert data[:16] == b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR"
    assert struct.unpack(">IIBBBBB", data[16:29]) == (1, 2, 8, 0, 0, 0, 0)
    size = struct.unpack(">I", data[33:37])[0]
    assert data[37:41] == b"IDAT"
    assert zlib.decompress(data[41 : 41 + size]) == bytes([2, 7, 2, 2])  # filter Up: 9 - 7
    assert data[-12:] == b"\x00\x00\x00\x00IEND\xaeB\x60\x82"


@pytest.mark.parametrize("image", [np.zeros((2, 2)), np.zeros((2, 2, 4), np.uint8)])
def test_an_image_of_another_kind_is_refused(image: np.ndarray) -> None:
    with pytest.raises(ValueError, match="expected"):
        png(image)


def test_a_damaged_png_is_refused() -> None:
    data = bytearray(png(np.zeros((2, 2), np.uint8)))
    data[20] ^= 1
    with pytest.raises(ValueError, match="damaged"):
        read_png(bytes(data))


@pytest.mark.parametrize(("side", "expected"), [(2**31, "at most"), (2, "")])
def test_a_png_takes_no_more_memory_than_its_pixels(side: int, expected: str) -> None:
    head = struct.pack(">IIBBBBB", side, side, 8, 0, 0, 0, 0)
    data = b"\x89PNG\r\n\x1a\n"
    for kind, part in ((b"IHDR", head), (b"IDAT", zlib.compress(bytes(1 << 24))), (b"IEND", b"")):
        data += struct.pack(">I", len(part)) + kind + part
        data += struct.pack(">I", zlib.crc32(kind + part))
    tracemalloc.start()
    with pytest.raises(ValueError, match=expected) if expected else nullcontext():
        assert (read_png(data) == np.zeros((2, 2))).all()
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert most < 1 << 20


def test_a_pcd_holds_every_point_and_the_viewpoint() -> None:
    head, _, body = pcd(CLOUD, FIELDS, (1, 2, -3, 0, 0, np.pi / 2)).partition(b"DATA binary\n")
    lines = dict(line.split(" ", 1) for line in head.decode().splitlines()[1:])
    assert lines["FIELDS"] == "x y z intensity ring"
    assert lines["POINTS"] == lines["WIDTH"] == "3"
    view = [float(word) for word in lines["VIEWPOINT"].split()]
    assert view == pytest.approx([1, 2, -3, 0.5**0.5, 0, 0, 0.5**0.5])
    assert np.array_equal(np.frombuffer(body, "<f4").reshape(3, 5), CLOUD, equal_nan=True)


def test_a_ply_omits_rays_without_a_return() -> None:
    head, _, body = ply(CLOUD, FIELDS).partition(b"end_header\n")
    assert b"element vertex 2" in head
    assert head.count(b"property float") == 5
    assert np.array_equal(np.frombuffer(body, "<f4").reshape(2, 5), CLOUD[[0, 2]])


def test_a_cloud_with_other_fields_is_refused() -> None:
    with pytest.raises(ValueError, match="expected x, y, z first"):
        ply(CLOUD[:, :3], ("y", "x", "z"))
