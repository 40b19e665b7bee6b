"""``pObstacleMgr``: makes obstacles of what is sensed or told, and alerts others of near ones.

Behaviors ask for alerts by ``OBM_ALERT_REQUEST`` and are spawned by them. Since a request may name
any variable, this app may post any. Deviation from MOOS-IvP: a mailed obstacle that does not say
how long it lasts is taken: for the longest time allowed if the file says that, else for good.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import dist, inf

from steerageway.apps.mail_flags import MailFlags
from steerageway.apps.obstacle_mgr.obstacles import (
    Obstacle,
    Sensed,
    parse_given,
    parse_point,
    with_point,
    without_old_points,
)
from steerageway.apps.obstacle_mgr.options import (
    PARAMETERS,
    Alert,
    Options,
    parse_alert,
    read_options,
    same_labels,
)
from steerageway.bus import App, Message
from steerageway.moos.polygon import DIGITS
from steerageway.moos.seglist import Point
from steerageway.moos.values import fixed, pairs
from steerageway.moos.view import erased_seglist, look, points_text

GIVEN, REQUEST = "GIVEN_OBSTACLE", "OBM_ALERT_REQUEST"


class ObstacleMgr(App):
    """The obstacle manager of one vessel."""

    keeps_quotes = True
    publishes: Sequence[str] = (
        *("OBM_CONNECT", "OBM_DIST_TO_OBJ", "OBM_MIN_DIST_EVER", "OBM_RESOLVED"),
        *("VIEW_POLYGON", "BHV_ABLE_FILTER"),
    )
    subscribes = (
        *("NAV_X", "NAV_Y", GIVEN, REQUEST),
        "what point_var, mailflag, disable_var and the like name",
    )
    parameters = PARAMETERS

    def configure(self) -> None:
        """Read the block."""
        self._options: Options = read_options(self.config)
        for warning in same_labels(self.config):
            self.config_warning(warning)
        self._obstacles: dict[str, Obstacle] = {}
        self._mail_flags = MailFlags(self._options.mail_flags)
        self._alerts: dict[tuple[str, str], Alert] = {}
        for alert in self._options.alerts:
            self._alerts[alert.name, alert.variable] = alert
        self._posted: dict[tuple[str, str, str], Obstacle] = {}
        self._nav: dict[str, float] = {}
        self._nearest = inf
        self._distances: dict[str, str] = {}
        self._drawn: dict[str, str] = {}
        self.publishes = (*self.publishes, "*")

    def on_start(self) -> None:
        """Register, and take the obstacles of the block."""
        options = self._options
        names = ("NAV_X", "NAV_Y", GIVEN, REQUEST, options.point_var, *options.able_vars)
        self.register(*dict.fromkeys((*names, *self._mail_flags.sources)))
        self.post("OBM_CONNECT", "true")
        for obstacle in options.given:
            self._take(obstacle)

    def on_mail(self, mail: Sequence[Message]) -> None:
        """Take navigation, points, obstacles and requests."""
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
                self._take_given(parse_given(text, self.time, options.longest, options.usual))
            elif name == REQUEST:
                self._take_request(parse_alert(text, options.alert_range))
            elif name == options.point_var:
                self._take_point(parse_point(text))
            elif name in options.able_vars:
                given = dict(pairs(text)) if "=" in text else {"obstacle_id": text}
                fields = [
                    f"{'obstacle_id' if k == 'obstacle' else k}={v}" for k, v in given.items()
                ]
                self.post(
                    "BHV_ABLE_FILTER", ",".join([f"action={options.able_vars[name]}", *fields])
                )
        except ValueError as error:
            self.run_warning(f"{name} = {text}: {error}")

    def _take_request(self, alert: Alert) -> None:
        """Note a request; who asks again is told again, as it may have begun anew."""
        called = alert.name, alert.variable
        self._alerts[called] = alert
        self._posted = {one: old for one, old in self._posted.items() if one[:2] != called}

    def _take_given(self, obstacle: Obstacle) -> None:
        known = self._obstacles.get(obstacle.key)
        if known is not None and known.sensed:
            raise ValueError(f"expected another label: points of {obstacle.key} are sensed")
        if known is not None or obstacle.until > self.time:
            self._take(obstacle)

    def _take_point(self, one: Sensed) -> None:
        options, here = self._options, self._here()
        if here is not None and dist(here, one.point) > options.ignore_range:
            return
        known = self._obstacles.get(one.key)
        self._take(with_point(known, one, self.time, options.cluster_size, options.lasso))

    def _take(self, obstacle: Obstacle) -> None:
        known = self._obstacles.get(obstacle.key)
        self._obstacles[obstacle.key] = obstacle
        if known is None:
            for flag in self._options.new_flags:
                self.post(flag.variable, flag.value)
        elif known.shape == obstacle.shape:
            obstacle.changed = known.changed

    def iterate(self) -> None:
        """Let old obstacles go, and tell of near ones."""
        self._forget()
        here = self._here()
        if here is not None:
            for obstacle in self._obstacles.values():
                self._look_at(obstacle, obstacle.polygon.distance(here))
        self._draw()

    def _forget(self) -> None:
        options = self._options
        for key, obstacle in list(self._obstacles.items()):
            oldest = self.time - options.point_age
            left = without_old_points(obstacle, oldest, options.lasso)
            if left is None or self.time > obstacle.until:
                del self._obstacles[key]
                self._posted = {one: old for one, old in self._posted.items() if one[2] != key}
                self._distances.pop(key, None)
                self.post("OBM_RESOLVED", key)
            elif left is not obstacle:
                self._take(left)

    def _look_at(self, obstacle: Obstacle, away: float) -> None:
        for alert in self._alerts.values():
            alert_key = (alert.name, alert.variable, obstacle.key)
            if away > alert.range:
                self._posted.pop(alert_key, None)
            elif alert_key not in self._posted or obstacle.changed:
                self._posted[alert_key] = obstacle
                text = f"name={alert.name}{obstacle.key}#poly={obstacle.shape}#id={obstacle.key}"
                self.post(alert.variable, text)
        obstacle.changed = False
        self._post_distance(obstacle.key, away)

    def _post_distance(self, key: str, away: float) -> None:
        if away < self._nearest:
            self._nearest = away
            self.post("OBM_MIN_DIST_EVER", away)
        which, text = self._options.dist_to_polys, f"{key.upper()},{fixed(away, 1)}"
        near = away <= max((a.range for a in self._alerts.values()), default=0.0)
        if (which == "true" or (which == "close" and near)) and self._distances.get(key) != text:
            self._distances[key] = text
            self.post("OBM_DIST_TO_OBJ", text)

    def _here(self) -> Point | None:
        if len(self._nav) < 2:
            return None
        return self._nav["NAV_X"], self._nav["NAV_Y"]

    def _draw(self) -> None:
        if not self._options.draws:
            return
        drawn = {key: self._drawing(obstacle) for key, obstacle in self._obstacles.items()}
        for key in self._drawn:
            if key not in drawn:
                self.post("VIEW_POLYGON", erased_seglist(f"obmgr_{key}"))
        for key, text in drawn.items():
            if self._drawn.get(key) != text:
                self.post("VIEW_POLYGON", text)
        self._drawn = drawn

    def _drawing(self, obstacle: Obstacle) -> str:
        options, count = self._options, len(self._obstacles)
        color = options.color
        text = look(
            label=f"obmgr_{obstacle.key}",
            label_color="white" if count <= options.label_limit else "off",
            edge_color=color,
            vertex_color=color if count <= options.vertex_limit else "off",
        )
        fill = color if count <= options.shade_limit else "off"
        return f"pts={{{points_text(obstacle.polygon.points, DIGITS)}}},{text},fill_color={fill}"

    def report(self) -> Iterable[str]:
        """List alerts and obstacles."""
        for alert in self._alerts.values():
            yield f"Alert {alert.name} in {alert.variable}: within {alert.range:g} m"
        for obstacle in self._obstacles.values():
            kind = f"{len(obstacle.sensed)} points" if obstacle.sensed else "given"
            yield f"{obstacle.key}: {kind}, {self._distances.get(obstacle.key, '')}"
