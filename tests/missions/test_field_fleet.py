"""A fleet in the layout of MOOS-IvP's: sections of one file, macros, brokers, a shore."""

from __future__ import annotations

from math import dist
from pathlib import Path

import pytest

from steerageway.moos.alog import read_entries

pytestmark = pytest.mark.slow

PLUGS = """\
<tag><place>
LatOrigin  = 43.8
LongOrigin = -70.3
<tag><links>
ProcessConfig = pShare
{
  input = route = localhost:$(PSHARE_PORT), white_list = DEPLOY & NODE_BROKER_ACK
}
ProcessConfig = pHostInfo
{
  default_hostip_force = $(IP_ADDR=localhost)
}
<tag><sim>
ProcessConfig = uSimMarineV22
{
  AppTick = 10
  start_pos = $(START_POS), 0
  prefix = NAV
}
"""
VEHICLE = """\
ServerHost = localhost
ServerPort = $(MOOS_PORT)
Community  = $(VNAME)
#include plugs.moos <place>
ProcessConfig = ANTLER
{
  MSBetweenLaunches = 50
  Run = MOOSDB         @ NewConsole = false
  Run = pShare         @ NewConsole = false
  Run = pHostInfo      @ NewConsole = false
  Run = uFldNodeBroker @ NewConsole = false
  Run = pNodeReporter  @ NewConsole = false
  Run = pMarinePIDV22  @ NewConsole = false
  Run = pLogger        @ NewConsole = false
  Run = pHelmIvP       @ NewConsole = false
  #ifdef XMODE SIM
  Run = uSimMarineV22  @ NewConsole = false
  #elseifdef XMODE BOAT
  Run = iBoat          @ NewConsole = false
  #endif
}
#include plugs.moos <links>
#include plugs.moos <sim>
#include plugs.moos <radio>
ProcessConfig = pHelmIvP
{
  AppTick = 4
  behaviors = targ_$(VNAME).bhv
  domain = course:0:359:360
  domain = speed:0:3:31
}
ProcessConfig = pMarinePIDV22
{
  AppTick = 10
  yaw_pid_kp = 1.2
  yaw_pid_kd = 0.1
  yaw_pid_ki = 0.0
  yaw_pid_integral_limit = 0.07
  speed_pid_kp = 1.0
  speed_pid_kd = 0.0
  speed_pid_ki = 0.0
  speed_pid_integral_limit = 0.07
  maxrudder = 100
  maxthrust = 100
  speed_factor = 20
  depth_control = false
}
ProcessConfig = uFldNodeBroker
{
  try_shore_host = pshare_route = $(SHORE_IP):$(SHORE_PSHARE)
  bridge = src = NODE_REPORT_LOCAL, alias = NODE_REPORT
}
ProcessConfig = pLogger
{
  app_logging = true
  File = LOG_%(VNAME)
  WildCardLogging = true
}
"""
BEHAVIORS = """\
initialize DEPLOY = false
initialize RETURN = false
set MODE = ACTIVE {
  DEPLOY = true
} INACTIVE
set MODE = RETURNING {
  MODE = ACTIVE
  RETURN = true
} OUTWARD

Behavior = BHV_Waypoint
{
  name = out
  condition = MODE==OUTWARD
  speed = $(STOCK_SPD:=1.5)
  points = $(GOAL)
}
//Behavior = BHV_Loiter
{
  name = idle_in_between
}
Behavior = BHV_Waypoint
{
  name = home
  condition = MODE==RETURNING
  updates = HOME_UPDATES
  spawnx_flag = HOME_UPDATES = point=$[OSX],$[OSY]
  speed = 1.5
  point = 0,0
  endflag = ARRIVED = true
}
"""
SHORE = """\
ServerPort = $(MOOS_PORT)
Community  = shoreside
#include plugs.moos <place>
ProcessConfig = ANTLER
{
  MSBetweenLaunches = 100
  Run = MOOSDB          @ NewConsole = false
  Run = pMarineViewer   @ NewConsole = false
  Run = pShare          @ NewConsole = false
  Run = pHostInfo       @ NewConsole = false
  Run = uFldShoreBroker @ NewConsole = false
}
#include plugs.moos <links>
ProcessConfig = uFldShoreBroker
{
  qbridge = DEPLOY, RETURN, MOOS_MANUAL_OVERRIDE
}
"""


def test_vessels_follow_their_macros_and_return_to_their_starts(launch, tmp_path: Path) -> None:
    folder = tmp_path / "fleet"
    folder.mkdir()
    files = {"plugs.moos": PLUGS, "meta_vehicle.moos": VEHICLE, "meta_vehicle.bhv": BEHAVIORS}
    for name, text in {**files, "meta_shoreside.moos": SHORE}.items():
        (folder / name).write_text(text)
    (tmp_path / "starts.txt").write_text("0,0,180\n40,0,90\n")
    ended = launch(
        folder,
        *("--vessels", "2", "--start", str(tmp_path / "starts.txt")),
        *("--define", "abe:GOAL=0,-50", "--define", "ben:GOAL=40,-50:60,-50"),
        *("--set", "shoreside:DEPLOY_ALL=true", "--set", "@60:shoreside:RETURN_ALL=true"),
        *("--set", "shoreside:MOOS_MANUAL_OVERRIDE_ALL=false"),
        *("--until", "abe:ARRIVED = true", "--until", "ben:ARRIVED = true"),
        *("--for", "200", "--warp", "max", "--placement", "one"),
    )
    assert ended.code == 0, ended.said
    for name, home in (("abe", (0.0, 0.0)), ("ben", (40.0, 0.0))):
        end = ended.summary["communities"][name]
        assert dist((end["x"], end["y"]), home) < 12
        (log,) = (ended.folder / name).rglob("*.alog")
        assert min(float(e.value) for e in read_entries(log) if e.name == "NAV_Y") < -35
    for expected in ("no section of this tag", "without a heading", "white_list has no effect"):
        assert expected in ended.said
