"""``steerageway dataset RUN -o FOLDER``: exports a run's measurements as a dataset.

The folder contains point clouds, images, depths and masks, the sensor poses, calibration, and
labels with boxes.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

from steerageway.apps.logs.dataset.coco import FAINT, Limits
from steerageway.apps.logs.dataset.export import CLOUDS, Export
from steerageway.apps.shared.mcap_frames import frames_of
from steerageway.apps.shared.terminal import say
from steerageway.declarations import Number, Whole
from steerageway.declarations.arguments import Parser, add_options, argument
from steerageway.moos.errors import FormatError

PROGRAM = "python -m apps.dataset"
ABOUT = (
    "Export a run's measurements as a dataset: point clouds, images, depths and masks, "
    "sensor poses, calibration, and labels with boxes."
)
WRONG = 2


def main(arguments: Sequence[str] | None = None, prog: str = PROGRAM) -> int:
    """Write a dataset; return the exit code."""
    parser = Parser(prog=prog, description=ABOUT)
    parser.add_argument("run", type=Path, help="an .mcap file, an .alog, or a run's folder")
    parser.add_argument("-o", "--output", type=Path, required=True, help="the folder to create")
    add_options(
        parser,
        """
            --clouds: format of point clouds (pcd)
            --least-area PIXELS: objects that show less are not labelled (1)
            --least-contrast SHARE: objects that differ less from what surrounds them, as in fog, \
                are not labelled (0)
        """,
        clouds={"choices": CLOUDS, "default": CLOUDS[0]},
        least_area=(Whole(low=1), 1),
        least_contrast=(Number(low=0, high=1), 0.0),
    )
    for name, what in (
        ("occlusion", "objects of which nearer ones hide more are not labelled (1)"),
        ("truncation", "objects of which more is outside of the image are not labelled (1)"),
    ):
        parser.add_argument(
            f"--most-{name}",
            type=argument(Number(low=0, high=1)),
            default=1.0,
            metavar="SHARE",
            help=what,
        )
    options = parser.parse_args(arguments)
    limits = Limits(
        *(options.least_area, options.least_contrast),
        *(options.most_occlusion, options.most_truncation),
    )
    try:
        export = _exported(options.run, Export(options.output, options.clouds, limits))
    except FormatError as error:
        say(f"{prog}: {error}", to=sys.stderr)
        return WRONG
    except OSError as error:
        say(f"{prog}: {error.filename or options.output}: {error.strerror}", to=sys.stderr)
        return WRONG
    for name, sensor in export.sensors.items():
        parts = ", ".join(f"{count} {part}" for part, count in sensor.folders.items())
        say(f"{name}: {parts}")
    document = export.labels.document()
    say(f"labels: {len(document['annotations'])} boxes in {len(document['images'])} images")
    if export.labels.faint:
        faint = f"{export.labels.faint} boxes have a contrast below {FAINT:g}"
        say(f"warning: {faint}: --least-contrast {FAINT:g} leaves them out", to=sys.stderr)
    return 0


def _exported(run: Path, export: Export) -> Export:
    """Write the dataset.

    Raises:
        FormatError: the run cannot be read, or has no measurements.
        OSError: the folder cannot be written.
    """
    folder = export.folder
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise FormatError(str(folder), "", "", "expected a new or empty folder")
    for frame in frames_of(run):
        folder.mkdir(parents=True, exist_ok=True)
        export.take(frame)
    if not export.sensors:
        raise FormatError(str(run), "", "", "expected clouds or images in it, found none")
    export.finish(run.name)
    return export
