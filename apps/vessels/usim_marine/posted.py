"""Variables that the simulators publish."""

from steerageway.bus import variables

WORLD_POSTS = ("WORLD_CHANGE", "WORLD_SUMMARY")
"""Posts of a simulator with an environment."""
CONTACT_POSTS = ("USM_CONTACT", "USM_CONTACTS")
"""Posts of a simulator whose environment has surfaces to touch."""
PUBLICATIONS = (
    variables.number("NAV_X", "position", unit="m, east"),
    variables.number("NAV_Y", "position", unit="m, north"),
    variables.number(
        "NAV_LAT",
        "latitude, north positive",
        unit="deg, WGS84",
        range="[-90, 90]",
        when="tick, with a datum",
    ),
    variables.number(
        "NAV_LONG",
        "longitude, east positive",
        unit="deg, WGS84",
        range="[-180, 180]",
        when="tick, with a datum",
    ),
    variables.number("NAV_HEADING", "heading", unit="deg", range="[0, 360)"),
    variables.number("NAV_SPEED", "speed through the water; negative astern", unit="m/s"),
    variables.number("NAV_DEPTH", "depth below the surface", unit="m, down", range=">= 0"),
    variables.number(
        "NAV_ALTITUDE",
        "altitude above the bottom",
        unit="m, up",
        range=">= 0",
        when="tick, with a water depth",
    ),
    variables.number(
        "NAV_Z", "minus the depth", unit="m, up", when="tick, unless `depth_control = false`"
    ),
    variables.number(
        "NAV_PITCH", "pitch", unit="rad, bow up", range="[-1.5708, 1.5708]", when="as `NAV_Z`"
    ),
    variables.number(
        "NAV_YAW",
        "minus the heading",
        unit="rad, anticlockwise from north",
        range="[-3.1416, 3.1416]",
        when="as `NAV_Z`",
    ),
    variables.number("NAV_HEADING_OVER_GROUND", "course over ground", unit="deg", range="[0, 360)"),
    variables.number("NAV_SPEED_OVER_GROUND", "speed over ground", unit="m/s", range=">= 0"),
    variables.number(
        "NAV_GT_*",
        "the same variables of the true state",
        unit="as above",
        when="tick, with `dual_state`",
    ),
    variables.number("USM_*", "the same variables under the default prefix", unit="as above"),
    variables.number("TRUE_X", "true position", unit="m, east", when="as `NAV_Z`"),
    variables.number("TRUE_Y", "true position", unit="m, north", when="as `NAV_Z`"),
    variables.text("SIMULATION_MODE", "this is a simulation", range="`TRUE`", when="as `NAV_Z`"),
    variables.number(
        "*_ROLL", "roll", unit="rad, starboard down", when="`aux_rate`, with `model = fossen`"
    ),
    variables.number(
        "*_HEAVE", "z of CO, also above the surface", unit="m, down", when="as `*_ROLL`"
    ),
    variables.text(
        "USM_STATE",
        "`time=,x=,y=,z=,phi=,..,u=,..,u_dot=,..,th_1=`: eta, nu, its rate, actuators "
        "in rad and rad/s",
        unit="NED and BODY: m, rad, s",
        when="integration step, with `model = fossen`",
    ),
    variables.text(
        "VESSEL_STATE",
        "Panisim's order: u v w p q r, x y z, phi theta psi (or quaternion w x y z), "
        "actuators in rad and rpm",
        unit="as `USM_STATE`",
        when="as `*_ROLL`",
    ),
    variables.number(
        "USM_ENERGY",
        "kinetic energy with added mass, of vessels whose model has a mass",
        unit="J",
        range=">= 0",
        when="as `*_ROLL`",
    ),
    variables.text(
        "USM_SEA",
        "`zeta=,volume=,wetted=,X=,..,N=`: elevation at the vessel, volume and area below the "
        "surface, wrench of water and weight in BODY",
        unit="m, m³, m², N, N m",
        when="as `*_ROLL`, in an environment, of vessels that meet waves",
    ),
    variables.text(
        "WORLD_SUMMARY",
        "description of the environment",
        when="start, with an environment",
    ),
    variables.text(
        "WORLD_CHANGE",
        "`number=1,time=42,ramp=10,Hs=1.5,source=`: a change, its start and duration",
        unit="s",
        when="with each change by mail",
    ),
    variables.text(
        "USM_AGROUND",
        "whether the vessel touches the ground",
        range="true, false",
        when="when it changes",
    ),
    variables.number(
        "USM_ENVELOPE_LEFT",
        "number of limits of its envelope that the vessel has left",
        range=">= 1",
        when="when one is left for the first time",
    ),
    variables.text(
        "USM_CONTACT",
        "object in contact with a Fossen vessel, by `contact` of its environment: "
        "`what=quay,depth=0.02,speed=0.4`",
        unit="m, m/s",
        when="when a contact begins",
    ),
    variables.number("USM_CONTACTS", "number of contacts", range=">= 1", when="with it"),
    variables.number("USM_CS_*", "angle of a control surface", unit="deg", when="as `*_ROLL`"),
    variables.number(
        "USM_TH_*",
        "revolutions of a thruster; a fraction for some vessels",
        unit="rpm",
        when="as `*_ROLL`",
    ),
    variables.number(
        "USM_AZ_*", "angle of an azimuth thruster", unit="deg, to starboard", when="as `*_ROLL`"
    ),
    variables.text(
        "USM_NAVPOS_SUMMARY",
        "`x=1,y=2,lat=43.1,lon=-70.1`",
        unit="m, deg",
        when="tick, with `post_navpos_summary`",
    ),
    variables.number(
        "USM_RESET_COUNT", "number of resets", range=">= 0", when="on each `USM_RESET`"
    ),
    variables.number(
        "USM_TELEPORT_COUNT",
        "number of moves by `USM_TELEPORT`",
        range=">= 0",
        when="on each `USM_TELEPORT`",
    ),
    variables.text(
        "USM_DRIFT_SUMMARY",
        "`ang=90, mag=1.5, xmag=1.5, ymag=0`: direction and components of the drift",
        unit="deg, m/s",
        when="once, on change",
    ),
    variables.text(
        "BUOYANCY_REPORT",
        "`status=1,error=0,progressing,buoyancy=0.0`; status 2 when done",
        when="after `BUOYANCY_CONTROL`",
    ),
    variables.text(
        "TRIM_REPORT",
        "`status=1,error=0,progressing,trim_pitch=0.0,trim_roll=0.0`",
        unit="deg",
        when="after `TRIM_CONTROL`",
    ),
    variables.text(
        "VIEW_ARROW", "the wind, for viewers", unit="m, deg", when="every 50 ticks while sailing"
    ),
    variables.number(
        "USM_NOGO",
        "age of the rejected mail",
        unit="s",
        range=">= 1360",
        when="on mail too old for the embedded PID",
    ),
    variables.number(
        "NAV_TRANSP",
        "visibility of the vessel; 0: invisible, 1: opaque",
        range="[0, 1]",
        when="tick, with `wormhole`",
    ),
    variables.text(
        "VIEW_POLYGON",
        "mouths of wormholes, for viewers",
        unit="m",
        when="every ten ticks",
    ),
)

OF_OLDER = (
    variables.text(
        "USM_FSUMMARY",
        "older name of `USM_DRIFT_SUMMARY`",
        unit="deg, m/s",
        when="as `USM_DRIFT_SUMMARY`",
    ),
)
