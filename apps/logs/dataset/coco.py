"""COCO labels: bounding boxes, areas and segmentations of the objects in image masks.

Source: T.-Y. Lin et al. (2014), Microsoft COCO: common objects in context, and its data format.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

FAINT = 0.02  # contrast below which an object is all but invisible: five of 256 levels
NEARER = 0.98  # something hides an object if its range is below this share of the object's


def run_lengths(mask: NDArray[np.bool_]) -> dict[str, list[int]]:
    """Return a mask (rows, columns) as COCO's uncompressed run lengths.

    They are column by column, and begin with the number of points outside the object.
    """
    flat = mask.ravel(order="F")
    edges = np.flatnonzero(np.diff(flat)) + 1
    counts = np.diff([0, *edges, len(flat)]).tolist()
    return {"size": list(mask.shape), "counts": [0, *counts] if flat[0] else counts}


class Least(NamedTuple):
    """What an object needs at least to be labelled.

    Attributes:
        area: of its visible part [pixels].
        contrast: to what surrounds it, see ``contrast``.
    """

    area: int = 1
    contrast: float = 0.0


class Sight(NamedTuple):
    """What a camera saw at an instant, as images of the same size.

    Attributes:
        instances, classes: (rows, columns); instance 0 is no object.
        colours: (rows, columns, 3), 0 to 255.
        depths: (rows, columns) [m], NaN or inf without an echo; None: not measured.
    """

    instances: NDArray[np.integer]
    classes: NDArray[np.integer]
    colours: NDArray[np.uint8]
    depths: NDArray[np.floating] | None = None


def contrast(colours: NDArray[np.uint8], shown: NDArray[np.bool_]) -> float:
    """Return how much an object differs from what surrounds it, 0 to 1.

    It is the difference of their mean values in the channel where it is greatest, as a share of the
    image's range. What surrounds it is all else in its box, enlarged by a fifth to each side, but
    by two pixels at least. Fog and darkness both reduce it.
    """
    rows, columns = np.nonzero(shown)
    window = tuple(
        slice(max(0, low - margin), high + 1 + margin)
        for low, high in ((rows.min(), rows.max()), (columns.min(), columns.max()))
        for margin in [max(2, int(high - low + 1) // 5)]
    )
    inside, near = shown[window], colours[window]
    if inside.all():
        return 0.0
    differences = near[inside].mean(axis=0) - near[~inside].mean(axis=0)
    return float(np.abs(differences).max()) / 255.0


def hidden_outline(depths: NDArray[np.floating], shown: NDArray[np.bool_]) -> float:
    """Return the share of an object's outline that borders on something nearer, 0 to 1."""
    outline = nearer = 0
    for axis in (0, 1):
        for one, other in ((slice(1, None), slice(None, -1)), (slice(None, -1), slice(1, None))):
            here, there = ((one, slice(None)), (other, slice(None)))
            if axis:
                here, there = here[::-1], there[::-1]
            edge = shown[here] & ~shown[there]
            outline += int(edge.sum())
            nearer += int((depths[there][edge] < NEARER * depths[here][edge]).sum())
    return nearer / outline if outline else 0.0


class Labels:
    """The images, annotations and categories of a dataset.

    Args:
        background: classes that are no objects: water, sky.
        least: what a labelled object needs.

    Attributes:
        faint: number of annotations with a contrast below ``FAINT``.
    """

    def __init__(self, background: frozenset[str], least: Least) -> None:
        self.faint = 0
        self._least = least
        self._classes: dict[int, str] = {}
        self._background = background
        self._images: list[dict[str, Any]] = []
        self._annotations: list[dict[str, Any]] = []

    def image(self, file: str, width: int, height: int, time: float) -> int:
        """Add an image; return its number."""
        number = len(self._images) + 1
        image = {"id": number, "file_name": file, "width": width, "height": height}
        self._images.append({**image, "time": time})
        return number

    def annotate(self, image: int, sight: Sight, names: Sequence[str]) -> None:
        """Add annotations for the objects that an image shows.

        Args:
            image: its number. sight: its pixels. names: of the classes, by their numbers.
        """
        self._classes.update(enumerate(names))
        for instance in np.unique(sight.instances):
            if instance == 0:
                continue
            shown = sight.instances == instance
            kinds, counts = np.unique(sight.classes[shown], return_counts=True)
            category = int(kinds[np.argmax(counts)])
            if self.name(category) in self._background:
                continue
            differs = contrast(sight.colours, shown)
            if counts.sum() < self._least.area or differs < self._least.contrast:
                continue
            self.faint += differs < FAINT
            self._classes.setdefault(category, self.name(category))
            numbers = {"image_id": image, "category_id": category, "instance_id": int(instance)}
            hidden = {}
            if sight.depths is not None:
                hidden["occlusion"] = round(hidden_outline(sight.depths, shown), 3)
            self._annotations.append(
                {
                    "id": len(self._annotations) + 1,
                    **numbers,
                    **_extent(shown),
                    "contrast": round(differs, 4),
                    **hidden,
                    "iscrowd": 0,
                }
            )

    def name(self, category: int) -> str:
        """Return a class's name; ``class_7`` for a class without one."""
        return self._classes.get(category, f"class_{category}")

    def document(self) -> dict[str, Any]:
        """Return the contents of a COCO file."""
        categories = [
            {"id": number, "name": name}
            for number, name in sorted(self._classes.items())
            if name not in self._background
        ]
        return {
            "info": {"description": "simulated by Steerageway"},
            "images": self._images,
            "annotations": self._annotations,
            "categories": categories,
        }


def _extent(shown: NDArray[np.bool_]) -> dict[str, Any]:
    """Return box, area and segmentation of an object, and whether the image's edge cuts it."""
    rows, columns = np.nonzero(shown)
    x, y = int(columns.min()), int(rows.min())
    right, bottom = int(columns.max()), int(rows.max())
    height, width = shown.shape
    return {
        "bbox": [x, y, right - x + 1, bottom - y + 1],
        "area": len(rows),
        "segmentation": run_lengths(shown),
        "truncated": x == 0 or y == 0 or right == width - 1 or bottom == height - 1,
    }
