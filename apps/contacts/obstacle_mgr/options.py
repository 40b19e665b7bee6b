"""Parameters of ``pObstacleMgr``: given obstacles, clusters, alerts, drawings, flags."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from math import inf

from steerageway.apps.contacts.obstacle_mgr.obstacles import ClusterPolygon, parse_given
from steerageway.apps.shared.block_readers import AbleVars, color, repeats_faults, variable
from steerageway.apps.shared.flags import MailFlag, PostFlag, flags, parse_mail_flag
from steerageway.bus import Entry, Options, declare, parsed
from steerageway.diagnostics.diagnostic import Diagnostic
from steerageway.moos.values import number_of, pairs

_GENERAL = "gen_alert"
_ALERT_KEYS = {"name", "update_var", "alert_range"}


@dataclass(frozen=True, slots=True)
class Alert:
    """An alert: name prefix, variable to post, and range of obstacles [m]."""

    name: str
    variable: str
    range: float


@dataclass(frozen=True)
class ManagerOptions(Options):
    """Parameters of the app's configuration block. Ranges and times that are off are ``inf``."""

    point_var: str = variable("TRACKED_FEATURE", "variable of sensed points: x=1,y=2,key=rock")
    given_obstacle: tuple[Entry, ...] = declare.entries(
        "pts={x,y:x,y:x,y},label=rock: an obstacle", aliases=("given_obstable",)
    )
    alert_range: float = declare.number(20, "default range of alerts", unit="m", low=0)
    ignore_range: float = declare.number(
        -1, "range beyond which sensed points are ignored; below 0: unlimited", unit="m"
    )
    max_pts_per_cluster: int = declare.whole(
        20, "maximum number of points of an obstacle; the oldest ones are dropped", low=1
    )
    max_age_per_point: float = declare.number(
        20, "time after which a point is dropped", unit="s", above=0
    )
    lasso: bool = declare.flag(
        False, "true: sensed obstacles are regular polygons, not convex hulls"
    )
    lasso_points: int = declare.whole(6, "number of vertices of these polygons", low=3, high=1000)
    lasso_radius: float = declare.number(5, "radius of these polygons", unit="m", above=0)
    post_dist_to_polys: str = declare.choice(
        "close",
        {"close": "within an alert range", "true": "all", "false": "none"},
        "obstacles whose distance is posted in OBM_DIST_TO_OBJ",
    )
    post_view_polys: bool = declare.flag(True, "false: do not draw obstacles")
    obstacles_color: str = color("blue", "colour of obstacles")
    given_max_duration: float = declare.number(
        60, "maximum duration of a mailed obstacle", unit="s", above=0, off=True
    )
    as_moos: bool = repeats_faults(
        "moos: reject an obstacle mailed without a duration, unless given_max_duration is off; "
        "know the last request for alerts only"
    )
    general_alert: tuple[Entry, ...] = declare.entries(
        "update_var=VAR,alert_range=M,name=N: an alert; N ends in _ (gen_alert_)"
    )
    poly_label_thresh: int = declare.whole(
        25, "number of obstacles above which they are drawn without labels", low=0
    )
    poly_shade_thresh: int = declare.whole(
        100, "number of obstacles above which they are drawn without fill", low=0
    )
    poly_vertex_thresh: int = declare.whole(
        150, "number of obstacles above which they are drawn without vertices", low=0
    )
    able_vars: AbleVars = declare.group(AbleVars)
    new_obs_flag: tuple[PostFlag, ...] = flags("with each new obstacle")
    mailflag: tuple[MailFlag, ...] = declare.lines(
        parse_mail_flag, "@VAR#OUT=value: OUT is posted when VAR is received; @ANY: by any variable"
    )

    @property
    def sensed_within(self) -> float:
        """The range within which sensed points are used [m]."""
        return self.ignore_range if self.ignore_range >= 0 else inf

    @property
    def shape(self) -> ClusterPolygon | None:
        """The regular polygon of sensed obstacles; None: convex hulls."""
        return ClusterPolygon(self.lasso_points, self.lasso_radius) if self.lasso else None

    def alerts(self) -> list[Alert]:
        """Return the alerts.

        Raises:
            ConfigError: a line is invalid.
        """
        return [_alert(line, self.alert_range) for line in self.general_alert]


def given_doubts(lines: Iterable[Entry]) -> Iterator[Diagnostic]:
    """Yield a warning for each given obstacle that replaces another, or is far from the datum."""
    seen: dict[str, Entry] = {}
    for entry in lines:
        given = parsed(entry, parse_given)
        label = given.key
        for why in given.polygon.far_corners():
            yield Diagnostic(entry.where, entry.key, entry.value, why)
        if label in seen:
            what = f"it takes the place of {seen[label].where}, whose label is {label}, too"
            yield Diagnostic(entry.where, entry.key, entry.value, what)
        seen[label] = entry


def parse_alert(text: str, alert_range: float) -> Alert:
    """Read ``name=avoid_,update_var=OBSTACLE,alert_range=50``.

    Args:
        alert_range: default of its range [m].
    Raises:
        ValueError: what was expected.
    """
    fields = dict(pairs(text))
    distance = number_of(fields.get("alert_range", str(alert_range)))
    if not fields.get("update_var") or not set(fields) <= _ALERT_KEYS or distance is None:
        raise ValueError("expected update_var=VAR and perhaps name=NAME, alert_range=METRES")
    return Alert(fields.get("name", ""), fields["update_var"], distance)


def _alert(entry: Entry, alert_range: float) -> Alert:
    alert = parsed(entry, lambda text: parse_alert(text, alert_range))
    return replace(alert, name=(alert.name or _GENERAL).removesuffix("_") + "_")
