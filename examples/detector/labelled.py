"""The images and labels of datasets that ``steerageway dataset`` made."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from PIL import Image

CLASSES = ("buoy", "vessel", "pier", "building")


class Labelled(NamedTuple):
    """Images (n, rows, columns, 3) and, of each, its COCO annotations.

    The category of an annotation is its place in ``CLASSES``, and ``image_id`` that of its image.
    """

    images: Any
    annotations: list[list[dict[str, Any]]]

    def seen(self, contrast: float) -> Labelled:
        """Return the same without what ``--least-contrast`` would leave out."""
        few = [[one for one in rows if one["contrast"] >= contrast] for rows in self.annotations]
        return self._replace(annotations=few)


def load(folder: Path) -> Labelled:
    """Return the images of all runs in a folder; objects of other classes are left out."""
    images: list[Any] = []
    annotations: list[list[dict[str, Any]]] = []
    for file in sorted(folder.glob("*/set/annotations.json")):
        document = json.loads(file.read_text())
        names = {row["id"]: row["name"] for row in document["categories"]}
        places = {}
        for row in document["images"]:
            places[row["id"]] = len(images)
            images.append(np.asarray(Image.open(file.parent / row["file_name"])))
            annotations.append([])
        for row in document["annotations"]:
            if (name := names[row["category_id"]]) in CLASSES:
                place = places[row["image_id"]]
                changed = {"image_id": place, "category_id": CLASSES.index(name)}
                annotations[place].append({**row, **changed})
    return Labelled(np.array(images), annotations)
