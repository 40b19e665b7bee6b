"""Missions in the manner of MOOS-IvP's own: with its apps, its layout and its older names.

Each has the apps, behaviors and parameters that a mission of MOOS-IvP has; consoles, viewers and
apps that watch the machine are in its launch list and are left out with a reason.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from steerageway.bus import Outcome, run
from steerageway.launcher.options import parse_options
from steerageway.launcher.plan import plan_launch
from steerageway.moos.alog import read_entries

pytestmark = pytest.mark.slow

FIELD = Path(__file__).parent / "field"

HEAD = """//-------------------------------------------------
ServerHost = localhost
ServerPort = 9000
Simulator  = true
Community  = {community}
MOOSTimeWarp = 1
LatOrigin  = 43.825300
LongOrigin = -70.330400

//------------------------------------------
// Antler configuration  block
Processconfig = ANTLER
{{
  MSBetweenLaunches = 100
  Run = MOOSDB\t@ NewConsole = false
  Run = pLogger\t@ NewConsole = false
{run}  Run = pMarineViewer @ NewConsole = false
  Run = uXMS @ NewConsole = true ~ uXMS_NAV
}}

ProcessConfig = pLogger
{{
  AppTick = 10
  CommsTick = 10
  File = LOG_{community}
  PATH = ./
  SyncLog = true @ 0.2
  AsyncLog = true
  FileTimeStamp = true
  LogAuxSrc = true
  WildCardLogging = true
  WildCardOmitPattern = *_STATUS
}}

ProcessConfig = uXMS_NAV
{{
  VAR = NAV_X, NAV_Y
}}

ProcessConfig = pMarineViewer
{{
  AppTick = 4
  TIFF_FILE = forrest19.tif
  button_one = DEPLOY # DEPLOY=true # MOOS_MANUAL_OVERIDE=false # RETURN=false
}}

ProcessConfig = pNodeReporter
{{
  AppTick = 2
  CommsTick = 2
  VESSEL_TYPE = KAYAK
}}

ProcessConfig = pHelmIvP
{{
  AppTick = 4
  CommsTick = 4
  bhv_dir_not_found_ok = true
  Behaviors  = {name}.bhv
  Verbose    = quiet
  Domain     = course:0:359:360
  Domain     = speed:0:4:41
{domain}{helm}}}
"""

OLD = """
ProcessConfig = uSimMarine
{
  AppTick = 10
  CommsTick = 10
  START_X = 0
  START_Y = 0
  START_SPEED = 0
  START_HEADING = 180
  PREFIX = NAV
  turn_rate = 40
  thrust_map = 0:0, 20:1, 40:2, 60:3, 80:5, 100:5
  thrust_reflect = true
  BUOYANCY_RATE = 0.025
  MAX_DEPTH_RATE = 0.75
  MAX_DEPTH_RATE_SPEED = 2.0
  DEFAULT_WATER_DEPTH = 400
  deprecated_ok = true
}

ProcessConfig = pMarinePID
{
  AppTick = 20
  CommsTick = 20
  VERBOSE = true
  DEPTH_CONTROL = %s
  deprecated_ok = true
  ACTIVE_START = true
  YAW_PID_KP = 0.5
  YAW_PID_KD = 0.0
  YAW_PID_KI = 0.0
  YAW_PID_INTEGRAL_LIMIT = 0.07
  SPEED_PID_KP = 1.0
  SPEED_PID_KD = 0.0
  SPEED_PID_KI = 0.0
  SPEED_PID_INTEGRAL_LIMIT = 0.07
  Z_TO_PITCH_PID_KP = 0.12
  Z_TO_PITCH_PID_KD = 0
  Z_TO_PITCH_PID_KI = 0.004
  Z_TO_PITCH_PID_INTEGRAL_LIMIT = 0.05
  PITCH_PID_KP = 1.5
  PITCH_PID_KD = 0
  PITCH_PID_KI = 1.0
  PITCH_PID_INTEGRAL_LIMIT = 0
  MAXPITCH = 15
  MAXELEVATOR = 13
  MAXRUDDER = 100
  MAXTHRUST = 100
  SPEED_FACTOR = 20
}
"""

NEW = """
ProcessConfig = uSimMarineV22
{
  AppTick = 4
  start_pos = x=0, y=0, heading=180, speed=0
  prefix = NAV
  turn_rate = 95
  thrust_map = 0:0, 20:1, 40:2, 60:3, 80:4, 100:5
  turn_spd_loss = 0.4
}

ProcessConfig = pMarinePIDV22
{
  AppTick = 20
  verbose = true
  depth_control = false
  yaw_pid_kp = 0.9
  yaw_pid_kd = 0.3
  yaw_pid_ki = 0.3
  yaw_pid_integral_limit = 0.07
  maxrudder = 100
  maxthrust = 100
  speed_factor = 20
}
"""

GUSTS = """
ProcessConfig = uTimerScript
{
  AppTick = 2
  paused = false
  reset_max = unlimited
  reset_time = end
  delay_reset = 10:60
  delay_start = 10:60
  upon_awake = reset
  script_name = WIND
  randvar = varname=ANG, min=0, max=359, key=at_reset
  randvar = varname=MAG, min=0.5, max=1.5, key=at_reset
  condition = (MODE != INACTIVE)
  event = var=DRIFT_VECTOR_ADD, val="$[ANG],{$[MAG]*0.2}", time=0
  event = var=DRIFT_VECTOR_ADD, val="$[ANG],{$[MAG]*-0.2}", time=10
}
"""

FIXES = """
ProcessConfig = uTimerScript
{
  AppTick = 2
  condition = (NAV_DEPTH < 1)
  reset_max = nolimit
  reset_time = all-posted
  delay_reset = 15
  event = var=GPS_UPDATE_RECEIVED, val="RCVD_$[COUNT]", time=5:8
}
"""

ROCKS = """
ProcessConfig = pObstacleMgr
{
  AppTick = 4
  point_var = TRACKED_FEATURE
  max_pts_per_cluster = 20
  max_age_per_point = 20
  alert_range = 40
  ignore_range = 100
  lasso = %s
  lasso_points = 6
  lasso_radius = 6
  given_max_duration = 1000
  post_dist_to_polys = true
}

ProcessConfig = uTimerScript
{
  AppTick = 4
  reset_max = unlimited
  reset_time = all-posted
%s
}
"""

ROCK = "pts={-4,-40:-4,-52:6,-52:6,-40},label=rock,duration=90"
GIVEN = f'  event = var=GIVEN_OBSTACLE, val="{ROCK}", time=1'
SENSED = """  rand_var = varname=RX, min=-3, max=5, key=at_post
  rand_var = varname=RY, min=-50, max=-42, key=at_post
  event = var=TRACKED_FEATURE, val="x=$[RX],y=$[RY],key=rock", time=0.5"""

CONTACT = """
ProcessConfig = pContactMgrV20
{
  AppTick = 4
  CommsTick = 4
  contact_max_age = 60
  display_radii = true
  default_alert_range_color = gray65
  reject_range = 2000
  ownship_group = alpha
  ownship_type = kayak
  contacts_recap_interval = 5
  ignore_group = bravo
  strict_ignore = false
  post_closest_range = true
  alert = id=say, alert_range=50, cpa_range=60, on_flag=SAY_MOOS=say={contact $[VNAME]}
}

ProcessConfig = uTimerScript
{
  AppTick = 4
  reset_max = unlimited
  reset_time = all-posted
  event = var=NODE_REPORT, val="BEN,SPD=1,HDG=0,LENGTH=4,TIME=$[UTC]", time=0.5
}
""".replace("BEN", "NAME=ben,TYPE=kayak,GROUP=alpha,MODE=DRIVE,X=4,Y={{$[TCOUNT]*0.5}-130}")

DEADMAN = """
ProcessConfig = pDeadManPost
{
  AppTick = 4
  heartbeat_var = STAYING_ALIVE
  deadflag = RETURN = true
  max_noheart = 12
  post_policy = reset
  active_at_start = true
}
"""

STANDBY = """
ProcessConfig = pHelmStandby
{
  AppTick = 4
  Behaviors = kilo.bhv
  Domain = course:0:359:360
  Domain = speed:0:4:41
  standby = 2.0
  helm_alias = standby_helm
  ok_skew = any
}
"""


@dataclass(frozen=True)
class Mission:
    """Differences of one mission from the others.

    Attributes:
        apps: of its launch list, in addition to those of all.
        blocks: of these.
        deep: the helm decides about depth, too.
        helm: further lines of the helm's block.
        rest: see there.
    """

    apps: tuple[str, ...] = ()
    blocks: str = ""
    behaviors: str = ""
    new: bool = False
    deep: bool = False
    helm: str = ""
    pokes: tuple[str, ...] = ()
    switches: tuple[str, ...] = ()


MISSIONS = {
    "charlie": Mission(
        ("uTimerScript", "uProcessWatch", "iSay"),
        GUSTS,
        pokes=("@90:STATION_KEEP=true", "@150:RETURN=true", "@150:STATION_KEEP=false"),
    ),
    "delta": Mission(
        ("uTimerScript", "uMemWatch"), FIXES, deep=True, pokes=("@200:RETURN=true",)
    ),
    "juliet": Mission(("uTimerScript",), FIXES, deep=True, helm="  ok_skew = any\n"),
    "station_uuv": Mission(deep=True, helm="  hold_on_apps = pNodeReporter\n"),
    "foxtrot": Mission(("iSay", "uHelmScope", "uLoadWatch"), helm="  pmgen = alg=dubins#rad=9\n"),
    "deadman": Mission(
        ("pDeadManPost", "pRealm"), DEADMAN, behaviors="foxtrot", pokes=("@10:STAYING_ALIVE=1",)
    ),
    "legs": Mission(("pRealm", "pOdometry"), new=True),
    "obstacle": Mission(("pObstacleMgr", "uTimerScript"), ROCKS % ("false", GIVEN), new=True),
    "obstacle_first": Mission(("pObstacleMgr", "uTimerScript"), ROCKS % ("true", SENSED)),
    "kilo": Mission(
        ("pHelmIvP ~ pHelmStandby",),
        STANDBY,
        helm="  park_on_allstop = false\n",
        pokes=("@10:FAIL_BURN=true", "@14:FAIL_BURN=false", "@16:FAIL_CRASH=true",
               "@20:FAIL_CRASH=false"),
    ),
    "berta": Mission(("pContactMgrV20", "uTimerScript", "uMemWatch", "pRealm"), CONTACT, new=True),
    "bravo": Mission(("pContactMgrV20", "uTimerScript"), CONTACT),
    "bravo_pwt": Mission(("pContactMgrV20", "uTimerScript"), CONTACT, switches=("--as-moos",)),
}  # fmt: skip


SURVEYS = ["ACTIVE:LOITERING", "ACTIVE:RETURNING"]

# What has to be posted in each mission, in this order.
DOES: dict[str, dict[str, list[Any]]] = {
    "charlie": {
        "MODE": ["ACTIVE:LOITERING", "ACTIVE:STATION-KEEPING", "ACTIVE:RETURNING"],
        "LOITER_MODE": ["acquiring_external", "stable", "idle"],
        "STATIONING": ["true", "false"],
        "PSKEEP_MODE": ["HIBERNATING"],
    },
    "delta": {"MODE": SURVEYS, "PERIODIC_ASCEND": ["true", "false", "true", "false"]},
    "juliet": {"MODE": ["ACTIVE:DIVING", "ACTIVE:RETURNING"], "GTD_DEPTH_HITS": [1.0, 2.0, 3.0]},
    "station_uuv": {"PSKEEP_MODE": ["SEEKING_STATION", "HIBERNATING"]},
    "foxtrot": {"HITS": [1.0, 2.0, 3.0], "RETURN": ["true"]},
    "deadman": {"HITS": [1.0], "RETURN": ["true"]},
    "legs": {
        "MODE": ["ACTIVE:LEGRUNNING", "ACTIVE:ZIGGING", "ACTIVE:RETURNING"],
        "LR_MODE": ["init", "leg1", "turn1", "leg2", "turn2"],
        "LEG_ENDS": [1.0, 2.0],
        "ZIGS": [1.0, 2.0, 3.0, 4.0],
        "SIDE": ["over", "port", "over", "port"],
    },
    "obstacle": {"IVPHELM_BHV_ACTIVE": ["waypt_survey,avd_obstacles_rock", "waypt_survey"]},
    "obstacle_first": {"IVPHELM_BHV_ACTIVE": ["waypt_survey,avd_obstacles_rock", "waypt_survey"]},
    "kilo": {"IVPHELM_ALLSTOP": ["ManualOverride", "clear", "BehaviorError", "clear"]},
    "berta": {
        "MODE": SURVEYS,
        "COLREGS_AVOID_MODE_BEN": ["headon", "cpa"],
        "CONTACT_RESOLVED": ["ben"],
    },
    "bravo": {
        "IVPHELM_BHV_ACTIVE": ["waypt_survey,avdcollision_ben", "waypt_survey"],
        "CONTACT_RESOLVED": ["ben"],
        "TIMED": ["true"],
    },
    "bravo_pwt": {"IVPHELM_BHV_ACTIVE": ["waypt_survey,avdcollision_ben", "waypt_survey"]},
}


class Log:
    """The results of a mission."""

    def __init__(self, name: str, folder: Path) -> None:
        mission = MISSIONS[name]
        behaviors = mission.behaviors or name
        file = folder / f"{name}.moos"
        file.write_text(text_of(name, mission))
        (folder / f"{behaviors}.bhv").write_text((FIELD / f"{behaviors}.bhv").read_text())
        pokes = ("DEPLOY=true", "MOOS_MANUAL_OVERIDE=false", *mission.pokes)
        options = [str(file), *(part for poke in pokes for part in ("--set", poke))]
        options += ["--until", "MISSION = complete", "--for", "900"]
        options += mission.switches
        options += ["--placement", "one", "--warp", "max", "--log", str(folder / "log")]
        launch = plan_launch(parse_options(options))
        self.skipped = {app for one in launch.communities for app, _ in one.skipped}
        self.outcome: Outcome = run(launch.plan, lambda progress: None)
        (log,) = folder.rglob("*.alog")
        self.entries = list(read_entries(log))

    def values(self, name: str) -> list[Any]:
        """Return every value of a variable, in order."""
        return [entry.value for entry in self.entries if entry.name == name]


def text_of(name: str, mission: Mission) -> str:
    """Write a mission file."""
    pair = "V22" if mission.new else ""
    apps = (f"uSimMarine{pair}", f"pMarinePID{pair}", "pHelmIvP", "pNodeReporter", *mission.apps)
    head = HEAD.format(
        name=mission.behaviors or name,
        community="abe",
        run="".join(f"  Run = {app.replace(' ~', ' @ NewConsole = false ~')}\n" for app in apps),
        domain="  Domain = depth:0:100:101\n" if mission.deep else "",
        helm=mission.helm,
    )
    sim = NEW if mission.new else OLD % ("true" if mission.deep else "false")
    return head + sim + mission.blocks


@pytest.fixture(scope="module")
def logs(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Log]:
    """Return the results of a mission; each runs once."""
    known: dict[str, Log] = {}

    def log(name: str) -> Log:
        if name not in known:
            known[name] = Log(name, tmp_path_factory.mktemp(name))
        return known[name]

    return log


@pytest.mark.parametrize("name", [name for name in MISSIONS if name != "bravo_pwt"])
def test_mission_comes_to_its_end_without_a_warning(name: str, logs: Callable[[str], Log]) -> None:
    log = logs(name)
    assert log.outcome.exit_reason == "until"
    warnings = {app.name: app.config_warnings for app in log.outcome.apps}
    assert warnings == dict.fromkeys(warnings, ())
    assert log.values("BHV_WARNING") == []
    assert (log.values("BHV_ERROR") != []) == (name == "kilo")


def occur(expected: list[Any], values: list[Any]) -> bool:
    """Whether values occur in this order, with any others in between."""
    rest = iter(values)
    return all(value in rest for value in expected)


@pytest.mark.parametrize("name", MISSIONS)
def test_mission_reaches_its_goal(name: str, logs: Callable[[str], Log]) -> None:
    log = logs(name)
    assert [v for v, expected in DOES[name].items() if not occur(expected, log.values(v))] == []


@pytest.mark.parametrize(("name", "depth"), [("delta", 8.0), ("juliet", 5.0), ("station_uuv", 5.0)])
def test_vessel_dives_to_the_configured_depth(
    name: str, depth: float, logs: Callable[[str], Log]
) -> None:
    assert max(logs(name).values("NAV_DEPTH")) == pytest.approx(depth, abs=0.8)


def test_dead_man_has_its_return_before_the_survey_is_over(logs: Callable[[str], Log]) -> None:
    assert 3.0 in logs("foxtrot").values("HITS")
    assert 3.0 not in logs("deadman").values("HITS")


@pytest.mark.parametrize("name", ["obstacle", "obstacle_first"])
def test_obstacle_is_not_hit(name: str, logs: Callable[[str], Log]) -> None:
    assert 3.0 < min(logs(name).values("OBM_MIN_DIST_EVER")) < 20.0


def test_a_vessel_dives_again_after_it_has_surfaced(logs: Callable[[str], Log]) -> None:
    """As MOOS-IvP's s4_delta, whose decisions on depth do not remember the last one."""
    depths: list[float] = []  # the greatest ones between two ascents
    for entry in logs("delta").entries:
        if entry.name == "PERIODIC_ASCEND" and entry.value == "false":
            depths.append(0.0)
        elif entry.name == "NAV_DEPTH" and depths:
            depths[-1] = max(depths[-1], float(entry.value))
    assert depths[:2] == [pytest.approx(8.0, abs=0.8)] * 2


def test_avoidance_begins_where_it_does_not_complete_at_once(logs: Callable[[str], Log]) -> None:
    """MOOS-IvP's m2_berta_pwt avoids from 37 to 45 m, with a pwt_outer_dist of 120 m."""
    distance, begins = 0.0, []
    for entry in logs("bravo_pwt").entries:
        if entry.name == "CONTACT_CLOSEST_RANGE":
            distance = float(entry.value)
        elif entry.name == "IVPHELM_BHV_ACTIVE" and "avdcollision" in str(entry.value):
            begins.append(distance)
    assert 37 < begins[0] < 45


@pytest.mark.parametrize("name", ["berta", "bravo"])
def test_vessels_keep_clear_of_each_other(name: str, logs: Callable[[str], Log]) -> None:
    log = logs(name)
    assert min(log.values("CONTACT_CLOSEST_RANGE")) > 10.0  # straight on it would pass at 4 m
    assert "uXMS_NAV" in log.skipped
