"""``pRos2``: a node of ROS 2 without ROS, by DDS or Zenoh."""

from __future__ import annotations

from dataclasses import dataclass

from steerageway.bridges.ros.app import RosApp
from steerageway.bridges.ros.options import RosOptions
from steerageway.bridges.ros.transport import Transport
from steerageway.bus import declare

DDS, ZENOH = "dds", "zenoh"


@dataclass(frozen=True)
class Ros2Options(RosOptions):
    """Parameters of the configuration block."""

    transport: str = declare.choice(
        DDS, {DDS: "as rmw_cyclonedds", ZENOH: "as rmw_zenoh"}, "what carries the messages"
    )
    domain: int = declare.whole(0, "number of the domain, as ROS_DOMAIN_ID", low=0, high=232)
    interface: str = declare.word(
        "lo",
        "network interface for DDS; lo: this machine only; auto: Cyclone's choice,"
        " or that of CYCLONEDDS_URI",
    )
    router: str = declare.word(
        "tcp/localhost:7447", "address of the router for Zenoh, as rmw_zenohd listens at"
    )


class Ros2(RosApp):
    """Is a node of ROS 2 for other nodes: publishes the vessel's state, takes commands."""

    kind = Ros2Options
    parameters = Ros2Options.parameters()
    _options: Ros2Options

    def connect(self) -> Transport:
        """Enter the domain."""
        own = self._options
        if own.transport == ZENOH:
            from steerageway.bridges.ros.zenoh import Zenoh

            return Zenoh(own.domain, own.router, self.community, self.name)
        from steerageway.bridges.ros.dds import Dds

        return Dds(own.domain, own.interface, f"/{self.community}", self.name)
