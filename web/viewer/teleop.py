"""Remote control of vessels from a page (teleoperation), with a dead-man switch in the server.

While a page steers a vessel, ``MOOS_MANUAL_OVERRIDE`` is true: the helm is parked and the PID
controller posts nothing. Afterwards the previous value is restored. If there was none, it becomes
false if the helm was driving; otherwise it stays true, so that the vessel does not start to move.
"""

from __future__ import annotations

from dataclasses import dataclass

from steerageway.apps.shared.board import Board
from steerageway.bus import ControlError, Value, wall

OVERRIDE, HELM_STATE = "MOOS_MANUAL_OVERRIDE", "IVPHELM_STATE"
THRUST, RUDDER = "DESIRED_THRUST", "DESIRED_RUDDER"
LIMIT = 100.0
AGAIN = 0.4  # interval of repeated posts [wall s]: a PID that loses control posts 0
DEAD_MAN = 1.0  # time without a request, after which thrust and rudder are set to 0 [wall s]


@dataclass(slots=True)
class Joystick:
    """The joystick of one vessel.

    Attributes:
        afterwards: value of the override when the vessel is released.
        touched: time of the page's last request [wall s].
        levels: last posted thrust and rudder [%]. moved: time of that post [wall s].
    """

    afterwards: Value
    touched: float
    levels: tuple[float, float] = (0.0, 0.0)
    moved: float = 0.0


class Joysticks:
    """The vessels that are steered by pages; for the bus thread only."""

    def __init__(self, board: Board) -> None:
        self._board = board
        self._held: dict[str, Joystick] = {}

    def drive(self, community: str, thrust: float, rudder: float) -> None:
        """Set a vessel's thrust and rudder [%]; the first call takes control from its helm.

        Raises:
            ControlError: there is no such community, or a value is out of range.
        """
        if community not in self._board.clients:
            raise ControlError(f"{community}: no such community")
        if not (abs(thrust) <= LIMIT and abs(rudder) <= LIMIT):
            raise ControlError(f"thrust {thrust:g}, rudder {rudder:g}: expected -100 to 100")
        stick = self._held.get(community)
        if stick is None:
            stick = self._held[community] = Joystick(self._afterwards(community), wall())
            self._board.clients[community].post(OVERRIDE, "true")
            self._move(community, stick, thrust, rudder)
        elif stick.levels != (thrust, rudder) or wall() - stick.moved > AGAIN:
            self._move(community, stick, thrust, rudder)
        stick.touched = wall()

    def look(self, now: float) -> None:
        """Set thrust and rudder to 0 for vessels without a request within ``DEAD_MAN``."""
        for community, stick in self._held.items():
            if now - stick.touched > DEAD_MAN and stick.levels != (0.0, 0.0):
                self._move(community, stick, 0.0, 0.0)

    def release(self, community: str) -> None:
        """Set thrust and rudder to 0 and return control to the helm, if the vessel was steered."""
        stick = self._held.pop(community, None)
        if stick is not None:
            self._move(community, stick, 0.0, 0.0)
            self._board.clients[community].post(OVERRIDE, stick.afterwards)
            self._board.clients[community].flush()

    def release_all(self) -> None:
        """Return control of all vessels to their helms."""
        for community in list(self._held):
            self.release(community)

    def _move(self, community: str, stick: Joystick, thrust: float, rudder: float) -> None:
        client = self._board.clients[community]
        client.post(THRUST, thrust)
        client.post(RUDDER, rudder)
        client.flush()
        stick.levels, stick.moved = (thrust, rudder), wall()

    def _afterwards(self, community: str) -> Value:
        """Return the value to restore: the present override, or one by the helm's state."""
        self._board.clients[community].register(OVERRIDE, HELM_STATE)
        self._board.sync(community)
        before = self._board.last.get((community, OVERRIDE))
        if before is not None:
            return before.value
        helm = self._board.last.get((community, HELM_STATE))
        drives = helm is not None and str(helm.value).startswith("DRIVE")
        return "false" if drives else "true"
