"""Registry of apps: from names of a launch list to classes.

MOOS-IvP's names stand for this project's apps. Viewers and desktop tools are registered as skipped,
each with a reason; ``package.module:ClassName`` is a user's own class.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable
from importlib import import_module
from importlib.util import find_spec
from types import ModuleType

from steerageway.bus import App, error_text
from steerageway.diagnostics.nearest import ALIKE, hint

BROKER = "MOOSDB"
GATE = "pMOOSGate"
NATIVE_KIND = "steerageway.bridges.native.app:native_kind"
GATE_OPTIONS = "steerageway.bridges.moosdb.options:GateOptions"

APPS = {
    "pAisTraffic": "steerageway.bridges.ais_traffic:AisTraffic",
    "pArduPilot": "steerageway.bridges.ardupilot:ArduPilot",
    "pAutoPoke": "steerageway.apps.scripts.auto_poke:AutoPoke",
    "pBasicContactMgr": "steerageway.peers.older.basic_contact_mgr:BasicContactMgr",
    "pContactMgrV20": "steerageway.apps.contacts.contact_mgr.app:ContactMgr",
    "pDeadManPost": "steerageway.apps.scripts.dead_man_post:DeadManPost",
    "pDynamicPositioning": "steerageway.apps.control.dynamic_positioning:DynamicPositioning",
    "pEchoVar": "steerageway.apps.scripts.echo_var:EchoVar",
    "pFmu": "steerageway.bridges.fmi:FmuApp",
    "pHelmIvP": "steerageway.apps.helm:Helm",
    "pHostInfo": "steerageway.apps.watches.host_info:HostInfo",
    "pLogger": "steerageway.apps.logs.logger.app:Logger",
    "pMavlink": "steerageway.bridges.mavlink:Mavlink",
    "pMarinePID": "steerageway.peers.older.older_marine_pid:MarinePidLegacy",
    "pMarinePIDV22": "steerageway.apps.control.marine_pid:MarinePid",
    "pMcapLogger": "steerageway.apps.logs.mcap_logger.app:McapLogger",
    "pMOOSBridge": "steerageway.peers.older.moos_bridge:MoosBridge",
    "pMissionEval": "steerageway.apps.experiments.mission_eval:MissionEval",
    "pMissionHash": "steerageway.apps.experiments.mission_hash:MissionHasher",
    "pNmea": "steerageway.bridges.nmea:Nmea",
    "pNodeReporter": "steerageway.apps.communication.node_reporter.app:NodeReporter",
    "pObstacleMgr": "steerageway.apps.contacts.obstacle_mgr.app:ObstacleMgr",
    "pOccupancyMap": "steerageway.apps.sensing.occupancy_map:OccupancyMap",
    "pPathPlanner": "steerageway.apps.control.path_planner:PathPlanner",
    "pPolicy": "steerageway.apps.control.policy:PolicyControl",
    "pPoseControl": "steerageway.apps.control.pose_control:PoseControl",
    "pRealm": "steerageway.apps.communication.realm.app:Realm",
    "pRos2": "steerageway.bridges.ros.ros2:Ros2",
    "pRosBridge": "steerageway.bridges.ros.ros_bridge:RosBridge",
    "pSearchGrid": "steerageway.apps.sensing.search_grid:SearchGrid",
    "pShare": "steerageway.apps.communication.share:Share",
    "pSpoofNode": "steerageway.apps.contacts.spoof_node:SpoofNode",
    "pThrustAllocation": "steerageway.apps.control.thrust_allocation:ThrustAllocation",
    "pVelocityPID": "steerageway.apps.control.velocity_pid:VelocityPid",
    "pXRelay": "steerageway.apps.scripts.xrelay:XRelay",
    "pXRelayTest": "steerageway.apps.scripts.xrelay:XRelayTest",
    "uDriftWormhole": "steerageway.apps.vessels.drift_wormhole.app:DriftWormhole",
    "uEncounter": "steerageway.apps.contacts.encounter:Encounter",
    "uFldBeaconRangeSensor": "steerageway.apps.sensing.beacon_range_sensor:BeaconRangeSensor",
    "uFldCollObDetect": "steerageway.apps.contacts.coll_ob_detect:CollObDetect",
    "uFldCollisionDetect": "steerageway.apps.contacts.collision_detect.app:CollisionDetect",
    "uFldContactRangeSensor": "steerageway.apps.sensing.contact_range_sensor:ContactRangeSensor",
    "uFldDelve": "steerageway.apps.watches.field_delve:FieldDelve",
    "uFldGenericSensor": "steerageway.apps.sensing.generic_sensor:GenericSensor",
    "uFldHazardMetric": "steerageway.apps.sensing.hazard_metric:HazardMetric",
    "uFldHazardMgr": "steerageway.apps.sensing.hazard_mgr:HazardMgr",
    "uFldHazardSensor": "steerageway.apps.sensing.hazard_sensor:HazardSensor",
    "uFldMessageHandler": "steerageway.apps.communication.message_handler:MessageHandler",
    "uFldNodeBroker": "steerageway.apps.communication.node_broker:NodeBroker",
    "uFldNodeComms": "steerageway.apps.communication.node_comms.app:NodeComms",
    "uFldObstacleSim": "steerageway.apps.vessels.obstacle_sim.app:ObstacleSim",
    "uFldPathCheck": "steerageway.apps.contacts.path_check:PathCheck",
    "uFldRescueMgr": "steerageway.apps.sensing.rescue_mgr:RescueMgr",
    "uFldShoreBroker": "steerageway.apps.communication.shore_broker:ShoreBroker",
    "uGeofence": "steerageway.apps.vessels.geofence:Geofence",
    "uLoadWatch": "steerageway.apps.watches.load_watch:LoadWatch",
    "uPlayback": "steerageway.apps.logs.playback:Playback",
    "uProcessWatch": "steerageway.apps.watches.process_watch:ProcessWatch",
    "uNavFilter": "steerageway.apps.sensing.nav_filter:NavFilter",
    "uSceneSensors": "steerageway.apps.sensing.scene_sensors.app:SceneSensors",
    "uSensors": "steerageway.apps.sensing.sensors:Sensors",
    "uSimMarine": "steerageway.peers.older.older_usim_marine:USimMarineLegacy",
    "uSimMarineV22": "steerageway.apps.vessels.usim_marine.app:USimMarine",
    "uSweep": "steerageway.apps.experiments.sweep.app:Sweep",
    "uTimerScript": "steerageway.apps.scripts.timer_script.app:TimerScript",
    "uTracker": "steerageway.apps.contacts.tracker.app:SceneTracker",
}

EXTRAS = {
    "pAisTraffic": ("pyais", "nmea"),
    "pFmu": ("fmpy", "fmi"),
    "pMcapLogger": ("mcap", "mcap"),
    "pMavlink": ("pymavlink", "mavlink"),
    "pNmea": ("pyais", "nmea"),
    "pRos2": ("rosbags", "ros2"),
    "pRosBridge": ("cbor2", "ros2"),
    "uTracker": ("scipy", "rays"),
}
"""Apps that require a package of an extra: the package and the extra."""

_VIEWER = "a viewer: it needs a screen, and no result depends on it"
_SCOPE = "a viewer of variables; use steerageway scope with a running mission"
_MACHINE = "results must not depend on it"
_GONE = "missions of MOOS-IvP name it, but it is not among MOOS-IvP's own programs"
_POKE = "use steerageway poke with a running mission, or --set for an exact time"

SKIPPED = {
    "alogview": _VIEWER,
    "iGPS": "it reads a real GPS receiver; uSensors posts what one would measure",
    "iM300": "it drives a real boat",
    "iSay": "it speaks through a loudspeaker",
    "pEvalLoiter": _GONE,
    "pFrontEstimate": _GONE,
    "pMarineViewer": _VIEWER,
    "pOdometry": _GONE,
    "pPoseKeep": _GONE,
    "pSafetyRetreat": _GONE,
    "pTestClassifyQueue": _GONE,
    "uFldCTDSensor": _GONE,
    "uFldScope": _SCOPE,
    "uFldWrapDetect": _GONE,
    "uFunctionVis": _VIEWER,
    "uHelmScope": _SCOPE,
    "uMAC": _SCOPE,
    "uMACView": _SCOPE,
    "uMayFinish": "a command for a running mission; use it there, or --until and --for",
    "uMemWatch": f"it monitors the machine, and {_MACHINE}",
    "uMS": _SCOPE,
    "uPlotViewer": _VIEWER,
    "uPokeDB": _POKE,
    "uQueryDB": "use steerageway query with a running mission, or --until and --fail-if",
    "uSimCurrent": f"{_GONE}; the simulator has its own drift",
    "uTermCommand": _POKE,
    "uXMS": _SCOPE,
}


def short_name(module: str) -> str:
    """Return the name by which ``python -m`` finds an app's file or folder, without its group."""
    return f"steerageway.apps.{module.removesuffix('.app').rpartition('.')[2]}"


_HOMES = {short_name(module): module for module in (t.partition(":")[0] for t in APPS.values())}


class UnknownApp(ValueError):
    """An unknown name in a launch list; the text says what is expected instead."""


def base_name(process: str) -> str:
    """Return a launch list's process without its folder."""
    return re.split(r"[/\\]", process)[-1]


def why_skipped(process: str) -> str:
    """Return why a process of a launch list is not started; "" for a process that is."""
    return SKIPPED.get(base_name(process), "")


def may_be_program(process: str) -> bool:
    """Whether a process of a launch list is to be looked for among programs: it is no app here."""
    name = base_name(process)
    return ":" not in name and name not in (*APPS, GATE) and SKIPPED.get(name, _GONE) == _GONE


def is_known(process: str) -> bool:
    """Whether a process of a launch list is an app of this project, or a user-defined class."""
    return ":" in process or base_name(process) in (*APPS, *SKIPPED, BROKER, GATE)


def is_gone(process: str) -> bool:
    """Whether a process is not started because nobody has it any more."""
    return why_skipped(process).startswith(_GONE)


def is_own_code(process: str) -> bool:
    """Whether a process of a launch list is a user-defined class."""
    return base_name(process) not in APPS and ":" in process


def is_shipped(kind: type[App]) -> bool:
    """Whether a class of apps is the project's own, in whichever package."""
    return kind.__module__.startswith("steerageway.")


def process_of(name: str) -> str:
    """Return the launch list's process of an app's name, also of its module's: marine_pid."""
    return process_named(f"apps.{name}") or name


def process_named(module: str) -> str:
    """Return the launch list's process of an app's module, by any of its names; "" for no app."""
    full = f"steerageway.{module.removeprefix('steerageway.')}"
    homes = _HOMES.get(full, full), f"{full}.app"
    return next((p for p, target in APPS.items() if target.partition(":")[0] in homes), "")


def load(process: str) -> type[App]:
    """Return the class of a launch list's process; only its own modules are imported.

    Args:
        process: a name of MOOS-IvP, or ``package.module:ClassName``.
    Raises:
        UnknownApp: the app, module or class does not exist.
    """
    target = APPS.get(base_name(process), process)
    if ":" not in target:
        raise UnknownApp(f"expected an app{_nearest(process)}, or package.module:ClassName")
    module_name, _, class_name = target.partition(":")
    package, extra = EXTRAS.get(base_name(process), ("", ""))
    # By its short name an app's module would be imported a second time.
    module_name = _HOMES.get(module_name, module_name)
    if package and find_spec(package) is None:
        raise UnknownApp(f"needs {package}: pip install 'steerageway[{extra}]'")
    try:
        module = imported(module_name)
    except ImportError as error:
        raise UnknownApp(str(error)) from error
    kind = getattr(module, class_name, None)
    if not (isinstance(kind, type) and issubclass(kind, App)):
        names = _subclasses(vars(module).values())
        what = f"{module_name} has {names or 'none'}"
        raise UnknownApp(f"expected a subclass of steerageway.App as {class_name}: {what}")
    return kind


def imported(module: str) -> ModuleType:
    """Import a module named by a user.

    Raises:
        ImportError: the import fails for any reason, which the text contains.
    """
    expected = "expected a module that can be imported"
    try:
        found = import_module(module)
        if hasattr(found, "__path__") and getattr(found, "__file__", None) is None:
            del sys.modules[module]  # a folder, found before it was known where the module is
            found = import_module(module)
        return found
    except ModuleNotFoundError as error:
        where = "in the mission's folder or where Python finds it (PYTHONPATH)"
        raise ImportError(f"{expected}, {where}: {error}") from error
    except SyntaxError as error:
        raise ImportError(f"{expected}: {error}") from error
    except (Exception, SystemExit) as error:  # any error of a user's module
        raise ImportError(f"{expected}: {error_text(error)}") from error


def field_name(kind: type[App]) -> str:
    """Return the name of a class in a launch list; for a user-defined class, its own name."""
    own = f"{module_of(kind)}."
    for name, target in APPS.items():
        module, _, class_name = target.partition(":")
        if class_name == kind.__name__ and own.startswith(f"{module}."):
            return name
    return kind.__name__


def module_of(kind: type[App]) -> str:
    """Return the module of a class, also where Python runs that module as ``__main__``."""
    module = kind.__module__
    if module == "__main__":
        spec = sys.modules[module].__spec__  # None where a file is run: python odometer.py
        module = spec.name if spec else module
        if module.startswith("apps."):  # python -m apps.NAME, in a checkout
            module = f"steerageway.{module}"
    return _HOMES.get(module, module)


def _nearest(process: str) -> str:
    known = (*APPS, *SKIPPED, BROKER, GATE)
    return hint(base_name(process), known, ALIKE, ", ") or " (steerageway apps lists them)"


def _subclasses(values: Iterable[object]) -> str:
    found = (v.__name__ for v in values if isinstance(v, type) and issubclass(v, App) and v != App)
    return ", ".join(sorted(found))
