"""The parameters of ``pObstacleMgr``."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from math import inf

from steerageway.apps.contacts.obstacle_mgr.obstacles import Lasso, Obstacle, parse_given
from steerageway.apps.framework.block_readers import (
    ABLE,
    read_able_vars,
    read_color,
    read_or_off,
    variable_in,
)
from steerageway.apps.framework.flags import PostFlag, read_flags
from steerageway.apps.framework.mail_flags import MailFlag, read_mail_flags
from steerageway.bus import Config, Entry, Parameter
from steerageway.diagnostics.diagnostic import Diagnostic
from steerageway.moos.values import is_number, pairs

PARAMETERS = (
    Parameter("point_var", "TRACKED_FEATURE", "variable of sensed points: x=1,y=2,key=rock"),
    Parameter("given_obstacle", "", "pts={x,y:x,y:x,y},label=rock: an obstacle; repeatable"),
    Parameter("given_obstable", "", "another name of given_obstacle"),
    Parameter("alert_range", "20", "range of alerts that do not tell theirs [m], >= 0"),
    Parameter("ignore_range", "-1", "points sensed further off do not count [m]; -1: all do"),
    Parameter("max_pts_per_cluster", "20", "points of an obstacle; the oldest ones go, >= 1"),
    Parameter("max_age_per_point", "20", "a point is forgotten after so long [s], > 0"),
    Parameter("lasso", "false", "true: sensed obstacles are regular polygons, not convex hulls"),
    Parameter("lasso_points", "6", "corners of these, >= 3"),
    Parameter("lasso_radius", "5", "their radius [m], > 0"),
    Parameter("post_dist_to_polys", "close", "OBM_DIST_TO_OBJ: close (within alert), true, false"),
    Parameter("post_view_polys", "true", "whether obstacles are drawn"),
    Parameter("obstacles_color", "blue", "their colour"),
    Parameter("given_max_duration", "60", "most that a mailed obstacle may last [s]; or off"),
    Parameter(
        "general_alert",
        "",
        "update_var=VAR,alert_range=M,name=N: an alert; N ends in _ (gen_alert_); repeatable",
    ),
    Parameter("poly_label_thresh", "25", "with more obstacles they are drawn without labels"),
    Parameter("poly_shade_thresh", "100", "with more they are drawn without shade"),
    Parameter("poly_vertex_thresh", "150", "with more they are drawn without corners"),
    *(
        Parameter(f"{verb}_var", "", f"variable whose text names an obstacle to {verb}")
        for verb in ABLE
    ),
    Parameter("new_obs_flag", "", "VAR=value posted with each new obstacle; repeatable"),
    Parameter("mailflag", "", "@VAR#OUT=value: OUT is posted when VAR is heard; @ANY; repeatable"),
)
GIVEN = ("given_obstacle", "given_obstable")  # the latter is how MOOS-IvP also spells it
_GENERAL = "gen_alert"
_ALERT_KEYS = {"name", "update_var", "alert_range"}


@dataclass(frozen=True, slots=True)
class Alert:
    """Who is told of an obstacle within a range [m], in which variable, under which name."""

    name: str
    variable: str
    range: float


@dataclass(frozen=True, slots=True)
class Options:
    """What the block says; see ``PARAMETERS``. Ranges and times that are off are ``inf``."""

    point_var: str
    given: tuple[Obstacle, ...]
    alert_range: float
    ignore_range: float
    cluster_size: int
    point_age: float
    lasso: Lasso | None
    dist_to_polys: str
    draws: bool
    color: str
    longest: float
    usual: float
    alerts: tuple[Alert, ...]
    label_limit: int
    shade_limit: int
    vertex_limit: int
    able_vars: dict[str, str]
    new_flags: tuple[PostFlag, ...]
    mail_flags: tuple[MailFlag, ...]


def read_options(config: Config) -> Options:
    """Read the block.

    Raises:
        ConfigError: a line is wrong.
    """
    alert_range = config.number("alert_range", default=20.0, low=0.0)
    ignore = config.number("ignore_range", default=-1.0)
    point_var = config.entry("point_var")
    lasso = Lasso(
        config.whole("lasso_points", default=6, low=3),
        config.number("lasso_radius", default=5.0, above=0.0),
    )
    return Options(
        point_var=variable_in(point_var) if point_var else "TRACKED_FEATURE",
        given=tuple(_given(entry) for entry in config.all(*GIVEN)),
        alert_range=alert_range,
        ignore_range=ignore if ignore >= 0 else inf,
        cluster_size=config.whole("max_pts_per_cluster", default=20, low=1),
        point_age=config.number("max_age_per_point", default=20.0, above=0.0),
        lasso=lasso if config.flag("lasso", default=False) else None,
        dist_to_polys=config.choice(
            "post_dist_to_polys", default="close", among=("close", "true", "false")
        ),
        draws=config.flag("post_view_polys", default=True),
        color=read_color(config, "obstacles_color", default="blue"),
        longest=read_or_off(config, "given_max_duration", default=60.0),
        usual=read_or_off(config, "given_max_duration", default=inf),
        alerts=tuple(_alert(entry, alert_range) for entry in config.all("general_alert")),
        label_limit=config.whole("poly_label_thresh", default=25, low=0),
        shade_limit=config.whole("poly_shade_thresh", default=100, low=0),
        vertex_limit=config.whole("poly_vertex_thresh", default=150, low=0),
        able_vars=read_able_vars(config),
        new_flags=read_flags(config, "new_obs_flag"),
        mail_flags=read_mail_flags(config),
    )


def same_labels(config: Config) -> Iterator[Diagnostic]:
    """Warn of given obstacles that take the place of an earlier one, as they have its label."""
    seen: dict[str, Entry] = {}
    for entry in config.all(*GIVEN):
        label = _given(entry).key
        if label in seen:
            what = f"it takes the place of {seen[label].where}, whose label is {label}, too"
            yield Diagnostic(entry.where, entry.key, entry.value, what)
        seen[label] = entry


def parse_alert(text: str, alert_range: float) -> Alert:
    """Read ``name=avoid_,update_var=OBSTACLE,alert_range=50``.

    Args:
        alert_range: of one that does not tell it [m].
    Raises:
        ValueError: what was expected.
    """
    fields = dict(pairs(text))
    distance = fields.get("alert_range", str(alert_range))
    if not fields.get("update_var") or not set(fields) <= _ALERT_KEYS or not is_number(distance):
        raise ValueError("expected update_var=VAR and perhaps name=NAME, alert_range=METRES")
    return Alert(fields.get("name", ""), fields["update_var"], float(distance))


def _alert(entry: Entry, alert_range: float) -> Alert:
    try:
        alert = parse_alert(entry.value, alert_range)
    except ValueError as error:
        raise Config.error(entry, str(error)) from error
    return replace(alert, name=(alert.name or _GENERAL).removesuffix("_") + "_")


def _given(entry: Entry) -> Obstacle:
    try:
        return parse_given(entry.value, 0.0, inf, inf)
    except ValueError as error:
        raise Config.error(entry, str(error)) from error
