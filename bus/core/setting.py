"""``Setting``: an app's surroundings: name, community, configuration, folders, seed, epoch."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from steerageway.bus.core.config import Config, Entry
from steerageway.diagnostics.source_map import NOWHERE, SourceMap


@dataclass(frozen=True, slots=True)
class Setting:
    """Everything an app is constructed with; the same on every machine and at every speed.

    Attributes:
        name: the app's name on the bus (its alias in the launch list).
        community: the community it belongs to.
        config: the lines of its own block.
        globals: every line of the mission file, in blocks or not (LatOrigin, Community, ...).
        file: the mission file; None when there is none.
        overrides: app name -> lines of the command line that replace its lines in ``file``;
            those of this app are in ``config`` already.
        folder: the mission's folder, to which relative file names refer.
        answers_appcasts: whether the app posts ``APPCAST`` when ``APPCAST_REQ`` requests it; set
            for all apps of a run (``--appcasts``).
        skip_missing: whether what the app's files name and does not exist is left out with a
            warning (``--skip-missing``).
        sources: maps files of this folder that are expanded or linked to the user's own.
        home: the user's own folder, if the mission was expanded from templates there; else None.
        log_folder: folder for this run's logs; None when nothing may be logged.
        launch_list: the names of the community's apps, in launch order.
        seed: the mission's seed.
        epoch: UTC [s] of simulated time zero; a fixed date unless the mission says otherwise.
        replays: folder of an earlier run, whose posts from outside this one repeats (``--inputs``);
            None: it repeats none.
    """

    name: str
    community: str = ""
    config: Config = field(default_factory=Config)
    globals: Config = field(default_factory=Config)
    file: Path | None = None
    overrides: Mapping[str, Sequence[Entry]] = field(default_factory=dict)
    folder: Path = Path()
    sources: SourceMap = NOWHERE
    answers_appcasts: bool = False
    skip_missing: bool = False
    home: Path | None = None
    log_folder: Path | None = None
    launch_list: tuple[str, ...] = ()
    seed: int = 0
    epoch: float = 0.0
    replays: Path | None = None

    @property
    def replayed(self) -> bool:
        """Whether the run repeats the posts from outside of an earlier one."""
        return self.replays is not None

    @property
    def places(self) -> tuple[Path, ...]:
        """Folders searched for a file that need not lie beside the mission: it, and those above."""
        here, home = self.folder.resolve(), (self.home or self.folder).resolve()
        return tuple(dict.fromkeys((here, home, *home.parents)))
