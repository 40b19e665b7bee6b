"""A stand-in for ArduPilot's firmware, written from the documentation of its JSON interface.

``python ardupilot_firmware.py PORT SECONDS [KEY=VALUE ...]`` sends servo packets, waits for a
frame after each, repeats the packet while none comes, and after SECONDS of the frames' time prints
as JSON what it has seen. It
checks each frame as the firmware's reader takes it, steers towards a course by a PI controller on
yaw and a fixed throttle, and integrates its own position from the inertial measurements alone.

Source: ArduPilot, libraries/SITL/examples/JSON/readme.md. It is no ArduPilot: where that does
something else, this does not show it.
"""

from __future__ import annotations

import json
import math
import os
import random
import socket
import struct
import sys
import time
from typing import Any

NEUTRAL = 1500
NEEDED = ("timestamp", "imu", "position", "velocity", "attitude")
GRAVITY = 9.80665
USUAL = {
    "channels": "16",
    "rate": "50",
    "course": "90",  # degrees
    "throttle": "0.5",
    "skid": "0",  # 1: outputs 1 and 3 are the left and the right throttle
    "depth": "",  # m; a submarine: output 2 is the elevator
    "lost": "0",  # share of packets, and of frames, that the network loses
    "repeat": "0.05",  # s of silence before the packet is sent again
    "restart": "",  # s of the frames' time at which it is started again, once
    "die": "",  # s at which it ends, without a word
    "wait": "0",  # s before it starts
    "noise": "0",  # datagrams of garbage before each packet
}


class Firmware:
    def __init__(self, port: int, seconds: float, options: dict[str, str]) -> None:
        self.address = ("127.0.0.1", port)
        self.seconds = seconds
        self.options = {**USUAL, **options}
        self.random = random.Random(5)
        self.frames: list[dict[str, Any]] = []
        self.drift = 0.0
        self.resent = 0
        self.restart_at = float(self.options["restart"] or "inf")
        self.die_at = float(self.options["die"] or "inf")
        self.boot()

    def boot(self) -> None:
        self.count = 0
        self.last: dict[str, Any] | None = None
        self.integral = 0.0
        self.pwm = [0] * int(self.options["channels"])  # it drives nothing before it has a frame
        self.socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.socket.bind(("127.0.0.1", 0))
        self.socket.settimeout(float(self.options["repeat"]))

    def lost(self) -> bool:
        return self.random.random() < float(self.options["lost"])

    def send(self) -> None:
        for _ in range(int(self.options["noise"])):
            self.socket.sendto(self.random.randbytes(self.random.randrange(1, 90)), self.address)
        magic = 18458 if len(self.pwm) == 16 else 29569
        form = f"<HHI{len(self.pwm)}H"
        packet = struct.pack(form, magic, int(self.options["rate"]), self.count, *self.pwm)
        if not self.lost():
            self.socket.sendto(packet, self.address)

    def receive(self) -> dict[str, Any]:
        silent = 0
        while True:
            try:
                data = self.socket.recv(65000)
            except TimeoutError:
                silent += 1
                if silent * self.socket.gettimeout() > 60.0:
                    raise
                self.resent += 1
                self.send()
                continue
            if not self.lost():
                return self.read(data)

    def read(self, data: bytes) -> dict[str, Any]:
        assert (data[:1], data[-1:]) == (b"\n", b"\n"), data
        text = data.decode()
        assert " " not in text  # its reader takes none between a key and an array
        frame: dict[str, Any] = json.loads(text)
        assert all(key in frame for key in NEEDED), text
        assert text.count('"position"') == text.count('"velocity"') == 1
        return frame

    def take(self, frame: dict[str, Any]) -> None:
        """One step: dead reckoning from gyro and accelerometer, and the controller."""
        last, self.last = self.last, frame
        self.frames.append(frame)
        if last is None:
            self.velocity, self.position = list(frame["velocity"]), list(frame["position"])
            self.attitude = list(frame["attitude"])
            return
        step = frame["timestamp"] - last["timestamp"]
        if step <= 0.0:
            return
        self.reckon(last, frame, step)
        self.steer(frame, step)

    def reckon(self, last: dict[str, Any], frame: dict[str, Any], step: float) -> None:
        mean = [
            [(a + b) / 2 for a, b in zip(last["imu"][name], frame["imu"][name], strict=True)]
            for name in ("gyro", "accel_body")
        ]
        (p, q, r), force = mean
        phi, theta, psi = self.attitude
        self.attitude = [
            phi + step * (p + (q * math.sin(phi) + r * math.cos(phi)) * math.tan(theta)),
            theta + step * (q * math.cos(phi) - r * math.sin(phi)),
            psi + step * (q * math.sin(phi) + r * math.cos(phi)) / math.cos(theta),
        ]
        middle = [(a + b) / 2 for a, b in zip((phi, theta, psi), self.attitude, strict=True)]
        north, east, down = rotated(force, middle)
        before = self.velocity
        self.velocity = [
            before[0] + step * north,
            before[1] + step * east,
            before[2] + step * (down + GRAVITY),
        ]
        for k in range(3):
            self.position[k] += step * (before[k] + self.velocity[k]) / 2
        self.drift = max(self.drift, math.dist(self.position, frame["position"]))

    def steer(self, frame: dict[str, Any], step: float) -> None:
        wanted = math.radians(float(self.options["course"]))
        error = math.remainder(wanted - frame["attitude"][2], math.tau)
        turn = min(max(1.2 * error - 0.8 * frame["imu"]["gyro"][2], -1.0), 1.0)
        throttle = float(self.options["throttle"])
        if self.options["skid"] == "1":
            self.drive(1, throttle + turn)
            self.drive(3, throttle - turn)
        else:
            self.drive(1, turn)
            self.drive(3, throttle)
        if self.options["depth"]:
            down = float(self.options["depth"]) - frame["position"][2]
            self.integral = min(max(self.integral + step * down, -40.0), 40.0)
            pitch = min(max(-0.08 * down - 0.002 * self.integral, -0.25), 0.25)
            error = pitch - frame["attitude"][1]
            self.drive(2, -2.0 * error + 1.0 * frame["imu"]["gyro"][1])

    def drive(self, channel: int, share: float) -> None:
        self.pwm[channel - 1] = NEUTRAL + round(500 * min(max(share, -1.0), 1.0))

    def run(self) -> None:
        """Go on until it is killed; print what was seen once the frames' time is over."""
        time.sleep(float(self.options["wait"]))
        zero = 0.0
        while True:
            now = zero + (self.last["timestamp"] if self.last else 0.0)
            if now >= self.die_at:
                os._exit(3)
            if now >= self.restart_at:
                self.restart_at, zero = math.inf, now
                self.boot()
            if now >= self.seconds:
                self.seconds = math.inf
                self.tell()
            self.send()
            self.take(self.receive())
            self.count += 1

    def tell(self) -> None:
        seen = {"drift": self.drift, "resent": self.resent, "count": self.count}
        ends = {"first": self.frames[0], "last": self.frames[-1]}
        print(json.dumps({**seen, **ends}), flush=True)


def rotated(vector: list[float], attitude: list[float]) -> list[float]:
    """Return a vector of BODY in NED: by roll, then pitch, then yaw."""
    x, y, z = vector
    phi, theta, psi = attitude
    y, z = y * math.cos(phi) - z * math.sin(phi), y * math.sin(phi) + z * math.cos(phi)
    x, z = x * math.cos(theta) + z * math.sin(theta), z * math.cos(theta) - x * math.sin(theta)
    return [x * math.cos(psi) - y * math.sin(psi), x * math.sin(psi) + y * math.cos(psi), z]


if __name__ == "__main__":
    port, seconds, *lines = sys.argv[1:]
    Firmware(int(port), float(seconds), dict(line.split("=", 1) for line in lines)).run()
