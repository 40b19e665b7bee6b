"""COCO labels: bounding boxes, areas and segmentations of the objects in image masks.

Source: T.-Y. Lin et al. (2014), Microsoft COCO: common objects in context, and its data format.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray


def run_lengths(mask: NDArray[np.bool_]) -> dict[str, list[int]]:
    """Return a mask (rows, columns) as COCO's uncompressed run lengths.

    They are column by column, and begin with the number of points outside the object.
    """
    flat = mask.ravel(order="F")
    edges = np.flatnonzero(np.diff(flat)) + 1
    counts = np.diff([0, *edges, len(flat)]).tolist()
    return {"size": list(mask.shape), "counts": [0, *counts] if flat[0] else counts}


class Labels:
    """The images, annotations and categories of a dataset.

    Args:
        background: classes that are no objects: water, sky.
    """

    def __init__(self, background: frozenset[str]) -> None:
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

    def annotate(
        self,
        image: int,
        instances: NDArray[np.integer],
        classes: NDArray[np.integer],
        names: Sequence[str],
    ) -> None:
        """Add annotations for the objects in an image's masks.

        Args:
            image: its number.
            instances: (rows, columns); 0 is no object.
            classes: (rows, columns).
            names: of the classes, by their numbers.
        """
        self._classes.update(enumerate(names))
        for instance in np.unique(instances):
            if instance == 0:
                continue
            shown = instances == instance
            kinds, counts = np.unique(classes[shown], return_counts=True)
            category = int(kinds[np.argmax(counts)])
            if self.name(category) in self._background:
                continue
            self._classes.setdefault(category, self.name(category))
            rows, columns = np.nonzero(shown)
            x, y = int(columns.min()), int(rows.min())
            box = [x, y, int(columns.max()) - x + 1, int(rows.max()) - y + 1]
            self._annotations.append(
                {
                    "id": len(self._annotations) + 1,
                    "image_id": image,
                    "category_id": category,
                    "instance_id": int(instance),
                    "bbox": box,
                    "area": len(rows),
                    "segmentation": run_lengths(shown),
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
