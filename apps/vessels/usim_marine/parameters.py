"""What a simulator's block may hold."""

from __future__ import annotations

from steerageway.apps.control.pid_config import PID_PARAMETERS
from steerageway.apps.vessels.wormholes import WormholeOptions
from steerageway.bus import Parameter

VESSEL = (
    Parameter(
        "model", "documented", "documented, released, legacy or fossen: see docs/simulator.md"
    ),
    Parameter("thrust_map", "", "pairs thrust:speed [%:m/s], as 0:0, 20:1, 40:2, 100:5"),
    Parameter(
        "thrust_factor", "20", "thrust per speed [%/(m/s)] while thrust_map has no thrust > 0"
    ),
    Parameter("thrust_reflect", "false", "true: thrust astern mirrors thrust ahead"),
    Parameter("thrust_mode_diff", "normal", "normal, or differential: steer by two thrusters"),
    Parameter("thrust_mode_reverse", "normal", "normal, or reverse: go stern first"),
    Parameter("turn_rate", "70", "heading change per rudder, 0 to 100"),
    Parameter("turn_spd_loss", "0.85", "share of speed lost at full rudder, 0 to 1"),
    Parameter("turn_loss", "", "another name of turn_spd_loss"),
    Parameter("turn_spd_map_null_speed", "", "speed up to which null_rate holds [m/s] (0)"),
    Parameter("turn_spd_map_null_rate", "", "turn rate at that speed, 0 to 100 (0)"),
    Parameter("turn_spd_map_full_speed", "", "speed from which full_rate holds [m/s] (1)"),
    Parameter("turn_spd_map_full_rate", "", "turn rate at that speed, 0 to 100 (turn_rate)"),
    Parameter("turn_radius", "0", "least radius of a turn [m]; 0: no limit"),
    Parameter("max_rudder_degs_per_sec", "0", "how fast the rudder moves [%/s]; 0: at once"),
    Parameter("max_speed", "", "greatest speed [m/s]; none given: no limit (released: 5, posted)"),
    Parameter("max_acceleration", "0.5", "[m/s^2], 0: no limit (released and legacy: 0)"),
    Parameter("max_deceleration", "0.5", "[m/s^2], 0: no limit"),
    Parameter("buoyancy_rate", "0.025", "how fast the vessel rises by itself [m/s]"),
    Parameter("max_depth_rate", "0.5", "how fast it dives at full elevator [m/s]"),
    Parameter("max_depth_rate_speed", "2", "speed from which it dives so fast [m/s]"),
    Parameter("trim_tolerance", "5", "pitch that counts as trimmed [deg]"),
    Parameter("max_trim_delay", "10", "when trimming ends whatever the pitch [s]"),
    Parameter("polar_plot", "", "angle to the wind, percent of its speed: 0,0: 60,80: 180,50"),
)
FOSSEN = (
    Parameter("vessel", "", "folder of a vessel's files, as inputs/otter: see docs/fossen.md"),
    Parameter("vessel_file", "", "one of them elsewhere, as thrusters = two.yml; one a line"),
    Parameter("vessel_override", "", "a value of these files, as inertia.mass = 60; one a line"),
    Parameter("peer_compat", "", "peer to repeat: panisim, or one of peer_compat.yml"),
    Parameter("time_step", "", "length of an integration step [s], > 0 (0.02)"),
    Parameter("integrator", "", "in a step: rk4, or adaptive substeps (rk4)"),
    Parameter("actuator_map", "", "what orders move, as th_1:thrust+rudder, th_2:thrust-rudder"),
    Parameter("actuator_cmd", "", "commands from the start [deg, rpm], as cs_1=15,th_1=1200"),
    Parameter("override_timeout", "", "end of an override that is not repeated [s], > 0 (5)"),
    Parameter("position_rate", "", "how often position is posted [Hz] (every tick)"),
    Parameter("heading_rate", "", "how often heading and yaw are posted [Hz] (every tick)"),
    Parameter("aux_rate", "", "how often the rest of its state is posted [Hz] (every tick)"),
)
START = (
    Parameter("start_x", "0", "east of the datum [m]"),
    Parameter("start_y", "0", "north of the datum [m]"),
    Parameter("start_heading", "0", "degrees clockwise from north"),
    Parameter("start_speed", "0", "[m/s]"),
    Parameter("start_depth", "0", "[m], at least 0"),
    Parameter("start_pos", "", "all of them: x=0,y=-20,heading=180,speed=0,depth=0"),
    Parameter("sim_pause", "false", "true: the vessel stays until USM_SIM_PAUSED = false"),
)
SURROUNDINGS = (
    Parameter("drift_x", "0", "drift to the east [m/s]"),
    Parameter("drift_y", "0", "drift to the north [m/s]"),
    Parameter("drift_vector", "", "both at once: direction it goes to [deg], magnitude [m/s]"),
    Parameter("rotate_speed", "0", "how fast the surroundings turn the vessel [deg/s]"),
    Parameter("current_field", "", "file of a current that differs from place to place"),
    Parameter(
        "current_field_active", "true", "false: the field waits for USM_CURRENT_FIELD = true"
    ),
    Parameter("default_water_depth", "0", "[m]; 0: unknown, no altitude is posted"),
    Parameter("wind_conditions", "", "speed [m/s] and where it comes from [deg]: spd=5,dir=90"),
    Parameter("environment", "", "file of waves, wind, current, tide, ground: see docs/world.md"),
    Parameter("environment_key", "", "one of its keys, as waves.Hs = 1.2; one a line"),
    *WormholeOptions.parameters(),
)
POSTS = (
    Parameter("prefix", "USM", "of the posted variables; an underscore is added where missing"),
    Parameter("dual_state", "false", "true: the record without drift is posted, the truth as GT_*"),
    Parameter("post_navpos_summary", "false", "true: USM_NAVPOS_SUMMARY is posted"),
    Parameter("post_des_thrust", "", "variable to post the embedded PID's thrust as"),
    Parameter("post_des_rudder", "", "variable to post the embedded PID's rudder as"),
)


def _embedded(parameter: Parameter) -> Parameter:
    """Give a PID parameter without a default: a line of the yaw loop switches the PID on."""
    default = f" ({parameter.default})" if parameter.default else ""
    return Parameter(parameter.name, "", f"embedded PID: {parameter.help}{default}")


PID = tuple(_embedded(parameter) for parameter in PID_PARAMETERS)
PARAMETERS = (*VESSEL, *FOSSEN, *START, *SURROUNDINGS, *POSTS, *PID)
