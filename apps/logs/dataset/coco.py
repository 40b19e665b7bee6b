"""COCO labels: bounding boxes, areas and segmentations of the objects in image masks.

Source: T.-Y. Lin et al. (2014), Microsoft COCO: common objects in context, and its data format.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from steerageway.vessel.perception.measurement import Visibility

FAINT = 0.02  # contrast below which an object is all but invisible: five of 256 levels
NEARER = 0.98  # something is nearer than an object if its depth is below this share of the object's


def run_lengths(mask: NDArray[np.bool_]) -> dict[str, list[int]]:
    """Return a mask (rows, columns) as COCO's uncompressed run lengths.

    They are column by column, and begin with the number of points outside the object.
    """
    flat = mask.ravel(order="F")
    edges = np.flatnonzero(np.diff(flat)) + 1
    counts = np.diff([0, *edges, len(flat)]).tolist()
    return {"size": list(mask.shape), "counts": [0, *counts] if flat[0] else counts}


class Limits(NamedTuple):
    """What an object needs to be labelled; what is not known of it does not count.

    Attributes:
        area: least of its visible part [pixels].
        contrast: least to what surrounds it, see ``contrast``.
        occlusion, truncation: greatest, see ``Visibility``.
    """

    area: int = 1
    contrast: float = 0.0
    occlusion: float = 1.0
    truncation: float = 1.0

    def allow(self, known: Mapping[str, float]) -> bool:
        """Return whether an object with these shares is labelled, by their names."""
        return (
            known.get("contrast", 1.0) >= self.contrast
            and known.get("occlusion", 0.0) <= self.occlusion
            and known.get("truncation", 0.0) <= self.truncation
        )


class Sight(NamedTuple):
    """What a camera saw at an instant, as images of the same size.

    Attributes:
        instances, classes: (rows, columns); instance 0 is no object.
        colours: (rows, columns, 3), 0 to 255.
        depths: (rows, columns) [m], NaN or inf without an echo; None: not measured.
        visibility: of the instances, by their numbers; {}: of a recording without it.
    """

    instances: NDArray[np.integer]
    classes: NDArray[np.integer]
    colours: NDArray[np.uint8]
    depths: NDArray[np.floating] | None = None
    visibility: Mapping[int, Visibility] = MappingProxyType({})

    def nearer(self, shown: NDArray[np.bool_], objects: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """Return the pixels of objects nearer than one of them; none without depths."""
        if self.depths is None:
            return np.zeros_like(shown)
        limit = NEARER * float(np.median(self.depths[shown]))
        closer: NDArray[np.bool_] = objects & ~shown & (self.depths < limit)
        return closer


def contrast(
    colours: NDArray[np.uint8], shown: NDArray[np.bool_], before: NDArray[np.bool_]
) -> float | None:
    """Return how much an object differs from what surrounds it, 0 to 1.

    The half of the object towards each side is compared with what surrounds it there: what else is
    in its box, enlarged by a fifth to each side, but by two pixels at least, without what is
    before it: an edge to that shows the nearer object, and not this one. It is the difference
    of their mean values, as a share of the image's range, on the side and in the channel where it
    is greatest; an object between a light sky and dark water may have the mean of both. Fog and
    darkness reduce it.

    Returns:
        None: nothing surrounds the object.
    """
    rows, columns = np.nonzero(shown)
    ends = (rows.min(), rows.max()), (columns.min(), columns.max())
    margins = [max(2, int(high - low + 1) // 5) for low, high in ends]
    window = tuple(
        slice(max(0, low - margin), high + 1 + margin)
        for (low, high), margin in zip(ends, margins, strict=True)
    )
    inside, near = shown[window], colours[window].astype(np.float64)
    outside = ~inside & ~before[window]
    found = []
    for axis, (low, high) in enumerate(ends):
        place = np.arange(inside.shape[axis]) + window[axis].start - 0.5 * (low + high)
        for side in (place <= 0.0, place >= 0.0):
            own, others, half = (np.compress(side, all_, axis) for all_ in (inside, outside, near))
            if own.any() and others.any():
                found.append(half[own].mean(axis=0) - half[others].mean(axis=0))
    return float(np.abs(found).max()) / 255.0 if found else None


class Labels:
    """The images, annotations and categories of a dataset.

    Args:
        background: classes that are no objects: water, sky.
        limits: what a labelled object needs.

    Attributes:
        faint: number of annotations with a contrast below ``FAINT``.
    """

    def __init__(self, background: frozenset[str], limits: Limits) -> None:
        self.faint = 0
        self._limits = limits
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

    def annotate(self, image: int, sight: Sight, names: Sequence[str]) -> frozenset[int]:
        """Add annotations for the objects that an image shows; return their instances.

        Args:
            image: its number. sight: its pixels. names: of the classes, by their numbers.
        """
        self._classes.update(enumerate(names))
        labelled = set()
        behind = [number for number, name in self._classes.items() if name in self._background]
        objects = (sight.instances != 0) & ~np.isin(sight.classes, behind)
        for instance in np.unique(sight.instances):
            if instance == 0:
                continue
            shown = sight.instances == instance
            kinds, counts = np.unique(sight.classes[shown], return_counts=True)
            category = int(kinds[np.argmax(counts)])
            if self.name(category) in self._background:
                continue
            shares = {"contrast": contrast(sight.colours, shown, sight.nearer(shown, objects))}
            if (seen := sight.visibility.get(int(instance))) is not None:
                shares |= {"occlusion": seen.occlusion, "truncation": seen.truncation}
            known = {name: round(one, 4) for name, one in shares.items() if one is not None}
            if counts.sum() < self._limits.area or not self._limits.allow(known):
                continue
            self.faint += known.get("contrast", 1.0) < FAINT
            self._classes.setdefault(category, self.name(category))
            numbers = {"image_id": image, "category_id": category, "instance_id": int(instance)}
            self._annotations.append(
                {
                    "id": len(self._annotations) + 1,
                    **numbers,
                    **_extent(shown),
                    **known,
                    "iscrowd": 0,
                }
            )
            labelled.add(int(instance))
        return frozenset(labelled)

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
