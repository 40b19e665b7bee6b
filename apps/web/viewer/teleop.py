"""Steering by hand from a page, with a dead-man switch on the server's side.

While a page steers a vessel, ``MOOS_MANUAL_OVERRIDE`` is true: the helm is parked and the PID
silent. Afterwards it is what it was. If nobody had posted it, it is false if the helm was driving,
else it stays true, so that the vessel does not begin to drive by itself.
"""

from __future__ import annotations

from dataclasses import dataclass

from steerageway.apps.consoles.board import Board
from steerageway.bus import ControlError, Value, wall

OVERRIDE, HELM_STATE = "MOOS_MANUAL_OVERRIDE", "IVPHELM_STATE"
THRUST, RUDDER = "DESIRED_THRUST", "DESIRED_RUDDER"
LIMIT = 100.0
AGAIN = 0.4  # wall seconds between posts of a held lever: a PID that loses control posts 0
DEAD_MAN = 1.0  # wall seconds without a word from the page, after which all goes to 0


@dataclass(slots=True)
class Stick:
    """The stick of one vessel.

    Attributes:
        afterwards: what the override is to be when the page lets go.
        touched: when the page last held it [wall s].
        levels: thrust and rudder that were posted last [%]. moved: when that was [wall s].
    """

    afterwards: Value
    touched: float
    levels: tuple[float, float] = (0.0, 0.0)
    moved: float = 0.0


class Sticks:
    """All vessels that are steered by hand; for the thread that talks to the run."""

    def __init__(self, board: Board) -> None:
        self._board = board
        self._held: dict[str, Stick] = {}

    def drive(self, home: str, thrust: float, rudder: float) -> None:
        """Move a vessel's levels; the first time it takes the vessel from its helm.

        Raises:
            ControlError: there is no such community, or a lever is beyond its limits.
        """
        if home not in self._board.clients:
            raise ControlError(f"{home}: no such community")
        if not (abs(thrust) <= LIMIT and abs(rudder) <= LIMIT):
            raise ControlError(f"thrust {thrust:g}, rudder {rudder:g}: expected -100 to 100")
        stick = self._held.get(home)
        if stick is None:
            stick = self._held[home] = Stick(self._afterwards(home), wall())
            self._board.clients[home].post(OVERRIDE, "true")
            self._move(home, stick, thrust, rudder)
        elif stick.levels != (thrust, rudder) or wall() - stick.moved > AGAIN:
            self._move(home, stick, thrust, rudder)
        stick.touched = wall()

    def look(self, now: float) -> None:
        """Put to 0 what no page holds any more."""
        for home, stick in self._held.items():
            if now - stick.touched > DEAD_MAN and stick.levels != (0.0, 0.0):
                self._move(home, stick, 0.0, 0.0)

    def release(self, home: str) -> None:
        """Put the levels to 0 and give the vessel back; nothing where it was not steered."""
        stick = self._held.pop(home, None)
        if stick is not None:
            self._move(home, stick, 0.0, 0.0)
            self._board.clients[home].post(OVERRIDE, stick.afterwards)
            self._board.clients[home].flush()

    def release_all(self) -> None:
        """Give all vessels back."""
        for home in list(self._held):
            self.release(home)

    def _move(self, home: str, stick: Stick, thrust: float, rudder: float) -> None:
        client = self._board.clients[home]
        client.post(THRUST, thrust)
        client.post(RUDDER, rudder)
        client.flush()
        stick.levels, stick.moved = (thrust, rudder), wall()

    def _afterwards(self, home: str) -> Value:
        """Ask for the override as it is, and for the helm's state."""
        self._board.clients[home].register(OVERRIDE, HELM_STATE)
        self._board.sync(home)
        before = self._board.last.get((home, OVERRIDE))
        if before is not None:
            return before.value
        helm = self._board.last.get((home, HELM_STATE))
        drives = helm is not None and str(helm.value).startswith("DRIVE")
        return "false" if drives else "true"
