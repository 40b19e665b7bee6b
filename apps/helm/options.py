"""The helm's own parameters, from its block of the mission file."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from steerageway.apps.framework.user_code import CODE_KEYS
from steerageway.apps.helm.kinds import Kinds, NotLoaded
from steerageway.apps.helm.platform_model import turn_radius
from steerageway.bus import Config, ConfigError, Entry, Parameter, parse_number
from steerageway.diagnostics.diagnostic import Diagnostic
from steerageway.diagnostics.source_map import NOWHERE, SourceMap
from steerageway.ivp import Domain, DomainError, Variable, parse_variable
from steerageway.moos.bhv import BehaviorFile, read_behaviors
from steerageway.moos.errors import FormatError, FormatErrors, all_of
from steerageway.moos.values import bite, is_numeral

START = ("start_in_drive", "active_start", "start_engaged", "start_indrive")
VERBOSITY = {"verbose": "verbose", "true": "verbose", "terse": "terse", "false": "terse"}
VERBOSITY["quiet"] = "quiet"

PARAMETERS = (
    Parameter("behaviors", "", "behavior file, relative to the mission's folder; repeatable"),
    Parameter(
        "domain",
        "",
        "decision variable as course:0:359:360, or speed:0:4:delta=0.1, or with :optional behind; "
        "repeatable",
    ),
    Parameter("ok_skew", "60", "mail whose stamp is further from now is not taken [s]; or any"),
    Parameter(
        "start_in_drive", "false", "true: begin in DRIVE, without MOOS_MANUAL_OVERRIDE=false"
    ),
    Parameter("active_start", "false", "another name of start_in_drive"),
    Parameter("start_engaged", "false", "another name of start_in_drive"),
    Parameter("start_indrive", "false", "another name of start_in_drive"),
    Parameter("allow_park", "true", "false: MOOS_MANUAL_OVERRIDE=true does not park the helm"),
    Parameter("park_on_allstop", "false", "true: park as soon as an all-stop is declared"),
    Parameter("goals_mandatory", "false", "true: all-stop unless a behavior with a goal is active"),
    Parameter("hold_on_apps", "", "apps, by commas, that must be connected first; repeatable"),
    Parameter("hold_on_app", "", "another name of hold_on_apps"),
    Parameter("nav_grace", "5", "seconds without NAV_* before a run warning says so [s]"),
    Parameter("contact_max_age", "45", "a contact silent for so long is forgotten [s], 10 to 1800"),
    Parameter(
        "behavior_path",
        "",
        "a Python file with behaviors of your own, or a folder of such; repeatable",
    ),
    Parameter("ivp_behavior_dir", "", "another name of behavior_path"),
    Parameter("ivp_behavior_dirs", "", "another name of behavior_path"),
    Parameter("bhv_dir_not_found_ok", "false", "true: pass over such folders without behaviors"),
    Parameter("bhv_dirs_not_found_ok", "false", "another name of bhv_dir_not_found_ok"),
    Parameter(
        "node_skew",
        "",
        "VESSEL,SECONDS: its node reports count only if its clock is off by less; repeatable",
    ),
    Parameter("seed_random", "true", "accepted and without effect: the mission's seed counts"),
    Parameter("pmgen", "alg=holo", "how it turns, for AvoidObstacle: or alg=dubins # radius=M"),
    Parameter(
        "standby",
        "",
        "makes it a standby helm, which takes over when the other is silent for so long [s]",
    ),
    Parameter("helm_prefix", "", "put in front of DESIRED_HEADING, DESIRED_SPEED, ..."),
    Parameter("helm_alias", "", "name of this helm, posted as IVPHELM_ALIAS"),
    Parameter("other_override_var", "", "variable that acts as MOOS_MANUAL_OVERRIDE does"),
    Parameter("post_ipf", "false", "true: post each objective in pieces, as BHV_IPF, for tools"),
    Parameter("verbose", "terse", "what the appcast tells: quiet, terse (false), verbose (true)"),
)


@dataclass(frozen=True, slots=True)
class Options:
    """What the block says; see ``PARAMETERS``.

    Attributes:
        files: the behavior files, each as the mission file names it, in alphabetical order.
        ok_skew: None for any.
        node_skew: vessel in lower case -> [s].
        standby: None for a helm that is not a standby one.
        turn_radius: of ``pmgen`` [m]; 0: the vessel turns at once.
    """

    files: tuple[str, ...]
    domain: Domain
    ok_skew: float | None
    starts_in_drive: bool
    allow_park: bool
    park_on_allstop: bool
    goals_mandatory: bool
    hold_on_apps: Mapping[str, Entry]
    nav_grace: float
    contact_max_age: float
    node_skew: Mapping[str, float]
    standby: float | None
    turn_radius: float
    prefix: str
    alias: str
    override: str
    verbosity: str
    posts_ipf: bool


def read_options(config: Config) -> Options:
    """Read the block.

    Raises:
        ConfigError: a line is wrong, or there is no domain.
    """
    config.all("seed_random")
    return Options(
        files=tuple(sorted({entry.value.strip() for entry in config.all("behaviors")})),
        domain=_read_domain(config),
        ok_skew=_read_skew(config),
        starts_in_drive=config.flag(*START, default=False),
        allow_park=config.flag("allow_park", default=True),
        park_on_allstop=config.flag("park_on_allstop", default=False),
        goals_mandatory=config.flag("goals_mandatory", default=False),
        hold_on_apps=_read_apps(config),
        nav_grace=config.number("nav_grace", default=5.0, low=0.0),
        contact_max_age=config.number("contact_max_age", default=45.0, low=10.0, high=1800.0),
        node_skew=_read_node_skew(config),
        standby=_read_standby(config),
        turn_radius=_read_turn_radius(config),
        prefix=_word(config, "helm_prefix"),
        alias=_word(config, "helm_alias"),
        override=_word(config, "other_override_var"),
        posts_ipf=config.flag("post_ipf", default=False),
        verbosity=VERBOSITY[config.choice("verbose", default="terse", among=VERBOSITY)],
    )


def read_files(
    options: Options, config: Config, folder: Path, sources: SourceMap = NOWHERE
) -> BehaviorFile:
    """Read the behavior files.

    Args:
        sources: what messages call files of the folder.
    Raises:
        ConfigErrors: some cannot be read, or lines of them are wrong.
    """
    whole = BehaviorFile()
    errors: list[FormatError] = []
    missing = []
    for name in options.files:
        path = folder / name
        try:
            whole += read_behaviors(path, sources.of(path))
        except FormatError as error:
            errors += (_at_its_line(one, name, config) for one in all_of(error))
            missing += [] if path.exists() else [name]
    if errors:
        config_error = as_config_error(FormatErrors(errors))
        config_error.missing = tuple(missing)
        raise config_error
    return whole


def read_kinds(config: Config, folder: Path, warn: Callable[[Diagnostic], None]) -> Kinds:
    """Find the types of behaviors, a user's own among them.

    Args:
        folder: of the mission.
        warn: takes what is said of a folder of MOOS-IvP's that is missing or has none to run here.
    Raises:
        ConfigError: a file or folder of ours is missing or holds no behavior, or a file fails.
    """
    may_miss = config.flag("bhv_dir_not_found_ok", "bhv_dirs_not_found_ok", default=False)
    kinds = Kinds()
    for entry in config.all(*CODE_KEYS):
        place = folder / entry.value.strip()
        files = [place] if place.is_file() else sorted(place.glob("*.py"))
        if not files and not may_miss:
            expected = "expected a Python file, or a folder of them (C++ behaviors do not run here)"
            error = config.error(entry, f"{expected}; bhv_dir_not_found_ok = true does without")
            if entry.key.lower() == "behavior_path":
                raise error
            warn(*error.diagnostics)
        try:
            kinds.load(files)
        except NotLoaded as error:
            raise config.error(entry, str(error)) from error
    return kinds


class ConfigErrors(ConfigError):
    """Several lines are wrong; ``where`` and the rest are those of the first."""

    def __init__(self, errors: Sequence[ConfigError]) -> None:
        first = errors[0]
        super().__init__(first.where, first.key, first.value, first.expected)
        self.diagnostics = tuple(one for error in errors for one in error.diagnostics)
        self.args = ("\n".join(map(str, errors)),)


def as_config_error(error: FormatError) -> ConfigError:
    """Give errors of behavior files as errors of the configuration."""
    return ConfigErrors(
        [ConfigError(one.where, one.key, one.value, one.expected) for one in all_of(error)]
    )


def _at_its_line(error: FormatError, file: str, config: Config) -> FormatError:
    """Let what is said of a file as a whole stand at the line that names the file."""
    for entry in config.all("behaviors"):
        if not error.key and entry.value.strip() == file:
            return FormatError(entry.where, entry.key, entry.value, error.expected)
    return error


def _read_domain(config: Config) -> Domain:
    entries = config.all("domain")
    if not entries:
        raise ConfigError(
            config.where, "domain", "", "expected a line as domain = course:0:359:360"
        )
    variables: dict[str, Variable] = {}
    for entry in entries:
        try:
            variable = parse_variable(entry.value)
            if variable.name in variables:
                raise DomainError(f"expected one line for {variable.name}, this is another")
        except DomainError as error:
            raise config.error(entry, str(error)) from error
        variables[variable.name] = variable
    try:
        return Domain(tuple(variables.values()))
    except DomainError as error:
        raise config.error(entries[-1], str(error)) from error


def _read_skew(config: Config) -> float | None:
    entry = config.entry("ok_skew")
    if entry is None:
        return 60.0
    if entry.value.strip().lower() == "any":
        return None
    value = parse_number(entry)
    if value < 0:
        raise config.error(entry, "expected seconds, 0 or more, or any")
    return value


def _read_node_skew(config: Config) -> dict[str, float]:
    skews: dict[str, float] = {}
    for entry in config.all("node_skew"):
        vessel, seconds = bite(entry.value, ",")
        if not vessel or not is_numeral(seconds) or float(seconds) < 0:
            raise config.error(entry, "expected VESSEL,SECONDS with seconds of 0 or more")
        if vessel.lower() in skews:
            raise config.error(entry, f"expected one line for {vessel}, this is another")
        skews[vessel.lower()] = float(seconds)
    return skews


def _read_standby(config: Config) -> float | None:
    if config.entry("standby") is None:
        return None
    return config.number("standby", default=0.0, above=0.0)


def _read_apps(config: Config) -> Mapping[str, Entry]:
    apps = {
        name.strip(): entry
        for entry in config.all("hold_on_apps", "hold_on_app")
        for name in entry.value.split(",")
    }
    for name, entry in apps.items():
        if not name or any(map(str.isspace, name)):
            raise config.error(entry, "expected names of apps, separated by commas")
    return apps


def _word(config: Config, key: str) -> str:
    entry = config.entry(key)
    if entry is None:
        return ""
    if not entry.value.strip() or any(map(str.isspace, entry.value.strip())):
        raise config.error(entry, "expected one word without blanks")
    return entry.value.strip()


def _read_turn_radius(config: Config) -> float:
    entry = config.entry("pmgen")
    if entry is None:
        return 0.0
    try:
        return turn_radius(entry.value)
    except ValueError as error:
        raise Config.error(entry, str(error)) from error
