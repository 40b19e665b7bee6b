"""``pHostInfo``: posts the network address of its community.

The address is that of the file, or ``localhost``: the machine's own address does not enter a
mission,
as results must not depend on it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import ClassVar

from steerageway.bus import App, Message, Options, declare, variables
from steerageway.moos.host_record import HostRecord
from steerageway.moos.values import fixed

INPUTS, REQUEST = "PSHARE_INPUT_SUMMARY", "HOST_INFO_REQUEST"
REPEAT = 10  # iterations
_MACHINE = "accepted and without effect: the machine's own addresses do not enter a mission"


@dataclass(frozen=True)
class HostOptions(Options):
    """Parameters of the configuration block."""

    default_hostip: str = declare.text(
        "localhost", "the host's address, unless default_hostip_force is set"
    )
    default_hostip_force: str = declare.text("", "the host's address; overrides default_hostip")
    prefer_interface: str = declare.text("", _MACHINE)
    temp_file_dir: str = declare.text("~/", _MACHINE)


class HostInfo(App):
    """Posts the address, ports and routes of a community, every tenth iteration."""

    publications = variables.published("""
        PHI_HOST_INFO | text | | | on change, each 10 ticks |
            `community=abe,hostip=localhost,port_db=9001,port_udp=9201,pshare_iroutes=..,timewarp=1,time=3.00`
        PHI_HOST_IP | text | | | as `PHI_HOST_INFO` | the host's address from the file, or
            `localhost`
        PHI_HOST_IP_ALL | text | | | as `PHI_HOST_INFO` | all addresses
        PHI_HOST_IP_VERBOSE | text | | | as `PHI_HOST_INFO` | `DEFAULT=localhost`
        PHI_HOST_PORT_DB | text | | | as `PHI_HOST_INFO` | the file's `ServerPort`
    """)
    subscriptions = (
        variables.heard(
            "HOST_INFO_REQUEST", what="request to post `PHI_HOST_INFO` now", kind="any"
        ),
    )
    subscribes: ClassVar[Sequence[str]] = (INPUTS, REQUEST)
    parameters = HostOptions.parameters()

    def configure(self) -> None:
        options = HostOptions.read(self.config)
        self._host = options.default_hostip_force or options.default_hostip
        self._port = self.setting.globals.text("ServerPort", default="9000")
        self._warp = self.setting.globals.text("MOOSTimeWarp", default="1")
        self._routes = ""
        self._due = True

    def on_mail(self, mail: Sequence[Message]) -> None:
        """Take the input routes of ``pShare``, and requests."""
        for message in mail:
            if message.name == INPUTS:
                self._routes = str(message.value)
            self._due = True

    def iterate(self) -> None:
        """Post on change, on request, and periodically."""
        if not self._due and (self.iteration - 1) % REPEAT:
            return
        self._due = False
        self.post("PHI_HOST_IP", self._host)
        self.post("PHI_HOST_IP_ALL", self._host)
        self.post("PHI_HOST_IP_VERBOSE", f"DEFAULT={self._host}")
        self.post("PHI_HOST_PORT_DB", self._port)
        self.post("PHI_HOST_INFO", str(self._record()))

    def report(self) -> Iterable[str]:
        """Return the fields of the host record."""
        return str(self._record()).split(",")

    def _record(self) -> HostRecord:
        ports = [route.rpartition(":")[2] for route in self._routes.split("&") if ":" in route]
        return HostRecord(
            community=self.community,
            hostip=self._host,
            port_db=self._port,
            port_udp=(ports or [""])[0].strip(),
            pshare_iroutes=self._routes.replace(" ", ""),
            timewarp=self._warp,
            time=fixed(self.utc, 2),
        )
