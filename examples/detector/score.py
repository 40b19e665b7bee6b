"""Score detectors on the kept-back harbours: average precision, confusion matrices, a picture.

    python examples/detector/score.py data all.npz seen.npz --picture detections.png

Each is scored on clear and foggy images, against all labels and against those that can be seen:
with a contrast of at least 0.02. Average precision is that of COCO, by pycocotools.
"""

from __future__ import annotations

import argparse
import contextlib
import io
from pathlib import Path
from typing import Any

import numpy as np
from detector import detected
from labelled import CLASSES, Labelled, load
from matplotlib.figure import Figure
from pycocotools.coco import COCO
from pycocotools.cocoeval import COCOeval

SEEN = 0.02  # contrast
SURE = 0.3  # score of a detection that counts in a confusion matrix, and is drawn
SAME = 0.5  # intersection over union of a detection and its object
Row = dict[str, Any]


def detections(file: Path, images: Any, batch: int = 8) -> list[Row]:
    """Return what the weights of a file detect, as COCO's results."""
    parts = np.load(file)
    weights = {key[:-2]: (parts[key], parts[f"{key[:-2]}.1"]) for key in parts if key[-1] == "0"}
    rows = []
    for first in range(0, len(images), batch):
        found = detected(weights, images[first : first + batch])
        for k, (boxes, kinds, scores) in enumerate(zip(*map(np.asarray, found), strict=True)):
            for box, kind, score in zip(
                boxes.tolist(), kinds.tolist(), scores.tolist(), strict=True
            ):
                rows.append(
                    {"image_id": first + k, "bbox": box, "category_id": kind, "score": score}
                )
    return rows


def precisions(known: Labelled, found: list[Row]) -> list[float]:
    """Return AP over IoU 0.50 to 0.95, AP50, and AP50 of each class; nan without objects."""
    rows = [row for image in known.annotations for row in image]
    truth = COCO()
    truth.dataset = {
        "images": [{"id": k} for k in range(len(known.images))],
        "categories": [{"id": k, "name": name} for k, name in enumerate(CLASSES)],
        "annotations": [{**row, "id": k} for k, row in enumerate(rows, 1)],
    }
    with contextlib.redirect_stdout(io.StringIO()):
        truth.createIndex()
        judged = COCOeval(truth, truth.loadRes(found), "bbox")
        judged.evaluate()
        judged.accumulate()
    table = judged.eval["precision"][:, :, :, 0, -1]  # IoU, recall, class
    table = np.where(table < 0.0, np.nan, table)
    return [np.nanmean(table), np.nanmean(table[0]), *np.nanmean(table[0], axis=0)]


def overlap(one: list[float], other: list[float]) -> float:
    """Return the intersection over union of two boxes: left, top, width, height."""
    a, b = np.array(one), np.array(other)
    low, high = np.maximum(a[:2], b[:2]), np.minimum(a[:2] + a[2:], b[:2] + b[2:])
    common = float(np.prod(np.maximum(high - low, 0.0)))
    return common / (float(np.prod(a[2:]) + np.prod(b[2:])) - common)


def confusion(known: Labelled, found: list[Row]) -> Any:
    """Return how often an object of a class (row) was detected as one (column).

    The last row is of detections where no object is, the last column of objects not detected.
    """
    none = len(CLASSES)
    counts = np.zeros((none + 1, none + 1), int)
    by_image: dict[int, list[Row]] = {}
    for row in sorted(found, key=lambda row: -row["score"]):
        if row["score"] >= SURE:
            by_image.setdefault(row["image_id"], []).append(row)
    for image, objects in enumerate(known.annotations):
        free = list(objects)
        for row in by_image.get(image, ()):
            overlaps = [overlap(row["bbox"], one["bbox"]) for one in free]
            true = none
            if overlaps and max(overlaps) >= SAME:
                true = free.pop(int(np.argmax(overlaps)))["category_id"]
            counts[true, row["category_id"]] += 1
        for one in free:
            counts[one["category_id"], none] += 1
    return counts


def table(head: list[str], rows: list[list[str]]) -> str:
    """Return a table as Markdown."""
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def matrix(counts: Any) -> str:
    """Return a confusion matrix: shares of each row, except the last, which has numbers."""
    names = [*CLASSES, "nothing"]
    rows = []
    for name, row in zip(names, counts, strict=True):
        shares = [f"{n / max(row.sum(), 1):.2f}" for n in row]
        cells = [str(n) for n in row[:-1]] + [""] if name == "nothing" else shares
        rows.append([f"{name} ({row.sum()})", *cells])
    return table(["object \\ detected as", *names], rows)


def draw(panel: Any, image: Any, objects: list[Row], found: list[Row]) -> None:
    """Draw detections (lines) and labels (dashed; those that cannot be seen dotted) on an image."""
    from matplotlib.patches import Rectangle

    colours = ("tab:red", "tab:blue", "tab:green", "tab:orange")
    panel.imshow(image)
    panel.set_axis_off()
    known = [(one, "--" if one["contrast"] >= SEEN else ":", "black", 0.6) for one in objects]
    sure = [(one, "-", None, 1.1) for one in found if one["score"] >= SURE]
    for one, style, colour, width in (*known, *sure):
        (x, y, w, h), colour = one["bbox"], colour or colours[one["category_id"]]
        panel.add_patch(
            Rectangle((x, y), w, h, fill=False, linestyle=style, edgecolor=colour, linewidth=width)
        )
    for one, *_ in sure:
        (x, y), kind = one["bbox"][:2], one["category_id"]
        text = f"{CLASSES[kind]} {one['score']:.2f}"
        panel.text(max(x, 0), y - 1, text, fontsize=5, color=colours[kind])


def picture(pairs: list[tuple[Labelled, list[Row]]], number: int, file: Path) -> None:
    """Write one image of each set with its labels and detections."""
    figure = Figure(figsize=(8.0, 2.55), layout="constrained")
    for panel, (known, found) in zip(figure.subplots(1, 2), pairs, strict=True):
        here = [row for row in found if row["image_id"] == number]
        draw(panel, known.images[number], known.annotations[number], here)
    figure.savefig(file, dpi=110)


def main() -> None:
    """Score, and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("weights", type=Path, nargs="+")
    parser.add_argument("--picture", type=Path)
    parser.add_argument("--number", type=int, default=8, help="of the image drawn of each set")
    given = parser.parse_args()
    sets = {name: load(given.folder / name) for name in ("clear", "foggy")}
    rows, matrices, pairs = [], [], []
    for file in given.weights:
        for name, known in sets.items():
            found = detections(file, known.images)
            for labels, some in (("all", known), ("seen", known.seen(SEEN))):
                values = [f"{value:.2f}" for value in precisions(some, found)]
                count = str(sum(map(len, some.annotations)))
                rows.append([file.stem, name, labels, count, *values])
            matrices.append(f"{file.stem}, {name}, seen:\n\n{matrix(confusion(some, found))}")
            if file == given.weights[-1]:
                pairs.append((known, found))
    head = ["trained on", "images", "labels", "boxes", "AP", "AP50", *CLASSES]
    print(table(head, rows), *matrices, sep="\n\n")
    if given.picture is not None:
        picture(pairs, given.number, given.picture)


if __name__ == "__main__":
    main()
