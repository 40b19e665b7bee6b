"""Measurements as bytes: packing, unpacking, and refusal of invalid ones."""

from __future__ import annotations

import msgpack
import numpy as np
import pytest

from steerageway.bus.transport.wire import LARGEST_VALUE
from steerageway.vessel.perception.measurement import MOST_BYTES, Box, Measurement, pack, unpack
from steerageway.world.errors import InvalidValue

POSE = (1.0, -2.0, -3.0, 0.1, 0.2, -0.3)
CLOUD = Measurement(
    12.5,
    "TOP",
    np.arange(10, dtype=np.float32).reshape(2, 5),
    POSE,
    ("x", "y", "z", "intensity", "ring"),
)


def tree_of(**changes: object) -> bytes:
    tree = msgpack.unpackb(pack(CLOUD))
    return bytes(msgpack.packb({**tree, **changes}))


def test_a_cloud_is_unpacked_as_it_was_packed() -> None:
    again = unpack(pack(CLOUD))
    assert (again.time, again.frame, again.pose, again.fields) == (12.5, "TOP", POSE, CLOUD.fields)
    np.testing.assert_array_equal(again.data, CLOUD.data)
    assert again.data.dtype.str == "<f4"


def test_an_image_keeps_its_classes_and_boxes_whatever_its_byte_order_was() -> None:
    mask = np.asfortranarray(np.arange(6, dtype=">u2").reshape(2, 3))
    boxes = (Box("buoy", 4, 0, 0, 2, 1),)
    again = unpack(pack(Measurement(0.0, "BOW", mask, POSE, (), ("nothing", "buoy"), boxes)))
    np.testing.assert_array_equal(again.data, mask)
    assert (again.classes, again.boxes) == (("nothing", "buoy"), boxes)


def test_values_the_wire_does_not_carry_are_refused_with_a_suggestion() -> None:
    assert MOST_BYTES == LARGEST_VALUE
    image = Measurement(0.0, "BOW", np.zeros((1200, 1200, 3), np.uint8), POSE)
    with pytest.raises(InvalidValue, match=r"BOW: .*1200 x 1200 x 3 .* at most 4194304; thin = N"):
        pack(image)


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("text", "str: expected the bytes"),
        (b"\xc1", "1 bytes: not a measurement"),
        (b"\x01", "int: expected a map"),
        (tree_of(t=float("nan")), "t: nan: expected a time"),
        (tree_of(frame=""), "frame: '': expected the sensor's name"),
        (tree_of(dtype="O"), "dtype: 'O': expected one of <f4"),
        (tree_of(shape=[2, -5]), "shape: .*: expected 1 to 3 whole numbers"),
        (tree_of(shape=[2, 6]), "data: 40 bytes: expected 48 bytes"),
        (tree_of(fields=["x"]), "fields: .*: expected a name for each column"),
        (tree_of(pose=[1, 2]), r"pose: \[1, 2\]: expected 6 numbers"),
        (tree_of(boxes=[["buoy", 1]]), "boxes: .*: expected lists of class"),
        (tree_of(visibility=[[1, 1.5, None]]), "visibility: .*: expected lists of .* 0 to 1"),
        (tree_of(visibility=[[1, None, 0.5]]), "visibility: .*: expected lists of instance"),
    ],
)
def test_an_invalid_measurement_is_refused_with_the_offending_part(
    value: object, expected: str
) -> None:
    with pytest.raises(InvalidValue, match=expected):
        unpack(value)
