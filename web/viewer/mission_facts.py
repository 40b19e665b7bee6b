"""Facts from a run's mission files for the viewer: datum, viewer block, vessels, backgrounds."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from steerageway.apps.shared.registry import BROKER, base_name, why_skipped
from steerageway.geometry.geodesy import Projection
from steerageway.moos.errors import FormatError
from steerageway.moos.globals import datum, projection
from steerageway.moos.lines import unquote
from steerageway.moos.mission import MissionFile, read_mission
from steerageway.vessel.errors import VesselError
from steerageway.vessel.tools.place import file_of, folder_of
from steerageway.web.viewer.block import BLOCK, ViewerBlock, read_block
from steerageway.web.viewer.charts import Background, ChartError, read_background
from steerageway.web.viewer.helm_facts import HelmFacts, helm_facts
from steerageway.web.viewer.hull import VesselFiles

SIMULATORS = ("uSimMarineV22", "uSimMarine")


@dataclass(slots=True)
class MissionFacts:
    """Facts from a run's mission files.

    Attributes:
        datum: latitude and longitude of x = y = 0 [deg]; None if no file specifies it.
        projection: converts x, y to latitude and longitude.
        blocks: the ``pMarineViewer`` blocks, at most one per community.
        vessels: community -> its vessel's files.
        backgrounds: of the map.
        apps: community -> the names of its launch list.
        helms: community -> what its helm takes.
        notes: errors in the files.
    """

    datum: tuple[float, float] | None = None
    projection: Projection | None = None
    blocks: list[ViewerBlock] = field(default_factory=list)
    vessels: dict[str, VesselFiles] = field(default_factory=dict)
    backgrounds: list[Background] = field(default_factory=list)
    apps: dict[str, list[str]] = field(default_factory=dict)
    helms: dict[str, HelmFacts] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)


def facts_of(files: Mapping[str, Path], homes: Mapping[str, Path] | None = None) -> MissionFacts:
    """Read the mission files of a run; what cannot be read becomes a note.

    Args:
        files: community -> its file, or the copy next to its log.
        homes: community -> the folder that relative paths refer to; default: the file's.
    """
    facts = MissionFacts()
    for community, path in files.items():
        try:
            _read(facts, community, path, (homes or {}).get(community, path.parent))
        except FormatError as error:
            facts.notes.append(str(error))
    return facts


def read_helms(facts: MissionFacts, files: Mapping[str, Path], copies: Mapping[str, Path]) -> None:
    """Add what the helms of a running mission take; what cannot be read becomes a note.

    Args:
        facts: of the mission.
        files: community -> its file.
        copies: community -> the copy of its file beside its log, of a template as it was expanded.
            Copies of behavior files are added a little later than it.
    """
    blocks = {block.community: block for block in facts.blocks}
    for community, path in {**files, **copies}.items():
        homes = [one[community].parent for one in (copies, files) if community in one]
        try:
            found = helm_facts(community, read_mission(path), homes, blocks.get(community))
        except FormatError as error:
            facts.notes.append(str(error))
        else:
            facts.helms[community] = found


def _read(facts: MissionFacts, community: str, path: Path, home: Path) -> None:
    mission = read_mission(path)
    _read_datum(facts, mission)
    block = mission.block(BLOCK)
    if block is not None:
        found = read_block(community, block.lines)
        facts.blocks.append(found)
        facts.notes += found.trouble
        for line in block.lines:
            if line.key.lower() == "tiff_file":
                try:
                    facts.backgrounds.append(read_background(home / unquote(line.value)))
                except (ChartError, OSError) as error:
                    facts.notes.append(f"{line.where}: tiff_file = {line.value}: {error}")
    vessel = _vessel_files(mission, home)
    if vessel is not None:
        facts.vessels[community] = vessel
    facts.apps[community] = _apps_of(mission)


def _apps_of(mission: MissionFile) -> list[str]:
    """Return the names of a launch list's apps; [] without such a list."""
    try:
        runs = mission.antler().runs
    except FormatError:
        return []
    return [
        run.alias
        for run in runs
        if base_name(run.process) != BROKER and not why_skipped(run.process)
    ]


def _read_datum(facts: MissionFacts, mission: MissionFile) -> None:
    found = datum(mission)
    if found is None or facts.datum is not None:
        return
    try:
        facts.projection = projection(mission)
    except ValueError as error:
        facts.notes.append(str(error))
        return
    facts.datum = found


def _vessel_files(mission: MissionFile, home: Path) -> VesselFiles | None:
    """Return the files of the vessel that a mission's simulator block names; None without one."""
    places = (home, *home.parents[:2])
    for name in SIMULATORS:
        block = mission.block(name)
        lines = [(line.key.lower(), unquote(line.value)) for line in block.lines] if block else []
        named = next((value for key, value in lines if key == "vessel"), None)
        if named is None:
            continue
        files, overrides = (
            {
                part.strip(): rest.strip()
                for key, value in lines
                if key == word
                for part, _, rest in [value.partition("=")]
            }
            for word in ("vessel_file", "vessel_override")
        )
        elsewhere = {kind: file_of(path, places) for kind, path in files.items()}
        try:
            return VesselFiles(folder_of(named, places), elsewhere, overrides)
        except VesselError:
            return None
    return None


def files_beside(logs: Mapping[str, Path]) -> dict[str, Path]:
    """Return the copies of mission files (``*._moos``) next to logs."""
    found = {}
    for community, log in logs.items():
        copies = sorted(log.parent.glob("*._moos"))
        if copies:
            found[community] = copies[0]
    return found
