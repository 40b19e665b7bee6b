"""Parameters of the helm's configuration block in the mission file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import inf

from steerageway.apps.shared.block_readers import repeats_faults
from steerageway.apps.shared.user_code import CODE_KEYS
from steerageway.bus import Config, ConfigError, Entry, Options, at_line, declare, parsed
from steerageway.declarations import Number, field_of, word
from steerageway.ivp import Domain, DomainError, Variable, parse_variable
from steerageway.moos.values import split_first

VERBOSITY = {"verbose": "verbose", "true": "verbose", "terse": "terse", "false": "terse"}
VERBOSITY["quiet"] = "quiet"
TURN = 360.0  # [deg]
DUBINS_RADIUS = 30.0  # default turn radius of a dubins model [m]
_RADII = ("radius", "rad")
_STEPS = ("spoke_degs", "degs")


def _files(config: Config, names: Sequence[str]) -> tuple[str, ...]:
    return tuple(sorted({entry.value.strip() for entry in config.all(*names)}))


def _domain(config: Config, names: Sequence[str]) -> Domain:
    entries = config.all(*names)
    if not entries:
        raise ConfigError(
            config.where, "domain", "", "expected a line as domain = course:0:359:360"
        )
    variables: dict[str, Variable] = {}
    for entry in entries:
        with at_line(entry):
            variable = parse_variable(entry.value)
            if variable.name in variables:
                raise DomainError(f"expected one line for {variable.name}, this is another")
        variables[variable.name] = variable
    with at_line(entries[-1]):
        return _shared(tuple(variables.values()))


@lru_cache(maxsize=8)
def _shared(variables: tuple[Variable, ...]) -> Domain:
    """Return one domain for equal variables: runs in one process share what is computed for it."""
    return Domain(variables)


def course_doubt(domain: Domain) -> str:
    """Return a warning about a part of the circle that the helm cannot choose; "" for none."""
    course = next((one for one in domain if one.name == "course"), None)
    if course is None or course.points == 1 or course.period >= TURN - course.step:
        return ""
    known = f"{course.low:g} to {course.high:g} degrees"
    return f"no course outside of {known} is ever decided; course:0:359:360 has all"


def _skew(config: Config, names: Sequence[str]) -> float | None:
    skew = config.value(Number(low=0.0, words={"any": inf}), *names, default=60.0)
    return None if skew == inf else skew


def _node_skews(config: Config, names: Sequence[str]) -> dict[str, float]:
    skews: dict[str, float] = {}
    for entry in config.all(*names):
        vessel, seconds = split_first(entry.value, ",")
        if not vessel or not seconds:
            raise Config.error(entry, "expected VESSEL,SECONDS")
        if vessel.lower() in skews:
            raise Config.error(entry, f"expected one line for {vessel}, this is another")
        skews[vessel.lower()] = parsed(entry._replace(value=seconds), Number(low=0.0))
    return skews


def _apps(config: Config, names: Sequence[str]) -> dict[str, Entry]:
    apps = {name.strip(): entry for entry in config.all(*names) for name in entry.value.split(",")}
    for name, entry in apps.items():
        if not name or any(map(str.isspace, name)):
            raise Config.error(entry, "expected names of apps, separated by commas")
    return apps


def _word(config: Config, names: Sequence[str]) -> str:
    return config.value(word, *names, default="")


def _verbosity(config: Config, names: Sequence[str]) -> str:
    return VERBOSITY[config.choice(*names, default="terse", among=VERBOSITY)]


def turn_radius(text: str) -> float:
    """Read ``alg=holo`` or ``alg=dubins # radius=5 # degs=2`` as a turn radius [m].

    Args:
        text: fields separated by ``#``, in any order; ``degs``, the step of MOOS-IvP's arcs, has no
            effect.
    Returns:
        0 for a vessel that turns on the spot.
    Raises:
        ValueError: a field is invalid.
    """
    radius, algorithm = DUBINS_RADIUS, ""
    for field in filter(None, map(str.strip, text.split("#"))):
        key, value = split_first(field, "=")
        if key.lower() == "alg" and value.lower() in ("holo", "dubins"):
            algorithm = value.lower()
        elif key.lower() in _RADII:
            radius = field_of({key: value}, key, Number(low=0.0))
        elif key.lower() in _STEPS:
            field_of({key: value}, key, Number(above=0.0))
        else:
            raise ValueError(f"{field}: expected alg=holo, or alg=dubins # radius=M # degs=DEG")
    if not algorithm:
        raise ValueError("expected alg=holo, or alg=dubins # radius=M # degs=DEG")
    return radius if algorithm == "dubins" else 0.0


@dataclass(frozen=True)
class HelmOptions(Options):
    """Parameters of the app's configuration block.

    Attributes:
        files: names of the behavior files as in the mission file, in alphabetical order.
        ok_skew: None for any.
        node_skew: vessel in lower case -> [s].
        standby: None for a primary helm.
        turn_radius: of ``pmgen`` [m]; 0: the vessel turns on the spot.
    """

    files: tuple[str, ...] = declare.custom(
        _files,
        "behavior file, relative to the mission's folder; repeatable, read in alphabetical order",
        name="behaviors",
    )
    domain: Domain = declare.custom(
        _domain,
        "decision variable: `course:0:359:360` (name, lowest, highest, number of values), "
        "`speed:0:4:delta=0.1`, commas instead of colons; with `:optional` at the end, a decision "
        "without it is valid; repeatable",
    )
    ok_skew: float | None = declare.custom(
        _skew,
        "maximum difference of a message's time stamp from the present time, beyond which it is "
        "ignored [s]; or `any`",
        default="60",
    )
    starts_in_drive: bool = declare.flag(
        False,
        "true: start in DRIVE, without MOOS_MANUAL_OVERRIDE = false",
        name="start_in_drive",
        aliases=("active_start", "start_engaged", "start_indrive"),
    )
    allow_park: bool = declare.flag(
        True, "false: MOOS_MANUAL_OVERRIDE = true does not park the helm"
    )
    park_on_allstop: bool = declare.flag(False, "true: park as soon as an all-stop is declared")
    goals_mandatory: bool = declare.flag(
        False,
        "true: all-stop `NoGoalBehavior` unless a behavior with a goal, not only a constraint, "
        "is active",
    )
    hold_on_apps: Mapping[str, Entry] = declare.custom(
        _apps,
        "apps, separated by commas, that must be connected before the first decision; repeatable",
        aliases=("hold_on_app",),
    )
    nav_grace: float = declare.number(5, "time without NAV_* before a run warning", unit="s", low=0)
    contact_max_age: float = declare.number(
        45,
        "time without reports after which a contact is removed; twice that for a contact in use "
        "by a behavior",
        unit="s",
        low=10,
        high=1800,
    )
    behavior_path: tuple[Entry, ...] = declare.entries(
        "Python file with user-defined behaviors, or a folder of such files, relative to the "
        "mission's folder",
        aliases=CODE_KEYS[1:],
    )
    bhv_dir_not_found_ok: bool = declare.flag(
        False,
        "true: a folder of behavior_path may be missing or contain no behavior",
        aliases=("bhv_dirs_not_found_ok",),
    )
    node_skew: Mapping[str, float] = declare.custom(
        _node_skews,
        "VESSEL,SECONDS: maximum clock skew of a vessel's node reports, beyond which they are "
        "ignored; repeatable",
    )
    seed_random: str = declare.text("true", "accepted, no effect: the mission's seed is used")
    turn_radius: float = declare.value(
        "alg=holo",
        turn_radius,
        "turn model of the vessel, for BHV_AvoidObstacle; or alg=dubins # radius=M",
        name="pmgen",
    )
    standby: float | None = declare.number(
        None,
        "makes this a standby helm, which takes over when the primary helm is silent for this time",
        unit="s",
        above=0,
    )
    prefix: str = declare.custom(
        _word,
        "prefix of DESIRED_HEADING, DESIRED_SPEED, ...; an all-stop is posted without it",
        name="helm_prefix",
    )
    alias: str = declare.custom(
        _word, "name of this helm, posted as IVPHELM_ALIAS", name="helm_alias"
    )
    override: str = declare.custom(
        _word, "variable with the same effect as MOOS_MANUAL_OVERRIDE", name="other_override_var"
    )
    as_moos: bool = repeats_faults(
        "moos: decide as MOOS-IvP's helm does, its faults included; see steerageway help helm"
    )
    posts_ipf: bool = declare.flag(
        False,
        "true: post each objective function in piecewise form as BHV_IPF, for tools; decisions "
        "remain exact",
        name="post_ipf",
    )
    verbosity: str = declare.custom(
        _verbosity,
        "verbosity of the appcast: quiet, terse (false), verbose (true, with the behaviors' posts)",
        default="terse",
        name="verbose",
    )
