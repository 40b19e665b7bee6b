"""A program that speaks rosbridge by roslibpy: ``python roslib_peer.py ADDRESS``.

It prints what it hears, commands a speed, and asks for the topics, a reset, a pause and a warp.
"""

from __future__ import annotations

import json
import sys
from threading import Event

import roslibpy


def main(address: str) -> None:
    """Speak until a pose has come, then ask and leave."""
    ros = roslibpy.Ros(address)
    ros.run(timeout=20)
    come = Event()

    def hear(message: dict[str, object]) -> None:
        if not come.is_set():
            print(json.dumps(["pose", message]), flush=True)
        come.set()

    roslibpy.Topic(ros, "/otter/pose", "nav_msgs/Odometry").subscribe(hear)
    commands = roslibpy.Topic(ros, "/otter/cmd_vel", "geometry_msgs/Twist")
    commands.publish(roslibpy.Message({"linear": {"x": 1.25}, "angular": {"z": 0.0}}))
    assert come.wait(20)
    print(json.dumps(["topics", ros.get_topics()]), flush=True)
    roslibpy.Service(ros, "/otter/reset", "std_srvs/Trigger").call(roslibpy.ServiceRequest())
    pause = roslibpy.Service(ros, "/otter/pause", "std_srvs/Trigger")
    print(json.dumps(["pause", dict(pause.call(roslibpy.ServiceRequest()))]), flush=True)
    warp = roslibpy.Service(ros, "/otter/set_warp", "rcl_interfaces/SetParameters")
    value = {"name": "warp", "value": {"type": 3, "double_value": 100.0}}
    answer = warp.call(roslibpy.ServiceRequest({"parameters": [value]}))
    print(json.dumps(["set_warp", dict(answer)]), flush=True)
    resume = roslibpy.Service(ros, "/otter/resume", "std_srvs/Trigger")
    print(json.dumps(["resume", dict(resume.call(roslibpy.ServiceRequest()))]), flush=True)
    ros.terminate()


if __name__ == "__main__":
    main(sys.argv[1])
