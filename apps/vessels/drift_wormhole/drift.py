"""Posts of drift for one or more vessels, in one of the forms that a simulator accepts."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from steerageway.apps.vessels.drift_wormhole.options import ADD, VECTOR, XY
from steerageway.apps.vessels.drift_wormhole.reading import Sources
from steerageway.bus import variables
from steerageway.moos.values import trimmed, trimmed360
from steerageway.moos.view import look
from steerageway.vessel.drift import Drift

FORMS = {
    XY: ("DRIFT_X", "DRIFT_Y"),
    VECTOR: ("DRIFT_VECTOR",),
    ADD: ("DRIFT_VECTOR_ADD",),
}
MULTIPLY, ROTATE, ARROW = "DRIFT_VECTOR_MULT", "ROTATE_SPEED", "VIEW_VECTOR"
_DIGITS = 9
_FINEST = 1e-9  # m/s: smaller changes are not posted
_ARROW_COLOR = "deepskyblue"

Post = Callable[[str, float | str], None]
Place = tuple[float, float, float]


PUBLICATIONS = variables.published(f"""
    DRIFT_X | number | m/s, east | | on change, with `post_as = xy` | drift
    DRIFT_Y | number | m/s, north | | on change, with `post_as = xy` | drift
    DRIFT_VECTOR | text | deg, m/s | | on change, with `post_as = vector` | `90,1.5`: drift,
        direction it goes to and speed
    DRIFT_VECTOR_ADD | text | deg, m/s | | on change, with `post_as = add` | change of the drift, to
        be added
    {MULTIPLY} | number | | | at the times of `multiply` | a factor on the drift
    {ROTATE} | number | deg/s | | on change, with `rotate` | rotation of the vessel
    {ARROW} | text | m, deg | | a second, on change, with `arrows` | the drift at a vessel, for
        viewers
""")


class DriftPoster:
    """The drift posted for one vessel so far.

    Attributes: suffix: of the variables' names.
    """

    def __init__(self, suffix: str, form: str) -> None:
        self.suffix, self._form = suffix, form
        self._posted = Drift()
        self._begins = True
        self._turn = 0.0
        self._arrow = ""

    def post_drift(self, drift: Drift, post: Post) -> None:
        """Post a drift if it differs from the one posted before."""
        if self._form == XY:
            self._posted = Drift(*self._post_components(drift, post))
        else:
            self._post_vector(drift, post)
        self._begins = False

    def _post_components(self, drift: Drift, post: Post) -> Iterator[float]:
        for name, value, known in zip(FORMS[XY], drift, self._posted, strict=True):
            news = self._begins or abs(value - known) > _FINEST
            if news:
                post(name + self.suffix, value)
            yield value if news else known

    def _post_vector(self, drift: Drift, post: Post) -> None:
        change = drift.plus(self._posted.times(-1))
        adds = self._form == ADD
        if change.magnitude > _FINEST or (self._begins and not adds):
            text, sent = _vector(change if adds else drift)
            post(FORMS[self._form][0] + self.suffix, text)
            # The simulator adds up what it reads from rounded texts: track that sum.
            self._posted = self._posted.plus(sent) if adds else sent

    def multiply(self, factor: float, post: Post) -> None:
        """Post a factor on the drift."""
        post(MULTIPLY + self.suffix, factor)
        self._posted = self._posted.times(factor)

    def turn(self, speed: float, post: Post) -> None:
        """Post a rotation [deg/s], if it has changed."""
        if speed != self._turn:
            self._turn = speed
            post(ROTATE + self.suffix, speed)

    def draw(self, drift: Drift, place: Place, name: str, scale: float, post: Post) -> None:
        """Draw the drift at the vessel, ``scale`` metres for 1 m/s."""
        text = (
            f"x={trimmed(place[0], 1)},y={trimmed(place[1], 1)},"
            f"ang={trimmed360(drift.direction, 1)},mag={trimmed(drift.magnitude * scale, 1)},"
            + look(label=f"{name}_drift", label_color="off", edge_color=_ARROW_COLOR)
        )
        if text != self._arrow:
            self._arrow = text
            post(ARROW, text)


class DriftField:
    """The sum of all drifts at a time and place.

    Attributes: turn: present rotation of vessels [deg/s].
    """

    def __init__(self, sources: Sources) -> None:
        self._sources = sources
        self._scale = 1.0
        self._multiplied = [0 for _ in sources.multiplications]
        self._everywhere = Drift()
        self.turn = 0.0

    def advance(self, t: float) -> list[float]:
        """Advance to a time [s]; return the factors that have become due since the last call."""
        factors = []
        for index, multiplication in enumerate(self._sources.multiplications):
            due = multiplication.due(t)
            factors += [multiplication.factor] * (due - self._multiplied[index])
            self._multiplied[index] = due
        for factor in factors:
            self._scale *= factor
        total = Drift()
        for push in self._sources.pushes:
            total = total.plus(push.at(t))
        self._everywhere = total
        self.turn = sum(turn.at(t) for turn in self._sources.turns)
        return factors

    def drift(self, place: Place, t: float) -> Drift:
        """Return the drift at a place (x, y, depth) and the present time."""
        total = self._everywhere
        for field in self._sources.fields:
            total = total.plus(Drift(*field.at(*place, t)))
        return total.times(self._scale)


def _vector(drift: Drift) -> tuple[str, Drift]:
    """Return a drift as text, and the drift as read from that text."""
    direction, magnitude = trimmed360(drift.direction, _DIGITS), trimmed(drift.magnitude, _DIGITS)
    return f"{direction},{magnitude}", Drift.towards(float(direction), float(magnitude))
