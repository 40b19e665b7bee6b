"""Poses of other vessels: from SCENE_POSE of their own communities, else from node reports.

``SCENE_POSE`` is ``NAME=ben,TIME=12.3,N=1,E=2,D=0,ROLL=0,PITCH=0,YAW=0,VN=1,VE=0,VD=0``: seconds,
metres from the datum in NED, degrees, metres a second over ground.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from steerageway.apps.shared.limited import Limited
from steerageway.bus import Message
from steerageway.geometry.geodesy import Projection
from steerageway.helm.contact import REPORTS, ContactList
from steerageway.moos.values import by_key
from steerageway.vessel.errors import InvalidValue
from steerageway.vessel.kinematics import rotm_to_eul
from steerageway.world.arrays import Floats
from steerageway.world.numbers import read_finite
from steerageway.world.rotation import rotation

POSE = "SCENE_POSE"
SILENT = 10.0  # [s] without a report after which a vessel is removed
NUMBERS = ("TIME", "N", "E", "D", "ROLL", "PITCH", "YAW", "VN", "VE", "VD")


@dataclass(frozen=True, eq=False)
class Pose:
    """A vessel's pose at a time.

    Attributes:
        time: [s].
        position, velocity: (3,), (3,) of CO in NED [m], [m/s] over ground.
        R: (3, 3) from BODY to NED.
    """

    time: float
    position: Floats
    velocity: Floats
    R: Floats

    def text(self, name: str) -> str:
        """Return the pose in the format of SCENE_POSE."""
        angles = np.degrees(rotm_to_eul(self.R)).tolist()
        numbers = (self.time, *self.position.tolist(), *angles, *self.velocity.tolist())
        pairs = (f"{key}={value:.12g}" for key, value in zip(NUMBERS, numbers, strict=True))
        return ",".join((f"NAME={name}", *pairs))


def read_pose(text: str) -> tuple[str, Pose]:
    """Read a SCENE_POSE: the vessel's name and its pose.

    Raises:
        InvalidValue: a number is missing or none.
    """
    fields = by_key(text)
    name = fields.get("name", "")
    if not name:
        raise InvalidValue("NAME is missing: expected the vessel's name")
    values = [read_finite(fields.get(key.lower(), ""), key) for key in NUMBERS]
    time, north, east, down, roll, pitch, yaw, *velocity = values
    position = np.array([north, east, down])
    return name, Pose(time, position, np.array(velocity), rotation(roll, pitch, yaw))


class Poses:
    """The poses of other vessels, in the order of their first reports."""

    def __init__(self, own: str, datum: Projection | None, epoch: float) -> None:
        self._own, self._epoch = own.lower(), epoch
        self._contacts = ContactList(own, SILENT, datum)
        self._poses = Limited[Pose]()
        self._posting: set[str] = set()  # vessels with a SCENE_POSE; their node reports are ignored

    def take(self, message: Message, utc: float) -> None:
        """Store the pose of a SCENE_POSE or node report.

        Raises:
            InvalidValue: the text is no pose or report.
        """
        if message.name == POSE:
            name, pose = read_pose(str(message.value))
            key = name.lower()
            if key != self._own:
                self._store(key, pose)
                self._posting.add(key)
        elif message.name in REPORTS:
            self._take_report(message, utc)

    def around(self, time: float) -> list[tuple[str, Pose]]:
        """Return name and pose of each vessel at a time [s], by dead reckoning."""
        found = []
        for name, pose in self._poses.items():
            since = time - pose.time
            if since <= SILENT:
                place = pose.position + since * pose.velocity
                found.append((name, Pose(time, place, pose.velocity, pose.R)))
        return found

    def _store(self, key: str, pose: Pose) -> None:
        known = self._poses.get(key)
        if known is None or pose.time > known.time:
            self._poses[key] = pose

    def _take_report(self, message: Message, utc: float) -> None:
        errors: list[str] = []
        contact = self._contacts.take_report(message.name, message.value, utc, errors.append)
        if errors:
            raise InvalidValue(errors[0])
        if contact is None or contact.name.lower() in self._posting:
            return
        track = contact.track
        east, north = track.velocity
        position = np.array([track.y, track.x, contact.record.depth or 0.0])
        velocity, axes = np.array([north, east, 0.0]), rotation(0.0, 0.0, track.heading)
        pose = Pose(contact.seen - self._epoch, position, velocity, axes)
        self._store(contact.name.lower(), pose)
