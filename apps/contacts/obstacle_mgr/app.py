"""``pObstacleMgr``: builds obstacles from sensed points or given polygons, and posts alerts.

Behaviors request alerts by ``OBM_ALERT_REQUEST`` and are spawned by them. Since a request may name
any variable, this app may post any. Deviation from MOOS-IvP: a mailed obstacle without a duration
is accepted: for ``given_max_duration`` if the file sets it, otherwise permanently. With
``peer_compat = moos`` it is rejected, unless ``given_max_duration`` is off.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import dist, inf
from typing import NamedTuple

from steerageway.apps.contacts.alerts import MOST_ALERTS
from steerageway.apps.contacts.obstacle_mgr.obstacles import (
    Obstacle,
    Sensed,
    parse_given,
    parse_point,
    with_point,
    without_old_points,
)
from steerageway.apps.contacts.obstacle_mgr.options import (
    Alert,
    ManagerOptions,
    given_doubts,
    parse_alert,
)
from steerageway.apps.shared.block_readers import AS_MOOS_LINES
from steerageway.apps.shared.flags import MailFlags
from steerageway.apps.shared.limited import Limited
from steerageway.bus import App, Message, parsed, variables
from steerageway.moos.polygon import DIGITS
from steerageway.moos.seglist import Point
from steerageway.moos.values import fixed, pairs
from steerageway.moos.view import erased_seglist, look, points_text


class Style(NamedTuple):
    """The colours of drawn obstacles."""

    label: str
    edge: str
    vertex: str
    fill: str


GIVEN, REQUEST = "GIVEN_OBSTACLE", "OBM_ALERT_REQUEST"


class ObstacleMgr(App):
    """The obstacle manager of one vessel."""

    keeps_quotes = True
    peer_lines = AS_MOOS_LINES
    publications = variables.published("""
        BHV_ABLE_FILTER | text | | | on request | disables or enables the behaviors of an obstacle
        OBM_CONNECT | text | | `true` | once | the app accepts obstacles
        OBM_DIST_TO_OBJ | text | m | | on change | `ROCK,12.3`: key of an obstacle in capitals, and
            its distance
        OBM_MIN_DIST_EVER | number | m | >= 0 | on change | least distance of any obstacle so far
        OBM_RESOLVED | text | | | when it happens | key of an obstacle that was removed
        VIEW_POLYGON | text | m | | on change | obstacles, for viewers
    """)
    subscriptions = variables.subscribed("""
        TRACKED_FEATURE | text | m | | `x=1,y=2,key=rock`: a sensed point, optionally with
            `vsource=`; `point_var` sets another variable
        OBM_ALERT_REQUEST | text | m | | `name=avoid_,update_var=OBSTACLE,alert_range=50`; also
            posted by behaviors
    """)
    subscribes = (
        *("NAV_X", "NAV_Y", GIVEN, REQUEST),
        "variables of point_var, mailflag, disable_var, enable_var, expunge_var",
    )
    parameters = ManagerOptions.parameters()

    def configure(self) -> None:
        options = self._options = ManagerOptions.read(self.config)
        self._given = [parsed(line, parse_given) for line in options.given_obstacle]
        self._max_duration = options.given_max_duration
        default = self._max_duration if "given_max_duration" in self.config else inf
        rejects = options.as_moos and self._max_duration < inf
        self._default_duration = None if rejects else default
        self._able_vars = options.able_vars.verbs()
        for warning in given_doubts(options.given_obstacle):
            self.config_warning(warning)
        self._obstacles = Limited[Obstacle]()
        self._mail_flags = MailFlags(options.mailflag)
        self._alerts: dict[tuple[str, str], Alert] = {}
        for alert in options.alerts():
            self._alerts[alert.name, alert.variable] = alert
        self._posted: dict[str, dict[tuple[str, str], None]] = {}  # alerts posted, by obstacle
        self._nav: dict[str, float] = {}
        self._nearest = inf
        self._distances: dict[str, str] = {}
        self._drawn: dict[str, tuple[Obstacle, Style, str]] = {}
        self._gone: list[str] = []
        self.publishes = (*self.publishes, "*")

    def on_start(self) -> None:
        """Register for the subscribed variables, and add the obstacles of the block."""
        options = self._options
        names = ("NAV_X", "NAV_Y", GIVEN, REQUEST, options.point_var, *self._able_vars)
        self.register(*dict.fromkeys((*names, *self._mail_flags.sources)))
        self.post("OBM_CONNECT", "true")
        for obstacle in self._given:
            self._take(obstacle)

    def on_mail(self, mail: Sequence[Message]) -> None:
        """Process navigation, points, obstacles and requests."""
        for message in mail:
            name, value = message.name, message.value
            if name in ("NAV_X", "NAV_Y") and isinstance(value, float):
                self._nav[name] = value
            else:
                self._take_text(name, str(value))
            for flag in self._mail_flags.answers(name, self.utc):
                self.post(flag.variable, flag.value)

    def _take_text(self, name: str, text: str) -> None:
        options = self._options
        try:
            if name == GIVEN:
                self._take_given(
                    parse_given(text, self.time, self._max_duration, self._default_duration)
                )
            elif name == REQUEST:
                self._take_request(parse_alert(text, options.alert_range))
            elif name == options.point_var:
                self._take_point(parse_point(text))
            elif name in self._able_vars:
                given = dict(pairs(text)) if "=" in text else {"obstacle_id": text}
                fields = [
                    f"{'obstacle_id' if k == 'obstacle' else k}={v}" for k, v in given.items()
                ]
                self.post("BHV_ABLE_FILTER", ",".join([*fields, f"action={self._able_vars[name]}"]))
        except ValueError as error:
            self.run_warning(f"{name} = {text}: {error}")

    def _take_request(self, alert: Alert) -> None:
        """Take a request in place of the last one of its variable.

        Its alerts are posted again, as the behavior may have been restarted. MOOS-IvP's manager
        has one request at a time.
        """
        called = "", "" if self._options.as_moos else alert.variable
        if called not in self._alerts and len(self._alerts) >= MOST_ALERTS:
            raise ValueError(f"expected at most {MOST_ALERTS} alerts")
        self._alerts[called] = alert
        for alerted in self._posted.values():
            alerted.pop(called, None)

    def _take_given(self, obstacle: Obstacle) -> None:
        known = self._obstacles.get(obstacle.key)
        if known is not None and known.sensed:
            raise ValueError(f"expected another label: points of {obstacle.key} are sensed")
        # one that has already expired can only replace a known one
        if known is not None or obstacle.until > self.time:
            self._take(obstacle)

    def _take_point(self, one: Sensed) -> None:
        options, here = self._options, self._here()
        if here is not None and dist(here, one.point) > options.sensed_within:
            return
        known = self._obstacles.get(one.key)
        self._take(with_point(known, one, self.time, options.max_pts_per_cluster, options.shape))

    def _take(self, obstacle: Obstacle) -> None:
        known = self._obstacles.get(obstacle.key)
        self._obstacles[obstacle.key] = obstacle
        if known is None:
            for flag in self._options.new_obs_flag:
                self.post(flag.variable, flag.value)
        # an unchanged shape requires no new alert
        elif known.shape == obstacle.shape:
            obstacle.changed = known.changed

    def iterate(self) -> None:
        """Remove expired obstacles, and post alerts of near ones."""
        self._remove_expired()
        here = self._here()
        if here is not None:
            widest = max((alert.range for alert in self._alerts.values()), default=0.0)
            for obstacle in self._obstacles.values():
                # the bound spares the exact distance of most obstacles
                if self._may_require_post(obstacle.distance_bound(here), widest):
                    self._update_alerts(obstacle, obstacle.polygon.distance(here), widest)
                else:
                    self._posted.pop(obstacle.key, None)
                    obstacle.changed = False
        self._draw()

    def _may_require_post(self, least: float, widest: float) -> bool:
        """Whether an obstacle at this distance or more can require a post."""
        return self._options.post_dist_to_polys == "true" or least < max(
            self._nearest, widest + 0.1
        )

    def _remove_expired(self) -> None:
        options = self._options
        for key, obstacle in list(self._obstacles.items()):
            oldest = self.time - options.max_age_per_point
            left = without_old_points(obstacle, oldest, options.shape)
            if left is None or self.time > obstacle.until:
                del self._obstacles[key]
                self._posted.pop(key, None)
                self._distances.pop(key, None)
                self._gone.append(key)
                self.post("OBM_RESOLVED", key)
            elif left is not obstacle:
                self._take(left)

    def _update_alerts(self, obstacle: Obstacle, away: float, widest: float) -> None:
        alerted = self._posted.setdefault(obstacle.key, {})
        for called, alert in self._alerts.items():
            if away > alert.range:
                alerted.pop(called, None)
            elif called not in alerted or obstacle.changed:
                alerted[called] = None
                text = f"name={alert.name}{obstacle.key}#poly={obstacle.shape}#id={obstacle.key}"
                self.post(alert.variable, text)
        obstacle.changed = False
        self._post_distance(obstacle.key, away, near=away <= widest)

    def _post_distance(self, key: str, away: float, *, near: bool) -> None:
        if away < self._nearest:
            self._nearest = away
            self.post("OBM_MIN_DIST_EVER", away)
        which, text = self._options.post_dist_to_polys, f"{key.upper()},{fixed(away, 1)}"
        if (which == "true" or (which == "close" and near)) and self._distances.get(key) != text:
            self._distances[key] = text
            self.post("OBM_DIST_TO_OBJ", text)

    def _here(self) -> Point | None:
        if len(self._nav) < 2:
            return None
        return self._nav["NAV_X"], self._nav["NAV_Y"]

    def _draw(self) -> None:
        """Draw what has changed since the last drawing."""
        gone, self._gone = self._gone, []
        if not self._options.post_view_polys:
            return
        for key in gone:
            if self._drawn.pop(key, None):
                self.post("VIEW_POLYGON", erased_seglist(f"obmgr_{key}"))
        style = self._style()
        for key, obstacle in self._obstacles.items():
            before, as_before, text_before = self._drawn.get(key, (None, None, ""))
            if before is obstacle and as_before == style:
                continue
            text = _drawing(obstacle, style)
            self._drawn[key] = obstacle, style, text
            if text != text_before:
                self.post("VIEW_POLYGON", text)

    def _style(self) -> Style:
        options, count = self._options, len(self._obstacles)
        color = options.obstacles_color
        return Style(
            label="white" if count <= options.poly_label_thresh else "off",
            edge=color,
            vertex=color if count <= options.poly_vertex_thresh else "off",
            fill=color if count <= options.poly_shade_thresh else "off",
        )

    def report(self) -> Iterable[str]:
        """Yield alerts and obstacles for the appcast."""
        for alert in self._alerts.values():
            yield f"Alert {alert.name} in {alert.variable}: within {alert.range:g} m"
        for obstacle in self._obstacles.values():
            kind = f"{len(obstacle.sensed)} points" if obstacle.sensed else "given"
            yield f"{obstacle.key}: {kind}, {self._distances.get(obstacle.key, '')}"


def _drawing(obstacle: Obstacle, style: Style) -> str:
    text = look(
        label=f"obmgr_{obstacle.key}",
        label_color=style.label,
        edge_color=style.edge,
        vertex_color=style.vertex,
    )
    points = points_text(obstacle.polygon.points, DIGITS)
    return f"pts={{{points}}},{text},fill_color={style.fill}"
